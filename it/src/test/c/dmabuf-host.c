/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Pushes NV12 pictures in real dmabufs of many shapes through a qpuloopfilter, on one thread. A script on standard input says what to
 * push. Prints the results.
 *
 * Usage: dmabuf-host OUTPUT-FILE < SCRIPT
 * Every picture that comes out is appended to OUTPUT-FILE, in whole rows without padding. The script has one command on each line:
 *   set PROPERTY VALUE         before start
 *   heap on|off                dmabufs come from the kernel's system heap, not from udmabuf
 *   depth 8|10                 pictures are NV12, as at first, or P010_10LE; in columns the latter have three samples in a word
 *   offer dmabufs|memory       downstream offers a pool of that kind, before start
 *   start CAPS                 makes the pads and goes to PLAYING; CAPS: the caps that downstream takes
 *   caps CAPS                  input caps from the next picture on
 *   coded WIDTH HEIGHT         the pictures are larger than the caps say; a GstVideoCropMeta crops them to the caps' size
 *   fault FAULT                the fault of the next pictures' buffers, see below
 *   push SHAPE FILE OFFSET     one picture, packed, from FILE; prints "out own" or "out offered" for each that comes out
 *   stats
 * Shapes:
 *   rows                       one dmabuf, rows whole
 *   planes                     a dmabuf for each plane, rows whole
 *   columns:H                  one dmabuf, columns of H rows that hold luma, then chroma
 *   apart:H                    a dmabuf for each plane, of columns of H rows for luma and H / 2 for chroma, as the stride says
 *   bare:H                     columns:H without a GstVideoMeta, chroma after two thirds of a column
 * Faults:
 *   none
 *   short                      the dmabuf is a page long, whatever the GstMemory says
 *   stride, narrow             the GstVideoMeta's stride is too large for the dmabuf, or less than a row
 *   offset                     the GstVideoMeta's chroma begins behind the dmabuf's end
 *   memfd                      the memory is a file that is no dmabuf
 *   closed                     the file descriptor was closed
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gst/allocators/gstdmabuf.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "bus-printer.h"
#include "packed-picture.h"
#include "script.h"

#define COLUMN 128
#define PAGE 4096

typedef struct
{
  GstElement *element;
  GstBus *bus;
  GstHarness *harness;
  GstAllocator *allocator;
  FILE *output;
  /* The size of the pictures, and the size that they are cropped to. */
  gint width, height;
  gint cropped_width, cropped_height;
  gboolean heap;
  /* Whether pictures are P010_10LE, else NV12. */
  gboolean ten_bit;
  gchar *fault;
  /* The allocator from which downstream offers buffers, or NULL. The pool is made when it is asked for. */
  GstAllocator *offered_allocator;
  gboolean offers;
  GstBufferPool *offered;
} Host;

/* An allocator of dmabufs that is unknown to the element. */
typedef struct
{
  GstDmaBufAllocator parent;
  Host *host;
} TestAllocator;

typedef struct
{
  GstDmaBufAllocatorClass parent_class;
} TestAllocatorClass;

GType test_allocator_get_type (void);
G_DEFINE_TYPE (TestAllocator, test_allocator, GST_TYPE_DMABUF_ALLOCATOR)

/* The layout of the planes. If apart, each plane lies in a dmabuf of its own. A column of 0 rows means whole rows. */
typedef struct
{
  gboolean apart, bare;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  gsize column_rows[2];
  gsize size[2];
} Shape;

static gsize
row_samples (Host *host, guint plane)
{
  return plane == 0 ? (gsize) host->width : (gsize) (host->width + 1) / 2 * 2;
}

/* In whole rows. */
static gsize
row_bytes (Host *host, guint plane)
{
  return row_samples (host, plane) * (host->ten_bit ? 2 : 1);
}

static gsize
rows (Host *host, guint plane)
{
  return plane == 0 ? (gsize) host->height : (gsize) (host->height + 1) / 2;
}

static gsize
packed_size (Host *host)
{
  return row_bytes (host, 0) * rows (host, 0)
      + row_bytes (host, 1) * rows (host, 1);
}

