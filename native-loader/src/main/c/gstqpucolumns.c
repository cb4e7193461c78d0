/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpucolumns.h"

#include <string.h>

#include "gstqpudebug.h"

#define COLUMN_BYTES 128

/* Samples in a row of a column: one in a byte, or three in a word. */
#define COLUMN_SAMPLES_8 128
#define COLUMN_SAMPLES_10 96

/* The parts of a DRM format modifier of Broadcom: vendor, parameter, and code; the code of columns of 128 bytes. */
#define VENDOR_SHIFT 56
#define VENDOR_BROADCOM 0x07
#define PARAMETER_SHIFT 8
#define PARAMETER_BITS 48
#define CODE_MASK 0xff
#define CODE_SAND128 4

/* The size of a column in bytes must fit into a gint, in GstVideoMeta and in Java. */
#define MAX_HEIGHT (G_MAXINT32 / COLUMN_BYTES)

/* The format of buffers whose layout only the caps say (GStreamer 1.24 and newer), and the formats as which the Raspberry Pi's
 * GStreamer knows the columns. */
#define OPAQUE_FORMAT "DMA_DRM"
#define TILED_FORMAT_8 "NV12_128C8"
#define TILED_FORMAT_10 "NV12_10LE32_128C8"

const gchar *
gst_qpu_columns_format (const gchar *drm_format)
{
  if (drm_format == NULL)
    return NULL;
  return g_str_has_prefix (drm_format, "NV12:0x") ? "NV12"
      : g_str_has_prefix (drm_format, "P030:0x")  ? "P010_10LE"
                                                  : NULL;
}

gint32
gst_qpu_columns_height (const gchar *drm_format)
{
  guint64 modifier, parameter;
  gchar *end;

  if (gst_qpu_columns_format (drm_format) == NULL)
    return GST_QPU_WHOLE_ROWS;
  modifier = g_ascii_strtoull (strchr (drm_format, ':') + 1, &end, 16);
  if (*end != '\0' || modifier >> VENDOR_SHIFT != VENDOR_BROADCOM
      || (modifier & CODE_MASK) != CODE_SAND128)
    return GST_QPU_WHOLE_ROWS;
  parameter = modifier >> PARAMETER_SHIFT
      & ((G_GUINT64_CONSTANT (1) << PARAMETER_BITS) - 1);
  return parameter <= MAX_HEIGHT ? (gint32) parameter : GST_QPU_WHOLE_ROWS;
}

static guint
chroma_rows (guint height)
{
  return height / 2 + height % 2;
}

gboolean
gst_qpu_columns_hold (gint32 column_height, guint height)
{
  return column_height == 0
      || (guint64) height + chroma_rows (height) <= (guint64) column_height;
}

gint32
gst_qpu_column_rows (const GstVideoMeta *meta, gint32 plane)
{
  const GstVideoFormatInfo *format = gst_video_format_get_info (meta->format);
  gint stride = meta->stride[plane];
  gint64 rows = stride;

  if (format != NULL && GST_VIDEO_FORMAT_INFO_IS_TILED (format))
    rows = (gint64) GST_VIDEO_TILE_Y_TILES (stride)
        * format->tile_info[plane].height;
  return rows <= MAX_HEIGHT ? (gint32) rows : 0;
}

/* Where the planes of the element's own buffers lie. */
typedef struct
{
  GstVideoFormat format;
  guint width, height;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  gsize size;
} Layout;

