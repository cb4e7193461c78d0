/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Drives one element by its pads, on one thread, by a script on standard input, and prints what comes out.
 *
 * Usage: element-host FACTORY OUTPUT-FILE < SCRIPT     (or a part of a pipeline, as gst-launch-1.0 takes it, for FACTORY)
 * Every picture that the element pushes is appended to OUTPUT-FILE without padding. The script has one command on each line:
 *   set PROPERTY VALUE             a property, at any time
 *   control PROPERTY NS=VALUE ...  a controller that holds VALUE from stream time NS on
 *   start [video-meta]             makes the pads and goes to PLAYING; video-meta: downstream takes GstVideoMeta
 *   live true|false                whether upstream is live, after start; it is as long as nothing is said
 *   state null|ready|paused|playing
 *   caps CAPS                      input caps from the next picture on
 *   layout SIZE OFFSET:STRIDE ...  the next pictures have this layout, in a GstVideoMeta; `layout none`: the layout of the caps
 *   memory own|offered             the next pictures lie in buffers that the element offers upstream
 *   split on|off                   a GstMemory for each plane instead of one for all planes
 *   crop X,Y,W,H                   the next pictures carry a GstVideoCropMeta; `crop none`
 *   param NAME int|double|string VALUE
 *   param NAME bytes|buffer FILE   the next pictures carry side information with this field; FILE's bytes as GBytes or GstBuffer
 *   params none|empty              the next pictures carry no side information, as at first; or side information without fields
 *   push NS FILE OFFSET            one picture from FILE, stamped with NS
 *   discont                        the next picture has GST_BUFFER_FLAG_DISCONT
 *   gap NS                         a GAP event of 40 ms
 *   codec NAME                     stream tags that name the codec
 *   flush                          FLUSH_START, FLUSH_STOP and a new segment
 *   qos JITTER-NS TIME-NS          a QoS event from downstream; prints "passed-on" if it comes out upstream
 *   eos
 *   take                           appends the pictures that came out after their push had returned
 *   latency                        prints the latency that the element reports, in nanoseconds
 *   leak | criticise               makes a buffer that is never released, or a GLib critical message, to test the tests
 *   get PROPERTY
 *   stats
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/check/gstharness.h>
#include <gst/controller/controller.h>
#include <gst/video/video.h>

#include "bus-printer.h"
#include "packed-picture.h"
#include "script.h"

#define CUSTOM_META "QpuTestCustomMeta"
#define PARAMS_META "qpu-filter-params"
#define FILLER 0xa5

typedef struct
{
  GstElement *element;
  GstBus *bus;
  GstHarness *harness;
  FILE *output;
  GstVideoInfo info;
  gboolean has_layout;
  gsize layout_size;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  gboolean offered;
  gboolean split;
  gboolean has_crop;
  guint crop[4];
  gboolean discont;
  GstStructure *params; /* NULL for none */
} Host;

static void
start (Host *host, gchar **arguments)
{
  /* GstHarness asserts that the element starts. So a refusal is detected, and its reason printed, before the harness is used. */
  if (gst_element_set_state (host->element, GST_STATE_READY)
      == GST_STATE_CHANGE_FAILURE) {
    bus_printer_print_all (host->bus);
    fflush (stdout);
    script_fail ("refused", "the start");
  }
  host->harness = gst_harness_new_with_element (host->element, "sink", "src");
  if (arguments[0] != NULL && strcmp (arguments[0], "video-meta") == 0) {
    gst_harness_add_propose_allocation_meta (host->harness,
        GST_VIDEO_META_API_TYPE, NULL);
  }
  gst_harness_play (host->harness);
}

/* The source is live as long as nothing else is said, as GstHarness has it. */
static void
set_live (Host *host, const gchar *live)
{
  gst_harness_set_live (host->harness, strcmp (live, "true") == 0);
}

static void
set_state (Host *host, const gchar *name)
{
  const gchar *names[] = { "null", "ready", "paused", "playing" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (strcmp (names[i], name) == 0) {
      GstStateChangeReturn result =
          gst_element_set_state (host->element, GST_STATE_NULL + i);
      printf ("state %s %s\n", name,
          gst_element_state_change_return_get_name (result));
      return;
    }
  }
  script_fail ("no such state", name);
}

