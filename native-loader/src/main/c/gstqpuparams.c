/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuparams.h"

#include <gst/video/video.h>

#include "gstqpuparamtable.h"

#define META_NAME "qpu-filter-params"

struct _GstQpuParams
{
  GstQpuParam fields[GST_QPU_PARAM_COUNT];
  /* The GstBuffers that are mapped: the first n_mapped entries, each with its GstMapInfo. */
  GstBuffer *mapped[GST_QPU_PARAM_COUNT];
  GstMapInfo maps[GST_QPU_PARAM_COUNT];
  guint n_mapped;
  gchar cause[64];
  gchar problem[256];
};

static const GstMetaInfo *meta_info;
static GQuark quarks[GST_QPU_PARAM_COUNT];

static gboolean
set_field (GQuark field, const GValue *value, gpointer structure)
{
  gst_structure_id_set_value (structure, field, value);
  return TRUE;
}

/* The meta is copied if the picture keeps its size, and only then. */
static gboolean
transform (GstBuffer *to, GstCustomMeta *meta, GstBuffer *from, GQuark type,
    gpointer data, gpointer unused)
{
  GstCustomMeta *copy;

  if (GST_META_TRANSFORM_IS_COPY (type)) {
    if (((GstMetaTransformCopy *) data)->region)
      return FALSE;
  } else if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type)) {
    GstVideoMetaTransform *scale = data;

    if (GST_VIDEO_INFO_WIDTH (scale->in_info)
            != GST_VIDEO_INFO_WIDTH (scale->out_info)
        || GST_VIDEO_INFO_HEIGHT (scale->in_info)
            != GST_VIDEO_INFO_HEIGHT (scale->out_info))
      return FALSE;
  } else {
    return FALSE;
  }
  /* A scaler that keeps the size may ask for both transforms. */
  if (gst_buffer_get_meta (to, meta_info->api) != NULL)
    return TRUE;
  copy = (GstCustomMeta *) gst_buffer_add_meta (to, meta_info, NULL);
  if (copy == NULL)
    return FALSE;
  gst_structure_foreach (gst_custom_meta_get_structure (meta), set_field,
      gst_custom_meta_get_structure (copy));
  return TRUE;
}

void
gst_qpu_params_register (void)
{
  static gsize registered;

  if (g_once_init_enter (&registered)) {
    const gchar *tags[] = { GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
      NULL };

    meta_info = gst_meta_get_info (META_NAME);
    if (meta_info == NULL)
      meta_info =
          gst_meta_register_custom (META_NAME, tags, transform, NULL, NULL);
    for (guint i = 0; i < GST_QPU_PARAM_COUNT; i++)
      quarks[i] = g_quark_from_static_string (gst_qpu_param_specs[i].name);
    g_once_init_leave (&registered, 1);
  }
}

GType
gst_qpu_params_api (void)
{
  return meta_info->api;
}

GstQpuParams *
gst_qpu_params_new (void)
{
  return g_new0 (GstQpuParams, 1);
}

void
gst_qpu_params_free (GstQpuParams *params)
{
  gst_qpu_params_release (params);
  g_free (params);
}

void
gst_qpu_params_release (GstQpuParams *params)
{
  while (params->n_mapped > 0) {
    params->n_mapped--;
    gst_buffer_unmap (params->mapped[params->n_mapped],
        &params->maps[params->n_mapped]);
  }
}

static gboolean fails (GstQpuParams *params, const gchar *cause,
    const gchar *format, ...) G_GNUC_PRINTF (3, 4);

/* Notes a fault; returns FALSE, so that no further field is read. */
static gboolean
fails (GstQpuParams *params, const gchar *cause, const gchar *format, ...)
{
  va_list arguments;

  g_strlcpy (params->cause, cause, sizeof params->cause);
  va_start (arguments, format);
  g_vsnprintf (params->problem, sizeof params->problem, format, arguments);
  va_end (arguments);
  /* A value may hold line breaks, but a message is one line. */
  g_strdelimit (params->problem, "\r\n", ' ');
  return FALSE;
}

