/*
 * NV12 pictures that are cut into columns 128 bytes wide, as Broadcom's decoders write them: their names in DRM caps, how
 * their buffers tell where the planes lie, and buffers of our own. Any thread.
 *
 * The name is NV12 with DRM_FORMAT_MOD_BROADCOM_SAND128_COL_HEIGHT (drm_fourcc.h). Its parameter is the height of a column
 * in rows, luma's and chroma's together, the chroma rows of a column following its luma rows. 0 means that planes have columns
 * of their own, whose height in rows a buffer's GstVideoMeta has as stride (as drmModeAddFB2 has it as pitch), or, where the
 * meta's format is tiled, as the stride of one column of tiles.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The name whose column height is the buffers' to tell. */
#define GST_QPU_COLUMNS_NAME "NV12:0x0700000000000004"

/* In place of a column height: of pictures whose rows are whole. */
#define GST_QPU_WHOLE_ROWS (-1)

/* The column height that a name in DRM caps has, 0 where the buffers tell, GST_QPU_WHOLE_ROWS where it is no such name. */
gint32 gst_qpu_columns_height (const gchar * drm_format);

/* Whether columns of that height, or any for 0, hold a picture. */
gboolean gst_qpu_columns_hold (gint32 column_height, guint height);

/* The rows of a column of a plane, of a buffer whose caps' column height is 0; 0 or less where the meta makes no sense. */
gint32 gst_qpu_columns_rows (const GstVideoMeta * meta, guint plane);

/* A new pool, owned by the caller, of buffers for NV12 pictures of a size, with GstVideoMeta: from an allocator, at least min
 * and at most max of them, 0 for any number. NULL where the columns do not hold the picture, or on failure. */
GstBufferPool *gst_qpu_columns_pool_new (GstAllocator * allocator,
    GstCaps * caps, guint width, guint height, gint32 column_height, guint min,
    guint max);

G_END_DECLS
