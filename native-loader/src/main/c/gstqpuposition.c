/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuposition.h"

struct _GstQpuPosition
{
  GstBaseTransform *element;
  /* The segment, whose position is that after the last buffer that came in; guarded by the element's object lock, as below. */
  GstSegment segment;
  /* After the last buffer that went out. */
  GstClockTime out;
};

GstQpuPosition *
gst_qpu_position_new (GstBaseTransform *element)
{
  GstQpuPosition *self = g_new0 (GstQpuPosition, 1);

  self->element = element;
  gst_qpu_position_begin (self, NULL);
  return self;
}

void
gst_qpu_position_free (GstQpuPosition *self)
{
  g_free (self);
}

void
gst_qpu_position_begin (GstQpuPosition *self, const GstSegment *segment)
{
  GST_OBJECT_LOCK (self->element);
  if (segment != NULL)
    self->segment = *segment;
  else
    gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  self->out = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (self->element);
}

/* Notes where the stream is after a buffer, if the buffer says that. */
static void
note (GstQpuPosition *self, GstBuffer *buffer, guint64 *position)
{
  GstClockTime time = GST_BUFFER_TIMESTAMP (buffer);

  if (!GST_CLOCK_TIME_IS_VALID (time))
    return;
  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    time += GST_BUFFER_DURATION (buffer);
  GST_OBJECT_LOCK (self->element);
  *position = time;
  GST_OBJECT_UNLOCK (self->element);
}

void
gst_qpu_position_note_input (GstQpuPosition *self, GstBuffer *buffer)
{
  note (self, buffer, &self->segment.position);
}

void
gst_qpu_position_note_output (GstQpuPosition *self, GstBuffer *buffer)
{
  note (self, buffer, &self->out);
}

gboolean
gst_qpu_position_answer (GstQpuPosition *self, GstPadDirection direction,
    GstQuery *query)
{
  GstFormat format;
  GstSegment segment;
  GstClockTime out;

  gst_query_parse_position (query, &format, NULL);
  GST_OBJECT_LOCK (self->element);
  segment = self->segment;
  out = self->out;
  GST_OBJECT_UNLOCK (self->element);
  if (format != GST_FORMAT_TIME || segment.format != GST_FORMAT_TIME)
    return gst_pad_peer_query (direction == GST_PAD_SRC
            ? GST_BASE_TRANSFORM_SINK_PAD (self->element)
            : GST_BASE_TRANSFORM_SRC_PAD (self->element),
        query);
  gst_query_set_position (query, format,
      (gint64) gst_segment_to_stream_time (&segment, GST_FORMAT_TIME,
          direction == GST_PAD_SINK || !GST_CLOCK_TIME_IS_VALID (out)
              ? segment.position
              : out));
  return TRUE;
}
