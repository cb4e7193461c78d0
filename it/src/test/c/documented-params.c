/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Runs a pipeline to its end, and attaches side information to the buffers before its element "qpu". It uses the function that the
 * documents show, which is in the file DOCUMENTED. usage: documented-params PIPELINE MACROBLOCKS QP
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gst.h>

#include DOCUMENTED

static gsize macroblocks;
static guint8 *qps, *bs;

static GstPadProbeReturn
hand_over (GstPad *pad, GstPadProbeInfo *probe, gpointer unused)
{
  GstBuffer *buffer =
      gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (probe));

  (void) pad;
  (void) unused;
  add_filter_params (buffer, qps, bs, macroblocks);
  GST_PAD_PROBE_INFO_DATA (probe) = buffer;
  return GST_PAD_PROBE_OK;
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GstElement *pipeline, *filter;
  GstMessage *message;
  GstPad *pad;
  GstBus *bus;
  int status;

  gst_init (&argc, &argv);
  macroblocks = (gsize) atoi (argv[2]);
  qps = g_malloc (macroblocks);
  memset (qps, atoi (argv[3]), macroblocks);
  /* The bS of an intra frame: 4 between macroblocks, 3 inside, in both directions. */
  bs = g_malloc (32 * macroblocks);
  for (gsize i = 0; i < 32 * macroblocks; i++)
    bs[i] = i % 16 < 4 ? 4 : 3;

  pipeline = gst_parse_launch (argv[1], &error);
  if (error != NULL) {
    fprintf (stderr, "%s\n", error->message);
    return 2;
  }
  filter = gst_bin_get_by_name (GST_BIN (pipeline), "qpu");
  pad = gst_element_get_static_pad (filter, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, hand_over, NULL, NULL);
  gst_object_unref (pad);
  gst_object_unref (filter);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  bus = gst_element_get_bus (pipeline);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  status = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS ? 0 : 1;
  if (status != 0)
    fprintf (stderr, "%s\n",
        gst_structure_to_string (gst_message_get_structure (message)));
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  g_free (qps);
  g_free (bs);
  return status;
}