/* The offset of a byte of a plane from the plane's first byte. */
static gsize
place (gsize column_rows, gint stride, gsize row, gsize x)
{
  return column_rows == 0
      ? row * stride + x
      : x / COLUMN * column_rows * COLUMN + row * COLUMN + x % COLUMN;
}

/* Puts a sample of 10 bit, as P010 has it, into its word of three. The word's two upper bits are set, which nobody may care for. */
static void
put_in_word (guint8 *word, gsize x, const guint8 *sample)
{
  guint32 shift = 10 * (guint32) (x % 3);
  guint32 others = GST_READ_UINT32_LE (word) & ~(0x3ffu << shift);

  GST_WRITE_UINT32_LE (word,
      others | 0xc0000000u
          | (guint32) (GST_READ_UINT16_LE (sample) >> 6) << shift);
}

static Shape
parse_shape (Host *host, const gchar *text)
{
  Shape shape = { 0 };
  gsize column_samples = host->ten_bit ? COLUMN / 4 * 3 : COLUMN;
  gsize columns = (row_samples (host, 1) + column_samples - 1) / column_samples;
  const gchar *number = strchr (text, ':');
  gsize high = number == NULL ? 0 : g_ascii_strtoull (number + 1, NULL, 10);

  shape.apart =
      g_str_equal (text, "planes") || g_str_has_prefix (text, "apart:");
  shape.bare = g_str_has_prefix (text, "bare:");
  if (number == NULL) {
    shape.stride[0] = shape.stride[1] =
        (gint) GST_ROUND_UP_4 (row_bytes (host, 1)) + 8;
    shape.size[0] = shape.stride[0] * rows (host, 0);
    shape.size[1] = shape.stride[1] * rows (host, 1);
    shape.offset[1] = shape.size[0];
  } else if (shape.apart) {
    shape.column_rows[0] = high;
    shape.column_rows[1] = high / 2;
    shape.stride[0] = (gint) high;
    shape.stride[1] = (gint) high / 2;
    shape.size[0] = columns * high * COLUMN;
    shape.size[1] = columns * (high / 2) * COLUMN;
    shape.offset[1] = shape.size[0];
  } else {
    shape.column_rows[0] = shape.column_rows[1] = high;
    shape.offset[1] = (shape.bare ? high / 3 * 2 : rows (host, 0)) * COLUMN;
    shape.stride[0] = shape.stride[1] = host->width;
    shape.size[0] = columns * high * COLUMN;
  }
  return shape;
}

/* A file descriptor of memory whose size is in whole pages. It is a dmabuf unless the fault asks for something else. */
static int
make_memory (Host *host, gsize size)
{
  struct udmabuf_create create = { .flags = UDMABUF_FLAGS_CLOEXEC,
    .size = size };
  struct dma_heap_allocation_data data = { .len = size,
    .fd_flags = O_RDWR | O_CLOEXEC };
  int device = open (host->heap ? "/dev/dma_heap/system" : "/dev/udmabuf",
      O_RDWR | O_CLOEXEC);
  int memfd = memfd_create ("dmabuf-host", MFD_CLOEXEC | MFD_ALLOW_SEALING),
      made;

  if (device < 0 || memfd < 0 || ftruncate (memfd, (off_t) size) != 0
      || fcntl (memfd, F_ADD_SEALS, F_SEAL_SHRINK) != 0)
    script_fail ("no memory", g_strerror (errno));
  create.memfd = (guint32) memfd;
  if (g_str_equal (host->fault, "memfd")) {
    made = dup (memfd);
  } else if (host->heap) {
    made =
        ioctl (device, DMA_HEAP_IOCTL_ALLOC, &data) == 0 ? (int) data.fd : -1;
  } else {
    made = ioctl (device, UDMABUF_CREATE, &create);
  }
  if (made < 0)
    script_fail ("no dmabuf", g_strerror (errno));
  close (memfd);
  close (device);
  return made;
}

