/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Pictures without padding, the form in which test programs and tests exchange pictures. */
#pragma once

#include <gst/video/video.h>

/* Number of bytes of a picture without padding. */
gsize packed_picture_size (const GstVideoInfo *info);

/* Copies a picture out of a mapped frame into `packed` (packed_picture_size bytes), row by row. */
void packed_picture_from_frame (const GstVideoFrame *frame, guint8 *packed);

/* Copies a picture into memory in which plane i starts at offset[i] and has rows that are stride[i] bytes apart. */
void packed_picture_to_memory (const GstVideoInfo *info, const guint8 *packed,
    const gsize *offset, const gint *stride, guint8 *memory);

/* Reads `size` bytes of a file; the caller frees them with g_free. Ends the program if the file cannot be read. */
guint8 *packed_picture_read (const gchar *file, guint64 offset, gsize size);
