/*
 * Seeks, as an element sees it, while another thread asks where the stream is: a query that looks at a segment that is being
 * replaced ends the program by a critical message. Prints "ok NAME" or "FAILED NAME" for each answer that must be right.
 *
 * usage: positions ELEMENT SEEKS
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 16
#define HEIGHT 16

/* Atomic. */
static gint asking = TRUE;
static gint failures;

static gpointer
ask (gpointer pad)
{
  while (g_atomic_int_get (&asking)) {
    gint64 position;

    gst_pad_query_position (pad, GST_FORMAT_TIME, &position);
  }
  return NULL;
}

static void
check (GstPad *source, gint64 expected, const char *name)
{
  gint64 position = -1;
  gboolean ok = gst_pad_query_position (source, GST_FORMAT_TIME, &position)
      && position == expected;

  failures += !ok;
  printf ("%s %s: %" G_GINT64_FORMAT "\n", ok ? "ok" : "FAILED", name,
      position);
}

static GstFlowReturn
drop (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static void
begin_segment (GstPad *pad, GstClockTime start, GstClockTime time)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = start;
  segment.time = time;
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
}

static void
push (GstPad *pad, GstClockTime timestamp)
{
  GstBuffer *buffer =
      gst_buffer_new_allocate (NULL, WIDTH * HEIGHT * 3 / 2, NULL);

  gst_buffer_memset (buffer, 0, 0, WIDTH * HEIGHT * 3 / 2);
  GST_BUFFER_PTS (buffer) = timestamp;
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 25;
  if (gst_pad_push (pad, buffer) != GST_FLOW_OK)
    g_error ("not pushed");
}

int
main (int argc, char **argv)
{
  GstElement *element;
  GstPad *source, *sink, *in, *out;
  GThread *thread;

  gst_init (NULL, NULL);
  element = gst_element_factory_make (argv[argc > 1], NULL);
  if (argc != 3 || element == NULL)
    return 2;
  source = gst_pad_new ("src", GST_PAD_SRC);
  sink = gst_pad_new ("sink", GST_PAD_SINK);
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "substrate")
      != NULL)
    gst_util_set_object_arg (G_OBJECT (element), "substrate", "cpu");
  in = gst_element_get_static_pad (element, "sink");
  out = gst_element_get_static_pad (element, "src");
  gst_pad_set_chain_function (sink, drop);
  gst_pad_link (source, in);
  gst_pad_link (out, sink);
  gst_pad_set_active (sink, TRUE);
  if (gst_element_set_state (element, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE)
    return 2;
  gst_pad_set_active (source, TRUE);
  gst_pad_push_event (source, gst_event_new_stream_start ("positions"));
  gst_pad_push_event (source,
      gst_event_new_caps (gst_caps_new_simple ("video/x-raw", "format",
          G_TYPE_STRING, "I420", "width", G_TYPE_INT, WIDTH, "height",
          G_TYPE_INT, HEIGHT, "framerate", GST_TYPE_FRACTION, 25, 1, NULL)));
  begin_segment (source, 10 * GST_SECOND, 3 * GST_SECOND);
  push (source, 11 * GST_SECOND);
  check (out, 4 * GST_SECOND + GST_SECOND / 25, "after a picture");
  gst_pad_push_event (source, gst_event_new_flush_start ());
  gst_pad_push_event (source, gst_event_new_flush_stop (TRUE));
  begin_segment (source, 20 * GST_SECOND, 7 * GST_SECOND);
  push (source, 20 * GST_SECOND);
  push (source, 20 * GST_SECOND + GST_SECOND / 25);
  check (out, 7 * GST_SECOND + 2 * GST_SECOND / 25, "after a seek");

  thread = g_thread_new ("ask", ask, out);
  for (gint i = 0; i < atoi (argv[2]); i++) {
    gst_pad_push_event (source, gst_event_new_flush_start ());
    gst_pad_push_event (source, gst_event_new_flush_stop (TRUE));
    begin_segment (source, 0, 0);
  }
  g_atomic_int_set (&asking, FALSE);
  g_thread_join (thread);
  puts ("ok seeks");
  gst_element_set_state (element, GST_STATE_NULL);
  return failures > 0;
}
