/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Gives qpuloopfilter buffers, metas, pools, events and queries at random, between two pads of its own, and looks that nothing
 * breaks. Made to run with AddressSanitizer in the program and in the plugin (it/fuzz).
 *
 * Usage: fuzz-host [--two-threads] SEED[-LAST] SECONDS [PROPERTY=VALUE ...]
 * Runs rounds with the seeds SEED, SEED + 1 and so on, until so many seconds are over and LAST has run; with 0 seconds one round, or
 * those from SEED to LAST. Each round has an element of its own, and prints its seed before it begins, so that a crash or a hang names
 * it. Memory of pictures ends at a page that nobody may touch, on both sides of the element.
 *
 * With --two-threads, one thread pushes, and another one flushes, changes states, sets properties, and asks. Then a seed gives the same
 * choices again, and the threads may meet elsewhere.
 *
 * Of a round that is right, each error and warning has one line that asks for no report, and GLib has no critical message. Prints one
 * line for each thing that is not right, and one at the end. Exit status 0: all was right. A round that takes too long ends the
 * program by SIGALRM.
 */
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gst/gst.h>
#include <gst/video/video.h>

#include "script.h"

#define ROUND_LIMIT_SECONDS 1200
#define STEPS 80
/* More than any queue-depth. */
#define SPARE_BUFFERS 10
#define MOST_KEPT 3
/* Pictures are small, so that rounds are many. */
#define MOST_SAMPLES (512 * 512)
#define PARAMS_META "qpu-filter-params"
#define OTHER_META "QpuFuzzMeta"

/* Each thread's own. */
static _Thread_local GRand *dice;
static gboolean two_threads;
static GMutex complaints;
static guint64 wrong, pictures_in, pictures_out, rounds;
static guint32 round_seed;

/* Random numbers. */

static gboolean
one_in (gint count)
{
  return g_rand_int_range (dice, 0, count) == 0;
}

static gint
below (gint count)
{
  return g_rand_int_range (dice, 0, count);
}

/* A number at which arithmetic goes wrong where nobody checks. */
static gint
odd_number (void)
{
  static const gint numbers[] = { 0, 1, -1, 2, 3, 16, 63, 64, 65, 255, 256,
    4095, 4096, 32767, 65535, 65536, 1 << 20, 1 << 30, G_MAXINT, G_MAXINT - 1,
    G_MININT, G_MININT + 1 };

  return one_in (3) ? (gint) g_rand_int (dice)
                    : numbers[below (G_N_ELEMENTS (numbers))];
}

static guint64
odd_long (void)
{
  guint64 number = g_rand_int (dice);

  switch (below (5)) {
    case 0:
      return G_MAXUINT64 - number % 3;
    case 1:
      return number << 32 | g_rand_int (dice);
    case 2:
      return G_MAXINT64 - number % 3;
    default:
      return number;
  }
}

#define PICK(array) (array)[below (G_N_ELEMENTS (array))]

static void
complain (const gchar *what, const gchar *text)
{
  g_mutex_lock (&complaints);
  printf ("WRONG in round %u: %s: %s\n", round_seed, what, text);
  fflush (stdout);
  wrong++;
  g_mutex_unlock (&complaints);
}

/* Memory that ends at a page that nobody may touch. */

typedef struct
{
  gpointer pages;
  gsize size;
} Guarded;

static void
free_guarded (gpointer data)
{
  Guarded *guarded = data;

  munmap (guarded->pages, guarded->size);
  g_free (guarded);
}

static GstMemory *
guarded_memory (gsize size, GstMemoryFlags flags)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE);
  gsize bytes = (size + page - 1) / page * page + page;
  guint8 *pages = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Guarded *guarded = g_new (Guarded, 1);

  if (pages == MAP_FAILED || mprotect (pages + bytes - page, page, PROT_NONE))
    script_fail ("no memory for", "a picture");
  guarded->pages = pages;
  guarded->size = bytes;
  return gst_memory_new_wrapped (flags, pages + bytes - page - size, size, 0,
      size, guarded, free_guarded);
}

typedef struct
{
  GstAllocator parent;
} GuardedAllocator;

typedef struct
{
  GstAllocatorClass parent;
} GuardedAllocatorClass;

static GType guarded_allocator_get_type (void);
G_DEFINE_TYPE (GuardedAllocator, guarded_allocator, GST_TYPE_ALLOCATOR);

static GstMemory *
guarded_allocator_alloc (GstAllocator *allocator, gsize size,
    GstAllocationParams *params)
{
  (void) allocator;
  (void) params;
  return guarded_memory (size, 0);
}

static void
guarded_allocator_class_init (GuardedAllocatorClass *klass)
{
  GST_ALLOCATOR_CLASS (klass)->alloc = guarded_allocator_alloc;
}

