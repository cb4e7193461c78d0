/*
 * Buffers in dmabufs that the CPU reads and writes as fast as any other memory: for decoders and sinks on the CPU, while a device
 * imports the same memory. The kernel makes them by udmabuf, or if that fails, by its system heap.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/allocators/gstdmabuf.h>
#include <gst/video/video.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

#define GST_TYPE_QPU_DMABUF_ALLOCATOR (gst_qpu_dmabuf_allocator_get_type ())
G_DECLARE_FINAL_TYPE (GstQpuDmabufAllocator, gst_qpu_dmabuf_allocator, GST_QPU,
    DMABUF_ALLOCATOR, GstDmaBufAllocator)

/* The most dmabufs that one allocator has allocated at a time. Each holds a file descriptor, and a process may have 1024 of those
 * by default. A decoder's references and the frames on their way need fewer. */
#define GST_QPU_DMABUFS_MAX 64

/* Whether this machine makes dmabufs for this user. reason: if it does not, why: a part of a line, static. Any thread. */
gboolean gst_qpu_dmabufs_available (const gchar **reason);

/* A new allocator, owned by the caller; NULL if this user may make no dmabufs. It allocates up to GST_QPU_DMABUFS_MAX dmabufs.
 * If they are all in use, or the kernel refuses to make one, it allocates system memory with or_system, and nothing
 * without. */
GstAllocator *gst_qpu_dmabuf_allocator_new (gboolean or_system);

/* Whether a GstMemory is a dmabuf that a qpuloopfilter made. Java calls this. */
GST_QPU_FOR_JAVA gint32 gst_qpu_is_own_dmabuf (GstMemory *memory);

/* A new inactive pool of buffers for pictures, owned by the caller; NULL on failure, which is logged. allocator: where the memory
 * comes from, NULL for system memory; caps: of pictures in system memory; size: at least that of such a picture; min, max: how
 * many buffers, max 0 for no limit; with_meta: whether buffers have a GstVideoMeta. */
GstBufferPool *gst_qpu_video_pool_new (GstAllocator *allocator, GstCaps *caps,
    guint size, guint min, guint max, gboolean with_meta);

G_END_DECLS
