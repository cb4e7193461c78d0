/*
 * Takes the place of libgstqpu.so for Java, without an element: notes what Java asks for, and lets the tests call the
 * callbacks that Java installs. It also makes the buffers that the tests filter.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>
#include <gst/allocators/gstdmabuf.h>
#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

typedef gint32 (*OpenFunction) (gint64, gint64);
typedef void (*HandleFunction) (gint32);
typedef gint32 (*HandleResultFunction) (gint32);
typedef gint32 (*SetCapsFunction) (gint32, gint64, gint32, gint32, gint32);
typedef gint32 (*BeginFunction) (gint32, gint32, gint64, gint64, gint64);
typedef gint32 (*PassesFunction) (gint32, gint64);
typedef gint32 (*FinishFunction) (gint32, gint32, gint32);
typedef void (*SetTimingFunction) (gint32, gint32, gint32);
typedef gint32 (*QosFunction) (gint32, gint64, gint64);
typedef gint64 (*StatsFunction) (gint32);

static OpenFunction open_callback;
static HandleFunction close_callback;
static HandleResultFunction start_callback, stop_callback;
static SetCapsFunction set_caps_callback;
static BeginFunction begin_callback;
static FinishFunction finish_callback;
static HandleFunction property_changed_callback;
static SetTimingFunction set_timing_callback;
static QosFunction qos_callback;
static HandleFunction restart_callback;
static StatsFunction stats_callback;

static GMutex lock;
static GString *events;

static gpointer
pointer (gint64 address)
{
  return (gpointer) (gintptr) address;
}

static void G_GNUC_PRINTF (1, 2) note (const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_mutex_lock (&lock);
  g_string_append_vprintf (events, format, arguments);
  g_string_append_c (events, '\n');
  g_mutex_unlock (&lock);
  va_end (arguments);
}

/* libgstqpu.so's functions for Java. */

void
gst_qpu_install_callbacks (OpenFunction open, HandleFunction close,
    HandleResultFunction start, HandleResultFunction stop,
    SetCapsFunction set_caps, BeginFunction begin, PassesFunction passes,
    FinishFunction finish, HandleFunction property_changed,
    SetTimingFunction set_timing, QosFunction qos, HandleFunction restart,
    HandleFunction cut, HandleFunction hurry, StatsFunction stats)
{
  open_callback = open;
  close_callback = close;
  start_callback = start;
  stop_callback = stop;
  set_caps_callback = set_caps;
  begin_callback = begin;
  (void) passes;
  finish_callback = finish;
  property_changed_callback = property_changed;
  set_timing_callback = set_timing;
  qos_callback = qos;
  restart_callback = restart;
  (void) cut;
  (void) hurry;
  stats_callback = stats;
}

void
gst_qpu_element_error (gint64 element, gint32 domain, gint32 code,
    const gchar *text, const gchar *debug)
{
  (void) element;
  note ("error %d/%d %s%s", domain, code, text, debug == NULL ? "" : " [...]");
}

void
gst_qpu_element_warning (gint64 element, gint32 domain, gint32 code,
    const gchar *text, const gchar *debug)
{
  (void) element;
  note ("warning %d/%d %s%s", domain, code, text,
      debug == NULL ? "" : " [...]");
}

void
gst_qpu_element_info (gint64 element, gint32 domain, gint32 code,
    const gchar *text)
{
  (void) element;
  note ("info %d/%d %s", domain, code, text);
}

void
gst_qpu_log (gint64 element, gint32 level, const gchar *line)
{
  (void) element;
  note ("log %d %s", level, line);
}

gint32
gst_qpu_log_threshold (void)
{
  return GST_LEVEL_INFO;
}

/* The JVM of the tests is not the plugin's. */
gint32
gst_qpu_exit_ends_jvm (void)
{
  return FALSE;
}

void
gst_qpu_jvm_trim (void)
{
}

void
gst_qpu_exit_end_first (void)
{
}

