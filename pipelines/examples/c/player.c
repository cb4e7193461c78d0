/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Plays a file through the filter in a window.
 *
 * Build: gcc player.c $(pkg-config --cflags --libs gstreamer-1.0) -o player
 * Usage: player FILE [SINK [QP]]. QP is the quantiser with which the pictures were coded. The player attaches it to each picture as
 * side information, as a decoder would. Keys on standard input: d switches deblocking, c switches CDEF, i prints statistics of the
 * element, and q quits. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <gst/gst.h>

#include "qpu-params.h"

typedef struct
{
  GMainLoop *loop;
  GstElement *pipeline, *filter;
  gboolean keys;
} Player;

static void
say_stats (GstElement *filter)
{
  GstStructure *stats = NULL;
  guint64 frames = 0, told = 0;

  g_object_get (filter, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "frames", &frames);
  gst_structure_get_uint64 (stats, "frames-with-params", &told);
  printf ("%" G_GUINT64_FORMAT " pictures on %s, %" G_GUINT64_FORMAT
          " with side information\n",
      frames, gst_structure_get_string (stats, "substrate"), told);
  fflush (stdout);
  gst_structure_free (stats);
}

static void
toggle (GstElement *filter, const gchar *property)
{
  gboolean on = FALSE;

  g_object_get (filter, property, &on, NULL);
  g_object_set (filter, property, !on, NULL);
  printf ("%s=%s\n", property, !on ? "true" : "false");
  fflush (stdout);
}

/* Side information of a picture, before the element filters it. */
static gboolean
hand_over (const GstBuffer *buffer, GstStructure *params, gpointer qp)
{
  (void) buffer;
  gst_structure_set (params, "qp", G_TYPE_INT, GPOINTER_TO_INT (qp), NULL);
  return TRUE;
}

static gboolean
press_key (GIOChannel *input, GIOCondition condition, gpointer data)
{
  Player *player = data;
  gchar key;

  (void) condition;
  if (read (g_io_channel_unix_get_fd (input), &key, 1) != 1)
    return G_SOURCE_REMOVE;
  switch (key) {
    case 'd':
      toggle (player->filter, "deblock");
      break;
    case 'c':
      toggle (player->filter, "cdef");
      break;
    case 'i':
      say_stats (player->filter);
      break;
    case 'q':
      g_main_loop_quit (player->loop);
      break;
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
take_message (GstBus *bus, GstMessage *message, gpointer data)
{
  Player *player = data;

  (void) bus;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ASYNC_DONE && !player->keys) {
    /* The first picture has arrived: from now on, keys are read. */
    GIOChannel *input = g_io_channel_unix_new (STDIN_FILENO);

    g_io_add_watch (input, G_IO_IN | G_IO_HUP, press_key, player);
    g_io_channel_unref (input);
    player->keys = TRUE;
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    fprintf (stderr, "%s\n", error->message);
    g_error_free (error);
    g_main_loop_quit (player->loop);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    g_main_loop_quit (player->loop);
  }
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  Player player = { NULL, NULL, NULL, FALSE };
  GError *error = NULL;
  gchar *uri, *description;
  GstBus *bus;

  gst_init (&argc, &argv);
  if (argc < 2 || (uri = gst_filename_to_uri (argv[1], &error)) == NULL) {
    fprintf (stderr, "usage: player FILE [SINK [QP]]\n");
    return 2;
  }
  description =
      g_strdup_printf ("uridecodebin uri=%s ! videoconvert"
                       " ! qpuloopfilter name=qpu ! videoconvert ! %s",
          uri, argc > 2 ? argv[2] : "autovideosink");
  player.pipeline = gst_parse_launch (description, &error);
  /* gst_parse_launch can return both an error and a pipeline. */
  if (error != NULL) {
    fprintf (stderr, "%s\n", error->message);
    return 1;
  }
  player.filter = gst_bin_get_by_name (GST_BIN (player.pipeline), "qpu");
  if (argc > 3) {
    GstPad *pad = gst_element_get_static_pad (player.filter, "sink");

    qpu_params_probe (pad, hand_over, GINT_TO_POINTER (atoi (argv[3])));
    gst_object_unref (pad);
  }
  player.loop = g_main_loop_new (NULL, FALSE);
  bus = gst_element_get_bus (player.pipeline);
  gst_bus_add_watch (bus, take_message, &player);
  gst_element_set_state (player.pipeline, GST_STATE_PLAYING);
  g_main_loop_run (player.loop);

  say_stats (player.filter);
  gst_element_set_state (player.pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (player.filter);
  gst_object_unref (player.pipeline);
  g_main_loop_unref (player.loop);
  g_free (description);
  g_free (uri);
  return 0;
}
