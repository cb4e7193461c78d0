/*
 * The element qpuloopfilter: a GstBaseTransform whose states, caps and events are handled here. The values of its properties are in
 * gstqpuvalues.h, its memory in gstqpuallocation.h, its pictures in gstqpupictures.h, late ones in gstqpuqos.h; Java filters them
 * (gstqpuruntime.h).
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

#define GST_TYPE_QPU_LOOP_FILTER (gst_qpu_loop_filter_get_type ())
G_DECLARE_FINAL_TYPE (GstQpuLoopFilter, gst_qpu_loop_filter, GST,
    QPU_LOOP_FILTER, GstBaseTransform)

/* A copy of a string property's value in UTF-8, NULL if it is not set; freed with g_free. Any thread. */
GST_QPU_FOR_JAVA gchar *gst_qpu_dup_string (GstQpuLoopFilter *self,
    gint32 ordinal);

/* Lets buffers through unfiltered, or no longer, from the next buffer (or the next start) on. Any thread. */
GST_QPU_FOR_JAVA void gst_qpu_set_passthrough (GstQpuLoopFilter *self,
    gint32 passthrough);

/* From the next buffer on, pictures wait for so many after them. Any thread. */
GST_QPU_FOR_JAVA void gst_qpu_set_look_ahead (GstQpuLoopFilter *self,
    gint32 pictures);

/* Describes the substrate that open has opened; Java calls this within open. imports_dmabufs: whether dmabufs may be negotiated
 * as input; works_alone: whether begin leaves pictures under way. */
GST_QPU_FOR_JAVA void gst_qpu_describe_device (GstQpuLoopFilter *self,
    gint32 imports_dmabufs, gint32 works_alone);

/* Posts a QoS message for the picture that begins, which is the first at another step; Java calls this within begin or passes. late: by
 * how much a picture was late, in nanoseconds; step: 0, if nothing is given up of the filters, up to steps; frames: how many
 * pictures were filtered. */
GST_QPU_FOR_JAVA void gst_qpu_degraded (GstQpuLoopFilter *self, gint64 late,
    gint32 step, gint32 steps, gint64 frames);

G_END_DECLS
