/*
 * Plays a pipeline to its end, then seeks back by flushing and plays to the end again, some times; the first time after a seek
 * while nothing has played yet. Prints the element messages of type "pooled" and the warnings, a line each. With the name of an
 * element, the first seek is sent to its source pad alone, and goes to 0.3 s.
 *
 * usage: seeks COUNT DESCRIPTION [ELEMENT]
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
        GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING
            | GST_MESSAGE_ELEMENT);
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
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
      GError *warning;

      gst_message_parse_warning (message, &warning, NULL);
      puts (warning->message);
      g_error_free (warning);
    }
    gst_message_unref (message);
  }
  return ended;
}

/* Seeks in a part of the pipeline alone. */
static gboolean
seek_one (GstElement *pipeline, const gchar *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad = gst_element_get_static_pad (element, "src");
  gboolean sought = gst_pad_send_event (pad,
      gst_event_new_seek (1, GST_FORMAT_TIME,
          GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, GST_SEEK_TYPE_SET,
          300 * GST_MSECOND, GST_SEEK_TYPE_NONE, 0));

  gst_object_unref (pad);
  gst_object_unref (element);
  return sought;
}

int
main (int argc, char **argv)
{
  GstElement *pipeline;
  GstBus *bus;
  gboolean played = TRUE;

  gst_init (&argc, &argv);
  pipeline = argc == 3 || argc == 4 ? gst_parse_launch (argv[2], NULL) : NULL;
  if (pipeline == NULL) {
    fprintf (stderr, "usage: seeks COUNT DESCRIPTION [ELEMENT]\n");
    return 2;
  }
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
  for (int i = 0; played && i < atoi (argv[1]); i++) {
    played = (i == 0 && argc == 4
                     ? seek_one (pipeline, argv[3])
                     : gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
                           GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, 0))
        && play (pipeline, bus);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  return played ? 0 : 1;
}
