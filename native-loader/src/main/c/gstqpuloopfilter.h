/*
 * The element qpuloopfilter: a GstBaseTransform whose pads, caps, allocation and metadata are done here and whose
 * filtering is done in Java (see gstqpuruntime.h).
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

/* A copy of a string property's value, NULL where unset; freed with g_free. Any thread. */
gchar *gst_qpu_loop_filter_dup_string (GstQpuLoopFilter * self, guint ordinal);

/* Lets buffers through unfiltered, or no longer, from the next buffer (or start) on. Any thread. */
void gst_qpu_loop_filter_set_passthrough (GstQpuLoopFilter * self,
    gboolean passthrough);

/* Says whether the open device imports dmabufs, and whether pictures can be under way on it while the streaming thread
 * goes on, before caps are negotiated. Any thread. */
void gst_qpu_loop_filter_describe_device (GstQpuLoopFilter * self,
    gboolean imports_dmabufs, gboolean works_alone);

G_END_DECLS
