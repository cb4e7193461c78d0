/*
 * The element qpuloopfilter: a GstBaseTransform whose properties, states, caps, events and queries are handled here. Its memory
 * is in gstqpuallocation.h, its pictures in gstqpupictures.h; Java filters them (gstqpuruntime.h).
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_QPU_LOOP_FILTER (gst_qpu_loop_filter_get_type ())
G_DECLARE_FINAL_TYPE (GstQpuLoopFilter, gst_qpu_loop_filter, GST,
    QPU_LOOP_FILTER, GstBaseTransform)

/* A copy of a string property's value, NULL if it is not set; freed with g_free. Any thread. */
gchar *gst_qpu_loop_filter_dup_string (GstQpuLoopFilter *self, guint ordinal);

/* Lets buffers through unfiltered, or no longer, from the next buffer (or the next start) on. Any thread. */
void gst_qpu_loop_filter_set_passthrough (GstQpuLoopFilter *self,
    gboolean passthrough);

/* Says whether the open device imports dmabufs, and whether it filters while the streaming thread goes on. Comes before caps
 * are negotiated. Any thread. */
void gst_qpu_loop_filter_describe_device (GstQpuLoopFilter *self,
    gboolean imports_dmabufs, gboolean works_alone);

/* Posts a QoS message for the picture that begins: it is the first that is filtered less, or more, than those before. late: by
 * how much a picture was late; lost: how much of the filters is given up, 0 to 1; frames: how many pictures were filtered.
 * Streaming thread. */
void gst_qpu_loop_filter_post_degraded (GstQpuLoopFilter *self,
    GstClockTimeDiff late, gdouble lost, guint64 frames);

G_END_DECLS
