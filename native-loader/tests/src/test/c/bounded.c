/*
 * Pushes pictures through qpuloopfilter with several under way, into a sink whose pool has few buffers and which keeps some of
 * them. Prints one line "ok NAME" or "FAILED NAME" for each thing that must hold. Exits with 77 if the element cannot start.
 * usage: bounded fixed|open PROPERTY=VALUE ...
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE 64
#define POOL_MIN 1
#define POOL_MAX 4
#define PICTURES 12
/* After that many seconds the stream hangs. */
#define LIMIT 600

/* A pool that always has POOL_MAX buffers, as those of some hardware do. */
typedef struct
{
  GstVideoBufferPool parent;
} FixedPool;

typedef struct
{
  GstVideoBufferPoolClass parent;
} FixedPoolClass;

static GType fixed_pool_get_type (void);
G_DEFINE_TYPE (FixedPool, fixed_pool, GST_TYPE_VIDEO_BUFFER_POOL);

static gboolean
fixed_pool_set_config (GstBufferPool *pool, GstStructure *config)
{
  GstCaps *caps;
  guint size, min, max;
  gboolean fits;

  gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max);
  fits = min <= POOL_MAX && max == POOL_MAX;
  gst_buffer_pool_config_set_params (config, caps, size, POOL_MAX, POOL_MAX);
  return GST_BUFFER_POOL_CLASS (fixed_pool_parent_class)
             ->set_config (pool, config)
      && fits;
}

static void
fixed_pool_class_init (FixedPoolClass *klass)
{
  GST_BUFFER_POOL_CLASS (klass)->set_config = fixed_pool_set_config;
}

static void
fixed_pool_init (FixedPool *self)
{
  (void) self;
}

static gboolean fixed;
/* The last buffers, which the sink keeps: as many as its pool lets it. */
static GstBuffer *kept[POOL_MAX - 1];
static gint received;

static GstFlowReturn
sink_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  gst_clear_buffer (&kept[received % G_N_ELEMENTS (kept)]);
  kept[received % G_N_ELEMENTS (kept)] = buffer;
  received++;
  return GST_FLOW_OK;
}

static gboolean
sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION) {
    GstBufferPool *pool = fixed ? g_object_new (fixed_pool_get_type (), NULL)
                                : gst_video_buffer_pool_new ();
    GstStructure *config = gst_buffer_pool_get_config (pool);
    GstVideoInfo info;
    GstCaps *caps;

    gst_query_parse_allocation (query, &caps, NULL);
    g_assert (gst_video_info_from_caps (&info, caps));
    gst_buffer_pool_config_set_params (config, caps, (guint) info.size,
        fixed ? POOL_MAX : POOL_MIN, POOL_MAX);
    g_assert (gst_buffer_pool_set_config (pool, config));
    gst_query_add_allocation_pool (query, pool, (guint) info.size,
        fixed ? POOL_MAX : POOL_MIN, POOL_MAX);
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
    gst_object_unref (pool);
    return TRUE;
  }
  return gst_pad_query_default (pad, parent, query);
}

static gpointer
watch (gpointer name)
{
  g_usleep (LIMIT * G_USEC_PER_SEC);
  printf ("FAILED %s: %d pictures came, then nothing\n", (gchar *) name,
      received);
  fflush (stdout);
  _exit (1);
}

int
main (int argc, char **argv)
{
  GstElement *filter;
  GstPad *src, *sink, *pad;
  GstSegment segment;
  GstCaps *caps;
  gsize bytes = SIZE * SIZE * 3 / 2;

  gst_init (&argc, &argv);
  if (argc < 2)
    return 2;
  fixed = strcmp (argv[1], "fixed") == 0;
  filter = gst_element_factory_make ("qpuloopfilter", NULL);
  if (filter == NULL)
    return 2;
  for (gint i = 2; i < argc; i++) {
    gchar **pair = g_strsplit (argv[i], "=", 2);

    gst_util_set_object_arg (G_OBJECT (filter), pair[0], pair[1]);
    g_strfreev (pair);
  }
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
  if (gst_element_set_state (filter, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE)
    return 77;
  g_thread_unref (g_thread_new ("watch", watch, argv[1]));

  caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, "I420",
      "width", G_TYPE_INT, SIZE, "height", G_TYPE_INT, SIZE, "framerate",
      GST_TYPE_FRACTION, 25, 1, NULL);
  gst_pad_push_event (src, gst_event_new_stream_start ("test"));
  gst_pad_push_event (src, gst_event_new_caps (caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_segment (&segment));
  for (guint i = 0; i < PICTURES; i++) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, bytes, NULL);

    gst_buffer_memset (buffer, 0, (guint8) (16 * i), bytes);
    GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
    if (gst_pad_push (src, buffer) != GST_FLOW_OK)
      break;
  }
  gst_pad_push_event (src, gst_event_new_eos ());
  printf ("%s all pictures come out\n", received == PICTURES ? "ok" : "FAILED");

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    gst_clear_buffer (&kept[i]);
  gst_element_set_state (filter, GST_STATE_NULL);
  gst_pad_set_active (src, FALSE);
  gst_pad_set_active (sink, FALSE);
  gst_object_unref (src);
  gst_object_unref (sink);
  gst_object_unref (filter);
  gst_caps_unref (caps);
  return received == PICTURES ? 0 : 1;
}