static void
control (Host *host, gchar **arguments)
{
  GstControlSource *source = gst_interpolation_control_source_new ();

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_NONE, NULL);
  for (gchar **pair = arguments + 1; *pair != NULL; pair++) {
    gchar *value = strchr (*pair, '=');
    if (value == NULL) {
      script_fail ("not NS=VALUE", *pair);
    }
    gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
        g_ascii_strtoull (*pair, NULL, 10), g_ascii_strtod (value + 1, NULL));
  }
  if (!gst_object_add_control_binding (GST_OBJECT (host->element),
          gst_direct_control_binding_new_absolute (GST_OBJECT (host->element),
              arguments[0], source))) {
    script_fail ("not controllable", arguments[0]);
  }
  gst_object_unref (source);
}

static void
set_caps (Host *host, const gchar *text)
{
  GstCaps *caps = gst_caps_from_string (text);

  if (caps == NULL || !gst_video_info_from_caps (&host->info, caps)) {
    script_fail ("not fixed raw video caps", text);
  }
  gst_harness_set_src_caps (host->harness, caps);
}

static void
set_layout (Host *host, gchar **arguments)
{
  host->has_layout = strcmp (arguments[0], "none") != 0;
  if (!host->has_layout) {
    return;
  }
  host->layout_size = g_ascii_strtoull (arguments[0], NULL, 10);
  for (guint p = 0; arguments[p + 1] != NULL && p < GST_VIDEO_MAX_PLANES; p++) {
    gchar *stride = strchr (arguments[p + 1], ':');
    if (stride == NULL) {
      script_fail ("not OFFSET:STRIDE", arguments[p + 1]);
    }
    host->offset[p] = g_ascii_strtoull (arguments[p + 1], NULL, 10);
    host->stride[p] = atoi (stride + 1);
  }
}

static void
set_crop (Host *host, const gchar *text)
{
  host->has_crop = strcmp (text, "none") != 0;
  if (host->has_crop
      && sscanf (text, "%u,%u,%u,%u", &host->crop[0], &host->crop[1],
             &host->crop[2], &host->crop[3])
          != 4) {
    script_fail ("not X,Y,W,H", text);
  }
}

static void
set_params (Host *host, gboolean has_params)
{
  g_clear_pointer (&host->params, gst_structure_free);
  if (has_params) {
    host->params = gst_structure_new_empty (PARAMS_META);
  }
}

static void
set_param (Host *host, gchar **arguments)
{
  const gchar *name = arguments[0], *type = arguments[1];

  if (host->params == NULL) {
    set_params (host, TRUE);
  }
  if (strcmp (type, "int") == 0) {
    gst_structure_set (host->params, name, G_TYPE_INT, atoi (arguments[2]),
        NULL);
  } else if (strcmp (type, "double") == 0) {
    gst_structure_set (host->params, name, G_TYPE_DOUBLE,
        g_ascii_strtod (arguments[2], NULL), NULL);
  } else if (strcmp (type, "string") == 0) {
    gst_structure_set (host->params, name, G_TYPE_STRING, arguments[2], NULL);
  } else {
    gchar *data;
    gsize size;
    GBytes *bytes;

    if (!g_file_get_contents (arguments[2], &data, &size, NULL)) {
      script_fail ("cannot read", arguments[2]);
    }
    bytes = g_bytes_new_take (data, size);
    if (strcmp (type, "bytes") == 0) {
      gst_structure_set (host->params, name, G_TYPE_BYTES, bytes, NULL);
    } else {
      GstBuffer *buffer = gst_buffer_new_wrapped_bytes (bytes);
      gst_structure_set (host->params, name, GST_TYPE_BUFFER, buffer, NULL);
      gst_buffer_unref (buffer);
    }
    g_bytes_unref (bytes);
  }
}

static gboolean
copy_field (GQuark field, const GValue *value, gpointer structure)
{
  gst_structure_id_set_value (structure, field, value);
  return TRUE;
}

static GstBuffer *
offered_buffer_with_picture (Host *host, const guint8 *packed)
{
  GstBuffer *buffer = gst_harness_create_buffer (host->harness,
      GST_VIDEO_INFO_SIZE (&host->info));
  GstVideoFrame frame;

  if (!gst_video_frame_map (&frame, &host->info, buffer, GST_MAP_WRITE)) {
    script_fail ("cannot map", "an offered buffer");
  }
  packed_picture_to_memory (&host->info, packed, frame.info.offset,
      frame.info.stride,
      (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) - frame.info.offset[0]);
  gst_video_frame_unmap (&frame);
  return buffer;
}

