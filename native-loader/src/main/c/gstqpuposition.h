/*
 * Where the stream of one element is: the answer to position queries, which come from any thread. GstBaseTransform answers them from its
 * segment, which the streaming thread may be replacing. This is a copy, under the element's object lock.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

typedef struct _GstQpuPosition GstQpuPosition;

/* The position of an element, which is not referenced and outlives it. Freed with gst_qpu_position_free. */
GstQpuPosition *gst_qpu_position_new (GstBaseTransform *element);
void gst_qpu_position_free (GstQpuPosition *self);

/* A segment begins; NULL before the first one. */
void gst_qpu_position_begin (GstQpuPosition *self, const GstSegment *segment);

/* A buffer has come in, or goes out. */
void gst_qpu_position_note_input (GstQpuPosition *self, GstBuffer *buffer);
void gst_qpu_position_note_output (GstQpuPosition *self, GstBuffer *buffer);

/* Answers a position query of one of the element's pads. */
gboolean gst_qpu_position_answer (GstQpuPosition *self,
    GstPadDirection direction, GstQuery *query);

G_END_DECLS
