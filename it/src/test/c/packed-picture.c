/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "packed-picture.h"

#include <stdio.h>
#include <string.h>

#include "script.h"

/* Number of bytes in one row of a plane; interleaved components are counted together. */
static gsize
row_bytes (const GstVideoInfo *info, guint plane)
{
  gsize bytes = 0;

  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++) {
    if ((guint) GST_VIDEO_INFO_COMP_PLANE (info, c) == plane) {
      bytes = (gsize) GST_VIDEO_INFO_COMP_WIDTH (info, c)
          * GST_VIDEO_INFO_COMP_PSTRIDE (info, c);
    }
  }
  return bytes;
}

static gint
rows (const GstVideoInfo *info, guint plane)
{
  gint height = 0;

  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++) {
    if ((guint) GST_VIDEO_INFO_COMP_PLANE (info, c) == plane) {
      height = GST_VIDEO_INFO_COMP_HEIGHT (info, c);
    }
  }
  return height;
}

gsize
packed_picture_size (const GstVideoInfo *info)
{
  gsize bytes = 0;

  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    bytes += row_bytes (info, p) * rows (info, p);
  }
  return bytes;
}

void
packed_picture_from_frame (const GstVideoFrame *frame, guint8 *packed)
{
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES (frame); p++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, p);
    gsize bytes = row_bytes (&frame->info, p);

    for (gint y = 0; y < rows (&frame->info, p); y++) {
      memcpy (packed,
          data + (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, p), bytes);
      packed += bytes;
    }
  }
}

void
packed_picture_to_memory (const GstVideoInfo *info, const guint8 *packed,
    const gsize *offset, const gint *stride, guint8 *memory)
{
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    gsize bytes = row_bytes (info, p);

    for (gint y = 0; y < rows (info, p); y++) {
      memcpy (memory + offset[p] + (gssize) y * stride[p], packed, bytes);
      packed += bytes;
    }
  }
}

guint8 *
packed_picture_read (const gchar *file, guint64 offset, gsize size)
{
  FILE *input = fopen (file, "rb");
  guint8 *packed = g_malloc (size);

  if (input == NULL || fseek (input, (long) offset, SEEK_SET) != 0
      || fread (packed, 1, size, input) != size) {
    script_fail ("cannot read a picture from", file);
  }
  fclose (input);
  return packed;
}