static void
guarded_allocator_init (GuardedAllocator *self)
{
  GST_OBJECT_FLAG_SET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

/* A pool that keeps its own numbers, whatever it is asked for, as those of some hardware do. */

typedef struct
{
  GstVideoBufferPool parent;
  guint size;
} StubbornPool;

typedef struct
{
  GstVideoBufferPoolClass parent;
} StubbornPoolClass;

static GType stubborn_pool_get_type (void);
G_DEFINE_TYPE (StubbornPool, stubborn_pool, GST_TYPE_VIDEO_BUFFER_POOL);

static gboolean
stubborn_pool_set_config (GstBufferPool *pool, GstStructure *config)
{
  StubbornPool *self = (StubbornPool *) pool;
  guint most = MOST_KEPT + SPARE_BUFFERS, size, min, max;
  GstCaps *caps;
  gboolean fits, done;

  gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max);
  fits = size <= self->size && min <= most && max == most;
  gst_buffer_pool_config_set_params (config, caps, MAX (self->size, size), most,
      most);
  done = GST_BUFFER_POOL_CLASS (stubborn_pool_parent_class)
             ->set_config (pool, config);
  return done && fits;
}

static void
stubborn_pool_class_init (StubbornPoolClass *klass)
{
  GST_BUFFER_POOL_CLASS (klass)->set_config = stubborn_pool_set_config;
}

static void
stubborn_pool_init (StubbornPool *self)
{
  (void) self;
}

/* One round: an element, what stands upstream and downstream of it. */

typedef struct
{
  GstElement *element;
  GstBus *bus;
  GstPad *src; /* upstream's */
  GstPad *sink; /* downstream's */
  GstVideoInfo info; /* of the last caps that were pushed */
  gboolean has_info;
  GstBufferPool *offered; /* by the element; NULL for none */
  GQueue kept; /* by downstream; guarded by keeping */
  GMutex keeping;
  guint may_keep;
  /* What the thread that pushes is told by the other one. */
  gint rests; /* it pushes nothing, once it has pushed what it is at */
  gint wants_stream, wants_segment; /* before all else */
  gint is_over;
} Round;

static Round r;

/* Downstream */

static void
read_all (GstBuffer *buffer)
{
  GstMapInfo map;
  volatile guint8 sum = 0;

  if (gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    for (gsize i = 0; i < map.size; i += 61)
      sum ^= map.data[i];
    if (map.size > 0)
      sum ^= map.data[map.size - 1];
    gst_buffer_unmap (buffer, &map);
  }
}

/* Whether a layout is that of a picture in the buffer: what passes through the element has what upstream said. */
static gboolean
lies_inside (GstBuffer *buffer, const GstVideoInfo *info)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  gsize size = gst_buffer_get_size (buffer);

  if (meta == NULL)
    return size >= info->size;
  if (meta->format != GST_VIDEO_INFO_FORMAT (info)
      || meta->n_planes != GST_VIDEO_INFO_N_PLANES (info)
      || meta->width != (guint) info->width
      || meta->height != (guint) info->height)
    return FALSE;
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++) {
    guint plane = GST_VIDEO_INFO_COMP_PLANE (info, c);
    gsize rows = (gsize) GST_VIDEO_INFO_COMP_HEIGHT (info, c);
    gsize skip;
    guint first, memories;

    if (meta->stride[plane] < GST_VIDEO_INFO_COMP_WIDTH (info, c)
                * GST_VIDEO_INFO_COMP_PSTRIDE (info, c)
        || meta->offset[plane] > size || (gsize) meta->stride[plane] > size
        || meta->offset[plane] + rows * (gsize) meta->stride[plane] > size)
      return FALSE;
    /* GStreamer maps the memory in which a plane begins, and no other. */
    if (!gst_buffer_find_memory (buffer, meta->offset[plane],
            rows * (gsize) meta->stride[plane], &first, &memories, &skip)
        || memories > 1)
      return FALSE;
  }
  return TRUE;
}

static void
read_as_frame (GstBuffer *buffer)
{
  GstCaps *caps = gst_pad_get_current_caps (r.sink);
  GstVideoInfo info;
  GstVideoFrame frame;
  volatile guint8 sum = 0;

  if (caps != NULL && gst_video_info_from_caps (&info, caps)
      && gst_buffer_n_memory (buffer) > 0 && lies_inside (buffer, &info)
      && gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ)) {
    for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (&frame); c++) {
      const guint8 *row = GST_VIDEO_FRAME_COMP_DATA (&frame, c);
      gint bytes = GST_VIDEO_FRAME_COMP_WIDTH (&frame, c)
          * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c);

      for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++) {
        sum ^= row[0];
        sum ^= row[bytes - GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c)];
        row += GST_VIDEO_FRAME_COMP_STRIDE (&frame, c);
      }
    }
    gst_video_frame_unmap (&frame);
  }
  gst_clear_caps (&caps);
}

static GstFlowReturn
sink_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  static const GstFlowReturn results[] = { GST_FLOW_FLUSHING, GST_FLOW_EOS,
    GST_FLOW_NOT_LINKED, GST_FLOW_NOT_NEGOTIATED, GST_FLOW_ERROR,
    GST_FLOW_CUSTOM_SUCCESS, GST_FLOW_CUSTOM_ERROR };

  (void) pad;
  (void) parent;
  pictures_out++;
  read_all (buffer);
  read_as_frame (buffer);
  g_mutex_lock (&r.keeping);
  g_queue_push_tail (&r.kept, buffer);
  buffer = g_queue_get_length (&r.kept) > r.may_keep
      ? g_queue_pop_head (&r.kept)
      : NULL;
  g_mutex_unlock (&r.keeping);
  gst_clear_buffer (&buffer);
  return one_in (20) ? PICK (results) : GST_FLOW_OK;
}

