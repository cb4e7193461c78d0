/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpustats.h"

#include "gstqpuproperties.h"

GstStructure *
gst_qpu_stats_new (void)
{
  return gst_structure_new_empty ("qpuloopfilter-stats");
}

void
gst_qpu_stats_add_text (GstStructure *stats, const gchar *name,
    const gchar *text)
{
  gst_structure_set (stats, name, G_TYPE_STRING, text, NULL);
}

void
gst_qpu_stats_add (GstStructure *stats, const gchar *name, gint64 value,
    gint32 is_signed)
{
  gst_structure_set (stats, name, is_signed ? G_TYPE_INT64 : G_TYPE_UINT64,
      value, NULL);
}

GstStructure *
gst_qpu_stats_closed (void)
{
  GstStructure *stats = gst_qpu_stats_new ();

  for (guint i = 0; i < GST_QPU_TEXT_COUNT; i++)
    gst_qpu_stats_add_text (stats, gst_qpu_text_specs[i].name, "none");
  for (guint i = 0; i < GST_QPU_COUNTER_COUNT; i++)
    gst_qpu_stats_add (stats, gst_qpu_counter_specs[i].name, 0,
        gst_qpu_counter_specs[i].is_signed);
  return stats;
}

void
gst_qpu_stats_add_source_codec (GstStructure *stats, GstPad *pad)
{
  GstTagList *tags;
  GstEvent *event;
  gchar *codec = NULL;

  for (guint i = 0; codec == NULL
      && (event = gst_pad_get_sticky_event (pad, GST_EVENT_TAG, i)) != NULL;
      i++) {
    gst_event_parse_tag (event, &tags);
    gst_tag_list_get_string (tags, GST_TAG_VIDEO_CODEC, &codec);
    gst_event_unref (event);
  }
  gst_structure_set (stats, "source-codec", G_TYPE_STRING,
      codec != NULL ? codec : "none", NULL);
  g_free (codec);
}
