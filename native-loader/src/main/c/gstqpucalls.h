/*
 * Java's number of one element, its handle, and the calls into Java that hold it: it stays valid until the last of them has left.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _GstQpuCalls GstQpuCalls;

/* Calls of an element, which is not referenced, outlives them, and is closed now. Freed with gst_qpu_calls_free. */
GstQpuCalls *gst_qpu_calls_new (GstElement *element);
void gst_qpu_calls_free (GstQpuCalls *self);

/* The element is open with this handle, above 0. The thread that changes the state. */
void gst_qpu_calls_open (GstQpuCalls *self, gint32 handle);

/* The element is closed: waits until every call has left. Returns the handle that it had, 0 if none. The thread that changes the
 * state; the element's object lock is not held. */
gint32 gst_qpu_calls_close (GstQpuCalls *self);

/* The handle, 0 while the element is closed. The streaming thread, and the thread that changes the state: it does not change while
 * they use it. */
gint32 gst_qpu_calls_handle (GstQpuCalls *self);

/* The handle, which stays valid until gst_qpu_calls_leave; 0 while the element is closed, and then there is nothing to leave. Any
 * thread; the object lock is not held. */
gint32 gst_qpu_calls_enter (GstQpuCalls *self);
void gst_qpu_calls_leave (GstQpuCalls *self);

/* Makes a call that takes nothing else and returns nothing, unless the element is closed. Any thread; the object lock is not held. */
void gst_qpu_calls_make (GstQpuCalls *self, void (*callback) (gint32 handle));

G_END_DECLS
