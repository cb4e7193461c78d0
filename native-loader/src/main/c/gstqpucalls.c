/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpucalls.h"

#include "gstqpufork.h"

struct _GstQpuCalls
{
  GstElement *element;
  /* Above 0 between open and close; written under the element's object lock. */
  gint32 handle;
  /* Calls between enter and leave; guarded by the object lock. */
  guint under_way;
  /* Signalled when under_way becomes 0, with the object lock. */
  GCond idle;
};

GstQpuCalls *
gst_qpu_calls_new (GstElement *element)
{
  GstQpuCalls *self = g_new0 (GstQpuCalls, 1);

  self->element = element;
  g_cond_init (&self->idle);
  return self;
}

void
gst_qpu_calls_free (GstQpuCalls *self)
{
  g_cond_clear (&self->idle);
  g_free (self);
}

void
gst_qpu_calls_open (GstQpuCalls *self, gint32 handle)
{
  GST_OBJECT_LOCK (self->element);
  self->handle = handle;
  GST_OBJECT_UNLOCK (self->element);
}

gint32
gst_qpu_calls_close (GstQpuCalls *self)
{
  gint32 handle;

  GST_OBJECT_LOCK (self->element);
  handle = self->handle;
  self->handle = 0;
  /* Those who call are not there in a process that was forked meanwhile. */
  while (self->under_way > 0 && !gst_qpu_fork_happened ())
    g_cond_wait (&self->idle, GST_OBJECT_GET_LOCK (self->element));
  GST_OBJECT_UNLOCK (self->element);
  return handle;
}

gint32
gst_qpu_calls_handle (GstQpuCalls *self)
{
  return self->handle;
}

gint32
gst_qpu_calls_enter (GstQpuCalls *self)
{
  gint32 handle;

  GST_OBJECT_LOCK (self->element);
  handle = self->handle;
  if (handle > 0)
    self->under_way++;
  GST_OBJECT_UNLOCK (self->element);
  return handle;
}

void
gst_qpu_calls_leave (GstQpuCalls *self)
{
  GST_OBJECT_LOCK (self->element);
  if (--self->under_way == 0)
    g_cond_broadcast (&self->idle);
  GST_OBJECT_UNLOCK (self->element);
}

void
gst_qpu_calls_make (GstQpuCalls *self, void (*callback) (gint32 handle))
{
  gint32 handle = gst_qpu_calls_enter (self);

  if (handle > 0) {
    callback (handle);
    gst_qpu_calls_leave (self);
  }
}
