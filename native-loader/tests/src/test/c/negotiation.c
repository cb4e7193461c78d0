/*
 * Offers qpuloopfilter caps and says what becomes of them, a line each: "taken OUTPUT-CAPS" or "refused".
 * usage: negotiation ELEMENT DOWNSTREAM-CAPS CAPS...
 * ELEMENT as gst-launch-1.0 takes it: "qpuloopfilter substrate=qpu"
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <stdio.h>

static GstCaps *downstream_caps;

static gboolean
sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  GstCaps *filter, *caps;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CAPS)
    return gst_pad_query_default (pad, parent, query);
  gst_query_parse_caps (query, &filter);
  caps = filter == NULL ? gst_caps_ref (downstream_caps)
                        : gst_caps_intersect_full (filter, downstream_caps,
                              GST_CAPS_INTERSECT_FIRST);
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);
  return TRUE;
}

static GstFlowReturn
sink_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static void
offer (const gchar *description, const gchar *text)
{
  GstElement *element = gst_parse_launch (description, NULL);
  GstPad *src = gst_pad_new ("src", GST_PAD_SRC);
  GstPad *sink = gst_pad_new ("sink", GST_PAD_SINK);
  GstPad *element_sink = gst_element_get_static_pad (element, "sink");
  GstPad *element_src = gst_element_get_static_pad (element, "src");
  GstCaps *caps = gst_caps_from_string (text);
  GstCaps *output;
  GstSegment segment;

  if (caps == NULL)
    g_error ("no caps: %s", text);
  gst_pad_set_chain_function (sink, sink_chain);
  gst_pad_set_query_function (sink, sink_query);
  gst_pad_set_active (src, TRUE);
  gst_pad_set_active (sink, TRUE);
  if (gst_pad_link (src, element_sink) != GST_PAD_LINK_OK
      || gst_pad_link (element_src, sink) != GST_PAD_LINK_OK)
    g_error ("not linked");
  if (gst_element_set_state (element, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE)
    g_error ("not started");

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_stream_start ("negotiation"));
  if (gst_pad_push_event (src, gst_event_new_caps (caps))
      && (output = gst_pad_get_current_caps (sink)) != NULL) {
    gchar *line = gst_caps_to_string (output);

    printf ("taken %s\n", line);
    g_free (line);
    gst_caps_unref (output);
  } else {
    printf ("refused\n");
  }

  gst_element_set_state (element, GST_STATE_NULL);
  gst_caps_unref (caps);
  gst_object_unref (element_sink);
  gst_object_unref (element_src);
  gst_object_unref (src);
  gst_object_unref (sink);
  gst_object_unref (element);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  if (argc < 4)
    return 2;
  downstream_caps = gst_caps_from_string (argv[2]);
  for (int i = 3; i < argc; i++)
    offer (argv[1], argv[i]);
  gst_caps_unref (downstream_caps);
  return 0;
}