static void
answer_with_pool (GstQuery *query)
{
  gsize size = (gsize) below (100000);
  guint min = r.may_keep, max = one_in (2) ? 0 : r.may_keep + SPARE_BUFFERS;
  GstVideoInfo info;
  GstBufferPool *pool;
  GstStructure *config;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps != NULL && gst_video_info_from_caps (&info, caps) && !one_in (4))
    size = info.size;
  switch (below (4)) {
    case 0:
      pool = NULL;
      break;
    case 1:
      pool = g_object_new (stubborn_pool_get_type (), NULL);
      ((StubbornPool *) pool)->size = (guint) size;
      gst_object_ref_sink (pool);
      break;
    case 2:
      pool = gst_buffer_pool_new ();
      break;
    default:
      pool = gst_video_buffer_pool_new ();
      break;
  }
  if (pool != NULL && caps != NULL && one_in (2)) {
    config = gst_buffer_pool_get_config (pool);
    gst_buffer_pool_config_set_params (config, caps, (guint) size, min, max);
    gst_buffer_pool_set_config (pool, config);
    /* The element must take an active pool as it is. */
    if (one_in (3) && caps != NULL)
      gst_buffer_pool_set_active (pool, TRUE);
  }
  gst_query_add_allocation_pool (query, pool, (guint) size, min, max);
  gst_clear_object (&pool);
}

static gboolean
sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return gst_pad_query_default (pad, parent, query);
  if (one_in (8))
    return FALSE;
  if (one_in (2))
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  if (one_in (4))
    gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
  if (one_in (2))
    answer_with_pool (query);
  if (!one_in (4)) {
    GstAllocator *allocator =
        g_object_new (guarded_allocator_get_type (), NULL);
    GstAllocationParams params = { .align = one_in (2) ? 63 : 0 };

    gst_object_ref_sink (allocator);
    gst_query_add_allocation_param (query, one_in (8) ? NULL : allocator,
        &params);
    gst_object_unref (allocator);
  }
  return TRUE;
}

/* Caps */

static GstCaps *
random_caps (void)
{
  static const gchar *const formats[] = { "I420", "YV12", "NV12", "NV21",
    "GRAY8", "I420_10LE", "P010_10LE", "Y42B", "NV16", "I422_10LE", "Y444",
    "Y444_10LE" };
  static const gchar *const others[] = { "RGB", "I420_12LE", "YUY2", "P016_LE",
    "ENCODED", "DMA_DRM" };
  static const gint sides[] = { 1, 2, 3, 8, 15, 16, 17, 32, 33, 64, 66, 100,
    320 };
  static const gchar *const modes[] = { "progressive", "interleaved", "mixed",
    "fields", "alternate" };
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      one_in (20) ? PICK (others) : PICK (formats), "width", G_TYPE_INT,
      one_in (30) ? odd_number () : PICK (sides), "height", G_TYPE_INT,
      one_in (30) ? odd_number () : PICK (sides), "framerate",
      GST_TYPE_FRACTION, one_in (10) ? 0 : 1 + below (60), 1, NULL);

  if (one_in (4))
    gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, PICK (modes),
        NULL);
  if (one_in (8))
    gst_caps_set_simple (caps, "views", G_TYPE_INT, below (3), NULL);
  if (one_in (12))
    gst_caps_set_features (caps, 0,
        gst_caps_features_new (
            one_in (2) ? "memory:DMABuf" : "memory:SystemMemory", NULL));
  return caps;
}

static void
push_caps (void)
{
  GstCaps *caps = random_caps ();
  GstVideoInfo info;

  if (gst_caps_is_fixed (caps)) {
    gboolean taken = gst_pad_push_event (r.src, gst_event_new_caps (caps));

    if (gst_video_info_from_caps (&info, caps) && info.width > 0
        && info.height > 0 && (guint64) info.width * info.height <= MOST_SAMPLES
        && info.size < 16 * MOST_SAMPLES) {
      r.info = info;
      r.has_info = TRUE;
    } else if (taken) {
      r.has_info = FALSE;
    }
    if (r.offered != NULL) {
      gst_buffer_pool_set_active (r.offered, FALSE);
      gst_clear_object (&r.offered);
    }
  }
  gst_caps_unref (caps);
}

/* Buffers */

/* Sets a plausible layout with gaps. Returns the bytes that it needs. */
static gsize
padded_layout (gsize *offset, gint *stride, guint width, guint height)
{
  const GstVideoFormatInfo *format = r.info.finfo;
  gsize at = (gsize) below (70);

  for (guint plane = 0; plane < GST_VIDEO_FORMAT_INFO_N_PLANES (format);
      plane++) {
    gint component[GST_VIDEO_MAX_COMPONENTS];
    gint rows;

    gst_video_format_info_component (format, plane, component);
    rows = GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (format, component[0],
        (gint) height);
    stride[plane] =
        GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (format, component[0], (gint) width)
            * GST_VIDEO_FORMAT_INFO_PSTRIDE (format, component[0])
        + below (40);
    offset[plane] = at;
    at += (gsize) stride[plane] * (gsize) rows + (gsize) below (20);
  }
  return at;
}

