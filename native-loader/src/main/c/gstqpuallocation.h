/*
 * The memory of one element's pictures: its answers to allocation queries, its own buffer pools, and the buffers that it
 * writes to.
 *
 * All functions belong to the element's streaming thread, or to the thread that starts and stops the element while there is no
 * streaming thread, except where a comment says otherwise.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstqpucaps.h"

G_BEGIN_DECLS

typedef struct _GstQpuAllocation GstQpuAllocation;

/* The memory of an element, which is not referenced and outlives it. Freed with gst_qpu_allocation_free, after
 * gst_qpu_allocation_stop. */
GstQpuAllocation *gst_qpu_allocation_new (GstBaseTransform *element);
void gst_qpu_allocation_free (GstQpuAllocation *self);

/* The device was opened: finds out whether the element's own buffers can be dmabufs, which are of use only to a device that
 * imports them. Application thread, before the stream begins. */
void gst_qpu_allocation_open (GstQpuAllocation *self, gboolean imports_dmabufs);

/* Whether the element's own buffers are dmabufs; TRUE until a device was opened. Any thread. */
gboolean gst_qpu_allocation_makes_dmabufs (GstQpuAllocation *self);

/* The stream has new caps. */
void gst_qpu_allocation_set_caps (GstQpuAllocation *self,
    const GstQpuNegotiated *negotiated);

/* The stream has no caps, or some that were refused: no buffer is filtered. */
void gst_qpu_allocation_forget_caps (GstQpuAllocation *self);

/* The stream has ended: releases what belongs to it. */
void gst_qpu_allocation_stop (GstQpuAllocation *self);

/* GstBaseTransform's decide_allocation: takes downstream's pool, unless a pool of the element's own saves a copy. depth: the
 * most pictures that may be under way. */
gboolean gst_qpu_allocation_decide (GstQpuAllocation *self, GstQuery *query,
    guint depth);

/* GstBaseTransform's propose_allocation: offers upstream memory that the device reads without a copy. depth: as above. */
gboolean gst_qpu_allocation_propose (GstQpuAllocation *self,
    GstQuery *decide_query, GstQuery *query, guint depth);

/* Whether a buffer of the stream may go on downstream as it is, in place of a filtered one: it holds a picture as downstream reads it, and
 * has no side information. The caps of both pads are the same. */
gboolean gst_qpu_allocation_can_pass (GstQpuAllocation *self, GstBuffer *input);

/* GstBaseTransform's prepare_output_buffer: the buffer that the picture in input is written to. It is input itself if there
 * is nothing to write. */
GstFlowReturn gst_qpu_allocation_prepare_output (GstQpuAllocation *self,
    GstBuffer *input, GstBuffer **output);

G_END_DECLS
