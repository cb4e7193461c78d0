/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpucaps.h"

#include <gst/allocators/gstdmabuf.h>
#include <string.h>

#include "gstqpucolumns.h"
#include "gstqpuproperties.h"

#define DMA_DRM "DMA_DRM"

/* Formats as GStreamer and as DRM name them: with whole rows, and with columns whose height the buffers say. Each height that is
 * a part of a name makes one more format: they are too many to list, and handled where they occur. */
static const struct
{
  const gchar *format;
  const gchar *drm_format;
} drm_formats[] = {
  { "I420", "YU12" },
  { "YV12", "YV12" },
  { "NV12", "NV12" },
  { "NV12", GST_QPU_COLUMNS_NAME },
  { "NV21", "NV21" },
  { "P010_10LE", "P010" },
  { "P010_10LE", GST_QPU_COLUMNS_NAME_10 },
  { "Y42B", "YU16" },
  { "NV16", "NV16" },
  { "Y444", "YU24" },
};

/* Whether this GStreamer has format=DMA_DRM. */
static gboolean
has_dma_drm (void)
{
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);
  return major > 1 || minor >= 24;
}

static gboolean
has_string (const GValue *list, const gchar *text)
{
  for (guint i = 0; i < gst_value_list_get_size (list); i++) {
    if (g_strcmp0 (g_value_get_string (gst_value_list_get_value (list, i)),
            text)
        == 0)
      return TRUE;
  }
  return FALSE;
}

static void
append_string (GValue *list, const gchar *text)
{
  GValue value = G_VALUE_INIT;

  if (has_string (list, text))
    return;
  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, text);
  gst_value_list_append_and_take_value (list, &value);
}

/* Appends the other names of a format, if it has any. */
static void
append_other_names (GValue *list, const GValue *name, gboolean to_drm)
{
  const gchar *text =
      G_VALUE_HOLDS_STRING (name) ? g_value_get_string (name) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (drm_formats); i++) {
    if (g_strcmp0 (text,
            to_drm ? drm_formats[i].format : drm_formats[i].drm_format)
        == 0)
      append_string (list,
          to_drm ? drm_formats[i].drm_format : drm_formats[i].format);
  }
  if (!to_drm && gst_qpu_columns_height (text) > 0)
    append_string (list, gst_qpu_columns_format (text));
}

/* Sets a field to the strings of a list, which is taken over; FALSE if the list is empty. */
static gboolean
take_names (GstStructure *structure, const gchar *field, GValue *list)
{
  guint found = gst_value_list_get_size (list);

  if (found == 1)
    gst_structure_set_value (structure, field,
        gst_value_list_get_value (list, 0));
  else
    gst_structure_set_value (structure, field, list);
  g_value_unset (list);
  return found > 0;
}

/* Sets a field to the other names of the formats in value, a string or a list of strings; FALSE if they have none. */
static gboolean
set_other_names (GstStructure *structure, const gchar *field,
    const GValue *value, gboolean to_drm)
{
  GValue list = G_VALUE_INIT;

  g_value_init (&list, GST_TYPE_LIST);
  if (value != NULL && GST_VALUE_HOLDS_LIST (value)) {
    for (guint i = 0; i < gst_value_list_get_size (value); i++)
      append_other_names (&list, gst_value_list_get_value (value, i), to_drm);
  } else if (value != NULL) {
    append_other_names (&list, value, to_drm);
  }
  return take_names (structure, field, &list);
}

static gboolean
is_dma_drm (const GstStructure *structure)
{
  return g_strcmp0 (gst_structure_get_string (structure, "format"), DMA_DRM)
      == 0;
}

/* A copy with the plain format in place of the DRM format; NULL if there is none. */
static GstStructure *
with_plain_format (const GstStructure *structure)
{
  GstStructure *plain = gst_structure_copy (structure);

  if (is_dma_drm (structure)) {
    gst_structure_remove_field (plain, "drm-format");
    if (!set_other_names (plain, "format",
            gst_structure_get_value (structure, "drm-format"), FALSE))
      g_clear_pointer (&plain, gst_structure_free);
  }
  return plain;
}

/* Appends a name if it has a column height, and such columns hold a picture of that height. height: 0 if it is not known. */
static void
append_columns (GValue *list, const GValue *name, gint height)
{
  const gchar *text =
      G_VALUE_HOLDS_STRING (name) ? g_value_get_string (name) : NULL;
  gint32 column_height = gst_qpu_columns_height (text);

  if (column_height > 0
      && gst_qpu_columns_hold (column_height, (guint) MAX (height, 1)))
    append_string (list, text);
}

