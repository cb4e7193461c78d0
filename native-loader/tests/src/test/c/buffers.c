/*
 * Pushes one buffer with everything on it through qpuloopfilter, between two pads of its own, and prints one line
 * "ok NAME" or "FAILED NAME" for each thing that must come out. usage: buffers [PROPERTY=VALUE ...]
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WIDTH 64 /* of the caps, after cropping */
#define HEIGHT 48
#define CODED_WIDTH 80 /* of the picture before cropping */
#define CODED_HEIGHT 64
#define STRIDE 96
#define CUSTOM_META "GstQpuTestMeta"
#define LATE_PICTURES 8
/* Pictures after which Java has told. */
#define MOST_LATE 50
#define SHARED_BYTES (WIDTH * HEIGHT * 3 / 2)

static gboolean downstream_lays_out = TRUE;
static gboolean downstream_crops;
static GstBuffer *received;
static GstEvent *received_eos;
static gint failures;
static gint criticals;

static void
check (const gchar *name, gboolean ok)
{
  printf ("%s %s\n", ok ? "ok" : "FAILED", name);
  failures += !ok;
}

/* GLib and GStreamer say so where a caller breaks their rules. */
static void
count_critical (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer data)
{
  if ((level & G_LOG_LEVEL_CRITICAL) != 0)
    criticals++;
  g_log_default_handler (domain, level, message, data);
}

static GstFlowReturn
sink_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  gst_buffer_replace (&received, NULL);
  received = buffer;
  return GST_FLOW_OK;
}

static gboolean
sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    gst_event_replace (&received_eos, event);
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION) {
    if (downstream_lays_out)
      gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
    if (downstream_crops)
      gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
    return TRUE;
  }
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
src_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
offers (GstPad *src, GstCaps *caps, GType api)
{
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  gboolean offered = gst_pad_peer_query (src, query)
      && gst_query_find_allocation_meta (query, api, NULL);

  gst_query_unref (query);
  return offered;
}

/* A picture with padded strides, larger than the caps say where coded. */
static GstBuffer *
new_buffer (guint width, guint height)
{
  gsize offsets[GST_VIDEO_MAX_PLANES] = { 0, STRIDE * height,
    STRIDE * height * 5 / 4 };
  gint strides[GST_VIDEO_MAX_PLANES] = { STRIDE, STRIDE / 2, STRIDE / 2 };
  gsize size = STRIDE * height * 3 / 2;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  /* Grey, between strides of another colour: flat grey stays grey under both filters, and stays in its place. */
  gst_buffer_memset (buffer, 0, 0x10, size);
  for (guint plane = 0; plane < 3; plane++) {
    for (guint row = 0; row < (plane == 0 ? height : height / 2); row++)
      gst_buffer_memset (buffer, offsets[plane] + row * strides[plane], 0x80,
          plane == 0 ? width : width / 2);
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, width, height, 3, offsets, strides);
  return buffer;
}

static void
check_output_frame (GstCaps *caps, guint width, guint height, const gchar *name)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  gboolean ok = FALSE;

  gst_video_info_from_caps (&info, caps);
  if (received != NULL
      && gst_video_frame_map (&frame, &info, received, GST_MAP_READ)) {
    ok = (guint) GST_VIDEO_FRAME_WIDTH (&frame) == width
        && (guint) GST_VIDEO_FRAME_HEIGHT (&frame) == height;
    for (guint plane = 0; plane < 3; plane++) {
      for (gint row = 0; row < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, plane);
          row++) {
        const guint8 *sample =
            (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, plane)
            + row * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, plane);

        for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, plane); x++)
          ok = ok && sample[x] == 0x80;
      }
    }
    gst_video_frame_unmap (&frame);
  }
  check (name, ok);
}

