/*
 * Pictures under way: their buffers wait here, in their order, for Java to be done with them. Belongs to the streaming
 * thread of one element.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  GQueue pictures;
} GstQpuQueue;

void gst_qpu_queue_init (GstQpuQueue * queue);

guint gst_qpu_queue_length (GstQpuQueue * queue);

/* Takes over both buffers of a picture that Java's begin was called for. result: what that returned; where it is
 * GST_QPU_HANDED_OVER, the caller keeps the output buffer, and only its memory is held here. */
void gst_qpu_queue_push (GstQpuQueue * queue, GstBuffer * input,
    GstBuffer * output, gint32 result);

/* Whether the output of the first picture is not here any more. */
gboolean gst_qpu_queue_first_is_handed_over (GstQpuQueue * queue);

/* Lets Java finish the first picture and removes it; output becomes its buffer, owned by the caller, or NULL where that was
 * handed over. wait: whether to wait for it. GST_FLOW_OK; GST_FLOW_CUSTOM_SUCCESS where it would have to be waited for and
 * stays; else an element error has been posted, and output is NULL. */
GstFlowReturn gst_qpu_queue_finish (GstQpuQueue * queue, gint32 handle,
    gboolean wait, GstBuffer ** output);

G_END_DECLS