/* Appends the names of a structure that have such a column height. */
static void
append_columns_of (GValue *list, const GstStructure *structure)
{
  const GValue *names = gst_structure_get_value (structure, "drm-format");
  gint height = 0;

  if (!is_dma_drm (structure) || names == NULL)
    return;
  gst_structure_get_int (structure, "height", &height);
  if (!GST_VALUE_HOLDS_LIST (names)) {
    append_columns (list, names, height);
    return;
  }
  for (guint i = 0; i < gst_value_list_get_size (names); i++)
    append_columns (list, gst_value_list_get_value (names, i), height);
}

/* A copy with only those names that have a column height; NULL if there are none. */
static GstStructure *
with_columns (const GstStructure *structure)
{
  GstStructure *columns = gst_structure_copy (structure);
  GValue list = G_VALUE_INIT;

  g_value_init (&list, GST_TYPE_LIST);
  append_columns_of (&list, structure);
  if (!take_names (columns, "drm-format", &list))
    g_clear_pointer (&columns, gst_structure_free);
  return columns;
}

/* A copy without the column heights that do not hold its pictures. any: without all column heights. */
static GstStructure *
without_columns (const GstStructure *structure, gboolean any)
{
  const GValue *names = gst_structure_get_value (structure, "drm-format");
  GstStructure *others = gst_structure_copy (structure);
  GValue kept = G_VALUE_INIT, list = G_VALUE_INIT;
  const GValue *name;

  if (!is_dma_drm (structure) || names == NULL)
    return others;
  g_value_init (&kept, GST_TYPE_LIST);
  g_value_init (&list, GST_TYPE_LIST);
  if (!any)
    append_columns_of (&kept, structure);
  for (guint i = 0;
      i < (GST_VALUE_HOLDS_LIST (names) ? gst_value_list_get_size (names) : 1);
      i++) {
    name = GST_VALUE_HOLDS_LIST (names) ? gst_value_list_get_value (names, i)
                                        : names;
    if (G_VALUE_HOLDS_STRING (name)
        && (gst_qpu_columns_height (g_value_get_string (name)) <= 0
            || has_string (&kept, g_value_get_string (name))))
      append_string (&list, g_value_get_string (name));
  }
  take_names (others, "drm-format", &list);
  g_value_unset (&kept);
  return others;
}

/* A copy with DRM formats in place of the plain ones, and with those names of columns that are names of its formats; NULL if there
 * is no DRM format. */
static GstStructure *
with_drm_format (const GstStructure *plain, const GValue *columns)
{
  GstStructure *drm = gst_structure_copy (plain);
  const GValue *formats = gst_structure_get_value (plain, "format");
  GValue format = G_VALUE_INIT, list = G_VALUE_INIT, names = G_VALUE_INIT;

  gst_structure_set (drm, "format", G_TYPE_STRING, DMA_DRM, NULL);
  if (!set_other_names (drm, "drm-format", formats, TRUE)) {
    gst_structure_free (drm);
    return NULL;
  }
  g_value_init (&format, G_TYPE_STRING);
  g_value_init (&list, GST_TYPE_LIST);
  for (guint i = 0; i < gst_value_list_get_size (columns); i++) {
    const gchar *name =
        g_value_get_string (gst_value_list_get_value (columns, i));

    g_value_set_static_string (&format, gst_qpu_columns_format (name));
    if (gst_value_can_intersect (formats, &format))
      append_string (&list, name);
  }
  if (gst_value_list_get_size (&list) > 0) {
    gst_value_list_merge (&names, gst_structure_get_value (drm, "drm-format"),
        &list);
    gst_structure_take_value (drm, "drm-format", &names);
  }
  g_value_unset (&list);
  g_value_unset (&format);
  return drm;
}

static GstCaps *
merge (GstCaps *caps, GstStructure *structure, const gchar *feature)
{
  return gst_caps_merge_structure_full (caps, structure,
      feature != NULL ? gst_caps_features_new (feature, NULL) : NULL);
}

static GstCaps *
merge_dmabufs (GstCaps *caps, const GstStructure *plain, const GValue *columns)
{
  GstStructure *drm = has_dma_drm () ? with_drm_format (plain, columns) : NULL;

  if (drm != NULL)
    caps = merge (caps, drm, GST_CAPS_FEATURE_MEMORY_DMABUF);
  return merge (caps, gst_structure_copy (plain),
      GST_CAPS_FEATURE_MEMORY_DMABUF);
}

static gboolean
is_dmabuf (GstCaps *caps, guint index)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, index),
      GST_CAPS_FEATURE_MEMORY_DMABUF);
}

