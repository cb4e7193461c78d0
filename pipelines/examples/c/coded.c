/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Decodes a file and filters each picture by a quantiser of its own, which a list has. The program knows nothing of the pictures: it puts each
 * quantiser on a coded picture, and the decoder hands it on.
 *
 * Build: gcc coded.c $(pkg-config --cflags --libs gstreamer-1.0) -o coded
 * Usage: coded FILE LIST [SINK]. LIST has a number for each coded picture, in the order in which they lie in the file, as a coder's log has
 * them; -1 for a picture of which nothing is known. */
#include <stdio.h>
#include <string.h>

#include <gst/gst.h>

#include "qpu-params.h"

static gboolean
next_of_list (const GstBuffer *buffer, GstStructure *params, gpointer list)
{
  int qp;

  (void) buffer;
  if (fscanf ((FILE *) list, "%d", &qp) != 1 || qp < 0)
    return FALSE;
  gst_structure_set (params, "qp", G_TYPE_INT, qp, NULL);
  return TRUE;
}

/* The decoder comes when decodebin knows the stream. Before it, a demuxer or a parser may cut buffers anew. */
static void
find_decoder (GstBin *bin, GstBin *inner, GstElement *element, gpointer list)
{
  const gchar *kind =
      gst_element_get_metadata (element, GST_ELEMENT_METADATA_KLASS);

  (void) bin;
  (void) inner;
  if (strstr (kind, "Decoder") != NULL && strstr (kind, "Video") != NULL) {
    GstPad *pad = gst_element_get_static_pad (element, "sink");

    qpu_params_probe (pad, next_of_list, list);
    gst_object_unref (pad);
  }
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GstElement *pipeline, *source, *filter;
  GstStructure *stats = NULL;
  guint64 frames = 0, told = 0;
  GstMessage *message;
  GstBus *bus;
  gchar *description;
  FILE *list;

  gst_init (&argc, &argv);
  list = argc < 3 ? NULL : fopen (argv[2], "r");
  if (list == NULL) {
    fprintf (stderr, "usage: coded FILE LIST [SINK]\n");
    return 2;
  }
  description = g_strdup_printf ("filesrc name=source ! decodebin"
                                 " ! videoconvert ! qpuloopfilter name=qpu"
                                 " ! videoconvert ! %s",
      argc > 3 ? argv[3] : "autovideosink");
  pipeline = gst_parse_launch (description, &error);
  g_free (description);
  if (error != NULL) {
    fprintf (stderr, "%s\n", error->message);
    g_clear_error (&error);
    fclose (list);
    return 1;
  }
  source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_object_set (source, "location", argv[1], NULL);
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (find_decoder),
      list);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  bus = gst_element_get_bus (pipeline);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    fprintf (stderr, "%s\n", error->message);
    g_clear_error (&error);
  }
  filter = gst_bin_get_by_name (GST_BIN (pipeline), "qpu");
  g_object_get (filter, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "frames", &frames);
  gst_structure_get_uint64 (stats, "frames-with-params", &told);
  printf ("%" G_GUINT64_FORMAT " pictures, %" G_GUINT64_FORMAT
          " with a quantiser of their own\n",
      frames, told);
  gst_structure_free (stats);
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (filter);
  gst_object_unref (source);
  gst_object_unref (pipeline);
  fclose (list);
  return 0;
}