static void
add_params (GstBuffer *buffer)
{
  static const gchar *const ints[] = { "width", "height", "qp", "alpha-offset",
    "beta-offset", "chroma-qp-offset", "cr-qp-offset", "transform-8x8",
    "disable-deblocking-filter-idc", "cdef-damping", "cdef-y-primary",
    "cdef-uv-primary", "cdef-y-secondary", "cdef-uv-secondary", "unknown" };
  static const gchar *const maps[] = { "qp-map", "bs-map", "transform-8x8-map",
    "slice-map", "slice-table", "edges", "cdef-strengths", "cdef-index-map",
    "cdef-skip-map" };
  static const gint per_block[] = { 1, 2, 3, 4, 16, 32 };
  GstCustomMeta *meta = gst_buffer_add_custom_meta (buffer, PARAMS_META);
  gint blocks = ((r.info.width + 15) / 16) * ((r.info.height + 15) / 16);
  GstStructure *fields;

  if (meta == NULL)
    script_fail ("no meta", PARAMS_META);
  fields = gst_custom_meta_get_structure (meta);
  if (!one_in (4))
    gst_structure_set (fields, "codec", G_TYPE_STRING,
        one_in (2)        ? "h264"
            : !one_in (8) ? "av1"
                          : "vp8",
        NULL);
  for (gint i = below (8); i > 0; i--)
    gst_structure_set (fields, PICK (ints), G_TYPE_INT,
        one_in (4) ? odd_number () : below (16), NULL);
  if (one_in (8))
    gst_structure_set (fields, PICK (ints), G_TYPE_DOUBLE, 0.5, PICK (maps),
        G_TYPE_STRING, "text", NULL);
  for (gint i = below (4); i > 0; i--) {
    gint size = one_in (6) ? below (5000) : blocks * PICK (per_block);
    guint8 *bytes = g_malloc ((gsize) size + 1);
    GBytes *map;

    for (gint at = 0; at < size; at++)
      bytes[at] = (guint8) (one_in (50) ? below (256) : below (5));
    map = g_bytes_new_take (bytes, (gsize) size);
    if (one_in (2)) {
      GstBuffer *wrapped = gst_buffer_new_wrapped_bytes (map);

      gst_structure_set (fields, PICK (maps), GST_TYPE_BUFFER, wrapped, NULL);
      gst_buffer_unref (wrapped);
    } else {
      gst_structure_set (fields, PICK (maps), G_TYPE_BYTES, map, NULL);
    }
    g_bytes_unref (map);
  }
}

static void
add_metas (GstBuffer *buffer)
{
  if (one_in (3))
    add_params (buffer);
  if (one_in (4)) {
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    crop->x = (guint) (one_in (3) ? odd_number () : below (40));
    crop->y = (guint) (one_in (3) ? odd_number () : below (40));
    crop->width = (guint) (one_in (3) ? odd_number () : r.info.width);
    crop->height = (guint) (one_in (3) ? odd_number () : r.info.height);
  }
  if (one_in (6))
    gst_buffer_add_video_region_of_interest_meta (buffer, "face",
        (guint) odd_number (), 2, 3, 4);
  if (one_in (6))
    gst_buffer_add_custom_meta (buffer, OTHER_META);
  if (one_in (6)) {
    GstBuffer *parent = gst_buffer_new ();

    gst_buffer_add_parent_buffer_meta (buffer, parent);
    gst_buffer_unref (parent);
  }
}

/* A GstVideoMeta that is wrong in one thing or in several. */
static void
spoil (GstVideoMeta *meta)
{
  for (gint i = 1 + below (2); i > 0; i--) {
    guint plane = (guint) below (GST_VIDEO_MAX_PLANES);

    switch (below (7)) {
      case 0:
        meta->width = (guint) odd_number ();
        break;
      case 1:
        meta->height = (guint) odd_number ();
        break;
      case 2:
        meta->stride[plane] = odd_number ();
        break;
      case 3:
        meta->offset[plane] = one_in (2) ? odd_long () : (gsize) below (99999);
        break;
      case 4:
        meta->n_planes = (guint) below (GST_VIDEO_MAX_PLANES + 1);
        break;
      case 5:
        meta->format = (GstVideoFormat) below (60);
        break;
      default:
        meta->stride[plane] = (gint) (0u - (guint) meta->stride[plane]);
        break;
    }
  }
}

static void
append_memories (GstBuffer *buffer, gsize size)
{
  gint parts = one_in (4) ? 1 + below (16) : 1;

  for (gint part = parts; part > 0; part--) {
    gsize bytes = part == 1 ? size : size / (gsize) part;
    GstMemory *memory =
        guarded_memory (bytes, one_in (10) ? GST_MEMORY_FLAG_READONLY : 0);
    GstMapInfo map;

    size -= bytes;
    if (one_in (2) && gst_memory_map (memory, &map, GST_MAP_WRITE)) {
      guint32 noise = g_rand_int (dice);

      for (gsize i = 0; i < map.size; i++) {
        noise = noise * 1664525 + 1013904223;
        map.data[i] = (guint8) (noise >> 24);
      }
      gst_memory_unmap (memory, &map);
    }
    if (bytes > 8 && one_in (20))
      gst_memory_resize (memory, 4, bytes - 5);
    gst_buffer_append_memory (buffer, memory);
  }
}

