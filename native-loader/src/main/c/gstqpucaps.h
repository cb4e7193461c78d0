/*
 * The kinds of memory that the element's pads take, and what one pad's caps allow on the other: raw video in system
 * memory, in dmabufs with a plain format, and in dmabufs with a DRM format (GStreamer 1.24 and newer), whose rows may be cut into
 * columns (gstqpucolumns.h). Any thread.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Caps of the pad templates: everything that some device takes; owned by the caller. */
GstCaps *gst_qpu_caps_template (void);

/* What a pad may have. */
typedef enum
{
  GST_QPU_MEMORY_SYSTEM,        /* system memory alone */
  GST_QPU_MEMORY_DMABUF_TOO,    /* dmabufs where nothing else will do */
  GST_QPU_MEMORY_DMABUF_FIRST   /* dmabufs, if there is a choice */
} GstQpuMemory;

/* The caps of one pad that go with these of the other: the same pictures, in each kind of memory that the pad may have,
 * the best first; owned by the caller. direction: of the pad of caps; from: what it may have, to: what the pad of the result may.
 * filter: what the result will be intersected with, or NULL. Column heights in names are too many to list: the source pad has
 * the sink pad's, and the sink pad has them where filter has. */
GstCaps *gst_qpu_caps_transform (GstCaps * caps, GstPadDirection direction,
    GstCaps * filter, GstQpuMemory from, GstQpuMemory to);

/* Fixed caps of one of the pads as plain caps in system memory, owned by the caller; NULL where they are none of those. */
GstCaps *gst_qpu_caps_plain (GstCaps * caps);

/* What plain caps say of such caps. */
gboolean gst_qpu_caps_video_info (GstCaps * caps, GstVideoInfo * info);

/* The column height that fixed caps of one of the pads have; 0 if their buffers say; GST_QPU_WHOLE_ROWS if rows are whole. */
gint32 gst_qpu_caps_column_height (GstCaps * caps);

/* Whether fixed caps of one of the pads are of dmabufs. */
gboolean gst_qpu_caps_are_dmabufs (GstCaps * caps);

/* What the caps of both pads say of the pictures. */
typedef struct
{
  /* The picture's caps in system memory, whatever memory the pads have; owned. */
  GstCaps *plain;
  /* What those caps say. */
  GstVideoInfo info;
  /* Whether the output is dmabufs. */
  gboolean out_dmabufs;
  /* The column heights of the input and of the output. */
  gint32 in_columns;
  gint32 out_columns;
} GstQpuNegotiated;

/* Reads fixed caps of both pads; FALSE, and nothing to be freed, if they are not of raw video. */
gboolean gst_qpu_caps_negotiated (GstCaps * in_caps, GstCaps * out_caps,
    GstQpuNegotiated * negotiated);

G_END_DECLS
