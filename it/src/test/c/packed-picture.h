/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Pictures without padding: how the test programs hand them to the tests and get them from there. */
#pragma once

#include <gst/video/video.h>

/* Bytes of a picture whose rows follow each other without padding. */
gsize packed_picture_size (const GstVideoInfo * info);

/* Copies a picture out of a mapped frame into `packed` (packed_picture_size bytes), row by row. */
void packed_picture_from_frame (const GstVideoFrame * frame, guint8 * packed);

/* Copies a picture into memory where plane i starts at offset[i] and its rows lie stride[i] bytes apart. */
void packed_picture_to_memory (const GstVideoInfo * info, const guint8 * packed,
    const gsize * offset, const gint * stride, guint8 * memory);

/* Reads `size` bytes of a file, for g_free; ends the program where it cannot. */
guint8 *packed_picture_read (const gchar * file, guint64 offset, gsize size);