static GstBuffer *
own_buffer (void)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  gsize size = r.info.size;
  guint width = (guint) r.info.width, height = (guint) r.info.height;
  gboolean has_meta = one_in (2);
  GstBuffer *buffer = gst_buffer_new ();

  memcpy (offset, r.info.offset, sizeof offset);
  memcpy (stride, r.info.stride, sizeof stride);
  if (has_meta && one_in (2)) {
    if (one_in (3)) {
      width += (guint) below (40);
      height += (guint) below (40);
    }
    size = padded_layout (offset, stride, width, height);
  }
  if (one_in (8))
    size = (gsize) below ((gint) size + 100);
  append_memories (buffer, size);
  if (has_meta) {
    GstVideoMeta *meta = gst_buffer_add_video_meta_full (buffer,
        GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (&r.info), width,
        height, GST_VIDEO_INFO_N_PLANES (&r.info), offset, stride);

    if (one_in (3))
      spoil (meta);
  }
  return buffer;
}

/* A buffer that the element offers upstream; NULL where it offers none. */
static GstBuffer *
offered_buffer (void)
{
  GstBufferPoolAcquireParams params = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  GstBuffer *buffer = NULL;

  if (r.offered == NULL) {
    GstCaps *caps = gst_pad_get_current_caps (r.src);
    GstQuery *query;
    guint size, min, max;

    if (caps == NULL)
      return NULL;
    query = gst_query_new_allocation (caps, TRUE);
    if (gst_pad_peer_query (r.src, query)
        && gst_query_get_n_allocation_pools (query) > 0) {
      gst_query_parse_nth_allocation_pool (query, 0, &r.offered, &size, &min,
          &max);
      if (r.offered != NULL) {
        GstStructure *config = gst_buffer_pool_get_config (r.offered);

        gst_buffer_pool_config_set_params (config, caps, size, min, max);
        if (!gst_buffer_pool_set_config (r.offered, config)
            || !gst_buffer_pool_set_active (r.offered, TRUE))
          gst_clear_object (&r.offered);
      }
    }
    gst_query_unref (query);
    gst_caps_unref (caps);
  }
  if (r.offered != NULL
      && gst_buffer_pool_acquire_buffer (r.offered, &buffer, &params)
          != GST_FLOW_OK)
    buffer = NULL;
  return buffer;
}

static GstFlowReturn
push_buffer (void)
{
  GstBuffer *buffer, *shared = NULL;
  GstFlowReturn result;

  if (!r.has_info)
    return GST_FLOW_NOT_NEGOTIATED;
  buffer = one_in (5) ? offered_buffer () : NULL;
  if (buffer == NULL)
    buffer = one_in (30) ? gst_buffer_new () : own_buffer ();
  add_metas (buffer);
  GST_BUFFER_PTS (buffer) =
      one_in (6) ? odd_long () : pictures_in * GST_MSECOND;
  GST_BUFFER_DTS (buffer) = one_in (6) ? odd_long () : GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) = one_in (6) ? odd_long () : 40 * GST_MSECOND;
  if (one_in (4))
    GST_BUFFER_FLAG_SET (buffer,
        1u << (4 + below (20)) | (one_in (4) ? GST_BUFFER_FLAG_GAP : 0));
  if (one_in (6))
    shared = gst_buffer_ref (buffer);
  pictures_in++;
  result = gst_pad_push (r.src, buffer);
  gst_clear_buffer (&shared);
  return result;
}

/* Events and queries */

static void
push_segment (void)
{
  static const GstFormat formats[] = { GST_FORMAT_TIME, GST_FORMAT_TIME,
    GST_FORMAT_TIME, GST_FORMAT_BYTES, GST_FORMAT_DEFAULT };
  static const gdouble rates[] = { 1, 1, 1, -1, 0.5, 2, -16, 1e-9 };
  GstSegment segment;

  gst_segment_init (&segment, PICK (formats));
  segment.rate = PICK (rates);
  if (one_in (4)) {
    segment.start = (guint64) below (1000);
    segment.stop =
        one_in (2) ? segment.start + 40 * GST_MSECOND : GST_CLOCK_TIME_NONE;
    segment.base = (guint64) below (1000);
    segment.position = segment.start;
  }
  if (segment.rate < 0 && segment.stop == GST_CLOCK_TIME_NONE)
    segment.stop = 100 * GST_SECOND;
  gst_pad_push_event (r.src, gst_event_new_segment (&segment));
}

static void
flush (gboolean stops)
{
  gst_pad_push_event (r.src, gst_event_new_flush_start ());
  if (stops)
    gst_pad_push_event (r.src, gst_event_new_flush_stop (one_in (2)));
  push_segment ();
}