void
gst_qpu_exit_end_late (void)
{
}

gint32
gst_qpu_exit_has_begun (void)
{
  return FALSE;
}

/* The tests pass the address of the device's name as the address of the element. */
gchar *
gst_qpu_dup_string (gint64 element, gint32 ordinal)
{
  (void) ordinal;
  return g_strdup (pointer (element));
}

void
gst_qpu_degraded (gint64 element, gint64 late, gint32 step, gint32 steps,
    gint64 frames)
{
  (void) element;
  note ("degraded late %d ms step %d of %d after %d", (gint) (late / 1000000),
      step, steps, (gint) frames);
}

void
gst_qpu_set_passthrough (gint64 element, gint32 passthrough)
{
  (void) element;
  note ("passthrough %d", passthrough);
}

void
gst_qpu_set_look_ahead (gint64 element, gint32 pictures)
{
  (void) element;
  note ("look-ahead %d", pictures);
}

void
gst_qpu_describe_device (gint64 element, gint32 imports_dmabufs,
    gint32 works_alone)
{
  (void) element;
  note ("device %d %d", imports_dmabufs, works_alone);
}

/* Without an element there are no pools. */
gint32
gst_qpu_is_own_dmabuf (gint64 memory)
{
  (void) memory;
  return FALSE;
}

gint32
gst_qpu_replace_memory_leaking (gint64 buffer)
{
  GstBuffer *left = pointer (buffer);

  g_assert (gst_buffer_is_writable (left));
  for (guint i = 0; i < gst_buffer_n_memory (left); i++)
    gst_memory_ref (gst_buffer_peek_memory (left, i));
  gst_buffer_replace_all_memory (left,
      gst_allocator_alloc (NULL, gst_buffer_get_size (left), NULL));
  return TRUE;
}

static void
memory_freed (gpointer freed, GstMiniObject *memory)
{
  ((void (*) (gint64, gint64)) freed) (0, (gint64) (gintptr) memory);
}

void
gst_qpu_watch_memory (gint64 memory, void (*freed) (gint64, gint64))
{
  gst_mini_object_weak_ref (pointer (memory), memory_freed, (gpointer) freed);
}

gint32
gst_qpu_column_rows (gint64 meta, gint32 plane)
{
  return ((GstVideoMeta *) pointer (meta))->stride[plane];
}

/* No buffer has side information here. */

gint64
gst_qpu_params_new (void)
{
  return (gint64) (gintptr) g_malloc0 (4096);
}

/* Calls of gst_qpu_params_free. */
static gint freed_params;

void
gst_qpu_params_free (gint64 params)
{
  freed_params++;
  g_free (pointer (params));
}

gint32
fake_freed_params (void)
{
  return freed_params;
}

gint32
gst_qpu_params_read (gint64 params, gint64 buffer)
{
  (void) params;
  (void) buffer;
  return 0;
}

void
gst_qpu_params_release (gint64 params)
{
  (void) params;
}

const gchar *
gst_qpu_params_cause (gint64 params)
{
  (void) params;
  return "";
}

const gchar *
gst_qpu_params_problem (gint64 params)
{
  (void) params;
  return "";
}

GstStructure *
gst_qpu_stats_new (void)
{
  return gst_structure_new_empty ("stats");
}

void
gst_qpu_stats_add_text (gint64 stats, const gchar *name, const gchar *text)
{
  gst_structure_set (pointer (stats), name, G_TYPE_STRING, text, NULL);
}

void
gst_qpu_stats_add (gint64 stats, const gchar *name, gint64 value,
    gint32 is_signed)
{
  (void) is_signed;
  gst_structure_set (pointer (stats), name, G_TYPE_INT64, value, NULL);
}

/* Functions that the tests call. */

void
fake_init (void)
{
  gst_init (NULL, NULL);
  events = g_string_new (NULL);
}