static gboolean
read_number (GstQpuParams *params, guint i, const GValue *value)
{
  const gchar *name = gst_qpu_param_specs[i].name;

  if (G_VALUE_HOLDS_INT (value))
    params->fields[i].value = g_value_get_int (value);
  else if (G_VALUE_HOLDS_UINT (value))
    params->fields[i].value = g_value_get_uint (value);
  else
    return fails (params, name, "%s is a gint, and a %s is there", name,
        G_VALUE_TYPE_NAME (value));
  params->fields[i].size = 0;
  return TRUE;
}

static gboolean
read_choice (GstQpuParams *params, guint i, const GValue *value)
{
  const GstQpuParamSpec *spec = &gst_qpu_param_specs[i];
  const gchar *text;

  if (!G_VALUE_HOLDS_STRING (value))
    return fails (params, spec->name, "%s is a string, and a %s is there",
        spec->name, G_VALUE_TYPE_NAME (value));
  text = g_value_get_string (value);
  for (guint choice = 0; spec->choices[choice] != NULL; choice++) {
    if (g_strcmp0 (text, spec->choices[choice]) == 0) {
      params->fields[i].value = choice;
      params->fields[i].size = 0;
      return TRUE;
    }
  }
  return fails (params, spec->name, "%s is %s or %s, and %.64s is there",
      spec->name, spec->choices[0], spec->choices[1],
      text != NULL ? text : "nothing");
}

static gboolean
read_bytes (GstQpuParams *params, guint i, const GValue *value)
{
  const gchar *name = gst_qpu_param_specs[i].name;
  GType type = G_VALUE_TYPE (value);
  gboolean is_boxed = g_type_is_a (type, G_TYPE_BOXED);
  gpointer boxed = is_boxed ? g_value_get_boxed (value) : NULL;
  gconstpointer data = NULL;
  gsize size = 0;

  if (boxed != NULL && g_type_is_a (type, G_TYPE_BYTES)) {
    data = g_bytes_get_data (boxed, &size);
  } else if (boxed != NULL && g_type_is_a (type, GST_TYPE_BUFFER)) {
    GstMapInfo *map = &params->maps[params->n_mapped];

    if (!gst_buffer_map (boxed, map, GST_MAP_READ))
      return fails (params, name, "the GstBuffer of %s cannot be mapped", name);
    params->mapped[params->n_mapped++] = boxed;
    data = map->data;
    size = map->size;
  } else {
    return fails (params, name,
        "%s is a GBytes or a GstBuffer, and %s%s is there", name,
        is_boxed ? "an empty " : "a ", g_type_name (type));
  }
  if (data == NULL || size == 0)
    return fails (params, "empty", "%s has no bytes", name);
  params->fields[i].value = (gint64) (gintptr) data;
  params->fields[i].size = (gint64) size;
  return TRUE;
}

static gboolean
read_field (GQuark field, const GValue *value, gpointer data)
{
  GstQpuParams *params = data;

  for (guint i = 0; i < GST_QPU_PARAM_COUNT; i++) {
    if (quarks[i] == field) {
      switch (gst_qpu_param_specs[i].type) {
        case GST_QPU_PARAM_INT:
          return read_number (params, i, value);
        case GST_QPU_PARAM_CHOICE:
          return read_choice (params, i, value);
        case GST_QPU_PARAM_BYTES:
          return read_bytes (params, i, value);
      }
    }
  }
  return fails (params, "unknown field", "there is no field %.64s",
      g_quark_to_string (field));
}

gint32
gst_qpu_params_read (GstQpuParams *params, gint64 buffer)
{
  GstMeta *meta =
      gst_buffer_get_meta ((GstBuffer *) (gintptr) buffer, meta_info->api);
  GstStructure *structure;

  if (meta == NULL || !gst_meta_info_is_custom (meta->info))
    return 0;
  for (guint i = 0; i < GST_QPU_PARAM_COUNT; i++)
    params->fields[i].size = -1;
  structure = gst_custom_meta_get_structure ((GstCustomMeta *) meta);
  if (gst_structure_n_fields (structure) == 0) {
    fails (params, "no fields",
        "it has no fields (those that a Python program sets in a copy do not come here)");
    return -1;
  }
  return gst_structure_foreach (structure, read_field, params) ? 1 : -1;
}

const gchar *
gst_qpu_params_cause (GstQpuParams *params)
{
  return params->cause;
}

const gchar *
gst_qpu_params_problem (GstQpuParams *params)
{
  return params->problem;
}
