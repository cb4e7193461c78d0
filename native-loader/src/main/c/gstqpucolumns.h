/*
 * Pictures that are cut into columns 128 bytes wide, as Broadcom's decoders write them (SAND128): their names in DRM caps,
 * their layout in buffers, and a pool of such buffers. All functions may be called by any thread.
 *
 * With 8 bit, a sample is a byte. With 10 bit, three samples share a little-endian word, the first in its lowest bits. Java and plain
 * caps know both as the same pictures in rows: NV12 and P010_10LE.
 *
 * The DRM name is NV12 or P030 with the modifier DRM_FORMAT_MOD_BROADCOM_SAND128_COL_HEIGHT (drm_fourcc.h). The modifier's parameter is
 * the height of a column in rows: the luma rows, then the chroma rows. The parameter 0 means that each plane has columns of its
 * own. Their height in rows is then the stride in the buffer's GstVideoMeta, as it is the pitch for drmModeAddFB2; if the meta's
 * format is tiled, the height is that of one column of tiles, which the stride counts.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

/* The DRM names with the parameter 0: buffers say the column height. */
#define GST_QPU_COLUMNS_NAME "NV12:0x0700000000000004"
#define GST_QPU_COLUMNS_NAME_10 "P030:0x0700000000000004"

/* In place of a column height: the picture's rows are whole. */
#define GST_QPU_WHOLE_ROWS (-1)

/* The plain format of the pictures that a DRM name with a modifier and the fourcc of columns has; else NULL. */
const gchar *gst_qpu_columns_format (const gchar *drm_format);

/* The column height in a DRM name; 0 if buffers say it; GST_QPU_WHOLE_ROWS if the name has no columns. */
gint32 gst_qpu_columns_height (const gchar *drm_format);

/* Whether columns of that height hold a picture; columns of the height 0 hold any. */
gboolean gst_qpu_columns_hold (gint32 column_height, guint height);

/* The rows of a column of a plane, for a buffer whose caps have the column height 0; 0 or less if the meta makes no sense.
 * Java calls this. */
GST_QPU_FOR_JAVA gint32 gst_qpu_column_rows (const GstVideoMeta *meta,
    gint32 plane);

/* A new pool, owned by the caller, of buffers for pictures in columns, with GstVideoMeta. info: of the caps; allocator: where the memory comes
 * from, NULL for system memory; min, max: how many buffers, max 0 for no limit. NULL if the columns do not hold the picture, or
 * on failure. */
GstBufferPool *gst_qpu_columns_pool_new (GstAllocator *allocator, GstCaps *caps,
    const GstVideoInfo *info, gint32 column_height, guint min, guint max);

G_END_DECLS