/* The notes since the last call, one line for each; the caller frees them with g_free. */
gchar *
fake_take_events (void)
{
  gchar *taken;

  g_mutex_lock (&lock);
  taken = g_string_free (events, FALSE);
  events = g_string_new (NULL);
  g_mutex_unlock (&lock);
  return taken;
}

gint64
fake_caps (const gchar *text)
{
  return (gint64) (gintptr) gst_caps_from_string (text);
}

void
fake_free_caps (gint64 caps)
{
  gst_caps_unref (pointer (caps));
}

gint32
fake_open (gint64 device, gint64 values)
{
  return open_callback (device, values);
}

void
fake_close (gint32 handle)
{
  close_callback (handle);
}

gint32
fake_start (gint32 handle)
{
  return start_callback (handle);
}

gint32
fake_stop (gint32 handle)
{
  return stop_callback (handle);
}

gint32
fake_set_caps (gint32 handle, const gchar *text)
{
  GstCaps *caps = gst_caps_from_string (text);
  gint32 result =
      set_caps_callback (handle, (gint64) (gintptr) caps, 0, -1, -1);

  gst_caps_unref (caps);
  return result;
}

/* Begins and finishes a picture as many times as asked. Returns the first result that is not 1, or the last result. */
gint32
fake_transform (gint32 handle, gint64 in_buffer, gint64 out_buffer,
    gint32 times)
{
  gint32 result = 1;

  while (times-- > 0 && result == 1) {
    result = begin_callback (handle, 0, in_buffer, out_buffer, -1);
    if (result == 2)
      result = finish_callback (handle, 0, TRUE);
  }
  return result;
}

/* running_time: -1 for none. */
gint32
fake_begin (gint32 handle, gint32 place, gint64 in_buffer, gint64 out_buffer,
    gint64 running_time)
{
  return begin_callback (handle, place, in_buffer, out_buffer, running_time);
}

gint32
fake_qos (gint32 handle, gint64 jitter, gint64 running_time)
{
  return qos_callback (handle, jitter, running_time);
}

void
fake_restart (gint32 handle)
{
  restart_callback (handle);
}

gint32
fake_finish (gint32 handle, gint32 place, gint32 wait)
{
  return finish_callback (handle, place, wait);
}

typedef struct
{
  gint32 handle;
  gint64 in_buffer, out_buffer;
  gint32 times, result;
} Call;

static gpointer
transform_thread (gpointer data)
{
  Call *call = data;

  call->result = fake_transform (call->handle, call->in_buffer,
      call->out_buffer, call->times);
  return NULL;
}

/* As fake_transform, but on a new thread, which Java does not know yet. */
gint32
fake_transform_on_new_thread (gint32 handle, gint64 in_buffer,
    gint64 out_buffer, gint32 times)
{
  Call call = { handle, in_buffer, out_buffer, times, 0 };

  g_thread_join (g_thread_new ("streaming", transform_thread, &call));
  return call.result;
}

void
fake_property_changed (gint32 handle)
{
  property_changed_callback (handle);
}

void
fake_set_timing (gint32 handle, gint32 live, gint32 keeps_time)
{
  set_timing_callback (handle, live, keeps_time);
}

/* A number field of the statistics. */
gint64
fake_stat (gint32 handle, const gchar *field)
{
  GstStructure *stats = pointer (stats_callback (handle));
  gint64 value = G_MININT64;

  gst_structure_get_int64 (stats, field, &value);
  gst_structure_free (stats);
  return value;
}

/* A text field of the statistics; the caller frees it with g_free. */
gchar *
fake_stat_text (gint32 handle, const gchar *field)
{
  GstStructure *stats = pointer (stats_callback (handle));
  gchar *value = g_strdup (gst_structure_get_string (stats, field));

  gst_structure_free (stats);
  return value;
}