static gboolean
set_layout (Layout *layout, const GstVideoInfo *info, gint32 column_height)
{
  gboolean ten_bit = GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8;
  guint width = (guint) GST_VIDEO_INFO_WIDTH (info);
  guint height = (guint) GST_VIDEO_INFO_HEIGHT (info);
  guint samples = ten_bit ? COLUMN_SAMPLES_10 : COLUMN_SAMPLES_8;
  GstVideoFormat tiled =
      gst_video_format_from_string (ten_bit ? TILED_FORMAT_10 : TILED_FORMAT_8);
  GstVideoFormat opaque = gst_video_format_from_string (OPAQUE_FORMAT);
  gsize columns = (width + samples - 1) / samples;
  guint rows = height;

  if (!gst_qpu_columns_hold (column_height, height) || height > MAX_HEIGHT - 16)
    return FALSE;
  memset (layout, 0, sizeof *layout);
  layout->format = opaque != GST_VIDEO_FORMAT_UNKNOWN
      ? opaque
      : GST_VIDEO_INFO_FORMAT (info);
  layout->width = width;
  layout->height = height;
  if (column_height > 0) {
    /* Two thirds of a column are luma, as decoders write it, unless the picture needs more. */
    rows = MAX (rows,
        MIN ((guint) column_height / 3 * 2,
            (guint) column_height - chroma_rows (height)));
    layout->offset[1] = (gsize) rows * COLUMN_BYTES;

    layout->stride[0] = layout->stride[1] = (gint) width;
    layout->size = columns * column_height * COLUMN_BYTES;
    return TRUE;
  }
  /* Decoders write whole macroblocks. */
  rows = GST_ROUND_UP_16 (rows);
  layout->offset[1] = columns * rows * COLUMN_BYTES;
  layout->size = layout->offset[1] / 2 * 3;
  layout->stride[0] = (gint) rows;
  layout->stride[1] = (gint) rows / 2;
  if (tiled != GST_VIDEO_FORMAT_UNKNOWN) {
    layout->format = tiled;
    for (guint i = 0; i < 2; i++) {
      guint tile =
          (guint) gst_video_format_get_info (tiled)->tile_info[i].height;

      layout->stride[i] = (gint) GST_VIDEO_TILE_MAKE_STRIDE (columns,
          (guint) layout->stride[i] / tile);
    }
  }
  return TRUE;
}

/* The pool */

#define GST_TYPE_QPU_COLUMNS_POOL (gst_qpu_columns_pool_get_type ())
G_DECLARE_FINAL_TYPE (GstQpuColumnsPool, gst_qpu_columns_pool, GST_QPU,
    COLUMNS_POOL, GstBufferPool)

struct _GstQpuColumnsPool
{
  GstBufferPool parent;

  /* Set when the pool is made, and never again. */
  Layout layout;
};

G_DEFINE_TYPE (GstQpuColumnsPool, gst_qpu_columns_pool, GST_TYPE_BUFFER_POOL);

static const gchar **
gst_qpu_columns_pool_get_options (GstBufferPool *pool)
{
  static const gchar *options[] = { GST_BUFFER_POOL_OPTION_VIDEO_META, NULL };

  return options;
}

static GstFlowReturn
gst_qpu_columns_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer,
    GstBufferPoolAcquireParams *params)
{
  Layout *layout = &GST_QPU_COLUMNS_POOL (pool)->layout;
  GstFlowReturn result =
      GST_BUFFER_POOL_CLASS (gst_qpu_columns_pool_parent_class)
          ->alloc_buffer (pool, buffer, params);
  GstVideoMeta *meta;

  if (result != GST_FLOW_OK)
    return result;
  meta = gst_buffer_add_video_meta_full (*buffer, GST_VIDEO_FRAME_FLAG_NONE,
      layout->format, layout->width, layout->height, 2, layout->offset,
      layout->stride);
  GST_META_FLAG_SET (meta, GST_META_FLAG_POOLED);
  return GST_FLOW_OK;
}

static void
gst_qpu_columns_pool_class_init (GstQpuColumnsPoolClass *klass)
{
  GstBufferPoolClass *pool_class = GST_BUFFER_POOL_CLASS (klass);

  pool_class->get_options = gst_qpu_columns_pool_get_options;
  pool_class->alloc_buffer = gst_qpu_columns_pool_alloc_buffer;
}

static void
gst_qpu_columns_pool_init (GstQpuColumnsPool *self)
{
}

GstBufferPool *
gst_qpu_columns_pool_new (GstAllocator *allocator, GstCaps *caps,
    const GstVideoInfo *info, gint32 column_height, guint min, guint max)
{
  GstBufferPool *pool;
  GstStructure *config;
  Layout layout;

  if (!set_layout (&layout, info, column_height)) {
    GST_WARNING ("columns of %d rows do not hold a picture of %dx%d",
        column_height, GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info));
    return NULL;
  }
  pool = g_object_new (GST_TYPE_QPU_COLUMNS_POOL, NULL);
  gst_object_ref_sink (pool);
  GST_QPU_COLUMNS_POOL (pool)->layout = layout;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, (guint) layout.size, min,
      max);
  if (allocator != NULL)
    gst_buffer_pool_config_set_allocator (config, allocator, NULL);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config)) {
    GST_WARNING_OBJECT (pool, "no buffers for %" GST_PTR_FORMAT, caps);
    gst_clear_object (&pool);
  }
  return pool;
}