static void
check_metadata (GstPad *src, GstCaps *caps)
{
  GstBuffer *buffer = new_buffer (CODED_WIDTH, CODED_HEIGHT);
  GstBuffer *parent = gst_buffer_new ();
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
  GstVideoRegionOfInterestMeta *region =
      gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
  GstCustomMeta *custom = gst_buffer_add_custom_meta (buffer, CUSTOM_META);
  GstCaps *reference = gst_caps_new_empty_simple ("timestamp/x-test");
  GstMemory *memory;

  crop->x = 8;
  crop->y = 10;
  crop->width = WIDTH;
  crop->height = HEIGHT;
  region->id = 77;
  gst_structure_set (gst_custom_meta_get_structure (custom), "answer",
      G_TYPE_INT, 42, NULL);
  gst_buffer_add_reference_timestamp_meta (buffer, reference, 123, 456);
  gst_buffer_add_parent_buffer_meta (buffer, parent);
  GST_BUFFER_PTS (buffer) = GST_SECOND;
  GST_BUFFER_DTS (buffer) = GST_SECOND / 2;
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 25;
  GST_BUFFER_OFFSET (buffer) = 25;
  GST_BUFFER_OFFSET_END (buffer) = 26;
  GST_BUFFER_FLAG_SET (buffer,
      GST_BUFFER_FLAG_MARKER | GST_BUFFER_FLAG_CORRUPTED
          | GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF);
  memory = gst_buffer_peek_memory (buffer, 0);
  gst_memory_ref (memory);

  check ("buffer with a crop meta passes",
      gst_pad_push (src, buffer) == GST_FLOW_OK && received != NULL);
  if (received != NULL) {
    crop = gst_buffer_get_video_crop_meta (received);
    region = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (received,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    custom = gst_buffer_get_custom_meta (received, CUSTOM_META);

    check ("picture before cropping filtered whole",
        gst_buffer_get_video_meta (received) != NULL
            && gst_buffer_get_video_meta (received)->width == CODED_WIDTH
            && gst_buffer_get_video_meta (received)->height == CODED_HEIGHT);
    check ("one GstVideoMeta",
        gst_buffer_get_n_meta (received, GST_VIDEO_META_API_TYPE) == 1);
    check ("GstVideoCropMeta kept",
        crop != NULL && crop->x == 8 && crop->y == 10 && crop->width == WIDTH
            && crop->height == HEIGHT);
    check ("GstVideoRegionOfInterestMeta kept",
        region != NULL && region->id == 77 && region->x == 1 && region->h == 4);
    check ("custom meta kept",
        custom != NULL
            && gst_structure_has_field (gst_custom_meta_get_structure (custom),
                "answer"));
    check ("GstReferenceTimestampMeta kept",
        gst_buffer_get_reference_timestamp_meta (received, reference) != NULL);
    check ("GstParentBufferMeta dropped",
        gst_buffer_get_parent_buffer_meta (received) == NULL);
    check ("times kept",
        GST_BUFFER_PTS (received) == GST_SECOND
            && GST_BUFFER_DTS (received) == GST_SECOND / 2
            && GST_BUFFER_DURATION (received) == GST_SECOND / 25);
    check ("offsets kept",
        GST_BUFFER_OFFSET (received) == 25
            && GST_BUFFER_OFFSET_END (received) == 26);
    check ("flags kept",
        GST_BUFFER_FLAG_IS_SET (received,
            GST_BUFFER_FLAG_MARKER | GST_BUFFER_FLAG_CORRUPTED
                | GST_VIDEO_BUFFER_FLAG_INTERLACED
                | GST_VIDEO_BUFFER_FLAG_TFF));
    check ("not filtered in place",
        gst_buffer_peek_memory (received, 0) != memory);
    check_output_frame (caps, CODED_WIDTH, CODED_HEIGHT,
        "picture before cropping is right to its last row");
  }
  gst_buffer_replace (&received, NULL);
  check ("input memory released", GST_MINI_OBJECT_REFCOUNT_VALUE (memory) == 1);
  check ("parent buffer released",
      GST_MINI_OBJECT_REFCOUNT_VALUE (parent) == 1);
  gst_memory_unref (memory);
  gst_buffer_unref (parent);
  gst_caps_unref (reference);
}

/* A GstVideoMeta may say anything. */
static void
check_other_formats (GstPad *src)
{
  for (guint planes = 0; planes <= GST_VIDEO_MAX_PLANES; planes++) {
    GstBuffer *buffer = new_buffer (WIDTH, HEIGHT);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
    gchar *name = g_strdup_printf (
        "a GstVideoMeta of another format with %u planes is dropped", planes);

    meta->n_planes = planes;
    if (planes == 3)
      meta->format = GST_VIDEO_FORMAT_Y444;
    check (name, gst_pad_push (src, buffer) == GST_FLOW_OK && received == NULL);
    g_free (name);
  }
}

static void
check_impossible_sizes (GstPad *src)
{
  static const struct
  {
    guint width, height;
  } sizes[] = { { 0x80000000u, 20000 }, { G_MAXUINT, G_MAXUINT },
    { G_MAXINT, G_MAXINT }, { 0, HEIGHT }, { WIDTH, 0 }, { 1u << 16, 1u << 16 },
    { WIDTH, 0x80000000u }, { 20000, 20000 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstBuffer *buffer = new_buffer (WIDTH, HEIGHT);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
    gchar *name = g_strdup_printf ("a GstVideoMeta with %ux%u is dropped",
        sizes[i].width, sizes[i].height);

    meta->width = sizes[i].width;
    meta->height = sizes[i].height;
    check (name, gst_pad_push (src, buffer) == GST_FLOW_OK && received == NULL);
    g_free (name);
  }
}

/* As where another thread switches a filter on between GstBaseTransform's look at the caps and its demand for a buffer. */
static void
check_before_caps (GstElement *filter)
{
  GstBaseTransformClass *transform = GST_BASE_TRANSFORM_GET_CLASS (filter);
  static const guint heights[] = { HEIGHT, CODED_HEIGHT };

  for (guint i = 0; i < G_N_ELEMENTS (heights); i++) {
    GstBuffer *buffer = new_buffer (CODED_WIDTH, heights[i]);
    GstBuffer *output = NULL;

    check ("no buffer before caps",
        transform->prepare_output_buffer (GST_BASE_TRANSFORM (filter), buffer,
            &output)
                == GST_FLOW_NOT_NEGOTIATED
            && output == NULL);
    gst_buffer_unref (buffer);
  }
}

static void
unmap (gpointer mapped)
{
  munmap (mapped, SHARED_BYTES);
}

/* A buffer whose memory another program shares, and has made shorter. */
static GstBuffer *
new_shortened (gint bytes_left)
{
  int file = memfd_create ("picture", MFD_CLOEXEC);
  gpointer mapped = MAP_FAILED;

  if (file >= 0 && ftruncate (file, SHARED_BYTES) == 0)
    mapped =
        mmap (NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED || ftruncate (file, bytes_left) != 0) {
    perror ("memory to share");
    exit (2);
  }
  close (file);
  return gst_buffer_new_wrapped_full (0, mapped, SHARED_BYTES, 0, SHARED_BYTES,
      mapped, unmap);
}

/* Java 17 tells of memory that is gone some time after it was touched: then another picture is dropped, or pushing one fails. */
static void
check_shortened_memory (GstPad *src)
{
  gboolean late = g_getenv ("BUFFERS_LATE") != NULL, passes = FALSE;

  for (gint left = 0; left < SHARED_BYTES; left += 4096) {
    gchar *name =
        g_strdup_printf ("buffer of which %d bytes are left is dropped", left);
    GstFlowReturn flow = gst_pad_push (src, new_shortened (left));

    check (name, late || (flow == GST_FLOW_OK && received == NULL));
    gst_buffer_replace (&received, NULL);
    g_free (name);
  }
  for (guint i = 0; i < (late ? MOST_LATE : 1); i++) {
    passes = gst_pad_push (src, new_buffer (WIDTH, HEIGHT)) == GST_FLOW_OK
        && received != NULL;
    gst_buffer_replace (&received, NULL);
  }
  check ("pictures pass after them", passes);
}

/* A gap without a picture, and a buffer that should have one. */
static void
check_empty (GstPad *src)
{
  GstBuffer *gap = gst_buffer_new ();

  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP | GST_BUFFER_FLAG_DROPPABLE);
  GST_BUFFER_PTS (gap) = GST_SECOND;
  check ("empty gap goes on",
      gst_pad_push (src, gap) == GST_FLOW_OK && received == gap
          && GST_BUFFER_PTS (received) == GST_SECOND
          && GST_BUFFER_FLAG_IS_SET (received, GST_BUFFER_FLAG_GAP));
  gst_buffer_replace (&received, NULL);
  check ("empty buffer that is no gap is dropped",
      gst_pad_push (src, gst_buffer_new ()) == GST_FLOW_OK && received == NULL);
  check ("short buffer is dropped",
      gst_pad_push (src, gst_buffer_new_allocate (NULL, 100, NULL))
              == GST_FLOW_OK
          && received == NULL);
  check_impossible_sizes (src);
  check_other_formats (src);
  check_shortened_memory (src);
  check ("picture after them passes",
      gst_pad_push (src, new_buffer (WIDTH, HEIGHT)) == GST_FLOW_OK
          && received != NULL);
  gst_buffer_replace (&received, NULL);
}

static void
check_passthrough (GstElement *filter, GstPad *src)
{
  GstBuffer *buffer = new_buffer (WIDTH, HEIGHT);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  g_object_set (filter, "deblock", FALSE, "cdef", FALSE, "shrinkage", FALSE,
      NULL);
  check ("buffer passes with all filters off",
      gst_pad_push (src, buffer) == GST_FLOW_OK && received != NULL);
  check ("all filters off: the same memory",
      received != NULL && gst_buffer_peek_memory (received, 0) == memory);
  g_object_set (filter, "deblock", TRUE, NULL);
  buffer = new_buffer (WIDTH, HEIGHT);
  memory = gst_buffer_peek_memory (buffer, 0);
  gst_memory_ref (memory);
  check ("buffer passes with a filter on again",
      gst_pad_push (src, buffer) == GST_FLOW_OK && received != NULL);
  check ("a filter on again: other memory",
      received != NULL && gst_buffer_peek_memory (received, 0) != memory);
  gst_memory_unref (memory);
}

/* What passes through is not the element's: a layout that is wrong stays so, and nobody reads by it. */
static void
check_passthrough_of_wrong_layouts (GstPad *src)
{
  static const gchar *const names[] = { "an offset beyond the buffer",
    "a negative stride", "a stride that is too short", "two planes",
    "another format", "another size" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstBuffer *buffer = new_buffer (WIDTH, HEIGHT);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
    gchar *name = g_strdup_printf ("passed through as it is: %s", names[i]);

    switch (i) {
      case 0:
        meta->offset[1] = (gsize) 1 << 40;
        break;
      case 1:
        meta->stride[2] = -meta->stride[2];
        break;
      case 2:
        meta->stride[0] = WIDTH - 1;
        break;
      case 3:
        meta->n_planes = 2;
        break;
      case 4:
        meta->format = GST_VIDEO_FORMAT_Y444;
        break;
      default:
        meta->width = 100 * WIDTH;
        break;
    }
    gst_buffer_ref (buffer);
    check (name,
        gst_pad_push (src, buffer) == GST_FLOW_OK && received == buffer);
    gst_buffer_replace (&received, NULL);
    gst_buffer_unref (buffer);
    g_free (name);
  }
}

/* The same buffer in several memories, of which none but the last ends where a plane does. */
static GstBuffer *
in_parts (GstBuffer *whole, guint parts)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstVideoMeta *meta = gst_buffer_get_video_meta (whole);
  gsize size = gst_buffer_get_size (whole), at = 0;

  for (guint part = 0; part < parts; part++) {
    gsize bytes = part + 1 < parts ? size / parts : size - at;
    GstMemory *memory = gst_allocator_alloc (NULL, bytes, NULL);
    GstMapInfo map;

    if (gst_memory_map (memory, &map, GST_MAP_WRITE)) {
      gst_buffer_extract (whole, at, map.data, bytes);
      gst_memory_unmap (memory, &map);
    }
    gst_buffer_append_memory (buffer, memory);
    at += bytes;
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      meta->format, meta->width, meta->height, meta->n_planes, meta->offset,
      meta->stride);
  gst_buffer_unref (whole);
  return buffer;
}

