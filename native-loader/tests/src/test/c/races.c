/*
 * Starts and stops a pipeline again and again while other threads set every property of its filter and read them back.
 * Prints the errors and warnings that were posted; ends with 1 where there was one.
 *
 * usage: races CYCLES
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

static gint stopping;

static gpointer
set_properties (gpointer filter)
{
  GRand *random = g_rand_new_with_seed (1);

  while (!g_atomic_int_get (&stopping)) {
    g_object_set (filter, "deblock", g_rand_boolean (random), "cdef",
        g_rand_boolean (random), "qp", g_rand_int_range (random, -1, 52),
        "grid", g_rand_int_range (random, 0, 3), "alpha-offset",
        g_rand_int_range (random, -6, 7), "beta-offset",
        g_rand_int_range (random, -6, 7), "chroma-qp-offset",
        g_rand_int_range (random, -12, 13), "cdef-damping",
        g_rand_int_range (random, 3, 7), "cdef-y-primary",
        g_rand_int_range (random, -1, 16), "cdef-uv-secondary",
        g_rand_int_range (random, -1, 3), "threads",
        g_rand_int_range (random, 0, 4), "device",
        g_rand_boolean (random) ? "0" : NULL, NULL);
    g_usleep (50);
  }
  g_rand_free (random);
  return NULL;
}

static gpointer
read_properties (gpointer filter)
{
  while (!g_atomic_int_get (&stopping)) {
    GstStructure *stats;
    gchar *device;
    gint qp;

    g_object_get (filter, "stats", &stats, "device", &device, "qp", &qp, NULL);
    g_assert (gst_structure_has_field (stats, "frames"));
    gst_structure_free (stats);
    g_free (device);
    g_usleep (50);
  }
  return NULL;
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GstElement *pipeline, *filter;
  GstMessage *message;
  GThread *threads[3];
  GstBus *bus;
  gint problems = 0;

  gst_init (&argc, &argv);
  if (argc != 2)
    return 2;
  pipeline = gst_parse_launch (
      "videotestsrc ! video/x-raw,format=I420,width=64,height=48"
      " ! qpuloopfilter name=f substrate=cpu ! fakesink sync=false",
      &error);
  if (error != NULL)
    return 2;
  filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  threads[0] = g_thread_new ("set", set_properties, filter);
  threads[1] = g_thread_new ("set", set_properties, filter);
  threads[2] = g_thread_new ("read", read_properties, filter);

  for (gint i = 0; i < atoi (argv[1]); i++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND);
    g_usleep (5000);
    gst_element_set_state (pipeline, i % 2 ? GST_STATE_READY : GST_STATE_NULL);
    bus = gst_element_get_bus (pipeline);
    while ((message = gst_bus_pop_filtered (bus,
                GST_MESSAGE_ERROR | GST_MESSAGE_WARNING))
        != NULL) {
      GError *problem;

      if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
        gst_message_parse_error (message, &problem, NULL);
      else
        gst_message_parse_warning (message, &problem, NULL);
      /* GstBaseTransform says so of a reconfiguration that meets the end of the stream, here and in the caps filter. */
      if (g_strcmp0 (problem->message, "not negotiated") != 0) {
        printf ("%s\n", problem->message);
        problems++;
      }
      g_error_free (problem);
      gst_message_unref (message);
    }
    gst_object_unref (bus);
  }

  g_atomic_int_set (&stopping, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (filter);
  gst_object_unref (pipeline);
  return problems > 0;
}