/* A sample of the test picture. FakeHost.java has the same formula. */
static guint
sample (gint plane, gint x, gint y, gint seed, gint depth)
{
  guint wave = (x * 3 + y * 2 + ((x / 8 + y / 8) % 3) * 24 + plane * 40) % 192;
  guint noise = ((guint) (x * 2654435761u ^ y * 40503u ^ seed * 97u) >> 13) % 9;

  return (wave + noise + 20) << (depth - 8);
}

static void
fill (GstBuffer *buffer, GstVideoInfo *info, gint seed)
{
  GstVideoFrame frame;

  if (!gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE))
    g_error ("a test buffer cannot be mapped");
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES (&frame); p++) {
    gint component = p == 0 ? 0 : 1;
    gint depth = GST_VIDEO_FRAME_COMP_DEPTH (&frame, 0);
    gint samples = GST_VIDEO_FRAME_COMP_WIDTH (&frame, component)
        * (p > 0 && GST_VIDEO_FRAME_N_PLANES (&frame) == 2 ? 2 : 1);

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, component); y++) {
      guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, p)
          + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p);

      for (gint x = 0; x < samples; x++) {
        guint value = sample (p, x, y, seed, depth);

        if (depth == 8)
          row[x] = value;
        else
          GST_WRITE_UINT16_LE (row + 2 * x,
              value << GST_VIDEO_FORMAT_INFO_SHIFT (frame.info.finfo, 0));
      }
    }
  }
  gst_video_frame_unmap (&frame);
}

/* How a buffer holds its picture. */
enum
{
  PACKED, /* no meta: packed as the caps say */
  PADDED, /* meta: wide odd strides, space before each plane */
  WORDS, /* meta: wide strides, space before each plane, all multiples of 4 */
  PLANE_EACH, /* meta: a GstMemory for each plane */
  SPLIT, /* no meta: two GstMemory, cut in the middle */
  DMABUF, /* as WORDS, in a GstMemory that claims to be a dmabuf but is a file in memory */
  DMABUF_PLANES, /* as DMABUF, with a GstMemory and a file descriptor for each plane */
  LARGER, /* meta: 16 columns and 16 rows more than the caps say */
  TOO_SHORT, /* no meta: one byte is missing */
  META_TOO_SHORT, /* meta: the last plane runs past the end */
  EMPTY /* no memory at all */
};

static gint
memory_file (gsize size)
{
  gint fd = memfd_create ("fakehost", MFD_CLOEXEC);

  if (fd < 0 || ftruncate (fd, (off_t) size) != 0)
    g_error ("no file in memory");
  return fd;
}

/* Wraps a part of a file in memory in a GstMemory of dmabufs, which owns the descriptor from then on. */
static GstMemory *
dmabuf_memory (gint fd, gsize file_size, gsize offset, gsize size)
{
  GstAllocator *allocator = gst_dmabuf_allocator_new ();
  GstMemory *memory = gst_dmabuf_allocator_alloc (allocator, fd, file_size);

  gst_memory_resize (memory, (gssize) offset, size);
  gst_object_unref (allocator);
  return memory;
}