static GstMemory *
test_allocator_alloc (GstAllocator *allocator, gsize size,
    GstAllocationParams *params)
{
  gsize length = GST_ROUND_UP_N (size, PAGE) + PAGE;
  int fd = make_memory (((TestAllocator *) allocator)->host, length);
  GstMemory *memory = gst_dmabuf_allocator_alloc (allocator, fd, length);

  (void) params;
  gst_memory_resize (memory, 0, (gssize) size);
  return memory;
}

static void
test_allocator_class_init (TestAllocatorClass *klass)
{
  GST_ALLOCATOR_CLASS (klass)->alloc = test_allocator_alloc;
}

static void
test_allocator_init (TestAllocator *self)
{
  GST_OBJECT_FLAG_UNSET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

/* Answers an allocation query as an element with buffers of its own does. */
static GstPadProbeReturn
offer_pool (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (probe);
  GstStructure *config;
  Host *host = data;
  GstVideoInfo info;
  GstCaps *caps;

  (void) pad;
  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_parse_allocation (query, &caps, NULL);
  if (!gst_video_info_from_caps (&info, caps))
    script_fail ("no pool for", "these caps");
  gst_clear_object (&host->offered);
  host->offered = gst_video_buffer_pool_new ();
  config = gst_buffer_pool_get_config (host->offered);
  gst_buffer_pool_config_set_params (config, caps, (guint) info.size, 0, 0);
  if (host->offered_allocator != NULL)
    gst_buffer_pool_config_set_allocator (config, host->offered_allocator,
        NULL);
  gst_buffer_pool_set_config (host->offered, config);
  gst_query_add_allocation_pool (query, host->offered, (guint) info.size, 0, 0);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

/* Writes planes of a picture into memory, and makes a GstMemory of it that claims to have this size. */
static GstMemory *
wrap_memory (Host *host, const Shape *shape, const guint8 *packed,
    guint first_plane, guint last_plane, gsize size)
{
  gsize real = g_str_equal (host->fault, "short")
      ? PAGE
      : GST_ROUND_UP_N (size, PAGE) + PAGE;
  int fd = make_memory (host, real);
  guint8 *memory = mmap (NULL, real, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  GstFdMemoryFlags flags = GST_FD_MEMORY_FLAG_NONE;
  GstMemory *wrapped;

  if (memory == MAP_FAILED)
    script_fail ("cannot map a dmabuf", g_strerror (errno));
  for (guint plane = first_plane; plane <= last_plane; plane++) {
    const guint8 *from =
        packed + (plane == 0 ? 0 : row_bytes (host, 0) * rows (host, 0));
    gsize offset = shape->apart ? 0 : shape->offset[plane];

    for (gsize row = 0; row < rows (host, plane); row++) {
      for (gsize x = 0; shape->column_rows[plane] > 0 && host->ten_bit
          && x < row_samples (host, plane);
          x++, from += 2) {
        gsize at = offset
            + place (shape->column_rows[plane], shape->stride[plane], row,
                x / 3 * 4);

        if (at + 4 <= real)
          put_in_word (memory + at, x, from);
      }
      for (gsize x = 0; !(shape->column_rows[plane] > 0 && host->ten_bit)
          && x < row_bytes (host, plane);
          x++, from++) {
        gsize at = offset
            + place (shape->column_rows[plane], shape->stride[plane], row, x);

        if (at < real)
          memory[at] = *from;
      }
    }
  }
  munmap (memory, real);
  if (g_str_equal (host->fault, "closed")) {
    /* Not closed again: the number may belong to another file by then. */
    flags = GST_FD_MEMORY_FLAG_DONT_CLOSE;
    close (fd);
  }
  wrapped =
      gst_dmabuf_allocator_alloc_with_flags (host->allocator, fd, size, flags);
  if (wrapped == NULL)
    script_fail ("cannot wrap a dmabuf", host->fault);
  return wrapped;
}

static GstBuffer *
buffer_with_picture (Host *host, const Shape *shape, const guint8 *packed)
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];

  memcpy (offset, shape->offset, sizeof offset);
  memcpy (stride, shape->stride, sizeof stride);
  if (shape->apart) {
    gst_buffer_append_memory (buffer,
        wrap_memory (host, shape, packed, 0, 0, shape->size[0]));
    gst_buffer_append_memory (buffer,
        wrap_memory (host, shape, packed, 1, 1, shape->size[1]));
  } else {
    gst_buffer_append_memory (buffer,
        wrap_memory (host, shape, packed, 0, 1,
            shape->size[0] + shape->size[1]));
  }
  if (g_str_equal (host->fault, "stride")) {
    stride[1] *= 8;
  } else if (g_str_equal (host->fault, "narrow")) {
    stride[0] = 4;
  } else if (g_str_equal (host->fault, "offset")) {
    offset[1] = 16 * (shape->size[0] + shape->size[1]);
  }
  if (!shape->bare)
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_FORMAT_NV12, host->width, host->height, 2, offset, stride);
  if (host->cropped_width != host->width
      || host->cropped_height != host->height) {
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    crop->x = crop->y = 0;
    crop->width = (guint) host->cropped_width;
    crop->height = (guint) host->cropped_height;
  }
  return buffer;
}