static void
push_event (void)
{
  switch (below (12)) {
    case 0:
      gst_pad_push_event (r.src, gst_event_new_stream_start ("fuzz"));
      break;
    case 1:
    case 2:
      push_segment ();
      break;
    case 3:
      gst_pad_push_event (r.src, gst_event_new_eos ());
      if (!one_in (6))
        flush (TRUE);
      break;
    case 4:
      gst_pad_push_event (r.src,
          gst_event_new_gap ((guint64) below (1000), GST_SECOND));
      break;
    case 5:
      gst_pad_push_event (r.src,
          gst_event_new_tag (gst_tag_list_new (GST_TAG_VIDEO_CODEC,
              one_in (2) ? "H.264" : "MPEG-2", NULL)));
      break;
    case 6:
    case 7:
      flush (!one_in (6));
      break;
    case 8:
      gst_pad_push_event (r.src,
          gst_event_new_custom (one_in (2) ? GST_EVENT_CUSTOM_DOWNSTREAM
                                           : GST_EVENT_CUSTOM_DOWNSTREAM_OOB,
              gst_structure_new_empty ("fuzz")));
      break;
    case 9:
      gst_pad_push_event (r.sink, gst_event_new_reconfigure ());
      break;
    case 10: {
      GstClockTime time = odd_long () / 2;
      GstClockTimeDiff jitter = (GstClockTimeDiff) (odd_long () / 2);

      gst_pad_push_event (r.sink,
          gst_event_new_qos ((GstQOSType) below (3), g_rand_double (dice) * 4,
              one_in (2) ? jitter : -MIN (jitter, (GstClockTimeDiff) time),
              time));
      break;
    }
    default:
      gst_pad_push_event (r.sink, gst_event_new_latency (odd_long () / 2));
      break;
  }
}

static void
ask (void)
{
  GstCaps *caps = one_in (4) ? NULL : random_caps ();
  GstQuery *query;

  switch (below (6)) {
    case 0:
      query = gst_query_new_latency ();
      break;
    case 1:
      query = gst_query_new_caps (caps);
      break;
    case 2:
      query = gst_query_new_drain ();
      break;
    case 3:
      /* GstBaseTransform looks at its segment's format, then uses the segment, without a lock: another thread may change it between. */
      query = gst_query_new_position (
          two_threads ? GST_FORMAT_BYTES : GST_FORMAT_TIME);
      break;
    case 4:
      query = caps != NULL ? gst_query_new_accept_caps (caps)
                           : gst_query_new_seeking (GST_FORMAT_TIME);
      break;
    default:
      query = gst_query_new_allocation (caps, one_in (2));
      break;
  }
  gst_pad_peer_query (!GST_QUERY_IS_UPSTREAM (query)
              || (GST_QUERY_IS_DOWNSTREAM (query) && one_in (2))
          ? r.src
          : r.sink,
      query);
  gst_query_unref (query);
  gst_clear_caps (&caps);
}

/* Properties and states */

/* Without a filter, buffers pass through. Properties that are set one by one hardly ever switch all of them off. */
static void
switch_filters (void)
{
  gboolean on = one_in (2);

  g_object_set (r.element, "deblock", on, "cdef", on, "shrinkage", on, NULL);
}

static void
set_property (void)
{
  /* What decides where pictures are filtered stays as the round has it, and so does what stops a stream by name. */
  static const gchar *const fixed[] = { "name", "parent", "substrate", "device",
    "threads", NULL };
  GParamSpec **specs;
  GParamSpec *spec;
  GValue value = G_VALUE_INIT;
  guint count;

  if (one_in (10)) {
    switch_filters ();
    return;
  }
  specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (r.element), &count);
  spec = specs[below ((gint) count)];
  g_free (specs);
  if ((spec->flags & G_PARAM_WRITABLE) == 0
      || g_strv_contains (fixed, spec->name))
    return;
  g_value_init (&value, spec->value_type);
  if (G_IS_PARAM_SPEC_BOOLEAN (spec)) {
    g_value_set_boolean (&value, one_in (2));
  } else if (G_IS_PARAM_SPEC_INT (spec)) {
    GParamSpecInt *range = G_PARAM_SPEC_INT (spec);

    g_value_set_int (&value,
        range->minimum
            + (gint) (g_rand_double (dice)
                * ((gdouble) range->maximum - range->minimum)));
  } else if (G_IS_PARAM_SPEC_DOUBLE (spec)) {
    GParamSpecDouble *range = G_PARAM_SPEC_DOUBLE (spec);

    g_value_set_double (&value,
        range->minimum
            + g_rand_double (dice) * (range->maximum - range->minimum));
  } else if (G_IS_PARAM_SPEC_ENUM (spec)) {
    GEnumClass *choices = G_PARAM_SPEC_ENUM (spec)->enum_class;

    g_value_set_enum (&value,
        choices->values[below ((gint) choices->n_values)].value);
  } else {
    g_value_unset (&value);
    return;
  }
  g_object_set_property (G_OBJECT (r.element), spec->name, &value);
  g_value_unset (&value);
}

static void
read_stats (void)
{
  GstStructure *stats = NULL;

  g_object_get (r.element, "stats", &stats, NULL);
  if (stats == NULL)
    complain ("stats", "none");
  else
    gst_structure_free (stats);
}

static void
set_state (GstState state)
{
  gst_element_set_state (r.element, state);
}

/* Errors and warnings that have come. Returns whether there was an error. */
static gboolean
read_messages (void)
{
  gboolean failed = FALSE;
  GstMessage *message;

  while ((message = gst_bus_pop (r.bus)) != NULL) {
    GError *error = NULL;

    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      gst_message_parse_error (message, &error, NULL);
      failed = TRUE;
    } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
      gst_message_parse_warning (message, &error, NULL);
    }
    if (error != NULL
        && (strchr (error->message, '\n') != NULL
            || strstr (error->message, "report it") != NULL))
      complain ("message", error->message);
    g_clear_error (&error);
    gst_message_unref (message);
  }
  return failed;
}