/* A buffer of this kind. If seed is negative, every byte is 0xaa in place of the test picture. */
gint64
fake_buffer (const gchar *text, gint32 kind, gint32 seed)
{
  GstCaps *caps = gst_caps_from_string (text);
  GstVideoInfo info, larger;
  GstBuffer *buffer = gst_buffer_new ();
  gsize offset[GST_VIDEO_MAX_PLANES] = {
    0,
  };
  gint stride[GST_VIDEO_MAX_PLANES] = {
    0,
  };
  gsize size = 0, plane_size[GST_VIDEO_MAX_PLANES];
  gboolean words = kind == WORDS || kind == DMABUF || kind == DMABUF_PLANES;
  guint planes;

  if (!gst_video_info_from_caps (&info, caps))
    g_error ("no caps of video: %s", text);
  gst_caps_unref (caps);
  planes = GST_VIDEO_INFO_N_PLANES (&info);

  switch (kind) {
    case PACKED:
    case SPLIT:
    case TOO_SHORT:
      gst_buffer_append_memory (buffer,
          gst_allocator_alloc (NULL, info.size - (kind == TOO_SHORT), NULL));
      break;
    case EMPTY:
      return (gint64) (gintptr) buffer;
    default:
      gst_video_info_set_format (&larger, GST_VIDEO_INFO_FORMAT (&info),
          info.width + (kind == LARGER ? 16 : 0),
          info.height + (kind == LARGER ? 16 : 0));
      for (guint p = 0; p < planes; p++) {
        gint rows = GST_VIDEO_INFO_COMP_HEIGHT (&larger, p == 0 ? 0 : 1);

        stride[p] = GST_VIDEO_INFO_PLANE_STRIDE (&larger, p)
            + (words ? 12 : 2 * (p + 3));
        plane_size[p] = (gsize) stride[p] * rows;
        offset[p] = size + (kind == PLANE_EACH ? 0 : words ? 20 : 6 * (p + 1));
        size = offset[p] + plane_size[p];
        if (kind == PLANE_EACH)
          gst_buffer_append_memory (buffer,
              gst_allocator_alloc (NULL, plane_size[p], NULL));
      }
      if (kind == DMABUF || kind == DMABUF_PLANES) {
        gint fd = memory_file (size);

        for (guint p = 0; p < planes && kind == DMABUF_PLANES; p++) {
          gsize end = p + 1 < planes ? offset[p + 1] : size;

          gst_buffer_append_memory (buffer,
              dmabuf_memory (dup (fd), size, p == 0 ? 0 : offset[p],
                  p == 0 ? end : end - offset[p]));
        }
        if (kind == DMABUF)
          gst_buffer_append_memory (buffer,
              dmabuf_memory (dup (fd), size, 0, size));
        close (fd);
      } else if (kind != PLANE_EACH)
        gst_buffer_append_memory (buffer,
            gst_allocator_alloc (NULL,
                kind == META_TOO_SHORT ? offset[planes - 1] + 1 : size, NULL));
      gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
          GST_VIDEO_INFO_FORMAT (&info), larger.width, larger.height, planes,
          offset, stride);
  }
  gst_buffer_memset (buffer, 0, 0xaa, gst_buffer_get_size (buffer));
  if (seed >= 0)
    fill (buffer, &info, seed);
  if (kind == SPLIT) {
    GstBufferCopyFlags deep = GST_BUFFER_COPY_MEMORY | GST_BUFFER_COPY_DEEP;
    gsize half = info.size / 2;
    GstBuffer *whole = buffer;

    buffer = gst_buffer_append (gst_buffer_copy_region (whole, deep, 0, half),
        gst_buffer_copy_region (whole, deep, half, -1));
    gst_buffer_unref (whole);
  }
  return (gint64) (gintptr) buffer;
}

/* A buffer with the picture of another buffer, in a new GstMemory that shares a part of the other's memory. */
gint64
fake_part (gint64 buffer)
{
  GstBuffer *whole = pointer (buffer), *part = gst_buffer_new ();
  GstVideoMeta *meta = gst_buffer_get_video_meta (whole);

  gst_buffer_append_memory (part,
      gst_memory_share (gst_buffer_peek_memory (whole, 0), 0, -1));
  gst_buffer_add_video_meta_full (part, GST_VIDEO_FRAME_FLAG_NONE, meta->format,
      meta->width, meta->height, meta->n_planes, meta->offset, meta->stride);
  return (gint64) (gintptr) part;
}

/* True if the first memory is mapped for reading, so that it cannot be mapped for writing. */
gint32
fake_is_mapped (gint64 buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (pointer (buffer), 0);
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, GST_MAP_WRITE))
    return TRUE;
  gst_memory_unmap (memory, &map);
  return FALSE;
}

gint32
fake_references (gint64 buffer)
{
  return GST_MINI_OBJECT_REFCOUNT_VALUE (pointer (buffer));
}

