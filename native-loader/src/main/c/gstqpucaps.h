/*
 * The caps of the element's pads: raw video in system memory, in dmabufs with a plain format, and in dmabufs with a DRM format
 * (GStreamer 1.24 and newer), whose rows may be cut into columns (gstqpucolumns.h). All functions may be called by any thread.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The caps of the pad templates: everything that any device takes; owned by the caller. */
GstCaps *gst_qpu_caps_template (void);

/* The kinds of memory that a pad may have. */
typedef enum
{
  GST_QPU_MEMORY_SYSTEM, /* only system memory */
  GST_QPU_MEMORY_DMABUF_TOO, /* system memory; dmabufs if the other side takes nothing else */
  GST_QPU_MEMORY_DMABUF_FIRST /* dmabufs; system memory if the other side takes nothing else */
} GstQpuMemory;

/* The caps that the other pad may have if one pad has these: the same pictures in each kind of memory that the other pad may
 * have, the best first; owned by the caller. direction: of the pad that has caps; from: the memory that this pad may have; to:
 * the memory that the other pad may have; filter: what the caller will intersect the result with, or NULL. The column heights in
 * DRM names are too many to list: the source pad gets those of the sink pad, and the sink pad those of filter. */
GstCaps *gst_qpu_caps_transform (GstCaps *caps, GstPadDirection direction,
    GstCaps *filter, GstQpuMemory from, GstQpuMemory to);

/* Fixed caps of one of the pads, as caps of the same pictures in system memory; owned by the caller. NULL if caps are not such. */
GstCaps *gst_qpu_caps_plain (GstCaps *caps);

/* What those plain caps say; FALSE if there are none. */
gboolean gst_qpu_caps_video_info (GstCaps *caps, GstVideoInfo *info);

/* The column height that fixed caps of one of the pads have; 0 if their buffers say; GST_QPU_WHOLE_ROWS if rows are whole. */
gint32 gst_qpu_caps_column_height (GstCaps *caps);

/* Whether fixed caps of one of the pads are of dmabufs. */
gboolean gst_qpu_caps_are_dmabufs (GstCaps *caps);

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
gboolean gst_qpu_caps_negotiated (GstCaps *in_caps, GstCaps *out_caps,
    GstQpuNegotiated *negotiated);

G_END_DECLS