static GstBuffer *
buffer_with_picture (Host *host, const guint8 *packed)
{
  gsize size =
      host->has_layout ? host->layout_size : GST_VIDEO_INFO_SIZE (&host->info);
  const gsize *offset = host->has_layout ? host->offset : host->info.offset;
  const gint *stride = host->has_layout ? host->stride : host->info.stride;
  guint8 *memory = g_malloc (size);
  GstBuffer *buffer = gst_buffer_new ();

  memset (memory, FILLER, size);
  packed_picture_to_memory (&host->info, packed, offset, stride, memory);
  if (host->split) {
    guint planes = GST_VIDEO_INFO_N_PLANES (&host->info);
    for (guint p = 0; p < planes; p++) {
      gsize end = p + 1 < planes ? offset[p + 1] : size;
      gsize begin = p == 0 ? 0 : offset[p];
      guint8 *part = g_memdup2 (memory + begin, end - begin);
      gst_buffer_append_memory (buffer,
          gst_memory_new_wrapped (0, part, end - begin, 0, end - begin, part,
              g_free));
    }
    g_free (memory);
  } else {
    gst_buffer_append_memory (buffer,
        gst_memory_new_wrapped (0, memory, size, 0, size, memory, g_free));
  }
  if (host->has_layout) {
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (&host->info), GST_VIDEO_INFO_WIDTH (&host->info),
        GST_VIDEO_INFO_HEIGHT (&host->info),
        GST_VIDEO_INFO_N_PLANES (&host->info), host->offset, host->stride);
  }
  return buffer;
}

static void
stamp (Host *host, GstBuffer *buffer, GstClockTime pts)
{
  GstCustomMeta *custom = gst_buffer_add_custom_meta (buffer, CUSTOM_META);
  GstCaps *reference = gst_caps_new_empty_simple ("timestamp/x-qpu-test");

  GST_BUFFER_PTS (buffer) = pts;
  GST_BUFFER_DTS (buffer) = pts + 1;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  GST_BUFFER_OFFSET (buffer) = pts + 2;
  GST_BUFFER_OFFSET_END (buffer) = pts + 3;
  GST_BUFFER_FLAG_SET (buffer,
      GST_BUFFER_FLAG_MARKER | GST_BUFFER_FLAG_DROPPABLE);
  gst_structure_set (gst_custom_meta_get_structure (custom), "pts",
      G_TYPE_UINT64, pts, NULL);
  gst_buffer_add_reference_timestamp_meta (buffer, reference, pts + 4,
      GST_CLOCK_TIME_NONE);
  gst_caps_unref (reference);
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
  if (host->params != NULL) {
    GstCustomMeta *params = gst_buffer_add_custom_meta (buffer, PARAMS_META);
    if (params == NULL) {
      script_fail ("nobody has registered", PARAMS_META);
    }
    gst_structure_foreach (host->params, copy_field,
        gst_custom_meta_get_structure (params));
  }
  if (host->has_crop) {
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
    crop->x = host->crop[0];
    crop->y = host->crop[1];
    crop->width = host->crop[2];
    crop->height = host->crop[3];
  }
}

