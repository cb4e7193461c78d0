/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs a pipeline by a script on standard input, and prints the buffers that pass its probes.
 *
 * Usage: pipeline-host ELEMENT... < SCRIPT     (the pipeline as gst-launch-1.0 takes it)
 * Each buffer that leaves an element whose name starts with "probe" is printed: its time stamp, its picture's format and
 * size and the MD5 sum of its samples without padding. The script has one command on each line; commands run on the main thread:
 *   null | pause | play    changes the state, and waits until the change is done
 *   seek NS                seeks, flushing and accurate, and waits until the seek is done
 *   set ELEMENT PROPERTY VALUE
 *   mark TEXT              prints TEXT
 *   wait                   waits until the end of the stream or an error
 *   stats ELEMENT
 *   descriptors            prints how many files the process has open
 *   lose CALL              lets the next such call to Vulkan say that the device is lost; FAULT_LAYER in the environment names the
 *                          file of the Vulkan layer faultlayer.c, which the Vulkan loader must use, too
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gst.h>
#include <gst/video/video.h>

#include "bus-printer.h"
#include "packed-picture.h"
#include "script.h"

#define STATE_TIMEOUT (1200 * GST_SECOND)
/* A result of Vulkan. */
#define DEVICE_LOST (-4)

static GstPadProbeReturn
print_buffer (GstPad *pad, GstPadProbeInfo *probe, gpointer name)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstVideoInfo info;
  GstVideoFrame frame;
  guint8 *packed;
  gchar *sum;

  if (caps == NULL || !gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ)) {
    script_fail ("not raw video", name);
  }
  packed = g_malloc (packed_picture_size (&info));
  packed_picture_from_frame (&frame, packed);
  gst_video_frame_unmap (&frame);
  sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, packed,
      packed_picture_size (&info));
  printf ("buffer %s pts=%" G_GUINT64_FORMAT " picture=%s:%dx%d md5=%s\n",
      (gchar *) name, GST_BUFFER_PTS (buffer), GST_VIDEO_INFO_NAME (&info),
      GST_VIDEO_INFO_WIDTH (&info), GST_VIDEO_INFO_HEIGHT (&info), sum);
  g_free (sum);
  g_free (packed);
  gst_caps_unref (caps);
  return GST_PAD_PROBE_OK;
}

static void
add_probes (GstElement *pipeline)
{
  GstIterator *elements = gst_bin_iterate_elements (GST_BIN (pipeline));
  GValue item = G_VALUE_INIT;

  while (gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
    GstElement *element = g_value_get_object (&item);
    if (g_str_has_prefix (GST_ELEMENT_NAME (element), "probe")) {
      GstPad *pad = gst_element_get_static_pad (element, "src");
      gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, print_buffer,
          g_strdup (GST_ELEMENT_NAME (element)), g_free);
      gst_object_unref (pad);
    }
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (elements);
}

/* Prints all messages on the bus. Returns true if the stream has ended or failed. */
static gboolean
drain_bus (GstBus *bus, GstClockTime timeout)
{
  gboolean over = FALSE;
  GstMessage *message;

  while (!over && (message = gst_bus_timed_pop (bus, timeout)) != NULL) {
    bus_printer_print (message);
    over = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS
        || GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
    gst_message_unref (message);
  }
  return over;
}

static void
await_state (GstElement *pipeline, const gchar *what)
{
  GstStateChangeReturn result =
      gst_element_get_state (pipeline, NULL, NULL, STATE_TIMEOUT);

  printf ("%s %s\n", what, gst_element_state_change_return_get_name (result));
}

static GstElement *
element_named (GstElement *pipeline, const gchar *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  if (element == NULL) {
    script_fail ("no such element", name);
  }
  return element;
}

static void
lose_device (const gchar *call)
{
  const gchar *file = g_getenv ("FAULT_LAYER");
  void *layer = file != NULL ? dlopen (file, RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*arm) (const char *, int) = NULL;

  if (layer != NULL)
    *(void **) &arm = dlsym (layer, "fault_layer_arm");
  if (arm == NULL || !arm (call, DEVICE_LOST))
    script_fail ("cannot be lost", call);
}

static guint
open_descriptors (void)
{
  GDir *dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint count = 0;

  while (g_dir_read_name (dir) != NULL) {
    count++;
  }
  g_dir_close (dir);
  return count - 1; /* without the descriptor of the folder itself */
}

static void
obey (gpointer data, gchar **words)
{
  GstElement *pipeline = data;
  GstBus *bus = GST_ELEMENT_BUS (pipeline);
  const gchar *command = words[0];

  if (strcmp (command, "pause") == 0 || strcmp (command, "play") == 0) {
    gst_element_set_state (pipeline,
        command[1] == 'a' ? GST_STATE_PAUSED : GST_STATE_PLAYING);
    await_state (pipeline, command);
  } else if (strcmp (command, "null") == 0) {
    gst_element_set_state (pipeline, GST_STATE_NULL);
    await_state (pipeline, command);
  } else if (strcmp (command, "descriptors") == 0) {
    printf ("descriptors %u\n", open_descriptors ());
  } else if (strcmp (command, "lose") == 0) {
    lose_device (words[1]);
  } else if (strcmp (command, "seek") == 0) {
    if (!gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE,
            g_ascii_strtoll (words[1], NULL, 10))) {
      script_fail ("cannot seek to", words[1]);
    }
    await_state (pipeline, command);
  } else if (strcmp (command, "set") == 0) {
    GstElement *element = element_named (pipeline, words[1]);
    gst_util_set_object_arg (G_OBJECT (element), words[2], words[3]);
    gst_object_unref (element);
  } else if (strcmp (command, "mark") == 0) {
    printf ("mark %s\n", words[1]);
  } else if (strcmp (command, "wait") == 0) {
    drain_bus (bus, GST_CLOCK_TIME_NONE);
  } else if (strcmp (command, "stats") == 0) {
    GstElement *element = element_named (pipeline, words[1]);
    bus_printer_print_stats (element);
    gst_object_unref (element);
  } else {
    script_fail ("no such command", command);
  }
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GstElement *pipeline;

  gst_init (&argc, &argv);
  pipeline = gst_parse_launchv ((const gchar **) argv + 1, &error);
  if (error != NULL || !GST_IS_PIPELINE (pipeline)) {
    script_fail ("cannot make the pipeline",
        error != NULL ? error->message : "not a pipeline");
  }
  add_probes (pipeline);
  script_run (obey, pipeline);
  drain_bus (GST_ELEMENT_BUS (pipeline), 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  gst_deinit ();
  return 0;
}
