/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpucaps.h"

#include <gst/allocators/gstdmabuf.h>
#include <string.h>

#include "gstqpuproperties.h"

#define DMA_DRM "DMA_DRM"

/* Formats as GStreamer names them, and as DRM does where the picture is linear. */
static const struct
{
  const gchar *format;
  const gchar *drm_format;
} drm_formats[] = {
  {"I420", "YU12"},
  {"YV12", "YV12"},
  {"NV12", "NV12"},
  {"NV21", "NV21"},
  {"P010_10LE", "P010"},
};

/* Whether this GStreamer has format=DMA_DRM. */
static gboolean
has_dma_drm (void)
{
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);
  return major > 1 || minor >= 24;
}

/* Adds to a list the other name of a format, where it has one. */
static void
append_other_name (GValue * list, const GValue * name, gboolean to_drm)
{
  const gchar *text = G_VALUE_HOLDS_STRING (name) ? g_value_get_string (name) :
      NULL;

  for (guint i = 0; i < G_N_ELEMENTS (drm_formats); i++) {
    if (g_strcmp0 (text, to_drm ? drm_formats[i].format :
            drm_formats[i].drm_format) == 0) {
      GValue other = G_VALUE_INIT;

      g_value_init (&other, G_TYPE_STRING);
      g_value_set_static_string (&other, to_drm ? drm_formats[i].drm_format :
          drm_formats[i].format);
      gst_value_list_append_and_take_value (list, &other);
    }
  }
}

/* Sets field to the other names of the formats that value, a string or a list of them, holds; whether there are any. */
static gboolean
set_other_names (GstStructure * structure, const gchar * field,
    const GValue * value, gboolean to_drm)
{
  GValue list = G_VALUE_INIT;
  guint found;

  g_value_init (&list, GST_TYPE_LIST);
  if (value != NULL && GST_VALUE_HOLDS_LIST (value)) {
    for (guint i = 0; i < gst_value_list_get_size (value); i++)
      append_other_name (&list, gst_value_list_get_value (value, i), to_drm);
  } else if (value != NULL) {
    append_other_name (&list, value, to_drm);
  }
  found = gst_value_list_get_size (&list);
  if (found == 1)
    gst_structure_set_value (structure, field, gst_value_list_get_value (&list,
            0));
  else
    gst_structure_set_value (structure, field, &list);
  g_value_unset (&list);
  return found > 0;
}

static gboolean
is_dma_drm (const GstStructure * structure)
{
  return g_strcmp0 (gst_structure_get_string (structure, "format"),
      DMA_DRM) == 0;
}

/* The structure with a plain format, NULL where that does not exist; owned by the caller. */
static GstStructure *
with_plain_format (const GstStructure * structure)
{
  GstStructure *plain = gst_structure_copy (structure);

  if (is_dma_drm (structure)) {
    gst_structure_remove_field (plain, "drm-format");
    if (!set_other_names (plain, "format", gst_structure_get_value (structure,
                "drm-format"), FALSE))
      g_clear_pointer (&plain, gst_structure_free);
  }
  return plain;
}

/* The same with a DRM format, of a structure with a plain one. */
static GstStructure *
with_drm_format (const GstStructure * plain)
{
  GstStructure *drm = gst_structure_copy (plain);

  gst_structure_set (drm, "format", G_TYPE_STRING, DMA_DRM, NULL);
  if (!set_other_names (drm, "drm-format", gst_structure_get_value (plain,
              "format"), TRUE))
    g_clear_pointer (&drm, gst_structure_free);
  return drm;
}

static GstCaps *
merge (GstCaps * caps, GstStructure * structure, const gchar * feature)
{
  return gst_caps_merge_structure_full (caps, structure,
      feature != NULL ? gst_caps_features_new (feature, NULL) : NULL);
}

static GstCaps *
merge_dmabufs (GstCaps * caps, const GstStructure * plain)
{
  GstStructure *drm = has_dma_drm ()? with_drm_format (plain) : NULL;

  if (drm != NULL)
    caps = merge (caps, drm, GST_CAPS_FEATURE_MEMORY_DMABUF);
  return merge (caps, gst_structure_copy (plain),
      GST_CAPS_FEATURE_MEMORY_DMABUF);
}

static gboolean
is_dmabuf (GstCaps * caps, guint index)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, index),
      GST_CAPS_FEATURE_MEMORY_DMABUF);
}

GstCaps *
gst_qpu_caps_transform (GstCaps * caps, GstQpuMemory from, GstQpuMemory to)
{
  GstCaps *system = gst_caps_new_empty (), *dmabufs = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *plain;

    if (from == GST_QPU_MEMORY_SYSTEM && is_dmabuf (caps, i))
      continue;
    plain = with_plain_format (gst_caps_get_structure (caps, i));
    if (plain == NULL)
      continue;
    if (to != GST_QPU_MEMORY_SYSTEM)
      dmabufs = merge_dmabufs (dmabufs, plain);
    system = merge (system, plain, NULL);
  }
  return to == GST_QPU_MEMORY_DMABUF_FIRST ? gst_caps_merge (dmabufs, system) :
      gst_caps_merge (system, dmabufs);
}

GstCaps *
gst_qpu_caps_template (void)
{
  GstCaps *plain = gst_caps_from_string (GST_VIDEO_CAPS_MAKE
      (GST_QPU_VIDEO_FORMATS));
  GstCaps *all = gst_qpu_caps_transform (plain, GST_QPU_MEMORY_SYSTEM,
      GST_QPU_MEMORY_DMABUF_FIRST);

  gst_caps_unref (plain);
  return all;
}

GstCaps *
gst_qpu_caps_plain (GstCaps * caps)
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
gst_qpu_caps_video_info (GstCaps * caps, GstVideoInfo * info)
{
  GstCaps *plain = gst_qpu_caps_plain (caps);
  gboolean known = plain != NULL && gst_video_info_from_caps (info, plain);

  gst_clear_caps (&plain);
  return known;
}