static void
print_metas (GstBuffer *buffer)
{
  GstCustomMeta *custom = gst_buffer_get_custom_meta (buffer, CUSTOM_META);
  GstReferenceTimestampMeta *reference =
      gst_buffer_get_reference_timestamp_meta (buffer, NULL);
  GstVideoRegionOfInterestMeta *region =
      (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (buffer,
          GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);
  guint64 value;

  if (custom != NULL
      && gst_structure_get_uint64 (gst_custom_meta_get_structure (custom),
          "pts", &value)) {
    printf (" custom=%" G_GUINT64_FORMAT, value);
  }
  if (reference != NULL) {
    printf (" reference=%" G_GUINT64_FORMAT, reference->timestamp);
  }
  if (region != NULL) {
    printf (" region=%u,%u,%u,%u", region->x, region->y, region->w, region->h);
  }
  if (gst_meta_get_info (PARAMS_META) != NULL
      && gst_buffer_get_custom_meta (buffer, PARAMS_META) != NULL) {
    gchar *fields = gst_structure_to_string (gst_custom_meta_get_structure (
        gst_buffer_get_custom_meta (buffer, PARAMS_META)));
    printf (" params=%s", g_strdelimit (fields, " ", '_'));
    g_free (fields);
  }
  if (crop != NULL) {
    printf (" crop=%u,%u,%u,%u", crop->x, crop->y, crop->width, crop->height);
  }
}

static void
take_picture (Host *host, gconstpointer input_memory)
{
  GstBuffer *buffer = gst_harness_pull (host->harness);
  GstCaps *caps = gst_pad_get_current_caps (host->harness->sinkpad);
  GstVideoInfo info;
  GstVideoFrame frame;
  gsize size;
  guint8 *packed;

  if (!gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ)) {
    script_fail ("cannot map the output", "as raw video");
  }
  size = packed_picture_size (&info);
  packed = g_malloc (size);
  packed_picture_from_frame (&frame, packed);
  gst_video_frame_unmap (&frame);
  if (fwrite (packed, 1, size, host->output) != size) {
    script_fail ("cannot write", "the output file");
  }
  printf ("buffer pts=%" G_GUINT64_FORMAT " dts=%" G_GUINT64_FORMAT
          " duration=%" G_GUINT64_FORMAT " offset=%" G_GUINT64_FORMAT
          " offset-end=%" G_GUINT64_FORMAT " marker=%d droppable=%d discont=%d",
      GST_BUFFER_PTS (buffer), GST_BUFFER_DTS (buffer),
      GST_BUFFER_DURATION (buffer), GST_BUFFER_OFFSET (buffer),
      GST_BUFFER_OFFSET_END (buffer),
      GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_MARKER) != 0,
      GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DROPPABLE) != 0,
      GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DISCONT) != 0);
  printf (" picture=%s:%dx%d same-memory=%d", GST_VIDEO_INFO_NAME (&info),
      GST_VIDEO_INFO_WIDTH (&info), GST_VIDEO_INFO_HEIGHT (&info),
      gst_buffer_peek_memory (buffer, 0) == input_memory);
  print_metas (buffer);
  printf ("\n");
  g_free (packed);
  gst_caps_unref (caps);
  gst_buffer_unref (buffer);
}

static void
push (Host *host, gchar **arguments)
{
  guint8 *packed = packed_picture_read (arguments[1],
      g_ascii_strtoull (arguments[2], NULL, 10),
      packed_picture_size (&host->info));
  GstBuffer *buffer = host->offered ? offered_buffer_with_picture (host, packed)
                                    : buffer_with_picture (host, packed);
  gconstpointer memory = gst_buffer_peek_memory (buffer, 0);
  GstFlowReturn flow;

  stamp (host, buffer, g_ascii_strtoull (arguments[0], NULL, 10));
  if (host->discont)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  host->discont = FALSE;
  flow = gst_harness_push (host->harness, buffer);
  if (flow != GST_FLOW_OK) {
    printf ("flow %s\n", gst_flow_get_name (flow));
  } else if (gst_harness_buffers_in_queue (host->harness) == 0) {
    printf ("dropped\n");
  } else {
    take_picture (host, memory);
  }
  g_free (packed);
}

static void
gap (Host *host, GstClockTime from)
{
  if (!gst_harness_push_event (host->harness,
          gst_event_new_gap (from, 40 * GST_MSECOND)))
    script_fail ("refused", "a gap");
}

static void
tag_codec (Host *host, const gchar *codec)
{
  if (!gst_harness_push_event (host->harness,
          gst_event_new_tag (
              gst_tag_list_new (GST_TAG_VIDEO_CODEC, codec, NULL))))
    script_fail ("refused", "tags");
}

static void
flush (Host *host)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  if (!gst_harness_push_event (host->harness, gst_event_new_flush_start ())
      || !gst_harness_push_event (host->harness,
          gst_event_new_flush_stop (TRUE))
      || !gst_harness_push_event (host->harness,
          gst_event_new_segment (&segment))) {
    script_fail ("refused", "a flush");
  }
}

static void
send_qos (Host *host, gint64 jitter, GstClockTime time)
{
  GstEvent *event;

  gst_harness_push_upstream_event (host->harness,
      gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1.0, jitter, time));
  while (
      (event = gst_harness_try_pull_upstream_event (host->harness)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_QOS)
      printf ("passed-on\n");
    gst_event_unref (event);
  }
}

static void
get (Host *host, const gchar *name)
{
  GValue value = G_VALUE_INIT;
  gchar *text;

  g_object_get_property (G_OBJECT (host->element), name, &value);
  text = gst_value_serialize (&value);
  printf ("get %s %s\n", name, text);
  g_free (text);
  g_value_unset (&value);
}

