/*
 * Pushes pictures through qpuloopfilter into a sink whose pool makes some buffers and then no more; the sink keeps all. Prints one
 * line "ok NAME" or "FAILED NAME" for each thing that must hold. The pool makes its first buffer when it is activated.
 * usage: shortage BUFFERS
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 64
#define PICTURES 5

static gint failures;

static void
check (const gchar *name, gboolean ok)
{
  printf ("%s %s\n", ok ? "ok" : "FAILED", name);
  failures += !ok;
}

/* The pool */

typedef struct
{
  GstVideoBufferPool parent;
} ShortPool;

typedef struct
{
  GstVideoBufferPoolClass parent;
} ShortPoolClass;

static GType short_pool_get_type (void);
G_DEFINE_TYPE (ShortPool, short_pool, GST_TYPE_VIDEO_BUFFER_POOL);

/* How many buffers the pools of the process still make. */
static gint left;

static GstFlowReturn
short_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer,
    GstBufferPoolAcquireParams *params)
{
  return left-- > 0 ? GST_BUFFER_POOL_CLASS (short_pool_parent_class)
                          ->alloc_buffer (pool, buffer, params)
                    : GST_FLOW_ERROR;
}

static void
short_pool_class_init (ShortPoolClass *klass)
{
  GST_BUFFER_POOL_CLASS (klass)->alloc_buffer = short_pool_alloc_buffer;
}

static void
short_pool_init (ShortPool *self)
{
  (void) self;
}

/* The sink */

static GstBuffer *kept[PICTURES];
static gint received;

static GstFlowReturn
sink_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  kept[received++] = buffer;
  return GST_FLOW_OK;
}

static gboolean
sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  GstBufferPool *pool;
  GstStructure *config;
  GstVideoInfo info;
  GstCaps *caps;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return gst_pad_query_default (pad, parent, query);
  pool = g_object_new (short_pool_get_type (), NULL);
  config = gst_buffer_pool_get_config (pool);
  gst_query_parse_allocation (query, &caps, NULL);
  g_assert (gst_video_info_from_caps (&info, caps));
  gst_buffer_pool_config_set_params (config, caps, (guint) info.size, 1, 0);
  g_assert (gst_buffer_pool_set_config (pool, config));
  gst_query_add_allocation_pool (query, pool, (guint) info.size, 1, 0);
  gst_object_unref (pool);
  return TRUE;
}

int
main (int argc, char **argv)
{
  const gsize bytes = SIZE * SIZE * 3 / 2;
  GstFlowReturn flow = GST_FLOW_OK;
  GError *error = NULL;
  GstMessage *message;
  GstElement *filter;
  GstPad *src, *sink, *pad;
  GstSegment segment;
  GstCaps *caps;
  GstBus *bus;
  gint buffers;

  gst_init (&argc, &argv);
  if (argc < 2)
    return 2;
  buffers = atoi (argv[1]);
  left = buffers;
  filter = gst_element_factory_make ("qpuloopfilter", NULL);
  if (filter == NULL)
    return 2;
  gst_util_set_object_arg (G_OBJECT (filter), "substrate", "cpu");
  bus = gst_bus_new ();
  gst_element_set_bus (filter, bus);
  src = gst_pad_new ("src", GST_PAD_SRC);
  sink = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_chain_function (sink, sink_chain);
  gst_pad_set_query_function (sink, sink_query);
  pad = gst_element_get_static_pad (filter, "sink");
  gst_pad_link (src, pad);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (filter, "src");
  gst_pad_link (pad, sink);
  gst_object_unref (pad);
  gst_pad_set_active (src, TRUE);
  gst_pad_set_active (sink, TRUE);
  gst_element_set_state (filter, GST_STATE_PLAYING);

  caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, "I420",
      "width", G_TYPE_INT, SIZE, "height", G_TYPE_INT, SIZE, "framerate",
      GST_TYPE_FRACTION, 25, 1, NULL);
  gst_pad_push_event (src, gst_event_new_stream_start ("test"));
  gst_pad_push_event (src, gst_event_new_caps (caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_segment (&segment));
  for (guint i = 0; i < PICTURES && flow == GST_FLOW_OK; i++) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, bytes, NULL);

    gst_buffer_memset (buffer, 0, (guint8) (16 * i), bytes);
    GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
    flow = gst_pad_push (src, buffer);
  }
  check ("the stream ends with the buffers", flow == GST_FLOW_ERROR);
  check ("each buffer came out", received == buffers);

  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  check ("there is an error", message != NULL);
  if (message != NULL) {
    gst_message_parse_error (message, &error, NULL);
    printf ("%s\n", error->message);
    check ("it says that there is no buffer",
        g_error_matches (error, GST_RESOURCE_ERROR,
            GST_RESOURCE_ERROR_NO_SPACE_LEFT)
            && g_str_has_prefix (error->message,
                "No buffer for a filtered picture: if "));
    g_error_free (error);
    gst_message_unref (message);
  }
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  check ("there is no other one", message == NULL);
  if (message != NULL)
    gst_message_unref (message);

  gst_element_set_state (filter, GST_STATE_NULL);
  for (gint i = 0; i < received; i++)
    gst_buffer_unref (kept[i]);
  gst_pad_set_active (src, FALSE);
  gst_pad_set_active (sink, FALSE);
  gst_object_unref (src);
  gst_object_unref (sink);
  gst_element_set_bus (filter, NULL);
  gst_object_unref (bus);
  gst_object_unref (filter);
  gst_caps_unref (caps);
  return failures == 0 ? 0 : 1;
}