/* Downstream reads no GstVideoMeta, and the filters go off while upstream still sends padded strides. */
static void
check_passthrough_of_foreign_layout (GstElement *filter, GstPad *src,
    GstPad *sink, GstCaps *caps)
{
  GstVideoInfo info;

  gst_video_info_from_caps (&info, caps);
  downstream_lays_out = FALSE;
  downstream_crops = FALSE;
  gst_pad_push_event (sink, gst_event_new_reconfigure ());
  gst_pad_push (src, new_buffer (WIDTH, HEIGHT));
  check ("filtering: GstVideoMeta offered upstream though downstream has none",
      offers (src, caps, GST_VIDEO_META_API_TYPE));
  check ("filtering: layout of the caps downstream",
      received != NULL && gst_buffer_get_size (received) == info.size);
  g_object_set (filter, "deblock", FALSE, NULL);
  check ("buffer passes with the filter off again",
      gst_pad_push (src, new_buffer (WIDTH, HEIGHT)) == GST_FLOW_OK
          && received != NULL);
  check ("passed through: layout of the caps downstream",
      received != NULL && gst_buffer_get_size (received) == info.size
          && gst_buffer_get_video_meta (received) == NULL);
  check_output_frame (caps, WIDTH, HEIGHT,
      "passed through: picture is right to its last row");
  check ("a plane in several memories passes",
      gst_pad_push (src, in_parts (new_buffer (WIDTH, HEIGHT), 7))
          == GST_FLOW_OK);
  check_output_frame (caps, WIDTH, HEIGHT,
      "passed through: picture in several memories is right");
  check_passthrough_of_wrong_layouts (src);
  check ("passed through: GstVideoMeta no longer offered upstream",
      !offers (src, caps, GST_VIDEO_META_API_TYPE));
}