void
fake_free_buffer (gint64 buffer)
{
  gst_buffer_unref (pointer (buffer));
}

/* Fills a buffer with so many bytes. */
void
fake_fill (gint64 buffer, gint64 bytes, gint64 size)
{
  if (gst_buffer_fill (pointer (buffer), 0, pointer (bytes), size)
      != (gsize) size)
    g_error ("a test buffer is too small");
}

/* Copies a plane's rows, without padding, to memory of the given size. Returns the number of bytes that the rows have. */
gint64
fake_read_plane (gint64 buffer, const gchar *text, gint32 plane, gint64 bytes,
    gint64 size)
{
  GstCaps *caps = gst_caps_from_string (text);
  GstVideoInfo info;
  GstVideoFrame frame;
  gint64 copied = 0;
  gint component = plane == 0 ? 0 : 1;
  gsize row_bytes;

  gst_video_info_from_caps (&info, caps);
  gst_caps_unref (caps);
  if (!gst_video_frame_map (&frame, &info, pointer (buffer), GST_MAP_READ))
    g_error ("a test buffer cannot be mapped");
  row_bytes = (gsize) GST_VIDEO_FRAME_COMP_WIDTH (&frame, component)
      * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, component);
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, component); y++) {
    if (copied + (gint64) row_bytes <= size)
      memcpy ((guint8 *) pointer (bytes) + copied,
          (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, plane)
              + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, plane),
          row_bytes);
    copied += row_bytes;
  }
  gst_video_frame_unmap (&frame);
  return copied;
}

/* Number of bytes outside the samples that are no longer 0xaa. */
gint64
fake_padding_changed (gint64 buffer, const gchar *text)
{
  GstBuffer *copy = gst_buffer_copy_deep (pointer (buffer));
  GstCaps *caps = gst_caps_from_string (text);
  GstVideoInfo info;
  GstVideoFrame frame;
  gint64 changed = 0;

  gst_video_info_from_caps (&info, caps);
  gst_caps_unref (caps);
  if (!gst_video_frame_map (&frame, &info, copy, GST_MAP_READWRITE))
    g_error ("a test buffer cannot be mapped");
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES (&frame); p++) {
    gint component = p == 0 ? 0 : 1;

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, component); y++)
      memset ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, p)
              + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p),
          0xaa,
          (gsize) GST_VIDEO_FRAME_COMP_WIDTH (&frame, component)
              * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, component));
  }
  gst_video_frame_unmap (&frame);
  for (guint m = 0; m < gst_buffer_n_memory (copy); m++) {
    GstMapInfo map;

    gst_memory_map (gst_buffer_peek_memory (copy, m), &map, GST_MAP_READ);
    for (gsize i = 0; i < map.size; i++)
      changed += map.data[i] != 0xaa;
    gst_memory_unmap (gst_buffer_peek_memory (copy, m), &map);
  }
  gst_buffer_unref (copy);
  return changed;
}

