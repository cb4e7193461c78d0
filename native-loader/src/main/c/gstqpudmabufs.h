/*
 * Buffers whose memory is a dmabuf that the CPU reads and writes as quickly as any memory: for decoders and sinks that work
 * on the CPU, while a device is let into the same memory. They come from udmabuf, or where that makes none
 * from the kernel's system heap.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/allocators/gstdmabuf.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define GST_TYPE_QPU_DMABUF_ALLOCATOR (gst_qpu_dmabuf_allocator_get_type ())
G_DECLARE_FINAL_TYPE (GstQpuDmabufAllocator, gst_qpu_dmabuf_allocator, GST_QPU,
    DMABUF_ALLOCATOR, GstDmaBufAllocator)

/* The dmabufs that one allocator has out at most: each holds a file descriptor, of which a process has 1024 by default.
 * More than a decoder's references and the frames on their way take. */
#define GST_QPU_DMABUFS_MAX 64

/* Whether this machine makes dmabufs for this user; where not, why: part of a line, static. Any thread. */
gboolean gst_qpu_dmabufs_available (const gchar ** reason);

/* A new allocator, owned by the caller; NULL where there are no dmabufs. Of what it hands out, the first
 * GST_QPU_DMABUFS_MAX are dmabufs; beyond, and where the kernel has none to give, it is system memory with or_system, and
 * nothing without. */
GstAllocator *gst_qpu_dmabuf_allocator_new (gboolean or_system);

/* A pool of buffers for pictures, inactive, from an allocator or, where that is NULL, of system memory; with GstVideoMeta where with_meta. caps: plain, in
 * system memory; size: at least that of the caps' pictures; max: 0 for no limit. Owned by the caller, NULL on failure,
 * which is logged. */
GstBufferPool *gst_qpu_video_pool_new (GstAllocator * allocator,
    GstCaps * caps, guint size, guint min, guint max, gboolean with_meta);

G_END_DECLS
