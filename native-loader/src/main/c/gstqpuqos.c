/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuqos.h"

#include "gstqpudebug.h"
#include "gstqpuruntime.h"
#include "gstqpusinks.h"

struct _GstQpuQos
{
  GstBaseTransform *element;
  GstQpuCalls *calls;
  /* Whether upstream was live when it was last asked, whether downstream had a sink that keeps time, and whether to ask at the
   * next picture; streaming thread. */
  gboolean live;
  gboolean keeps_time;
  gboolean ask_timing;
  /* Whether Java was told of both. */
  gboolean told;
  /* The times of the picture that begins; streaming thread. */
  GstClockTime timestamp, duration;
  /* The proportion of the last QoS event; guarded by the element's object lock. */
  gdouble proportion;
};

GstQpuQos *
gst_qpu_qos_new (GstBaseTransform *element, GstQpuCalls *calls)
{
  GstQpuQos *self = g_new0 (GstQpuQos, 1);

  self->element = element;
  self->calls = calls;
  self->proportion = 1;
  gst_base_transform_set_qos_enabled (element, TRUE);
  return self;
}

void
gst_qpu_qos_free (GstQpuQos *self)
{
  g_free (self);
}

void
gst_qpu_qos_open (GstQpuQos *self)
{
  self->live = FALSE;
  self->keeps_time = FALSE;
  self->told = FALSE;
}

void
gst_qpu_qos_ask_timing (GstQpuQos *self)
{
  self->ask_timing = TRUE;
}

/* Asks upstream whether it is live, by the query that a sink asks for a latency. At the first picture every element before this
 * one has its caps and can answer. One that cannot is taken for a file. Looks, too, whether downstream will say what comes late. */
void
gst_qpu_qos_update_timing (GstQpuQos *self)
{
  GstQuery *query;
  gboolean live = FALSE;
  gboolean keeps_time;

  if (!self->ask_timing)
    return;
  self->ask_timing = FALSE;
  keeps_time = gst_base_transform_is_qos_enabled (self->element)
      && gst_qpu_sinks_keep_time (GST_BASE_TRANSFORM_SRC_PAD (self->element));
  query = gst_query_new_latency ();
  if (gst_pad_peer_query (GST_BASE_TRANSFORM_SINK_PAD (self->element), query))
    gst_query_parse_latency (query, &live, NULL, NULL);
  gst_query_unref (query);
  if (self->told && live == self->live && keeps_time == self->keeps_time)
    return;
  GST_INFO_OBJECT (self->element, "upstream is %slive, downstream %s",
      live ? "" : "not ", keeps_time ? "keeps time" : "takes its time");
  self->live = live;
  self->keeps_time = keeps_time;
  self->told = TRUE;
  gst_qpu_runtime_callbacks ()->set_timing (gst_qpu_calls_handle (self->calls),
      live, keeps_time);
}

void
gst_qpu_qos_picture (GstQpuQos *self, GstBuffer *input)
{
  self->timestamp = GST_BUFFER_TIMESTAMP (input);
  self->duration = GST_BUFFER_DURATION (input);
}

void
gst_qpu_qos_restart (GstQpuQos *self)
{
  gst_qpu_calls_make (self->calls, gst_qpu_runtime_callbacks ()->restart);
}

gboolean
gst_qpu_qos_take (GstQpuQos *self, GstEvent *event, gboolean *handled)
{
  GstQOSType type;
  gdouble proportion;
  GstClockTimeDiff jitter;
  GstClockTime time;
  gint32 handle, result = GST_QPU_PASSED_ON;

  if (GST_EVENT_TYPE (event) != GST_EVENT_QOS
      || !gst_base_transform_is_qos_enabled (self->element))
    return FALSE;
  gst_event_parse_qos (event, &type, &proportion, &jitter, &time);
  /* A throttle is no news of late pictures: it asks for fewer of them. */
  if (type == GST_QOS_TYPE_THROTTLE || !GST_CLOCK_TIME_IS_VALID (time))
    return FALSE;

  /* Whatever GstBaseTransform was told while degrade was off, it drops nothing from now on: the earliest time becomes 0 - 1,
   * which is GST_CLOCK_TIME_NONE. */
  gst_base_transform_update_qos (self->element, proportion, -1, 0);
  GST_OBJECT_LOCK (self->element);
  self->proportion = proportion;
  GST_OBJECT_UNLOCK (self->element);
  handle = gst_qpu_calls_enter (self->calls);
  if (handle > 0) {
    result = gst_qpu_runtime_callbacks ()->qos (handle, jitter, (gint64) time);
    gst_qpu_calls_leave (self->calls);
  }
  /* The decoder would drop pictures where filtering less is enough. */
  if (result == GST_QPU_ANSWERED) {
    gst_event_unref (event);
    *handled = TRUE;
  } else {
    *handled =
        gst_pad_push_event (GST_BASE_TRANSFORM_SINK_PAD (self->element), event);
  }
  return TRUE;
}

void
gst_qpu_qos_post_degraded (GstQpuQos *self, GstClockTimeDiff late, gdouble lost,
    guint64 frames)
{
  /* What GstMessage's documentation gives as the default for the best quality. */
  const gint best = 1000000;
  GstSegment *segment = &self->element->segment;
  /* A stream of bytes has no times. */
  GstClockTime time = segment->format == GST_FORMAT_TIME ? self->timestamp
                                                         : GST_CLOCK_TIME_NONE;
  GstClockTime running = GST_CLOCK_TIME_NONE, stream = GST_CLOCK_TIME_NONE;
  GstMessage *message;
  gdouble proportion;

  if (GST_CLOCK_TIME_IS_VALID (time)) {
    running = gst_segment_to_running_time (segment, GST_FORMAT_TIME, time);
    stream = gst_segment_to_stream_time (segment, GST_FORMAT_TIME, time);
  }
  GST_OBJECT_LOCK (self->element);
  proportion = self->proportion;
  GST_OBJECT_UNLOCK (self->element);
  message = gst_message_new_qos (GST_OBJECT (self->element), self->live,
      running, stream, time, self->duration);
  gst_message_set_qos_values (message, late, proportion,
      (gint) (best * (1 - lost)));
  gst_message_set_qos_stats (message, GST_FORMAT_BUFFERS, frames, 0);
  gst_element_post_message (GST_ELEMENT (self->element), message);
}
