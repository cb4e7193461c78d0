/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpudmabufs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gstqpudebug.h"

#define UDMABUF "/dev/udmabuf"
#define SYSTEM_HEAP "/dev/dma_heap/system"

struct _GstQpuDmabufAllocator
{
  GstDmaBufAllocator parent;

  /* The device file that is asked first; -1 if this user may not open it. */
  int udmabuf;
  /* The device file that is asked next; -1 if this user may not open it. */
  int heap;
  /* Whether system memory takes the place of dmabufs that cannot be made. */
  gboolean or_system;
  /* How many dmabufs are allocated and not freed; atomic. */
  gint out;
  /* Whether it was logged that they are too many; atomic. */
  gint warned;
};

G_DEFINE_TYPE (GstQpuDmabufAllocator, gst_qpu_dmabuf_allocator,
    GST_TYPE_DMABUF_ALLOCATOR);

/* A file descriptor of a new dmabuf, or -1 and errno. */
static int
create_from_memfd (int udmabuf, gsize size)
{
  struct udmabuf_create create = { .flags = UDMABUF_FLAGS_CLOEXEC,
    .size = size };
  int memfd = memfd_create ("qpuloopfilter", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  int dmabuf = -1, error;

  if (memfd < 0)
    return -1;
  create.memfd = (guint32) memfd;
  /* udmabuf requires that the file cannot shrink. */
  if (ftruncate (memfd, (off_t) size) == 0
      && fcntl (memfd, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
    dmabuf = ioctl (udmabuf, UDMABUF_CREATE, &create);
  error = errno;
  close (memfd); /* the dmabuf holds the pages */
  errno = error;
  return dmabuf;
}

static int
create_from_heap (int heap, gsize size)
{
  struct dma_heap_allocation_data data = { .len = size,
    .fd_flags = O_RDWR | O_CLOEXEC };

  return ioctl (heap, DMA_HEAP_IOCTL_ALLOC, &data) == 0 ? (int) data.fd : -1;
}

static GstMemory *
alloc_dmabuf (GstQpuDmabufAllocator *self, gsize size,
    const GstAllocationParams *params)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE);
  gsize max_size = params->prefix + size + params->padding;
  /* Drivers need room behind a buffer that they import: V3D reads up to 64 bytes past its end. A dmabuf is whole pages. */
  gsize length = GST_ROUND_UP_N (max_size, page) + page;
  GstMemory *memory;
  int fd = -1, error = 0;

  if (params->align >= page) {
    GST_WARNING_OBJECT (self,
        "no dmabuf begins at a multiple of %" G_GSIZE_FORMAT " bytes",
        params->align + 1);
    return NULL;
  }
  if (self->udmabuf >= 0) {
    fd = create_from_memfd (self->udmabuf, length);
    error = errno;
  }
  /* udmabuf refuses sizes above a limit of the kernel; the heap does not. */
  if (fd < 0 && self->heap >= 0) {
    fd = create_from_heap (self->heap, length);
    error = errno;
  }
  if (fd < 0) {
    GST_WARNING_OBJECT (self,
        "no dmabuf of %" G_GSIZE_FORMAT " bytes from %s: %s", length,
        self->heap < 0          ? UDMABUF
            : self->udmabuf < 0 ? SYSTEM_HEAP
                                : UDMABUF " or " SYSTEM_HEAP,
        g_strerror (error));
    return NULL;
  }
  /* A decoder reads its reference pictures long after it has unmapped them, at the address where they were mapped. */
  memory = gst_dmabuf_allocator_alloc_with_flags (GST_ALLOCATOR (self), fd,
      length, GST_FD_MEMORY_FLAG_KEEP_MAPPED);
  if (memory == NULL)
    close (fd);
  else
    gst_memory_resize (memory, (gssize) params->prefix, size);
  return memory;
}

static GstMemory *
gst_qpu_dmabuf_allocator_alloc (GstAllocator *allocator, gsize size,
    GstAllocationParams *params)
{
  GstQpuDmabufAllocator *self = GST_QPU_DMABUF_ALLOCATOR (allocator);
  GstMemory *memory = NULL;

  if (g_atomic_int_add (&self->out, 1) < GST_QPU_DMABUFS_MAX)
    memory = alloc_dmabuf (self, size, params);
  else if (g_atomic_int_compare_and_exchange (&self->warned, FALSE, TRUE))
    GST_WARNING_OBJECT (self, "%d dmabufs are out at once; more %s",
        GST_QPU_DMABUFS_MAX,
        self->or_system ? "are system memory, which may have to be copied"
                        : "are not to be had");
  if (memory != NULL)
    return memory;

  g_atomic_int_add (&self->out, -1);
  return self->or_system ? gst_allocator_alloc (NULL, size, params) : NULL;
}

static void
gst_qpu_dmabuf_allocator_free (GstAllocator *allocator, GstMemory *memory)
{
  /* A memory with a parent is a part of that one, and was not allocated here. */
  if (memory->parent == NULL)
    g_atomic_int_add (&GST_QPU_DMABUF_ALLOCATOR (allocator)->out, -1);
  GST_ALLOCATOR_CLASS (gst_qpu_dmabuf_allocator_parent_class)
      ->free (allocator, memory);
}

static void
gst_qpu_dmabuf_allocator_finalize (GObject *object)
{
  GstQpuDmabufAllocator *self = GST_QPU_DMABUF_ALLOCATOR (object);

  if (self->udmabuf >= 0)
    close (self->udmabuf);
  if (self->heap >= 0)
    close (self->heap);
  G_OBJECT_CLASS (gst_qpu_dmabuf_allocator_parent_class)->finalize (object);
}

static void
gst_qpu_dmabuf_allocator_class_init (GstQpuDmabufAllocatorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_qpu_dmabuf_allocator_finalize;
  GST_ALLOCATOR_CLASS (klass)->alloc = gst_qpu_dmabuf_allocator_alloc;
  GST_ALLOCATOR_CLASS (klass)->free = gst_qpu_dmabuf_allocator_free;
}

static void
gst_qpu_dmabuf_allocator_init (GstQpuDmabufAllocator *self)
{
  self->udmabuf = -1;
  self->heap = -1;
  /* GstDmaBufAllocator makes memories only from file descriptors. This allocator allocates as any other does. */
  GST_OBJECT_FLAG_UNSET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

GstAllocator *
gst_qpu_dmabuf_allocator_new (gboolean or_system)
{
  GstQpuDmabufAllocator *self;
  int udmabuf = open (UDMABUF, O_RDWR | O_CLOEXEC);
  int heap = open (SYSTEM_HEAP, O_RDONLY | O_CLOEXEC);

  if (udmabuf < 0 && heap < 0)
    return NULL;
  self = g_object_new (GST_TYPE_QPU_DMABUF_ALLOCATOR, NULL);
  gst_object_ref_sink (self);
  self->udmabuf = udmabuf;
  self->heap = heap;
  self->or_system = or_system;
  return GST_ALLOCATOR (self);
}

gboolean
gst_qpu_dmabufs_available (const gchar **reason)
{
  GstAllocator *allocator = gst_qpu_dmabuf_allocator_new (FALSE);
  GstMemory *memory;

  if (allocator == NULL) {
    *reason = access (UDMABUF, F_OK) == 0
        ? UDMABUF " is not for this user"
        : "there is no " UDMABUF " and no " SYSTEM_HEAP " for this user";
    return FALSE;
  }
  memory = gst_allocator_alloc (allocator, 1, NULL);
  gst_object_unref (allocator);
  if (memory == NULL) {
    *reason = "the kernel refuses to make one";
    return FALSE;
  }
  gst_memory_unref (memory);
  return TRUE;
}

gint32
gst_qpu_is_own_dmabuf (GstMemory *memory)
{
  return GST_QPU_IS_DMABUF_ALLOCATOR (memory->allocator);
}

GstBufferPool *
gst_qpu_video_pool_new (GstAllocator *allocator, GstCaps *caps, guint size,
    guint min, guint max, gboolean with_meta)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, size, min, max);
  if (allocator != NULL)
    gst_buffer_pool_config_set_allocator (config, allocator, NULL);
  if (with_meta)
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config)) {
    GST_WARNING_OBJECT (pool, "no buffers for %" GST_PTR_FORMAT, caps);
    gst_clear_object (&pool);
  }
  return pool;
}