/* Appends a picture to the output, packed. */
static void
write_picture (Host *host, GstBuffer *buffer)
{
  GstCaps *caps = gst_pad_get_current_caps (host->harness->sinkpad);
  const gchar *name =
      gst_structure_get_string (gst_caps_get_structure (caps, 0), "drm-format");
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  guint64 modifier = name != NULL && strchr (name, ':') != NULL
      ? g_ascii_strtoull (strchr (name, ':') + 1, NULL, 16)
      : 0;
  gsize column_rows = modifier >> 8 & 0xffffff;
  GstVideoInfo info;
  GstMapInfo map;

  if (gst_is_dmabuf_memory (memory)) {
    /* Wait until the device is done. */
    struct pollfd done = { .fd = gst_dmabuf_memory_get_fd (memory),
      .events = POLLIN };
    poll (&done, 1, -1);
  }
  gst_video_info_set_format (&info,
      host->ten_bit ? GST_VIDEO_FORMAT_P010_10LE : GST_VIDEO_FORMAT_NV12,
      host->width, host->height);
  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    script_fail ("cannot map", "what came out");
  for (guint plane = 0; plane < 2; plane++) {
    gsize offset = meta != NULL ? meta->offset[plane] : info.offset[plane];
    gint stride = meta != NULL ? meta->stride[plane] : info.stride[plane];
    gsize high = modifier == 0 ? 0
        : column_rows > 0      ? column_rows
                               : (gsize) stride;

    for (gsize row = 0; row < rows (host, plane); row++) {
      for (gsize x = 0;
          high > 0 && host->ten_bit && x < row_samples (host, plane); x++) {
        guint32 word = GST_READ_UINT32_LE (
            map.data + offset + place (high, stride, row, x / 3 * 4));
        guint32 sample = (word >> 10 * (x % 3) & 0x3ff) << 6;

        if (x % 3 == 2 && word >> 30 != 0)
          script_fail ("the upper bits are set in a word", "that came out");
        fputc ((int) (sample & 0xff), host->output);
        fputc ((int) (sample >> 8), host->output);
      }
      for (gsize x = 0;
          !(high > 0 && host->ten_bit) && x < row_bytes (host, plane); x++)
        fputc (map.data[offset + place (high, stride, row, x)], host->output);
    }
  }
  gst_buffer_unmap (buffer, &map);
  gst_caps_unref (caps);
}

static void
push (Host *host, gchar **arguments)
{
  Shape shape = parse_shape (host, arguments[0]);
  guint8 *packed = packed_picture_read (arguments[1],
      g_ascii_strtoull (arguments[2], NULL, 10), packed_size (host));
  GstFlowReturn flow;
  GstBuffer *output;

  flow = gst_harness_push (host->harness,
      buffer_with_picture (host, &shape, packed));
  g_free (packed);
  if (flow != GST_FLOW_OK)
    printf ("flow %s\n", gst_flow_get_name (flow));
  while ((output = gst_harness_try_pull (host->harness)) != NULL) {
    write_picture (host, output);
    printf ("out %s\n",
        host->offered != NULL && output->pool == host->offered ? "offered"
                                                               : "own");
    gst_buffer_unref (output);
  }
}