/* The offsets, sizes and constants that Java repeats, as the C compiler knows them: lines of name and number. */
gchar *
fake_layout (void)
{
  return g_strdup_printf (
      "VideoInfo.SIZE_BYTES %zu\n"
      "VideoInfo.FINFO %zu\nVideoInfo.INTERLACE_MODE %zu\n"
      "VideoInfo.WIDTH %zu\nVideoInfo.HEIGHT %zu\nVideoInfo.SIZE %zu\n"
      "VideoInfo.OFFSET %zu\n"
      "VideoInfo.STRIDE %zu\nVideoInfo.MULTIVIEW_MODE %zu\n"
      "VideoInfo.FORMAT_NUMBER %zu\nVideoInfo.FORMAT_NAME %zu\n"
      "VideoInfo.INTERLACE_MODE_INTERLEAVED %d\n"
      "VideoInfo.INTERLACE_MODE_FIELDS %d\n"
      "VideoInfo.MULTIVIEW_MODE_SEPARATED %d\n"
      "MappedFrame.SIZE_BYTES %zu\nMappedFrame.INFO %zu\n"
      "MappedFrame.META %zu\nMappedFrame.DATA %zu\nMappedFrame.MAP %zu\n"
      "MappedFrame.MAP_BYTES %zu\n"
      "MappedFrame.MAP_MEMORY %zu\nMappedFrame.MEMORY_ALLOCATOR %zu\n"
      "MappedFrame.ALLOCATOR_TYPE %zu\n"
      "MappedFrame.MAP_DATA %zu\nMappedFrame.MAP_SIZE %zu\n"
      "DmabufFrame.META_FORMAT %zu\n"
      "DmabufFrame.META_WIDTH %zu\nDmabufFrame.META_HEIGHT %zu\n"
      "DmabufFrame.META_PLANES %zu\nDmabufFrame.META_OFFSET %zu\n"
      "DmabufFrame.META_STRIDE %zu\n"
      "DmabufFrame.MEMORY_PARENT %zu\n"
      "GstVideoLibrary.MAP_READ %d\nGstVideoLibrary.MAP_WRITE %d\n"
      "GstVideoLibrary.FRAME_MAP_NO_REF %d\n"
      "Flow.DROPPED %d\nFlow.ERROR %d\n"
      "WARNING %d\nINFO %d\nDEBUG %d\n"
      "LIBRARY_FAILED %d\nLIBRARY_SETTINGS %d\nRESOURCE_FAILED %d\n"
      "RESOURCE_NOT_FOUND %d\nSTREAM_NOT_IMPLEMENTED %d\nSTREAM_FORMAT %d\n",
      sizeof (GstVideoInfo), offsetof (GstVideoInfo, finfo),
      offsetof (GstVideoInfo, interlace_mode), offsetof (GstVideoInfo, width),
      offsetof (GstVideoInfo, height), offsetof (GstVideoInfo, size),
      offsetof (GstVideoInfo, offset), offsetof (GstVideoInfo, stride),
      offsetof (GstVideoInfo, ABI.abi.multiview_mode),
      offsetof (GstVideoFormatInfo, format),
      offsetof (GstVideoFormatInfo, name), GST_VIDEO_INTERLACE_MODE_INTERLEAVED,
      GST_VIDEO_INTERLACE_MODE_FIELDS, GST_VIDEO_MULTIVIEW_MODE_SEPARATED,
      sizeof (GstVideoFrame), offsetof (GstVideoFrame, info),
      offsetof (GstVideoFrame, meta), offsetof (GstVideoFrame, data),
      offsetof (GstVideoFrame, map), sizeof (GstMapInfo),
      offsetof (GstMapInfo, memory), offsetof (GstMemory, allocator),
      offsetof (GstAllocator, mem_type), offsetof (GstMapInfo, data),
      offsetof (GstMapInfo, size), offsetof (GstVideoMeta, format),
      offsetof (GstVideoMeta, width), offsetof (GstVideoMeta, height),
      offsetof (GstVideoMeta, n_planes), offsetof (GstVideoMeta, offset),
      offsetof (GstVideoMeta, stride), offsetof (GstMemory, parent),
      GST_MAP_READ, GST_MAP_WRITE, GST_VIDEO_FRAME_MAP_FLAG_NO_REF,
      GST_BASE_TRANSFORM_FLOW_DROPPED, GST_FLOW_ERROR, GST_LEVEL_WARNING,
      GST_LEVEL_INFO, GST_LEVEL_DEBUG, GST_LIBRARY_ERROR_FAILED,
      GST_LIBRARY_ERROR_SETTINGS, GST_RESOURCE_ERROR_FAILED,
      GST_RESOURCE_ERROR_NOT_FOUND, GST_STREAM_ERROR_NOT_IMPLEMENTED,
      GST_STREAM_ERROR_FORMAT);
}