GstCaps *
gst_qpu_caps_transform (GstCaps *caps, GstPadDirection direction,
    GstCaps *filter, GstQpuMemory from, GstQpuMemory to)
{
  GstCaps *system = gst_caps_new_empty (), *dmabufs = gst_caps_new_empty ();
  GValue columns = G_VALUE_INIT;

  g_value_init (&columns, GST_TYPE_LIST);
  for (guint i = 0; direction == GST_PAD_SRC && filter != NULL
      && i < gst_caps_get_size (filter);
      i++)
    append_columns_of (&columns, gst_caps_get_structure (filter, i));

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GstStructure *structure = gst_caps_get_structure (caps, i);
    GstStructure *same, *others, *plain;

    if (from == GST_QPU_MEMORY_SYSTEM && is_dmabuf (caps, i))
      continue;
    same = with_columns (structure);
    if (same != NULL && to != GST_QPU_MEMORY_SYSTEM)
      dmabufs = merge (dmabufs, gst_structure_copy (same),
          GST_CAPS_FEATURE_MEMORY_DMABUF);
    g_clear_pointer (&same, gst_structure_free);
    others = without_columns (structure, direction == GST_PAD_SRC);
    plain = with_plain_format (others);
    gst_structure_free (others);
    if (plain == NULL)
      continue;
    if (to != GST_QPU_MEMORY_SYSTEM)
      dmabufs = merge_dmabufs (dmabufs, plain, &columns);
    system = merge (system, plain, NULL);
  }
  g_value_unset (&columns);
  return to == GST_QPU_MEMORY_DMABUF_FIRST ? gst_caps_merge (dmabufs, system)
                                           : gst_caps_merge (system, dmabufs);
}

GstCaps *
gst_qpu_caps_template (void)
{
  GstCaps *plain =
      gst_caps_from_string (GST_VIDEO_CAPS_MAKE (GST_QPU_VIDEO_FORMATS));
  GstCaps *all = gst_qpu_caps_transform (plain, GST_PAD_SINK, NULL,
      GST_QPU_MEMORY_SYSTEM, GST_QPU_MEMORY_DMABUF_FIRST);

  gst_caps_unref (plain);
  /* A template cannot list columns of all heights. This lets other formats in, too; gst_qpu_caps_transform drops those. */
  if (has_dma_drm ())
    gst_caps_append (all,
        gst_caps_from_string (
            "video/x-raw(" GST_CAPS_FEATURE_MEMORY_DMABUF "), format=" DMA_DRM
            ", width=" GST_VIDEO_SIZE_RANGE ", height=" GST_VIDEO_SIZE_RANGE
            ", framerate=" GST_VIDEO_FPS_RANGE));
  return all;
}

GstCaps *
gst_qpu_caps_plain (GstCaps *caps)
{
  GstStructure *plain;
  GstCaps *result;

  if (!gst_caps_is_fixed (caps))
    return NULL;
  plain = with_plain_format (gst_caps_get_structure (caps, 0));
  if (plain == NULL)
    return NULL;
  result = gst_caps_new_empty ();
  gst_caps_append_structure (result, plain);
  return result;
}

gboolean
gst_qpu_caps_video_info (GstCaps *caps, GstVideoInfo *info)
{
  GstCaps *plain = gst_qpu_caps_plain (caps);
  gboolean known = plain != NULL && gst_video_info_from_caps (info, plain);

  gst_clear_caps (&plain);
  return known;
}

gint32
gst_qpu_caps_column_height (GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  return is_dma_drm (structure)
      ? gst_qpu_columns_height (
            gst_structure_get_string (structure, "drm-format"))
      : GST_QPU_WHOLE_ROWS;
}

gboolean
gst_qpu_caps_are_dmabufs (GstCaps *caps)
{
  return is_dmabuf (caps, 0);
}

gboolean
gst_qpu_caps_negotiated (GstCaps *in_caps, GstCaps *out_caps,
    GstQpuNegotiated *negotiated)
{
  negotiated->plain = gst_qpu_caps_plain (in_caps);
  if (negotiated->plain == NULL
      || !gst_video_info_from_caps (&negotiated->info, negotiated->plain)) {
    gst_clear_caps (&negotiated->plain);
    return FALSE;
  }
  negotiated->out_dmabufs = gst_qpu_caps_are_dmabufs (out_caps);
  negotiated->in_columns = gst_qpu_caps_column_height (in_caps);
  negotiated->out_columns = gst_qpu_caps_column_height (out_caps);
  return TRUE;
}