static void
push_stream_start (GstPad *src, GstCaps *caps)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_stream_start ("test"));
  gst_pad_push_event (src, gst_event_new_caps (caps));
  gst_pad_push_event (src, gst_event_new_segment (&segment));
}

/* All filters are off at this point. */
static void
check_reopening (GstElement *filter, GstPad *src, GstCaps *caps)
{
  GstBuffer *buffer = new_buffer (WIDTH, HEIGHT);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  gst_memory_ref (memory);
  gst_element_set_state (filter, GST_STATE_NULL);
  g_object_set (filter, "deblock", TRUE, NULL);
  gst_element_set_state (filter, GST_STATE_PLAYING);
  push_stream_start (src, caps);
  check ("buffer passes after reopening",
      gst_pad_push (src, buffer) == GST_FLOW_OK && received != NULL);
  check ("a filter switched on while closed filters",
      received != NULL && gst_buffer_peek_memory (received, 0) != memory);
  gst_memory_unref (memory);
}

/* Pictures come late, until a stream of bytes follows, which has no times: nothing is given up there. */
static void
check_bytes_after_late_pictures (GstElement *filter, GstPad *src, GstPad *sink)
{
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GstSegment segment;
  GstBuffer *buffer;

  gst_element_set_bus (filter, bus);
  for (guint i = 1; i <= LATE_PICTURES; i++) {
    buffer = new_buffer (WIDTH, HEIGHT);
    GST_BUFFER_PTS (buffer) = i * GST_SECOND;
    gst_pad_push (src, buffer);
    gst_pad_push_event (sink,
        gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2, GST_SECOND,
            i * GST_SECOND));
  }
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_QOS);
  check ("late pictures are filtered less", message != NULL);
  while (message != NULL) {
    gst_message_unref (message);
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_QOS);
  }
  gst_segment_init (&segment, GST_FORMAT_BYTES);
  gst_pad_push_event (src, gst_event_new_segment (&segment));
  gst_pad_push (src, new_buffer (WIDTH, HEIGHT));
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_QOS);
  check ("a stream of bytes is filtered whole again", message != NULL);
  if (message != NULL)
    gst_message_unref (message);
  gst_element_set_bus (filter, NULL);
  gst_object_unref (bus);
}

