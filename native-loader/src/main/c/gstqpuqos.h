/*
 * Quality of service of one element. A GstBaseTransform drops pictures that would come late. This element filters less in place of
 * that: it takes QoS events to Java, and tells Java before a picture whether its stream is live and downstream keeps time.
 *
 * All functions belong to the element's streaming thread, except where a comment says otherwise.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstqpucalls.h"

G_BEGIN_DECLS

typedef struct _GstQpuQos GstQpuQos;

/* For an element, and its calls; neither is referenced, and both outlive it. Freed with gst_qpu_qos_free. */
GstQpuQos *gst_qpu_qos_new (GstBaseTransform *element, GstQpuCalls *calls);
void gst_qpu_qos_free (GstQpuQos *self);

/* The element has opened; there is no streaming thread. */
void gst_qpu_qos_open (GstQpuQos *self);

/* The next picture asks for the timing again: another source or sink may have come. */
void gst_qpu_qos_ask_timing (GstQpuQos *self);

/* Asks for the timing, if that is due. Before a picture begins. */
void gst_qpu_qos_update_timing (GstQpuQos *self);

/* A picture begins. */
void gst_qpu_qos_picture (GstQpuQos *self, GstBuffer *input);

/* Forgets what downstream has said. Any thread. */
void gst_qpu_qos_restart (GstQpuQos *self);

/* Takes an event that came from downstream while the element is to filter less rather than drop pictures. Returns FALSE if it is for
 * GstBaseTransform; else takes over the event, and handled becomes what src_event returns. Any thread. */
gboolean gst_qpu_qos_take (GstQpuQos *self, GstEvent *event, gboolean *handled);

/* Posts a QoS message for the picture that begins: it is the first that is filtered less, or more, than those before. late: by
 * how much a picture was late; lost: how much of the filters is given up, 0 to 1; frames: how many pictures were filtered. */
void gst_qpu_qos_post_degraded (GstQpuQos *self, GstClockTimeDiff late,
    gdouble lost, guint64 frames);

G_END_DECLS