static void
begin_stream (void)
{
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      "I420", "width", G_TYPE_INT, 64, "height", G_TYPE_INT, 48, "framerate",
      GST_TYPE_FRACTION, 25, 1, NULL);

  gst_pad_push_event (r.src, gst_event_new_stream_start ("fuzz"));
  if (gst_video_info_from_caps (&r.info, caps))
    r.has_info = gst_pad_push_event (r.src, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  push_segment ();
}

static void
let_go (void)
{
  GQueue kept;

  g_mutex_lock (&r.keeping);
  kept = r.kept;
  g_queue_init (&r.kept);
  g_mutex_unlock (&r.keeping);
  g_queue_clear_full (&kept, (GDestroyNotify) gst_buffer_unref);
}

static void
stop_and_play (void)
{
  let_go ();
  set_state (one_in (2) ? GST_STATE_NULL : GST_STATE_READY);
  gst_pad_set_active (r.src, FALSE);
  gst_pad_set_active (r.sink, FALSE);
  gst_pad_set_active (r.src, TRUE);
  gst_pad_set_active (r.sink, TRUE);
  set_state (GST_STATE_PLAYING);
}

static void
restart (void)
{
  if (two_threads) {
    g_atomic_int_set (&r.rests, TRUE);
    stop_and_play ();
    g_atomic_int_set (&r.wants_stream, TRUE);
    g_atomic_int_set (&r.rests, FALSE);
  } else {
    stop_and_play ();
    begin_stream ();
  }
}

static void
step (void)
{
  switch (below (40)) {
    case 0:
    case 1:
      push_caps ();
      break;
    case 2:
    case 3:
    case 4:
    case 5:
      push_event ();
      break;
    case 6:
    case 7:
      ask ();
      break;
    case 8:
    case 9:
    case 10:
      set_property ();
      break;
    case 11:
      read_stats ();
      break;
    case 12:
      if (one_in (3))
        restart ();
      else
        set_state (one_in (2) ? GST_STATE_PAUSED : GST_STATE_PLAYING);
      break;
    default:
      push_buffer ();
      break;
  }
}

/* Two threads */

/* What comes in the order of the stream. */
static void
push_in_order (void)
{
  GstFlowReturn result;

  switch (below (30)) {
    case 0:
      push_caps ();
      break;
    case 1:
      push_segment ();
      break;
    case 2:
      gst_pad_push_event (r.src, gst_event_new_eos ());
      flush (TRUE);
      break;
    case 3:
      gst_pad_push_event (r.src,
          gst_event_new_gap ((guint64) below (1000), GST_SECOND));
      break;
    default:
      result = push_buffer ();
      if (result == GST_FLOW_FLUSHING)
        g_thread_yield ();
      else if (result != GST_FLOW_OK)
        begin_stream ();
      break;
  }
}

static gpointer
push_until_over (gpointer data)
{
  dice = g_rand_new_with_seed (GPOINTER_TO_UINT (data));
  while (!g_atomic_int_get (&r.is_over)) {
    if (g_atomic_int_get (&r.rests))
      g_thread_yield ();
    else if (g_atomic_int_compare_and_exchange (&r.wants_stream, TRUE, FALSE))
      begin_stream ();
    else if (g_atomic_int_compare_and_exchange (&r.wants_segment, TRUE, FALSE))
      push_segment ();
    else
      push_in_order ();
  }
  g_rand_free (dice);
  return NULL;
}

/* A flush as of a seek: of what the other thread is pushing, and of all that is under way. */
static void
flush_beside (void)
{
  g_atomic_int_set (&r.rests, TRUE);
  gst_pad_push_event (r.src, gst_event_new_flush_start ());
  gst_pad_push_event (r.src, gst_event_new_flush_stop (one_in (2)));
  g_atomic_int_set (&r.wants_segment, TRUE);
  g_atomic_int_set (&r.rests, FALSE);
}

static void
step_beside (void)
{
  g_usleep ((gulong) below (3000));
  switch (below (10)) {
    case 0:
    case 1:
      flush_beside ();
      break;
    case 2:
      ask ();
      break;
    case 3:
    case 4:
      read_stats ();
      break;
    case 5:
      if (one_in (2))
        restart ();
      else
        set_state (one_in (2) ? GST_STATE_PAUSED : GST_STATE_PLAYING);
      break;
    case 6:
      gst_pad_push_event (r.sink,
          one_in (2) ? gst_event_new_reconfigure ()
                     : gst_event_new_latency (odd_long () / 2));
      break;
    default:
      set_property ();
      break;
  }
}

static void
link_pads (void)
{
  /* A pad without a template answers a query for caps with those of the stream, which gst_pad_query_caps_default reads without a lock
   * while the other thread replaces them. */
  static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
      GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
  static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
      GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
  GstPad *pad;

  if (two_threads) {
    r.src = gst_pad_new_from_static_template (&src_template, "src");
    r.sink = gst_pad_new_from_static_template (&sink_template, "sink");
  } else {
    r.src = gst_pad_new ("src", GST_PAD_SRC);
    r.sink = gst_pad_new ("sink", GST_PAD_SINK);
  }
  gst_pad_set_chain_function (r.sink, sink_chain);
  gst_pad_set_query_function (r.sink, sink_query);
  pad = gst_element_get_static_pad (r.element, "sink");
  gst_pad_link (r.src, pad);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (r.element, "src");
  gst_pad_link (pad, r.sink);
  gst_object_unref (pad);
  gst_pad_set_active (r.src, TRUE);
  gst_pad_set_active (r.sink, TRUE);
}