/* As where a source comes back to its caps after others that the element has refused: GstBaseTransform does not set them again. */
static void
check_after_refused_caps (GstElement *filter, GstPad *src, GstCaps *caps)
{
  GstCaps *refused = gst_caps_copy (caps);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  guint errors = 0;

  gst_caps_set_simple (refused, "interlace-mode", G_TYPE_STRING, "fields",
      NULL);
  gst_element_set_bus (filter, bus);
  gst_pad_push_event (src, gst_event_new_caps (refused));
  gst_pad_push_event (src, gst_event_new_caps (caps));
  check ("no buffer after caps that were refused",
      gst_pad_push (src, new_buffer (WIDTH, HEIGHT))
          == GST_FLOW_NOT_NEGOTIATED);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL) {
    errors++;
    gst_message_unref (message);
  }
  check ("caps that are refused are one error", errors == 1);
  gst_element_set_bus (filter, NULL);
  gst_object_unref (bus);
  gst_caps_unref (refused);
}

int
main (int argc, char **argv)
{
  GstElement *filter;
  GstPad *src, *sink, *pad;
  GstCaps *caps;
  static const gchar *tags[] = { NULL };

  g_log_set_default_handler (count_critical, NULL);
  gst_init (&argc, &argv);
  gst_meta_register_custom (CUSTOM_META, tags, NULL, NULL, NULL);
  filter = gst_element_factory_make ("qpuloopfilter", NULL);
  if (filter == NULL)
    return 2;
  for (gint i = 1; i < argc; i++) {
    gchar **pair = g_strsplit (argv[i], "=", 2);

    gst_util_set_object_arg (G_OBJECT (filter), pair[0], pair[1]);
    g_strfreev (pair);
  }
  caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, "I420",
      "width", G_TYPE_INT, WIDTH, "height", G_TYPE_INT, HEIGHT, "framerate",
      GST_TYPE_FRACTION, 25, 1, NULL);

  src = gst_pad_new ("src", GST_PAD_SRC);
  gst_pad_set_query_function (src, src_query);
  sink = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_chain_function (sink, sink_chain);
  gst_pad_set_event_function (sink, sink_event);
  gst_pad_set_query_function (sink, sink_query);
  pad = gst_element_get_static_pad (filter, "sink");
  gst_pad_link (src, pad);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (filter, "src");
  gst_pad_link (pad, sink);
  gst_object_unref (pad);
  gst_pad_set_active (src, TRUE);
  gst_pad_set_active (sink, TRUE);
  if (gst_element_set_state (filter, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE) {
    fprintf (stderr, "the filter does not start\n");
    return 2;
  }

  check_before_caps (filter);
  push_stream_start (src, caps);
  check ("plain buffer passes",
      gst_pad_push (src, new_buffer (WIDTH, HEIGHT)) == GST_FLOW_OK);
  check_output_frame (caps, WIDTH, HEIGHT, "picture is right to its last row");
  check ("GstVideoMeta offered upstream",
      offers (src, caps, GST_VIDEO_META_API_TYPE));
  check ("GstVideoCropMeta not offered where downstream does not crop",
      !offers (src, caps, GST_VIDEO_CROP_META_API_TYPE));
  downstream_crops = TRUE;
  gst_pad_push_event (sink, gst_event_new_reconfigure ());
  gst_pad_push (src, new_buffer (WIDTH, HEIGHT));
  check ("GstVideoCropMeta offered where downstream crops",
      offers (src, caps, GST_VIDEO_CROP_META_API_TYPE));
  check_metadata (src, caps);
  check_empty (src);
  check_passthrough (filter, src);
  check_passthrough_of_foreign_layout (filter, src, sink, caps);
  check_reopening (filter, src, caps);
  check_bytes_after_late_pictures (filter, src, sink);
  check_after_refused_caps (filter, src, caps);
  check ("EOS passes",
      gst_pad_push_event (src, gst_event_new_eos ()) && received_eos != NULL);

  gst_element_set_state (filter, GST_STATE_NULL);
  gst_buffer_replace (&received, NULL);
  gst_event_replace (&received_eos, NULL);
  gst_pad_set_active (src, FALSE);
  gst_pad_set_active (sink, FALSE);
  gst_object_unref (src);
  gst_object_unref (sink);
  gst_object_unref (filter);
  gst_caps_unref (caps);
  gst_deinit ();
  check ("no critical message", criticals == 0);
  return failures > 0;
}