static void
start (Host *host, const gchar *downstream)
{
  if (gst_element_set_state (host->element, GST_STATE_READY)
      == GST_STATE_CHANGE_FAILURE) {
    bus_printer_print_all (host->bus);
    script_fail ("refused", "the start");
  }
  host->harness = gst_harness_new_with_element (host->element, "sink", "src");
  gst_harness_add_propose_allocation_meta (host->harness,
      GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (host->harness,
      GST_VIDEO_CROP_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (host->harness, downstream);
  if (host->offers)
    gst_pad_add_probe (host->harness->sinkpad,
        GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, offer_pool, host, NULL);
  gst_harness_play (host->harness);
}

static void
set_caps (Host *host, const gchar *text)
{
  GstCaps *caps = gst_caps_from_string (text);
  GstStructure *structure;

  if (caps == NULL)
    script_fail ("not caps", text);
  structure = gst_caps_get_structure (caps, 0);
  if (!gst_structure_get_int (structure, "width", &host->width)
      || !gst_structure_get_int (structure, "height", &host->height))
    script_fail ("caps without a size", text);
  host->cropped_width = host->width;
  host->cropped_height = host->height;
  gst_harness_set_src_caps (host->harness, caps);
}

static void
obey (gpointer data, gchar **words)
{
  Host *host = data;
  const gchar *command = words[0];

  if (strcmp (command, "set") == 0) {
    gst_util_set_object_arg (G_OBJECT (host->element), words[1], words[2]);
  } else if (strcmp (command, "heap") == 0) {
    host->heap = strcmp (words[1], "on") == 0;
  } else if (strcmp (command, "offer") == 0) {
    host->offers = TRUE;
    if (strcmp (words[1], "dmabufs") == 0) {
      host->offered_allocator =
          gst_object_ref_sink (g_object_new (test_allocator_get_type (), NULL));
      ((TestAllocator *) host->offered_allocator)->host = host;
    }
  } else if (strcmp (command, "start") == 0) {
    start (host, words[1]);
  } else if (strcmp (command, "caps") == 0) {
    set_caps (host, words[1]);
  } else if (strcmp (command, "coded") == 0) {
    host->width = atoi (words[1]);
    host->height = atoi (words[2]);
  } else if (strcmp (command, "depth") == 0) {
    host->ten_bit = atoi (words[1]) > 8;
  } else if (strcmp (command, "fault") == 0) {
    g_free (host->fault);
    host->fault = g_strdup (words[1]);
  } else if (strcmp (command, "push") == 0) {
    push (host, words + 1);
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

  gst_init (&argc, &argv);
  if (argc != 2)
    script_fail ("usage", "dmabuf-host OUTPUT-FILE < SCRIPT");
  host.element = gst_element_factory_make ("qpuloopfilter", "element");
  host.output = fopen (argv[1], "wb");
  if (host.element == NULL || host.output == NULL)
    script_fail ("no such element, or no such file", argv[1]);
  gst_object_ref_sink (host.element);
  host.allocator = gst_dmabuf_allocator_new ();
  host.fault = g_strdup ("none");
  host.bus = gst_bus_new ();
  gst_element_set_bus (host.element, host.bus);
  script_run (obey, &host);
  if (host.harness != NULL)
    gst_harness_teardown (host.harness);
  gst_element_set_state (host.element, GST_STATE_NULL);
  bus_printer_print_all (host.bus);
  gst_element_set_bus (host.element, NULL);
  gst_object_unref (host.bus);
  gst_object_unref (host.element);
  gst_clear_object (&host.offered);
  gst_clear_object (&host.offered_allocator);
  gst_object_unref (host.allocator);
  g_free (host.fault);
  fclose (host.output);
  gst_deinit ();
  return 0;
}