static void
run_round (gchar **properties)
{
  GThread *pusher = NULL;

  memset (&r, 0, sizeof r);
  g_mutex_init (&r.keeping);
  g_queue_init (&r.kept);
  g_rand_set_seed (dice, round_seed);
  r.may_keep = (guint) below (MOST_KEPT + 1);
  r.element = gst_element_factory_make ("qpuloopfilter", NULL);
  if (r.element == NULL)
    script_fail ("no element", "qpuloopfilter");
  gst_object_ref_sink (r.element);
  r.bus = gst_bus_new ();
  gst_element_set_bus (r.element, r.bus);
  for (guint i = 0; properties[i] != NULL; i++) {
    gchar **pair = g_strsplit (properties[i], "=", 2);

    gst_util_set_object_arg (G_OBJECT (r.element), pair[0], pair[1]);
    g_strfreev (pair);
  }
  if (two_threads)
    g_object_set (r.element, "queue-depth", one_in (2) ? 1 : 4, NULL);
  else if (one_in (2))
    g_object_set (r.element, "queue-depth", 1 + below (8), NULL);
  link_pads ();
  if (gst_element_set_state (r.element, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE) {
    GstMessage *message = gst_bus_pop_filtered (r.bus, GST_MESSAGE_ERROR);
    GError *error = NULL;

    if (message != NULL)
      gst_message_parse_error (message, &error, NULL);
    script_fail ("the element does not start",
        error != NULL ? error->message : "");
  }
  begin_stream ();
  if (two_threads)
    pusher = g_thread_new ("pusher", push_until_over,
        GUINT_TO_POINTER (g_rand_int (dice)));
  for (gint i = 0; i < STEPS; i++) {
    if (two_threads)
      step_beside ();
    else
      step ();
    if (read_messages ())
      restart ();
  }
  g_atomic_int_set (&r.is_over, TRUE);
  set_state (GST_STATE_NULL);
  if (two_threads)
    g_thread_join (pusher);
  let_go ();
  read_messages ();
  if (r.offered != NULL) {
    gst_buffer_pool_set_active (r.offered, FALSE);
    gst_clear_object (&r.offered);
  }
  gst_pad_set_active (r.src, FALSE);
  gst_pad_set_active (r.sink, FALSE);
  gst_object_unref (r.src);
  gst_object_unref (r.sink);
  gst_element_set_bus (r.element, NULL);
  gst_object_unref (r.bus);
  gst_object_unref (r.element);
  g_mutex_clear (&r.keeping);
}

/* GStreamer and GLib say so where a caller breaks their rules: the element, or this program. */
static void
hear (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer data)
{
  void *callers[12];

  (void) level;
  (void) data;
  complain (domain != NULL ? domain : "critical", message);
  /* Who has called. */
  backtrace_symbols_fd (callers, backtrace (callers, G_N_ELEMENTS (callers)),
      STDOUT_FILENO);
}

int
main (int argc, char **argv)
{
  static const gchar *tags[] = { NULL };
  gint64 end;
  guint64 wanted = 1;
  gchar *range;

  gst_init (&argc, &argv);
  two_threads = argc > 1 && strcmp (argv[1], "--two-threads") == 0;
  if (two_threads) {
    argc--;
    argv++;
  }
  if (argc < 3)
    script_fail (
        "usage: fuzz-host [--two-threads] SEED[-LAST] SECONDS [PROPERTY=VALUE ...]",
        "");
  g_log_set_handler ("GStreamer", G_LOG_LEVEL_CRITICAL, hear, NULL);
  g_log_set_handler ("GStreamer-Base", G_LOG_LEVEL_CRITICAL, hear, NULL);
  g_log_set_handler ("GStreamer-Video", G_LOG_LEVEL_CRITICAL, hear, NULL);
  g_log_set_handler ("GLib-GObject", G_LOG_LEVEL_CRITICAL, hear, NULL);
  g_log_set_handler ("GLib", G_LOG_LEVEL_CRITICAL, hear, NULL);
  dice = g_rand_new ();
  gst_meta_register_custom (OTHER_META, tags, NULL, NULL, NULL);
  end = g_get_monotonic_time ()
      + g_ascii_strtoll (argv[2], NULL, 10) * G_USEC_PER_SEC;
  round_seed = (guint32) g_ascii_strtoull (argv[1], &range, 10);
  if (*range == '-')
    wanted = g_ascii_strtoull (range + 1, NULL, 10) - round_seed + 1;
  do {
    printf ("round %u\n", round_seed);
    fflush (stdout);
    alarm (ROUND_LIMIT_SECONDS);
    run_round (argv + 3);
    alarm (0);
    rounds++;
    round_seed++;
  } while (g_get_monotonic_time () < end || rounds < wanted);
  g_rand_free (dice);
  printf ("fuzz-host: %" G_GUINT64_FORMAT " rounds, %" G_GUINT64_FORMAT
          " buffers in, %" G_GUINT64_FORMAT " out, %" G_GUINT64_FORMAT
          " things wrong\n",
      rounds, pictures_in, pictures_out, wrong);
  return wrong == 0 ? 0 : 1;
}
