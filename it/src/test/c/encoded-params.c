/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decodes a video of pictures whose grey says which they are, puts a meta on each coded picture that says the same, and looks whether each
 * decoded picture has its own. Coded pictures are told apart by their times, decoded ones by their grey.
 * usage: encoded-params FILE DECODER. FILE is Matroska; the pictures are 176x144, 25 a second, and of luma 24, 29, 34, … each.
 * DECODER is as gst-launch-1.0 takes it; the element with "name=decoder" gets the metas. Prints how many pictures came out, how many of
 * them had their own meta, another's and none, and how many were coded after one that is shown later.
 */
#include <stdio.h>
#include <stdlib.h>

#include <gst/app/gstappsink.h>
#include <gst/gst.h>

#include "../../../../pipelines/examples/c/qpu-params.h"

#define WIDTH 176
#define HEIGHT 144
#define DARKEST 24
#define STEP 5
#define DURATION (GST_SECOND / 25)

static gint latest = -1, reordered;

static gboolean
fill (const GstBuffer *buffer, GstStructure *params, gpointer unused)
{
  /* Matroska has only the order of decoding for what came from AVI. */
  GstClockTime time = GST_BUFFER_PTS_IS_VALID (buffer)
      ? GST_BUFFER_PTS (buffer)
      : GST_BUFFER_DTS (buffer);
  gint number = (gint) ((time + DURATION / 2) / DURATION);

  (void) unused;
  if (number < latest)
    reordered++;
  else
    latest = number;
  gst_structure_set (params, "qp", G_TYPE_INT, number, NULL);
  return TRUE;
}

/* The picture that this is, by the grey of its middle, where no coder's border is. */
static gint
shown (GstBuffer *picture)
{
  guint8 row[WIDTH];
  guint sum = 0;

  gst_buffer_extract (picture, HEIGHT / 2 * WIDTH, row, WIDTH);
  for (guint x = 0; x < WIDTH; x++)
    sum += row[x];
  return ((gint) (sum / WIDTH) - DARKEST + STEP / 2) / STEP;
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GstElement *pipeline, *decoder, *sink;
  GstSample *sample;
  GstMessage *message;
  GstBus *bus;
  GstPad *pad;
  gchar *description;
  gint pictures = 0, own = 0, others = 0, none = 0;

  gst_init (&argc, &argv);
  description = g_strdup_printf (
      "filesrc location=%s ! matroskademux ! %s"
      " ! video/x-raw,format=I420 ! appsink name=sink sync=false",
      argv[1], argv[2]);
  pipeline = gst_parse_launch (description, &error);
  g_free (description);
  if (error != NULL) {
    fprintf (stderr, "%s\n", error->message);
    return 2;
  }
  decoder = gst_bin_get_by_name (GST_BIN (pipeline), "decoder");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  pad = gst_element_get_static_pad (decoder, "sink");
  if (qpu_params_probe (pad, fill, NULL) == 0) {
    fprintf (stderr, "the plugin is not installed\n");
    return 2;
  }
  gst_object_unref (pad);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink))) != NULL) {
    GstBuffer *picture = gst_sample_get_buffer (sample);
    GstCustomMeta *meta = gst_buffer_get_custom_meta (picture, QPU_PARAMS_META);
    gint number = -1;

    pictures++;
    if (meta == NULL)
      none++;
    else if (gst_structure_get_int (gst_custom_meta_get_structure (meta), "qp",
                 &number)
        && number == shown (picture))
      own++;
    else
      others++;
    gst_sample_unref (sample);
  }
  bus = gst_element_get_bus (pipeline);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  if (message != NULL) {
    gst_message_parse_error (message, &error, NULL);
    fprintf (stderr, "%s\n", error->message);
    g_clear_error (&error);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (decoder);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  printf ("pictures %d own %d others %d none %d reordered %d\n", pictures, own,
      others, none, reordered);
  return 0;
}