static void
obey (gpointer data, gchar **words)
{
  Host *host = data;
  const gchar *command = words[0];

  if (strcmp (command, "set") == 0) {
    gst_util_set_object_arg (G_OBJECT (host->element), words[1], words[2]);
  } else if (strcmp (command, "control") == 0) {
    control (host, words + 1);
  } else if (strcmp (command, "start") == 0) {
    start (host, words + 1);
  } else if (strcmp (command, "live") == 0) {
    set_live (host, words[1]);
  } else if (strcmp (command, "state") == 0) {
    set_state (host, words[1]);
  } else if (strcmp (command, "caps") == 0) {
    set_caps (host, words[1]);
  } else if (strcmp (command, "layout") == 0) {
    set_layout (host, words + 1);
  } else if (strcmp (command, "memory") == 0) {
    host->offered = strcmp (words[1], "offered") == 0;
  } else if (strcmp (command, "split") == 0) {
    host->split = strcmp (words[1], "on") == 0;
  } else if (strcmp (command, "crop") == 0) {
    set_crop (host, words[1]);
  } else if (strcmp (command, "param") == 0) {
    set_param (host, words + 1);
  } else if (strcmp (command, "params") == 0) {
    set_params (host, strcmp (words[1], "none") != 0);
  } else if (strcmp (command, "push") == 0) {
    push (host, words + 1);
  } else if (strcmp (command, "codec") == 0) {
    tag_codec (host, words[1]);
  } else if (strcmp (command, "discont") == 0) {
    host->discont = TRUE;
  } else if (strcmp (command, "gap") == 0) {
    gap (host, g_ascii_strtoull (words[1], NULL, 10));
  } else if (strcmp (command, "flush") == 0) {
    flush (host);
  } else if (strcmp (command, "qos") == 0) {
    send_qos (host, g_ascii_strtoll (words[1], NULL, 10),
        g_ascii_strtoull (words[2], NULL, 10));
  } else if (strcmp (command, "eos") == 0) {
    gboolean taken =
        gst_harness_push_event (host->harness, gst_event_new_eos ());
    printf ("eos %s\n", taken ? "taken" : "refused");
  } else if (strcmp (command, "take") == 0) {
    while (gst_harness_buffers_in_queue (host->harness) > 0) {
      take_picture (host, NULL);
    }
  } else if (strcmp (command, "latency") == 0) {
    printf ("latency %" G_GUINT64_FORMAT "\n",
        gst_harness_query_latency (host->harness));
  } else if (strcmp (command, "leak") == 0) {
    gst_buffer_new_allocate (NULL, 1, NULL);
  } else if (strcmp (command, "criticise") == 0) {
    g_critical ("a test of the tests");
  } else if (strcmp (command, "get") == 0) {
    get (host, words[1]);
  } else if (strcmp (command, "stats") == 0) {
    bus_printer_print_stats (host->element);
  } else {
    script_fail ("no such command", command);
  }
  bus_printer_print_all (host->bus);
}

int
main (int argc, char **argv)
{
  Host host = { 0 };
  const gchar *no_tags[] = { NULL };

  gst_init (&argc, &argv);
  if (argc != 3) {
    script_fail ("usage", "element-host FACTORY OUTPUT-FILE < SCRIPT");
  }
  gst_meta_register_custom (CUSTOM_META, no_tags, NULL, NULL, NULL);
  if (strchr (argv[1], '!') != NULL) {
    /* The plugin registers the meta, so the plugin has to be loaded even if the first element is another one. */
    GstPlugin *plugin = gst_plugin_load_by_name ("qpu");
    gst_clear_object (&plugin);
    host.element = gst_parse_bin_from_description (argv[1], TRUE, NULL);
  } else {
    host.element = gst_element_factory_make (argv[1], "element");
  }
  host.output = fopen (argv[2], "wb");
  if (host.element == NULL || host.output == NULL) {
    script_fail ("no such element, or no such file", argv[1]);
  }
  gst_object_ref_sink (host.element);
  host.bus = gst_bus_new ();
  gst_element_set_bus (host.element, host.bus);
  script_run (obey, &host);
  if (host.harness != NULL) {
    gst_harness_teardown (host.harness);
  }
  gst_element_set_state (host.element, GST_STATE_NULL);
  bus_printer_print_all (host.bus);
  set_params (&host, FALSE);
  gst_element_set_bus (host.element, NULL);
  gst_object_unref (host.bus);
  gst_object_unref (host.element);
  fclose (host.output);
  gst_deinit ();
  return 0;
}
