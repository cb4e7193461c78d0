/*
 * Plays a pipeline to its end, then seeks back by flushing and plays to the end again, some times; the first time after a seek
 * while nothing has played yet. Prints the element messages of type "pooled", a line each.
 *
 * usage: seeks COUNT DESCRIPTION
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints messages up to the end of the stream; FALSE at an error. */
static gboolean
play (GstElement *pipeline, GstBus *bus)
{
  gboolean ended = FALSE, failed = FALSE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!ended && !failed) {
    GstMessage *message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
        GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_ELEMENT);
    const GstStructure *fields = gst_message_get_structure (message);

    ended = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
    failed = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT
        && g_strcmp0 (gst_structure_get_string (fields, "type"), "pooled")
            == 0) {
      gchar *text = gst_structure_to_string (fields);

      puts (text);
      g_free (text);
    }
    gst_message_unref (message);
  }
  return ended;
}

int
main (int argc, char **argv)
{
  GstElement *pipeline;
  GstBus *bus;
  gboolean played = TRUE;

  gst_init (&argc, &argv);
  pipeline = argc == 3 ? gst_parse_launch (argv[2], NULL) : NULL;
  if (pipeline == NULL) {
    fprintf (stderr, "usage: seeks COUNT DESCRIPTION\n");
    return 2;
  }
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
  for (int i = 0; played && i < atoi (argv[1]); i++) {
    played = gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
                 GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, 0)
        && play (pipeline, bus);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  return played ? 0 : 1;
}
