/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpupictures.h"

#include <string.h>

#include "gstqpudebug.h"
#include "gstqpuruntime.h"

/* A picture has at most this many memories: one for each plane. */
#define MAX_MEMORIES 4

/* A picture under way. */
typedef struct
{
  /* Whether Java has finished it already. */
  gboolean done;
  GstBuffer *input;
  /* NULL if the output was handed over: it is downstream then. */
  GstBuffer *output;
  /* The memories of an output that was handed over. Java's imports end when a memory is freed, so it must outlive the work. */
  GstMemory *memories[MAX_MEMORIES];
} Picture;

struct _GstQpuPictures
{
  GstBaseTransform *element;

  /* The streaming thread's own, as all fields below but latency: Java's number of the element. */
  gint32 handle;
  /* The most pictures that may be under way, and how many of these only wait for those after them. */
  guint depth, ahead;
  /* The frame rate; 0 if it is unknown. */
  gint fps_n, fps_d;
  /* Whether downstream takes dmabufs, and waits for their fences itself. */
  gboolean hands_over;
  /* As many places as depth. The index of a place is the number by which Java knows the picture there. */
  Picture *places;
  /* The pictures under way are at the first place and those after it, round and round, in the order in which they began. */
  guint first, under_way;
  /* Whether GstBaseTransform marks the next buffer that it pushes as a discontinuity, though that may be an older picture. */
  gboolean marks_next;
  /* Whether an input was dropped, so that the next picture is a discontinuity. */
  gboolean gap;

  /* How long a picture waits for those after it; guarded by the element's object lock. */
  GstClockTime latency;
};

GstQpuPictures *
gst_qpu_pictures_new (GstBaseTransform *element)
{
  GstQpuPictures *self = g_new0 (GstQpuPictures, 1);

  self->element = element;
  self->depth = 1;
  return self;
}

void
gst_qpu_pictures_free (GstQpuPictures *self)
{
  g_free (self->places);
  g_free (self);
}

/* Latency */

static void
set_latency (GstQpuPictures *self, GstClockTime latency)
{
  gboolean changed;

  GST_OBJECT_LOCK (self->element);
  changed = self->latency != latency;
  self->latency = latency;
  GST_OBJECT_UNLOCK (self->element);
  if (changed)
    gst_element_post_message (GST_ELEMENT (self->element),
        gst_message_new_latency (GST_OBJECT (self->element)));
}

GstClockTime
gst_qpu_pictures_latency (GstQpuPictures *self)
{
  GstClockTime latency;

  GST_OBJECT_LOCK (self->element);
  latency = self->latency;
  GST_OBJECT_UNLOCK (self->element);
  return latency;
}

static void
compute_latency (GstQpuPictures *self)
{
  /* What is handed over does not wait here; no picture is that waits for others. Without a frame rate, the latency is unknown. */
  if ((self->hands_over && self->ahead == 0) || self->fps_n <= 0)
    set_latency (self, 0);
  else
    set_latency (self,
        gst_util_uint64_scale (self->depth - 1, GST_SECOND * self->fps_d,
            self->fps_n));
}

static void
make_places (GstQpuPictures *self, guint depth, guint ahead)
{
  self->depth = depth;
  self->ahead = ahead;
  g_free (self->places);
  self->places = g_new0 (Picture, depth);
  self->first = 0;
}

void
gst_qpu_pictures_start (GstQpuPictures *self, gint32 handle, guint depth,
    guint ahead)
{
  self->handle = handle;
  make_places (self, depth, ahead);
  self->hands_over = FALSE;
  self->fps_n = 0;
  self->marks_next = FALSE;
  self->gap = FALSE;
  set_latency (self, 0);
}

GstFlowReturn
gst_qpu_pictures_set_depth (GstQpuPictures *self, guint depth, guint ahead)
{
  GstFlowReturn result;

  if (depth == self->depth && ahead == self->ahead)
    return GST_FLOW_OK;
  result = gst_qpu_pictures_drain (self);
  make_places (self, depth, ahead);
  compute_latency (self);
  return result;
}

void
gst_qpu_pictures_set_caps (GstQpuPictures *self, const GstVideoInfo *info,
    gboolean hands_over)
{
  self->hands_over = hands_over;
  self->fps_n = GST_VIDEO_INFO_FPS_N (info);
  self->fps_d = GST_VIDEO_INFO_FPS_D (info);
  compute_latency (self);
}

guint
gst_qpu_pictures_depth (GstQpuPictures *self)
{
  return self->depth;
}

gboolean
gst_qpu_pictures_overlap (GstQpuPictures *self)
{
  return (self->depth > 1 || self->hands_over)
      && self->element->segment.rate >= 0;
}

/* The calls into Java */

/* The GstFlowReturn that a failed callback means: Java's own choice, with an element error from Java, which has one for all
 * pictures that fail together. If Java could not be called, posts the element error. */
static GstFlowReturn
failure (GstQpuPictures *self, gint32 result)
{
  if (result != 0)
    return (GstFlowReturn) result;
  gst_qpu_runtime_post_uncalled (GST_ELEMENT (self->element), "qpuloopfilter");
  return GST_FLOW_ERROR;
}

/* The running time by which QoS events name a picture. */
static gint64
running_time (GstQpuPictures *self, GstBuffer *input)
{
  GstClockTime time = GST_CLOCK_TIME_NONE;

  if (gst_base_transform_is_qos_enabled (self->element)
      && self->element->segment.format == GST_FORMAT_TIME)
    time = gst_segment_to_running_time (&self->element->segment,
        GST_FORMAT_TIME, GST_BUFFER_TIMESTAMP (input));
  return GST_CLOCK_TIME_IS_VALID (time) ? (gint64) time : GST_QPU_NO_TIME;
}

/* The place of the next picture. With one picture at a time always the same, whose memory Java then uses again. */
static guint
next_place (GstQpuPictures *self)
{
  return (self->first + self->under_way) % self->depth;
}

/* Java's begin, at the next place. If it fails after the device got the work, waits until the device is done, so that the caller
 * may release both buffers after any failure. */
static gint32
begin (GstQpuPictures *self, GstBuffer *input, GstBuffer *output)
{
  gint32 place = (gint32) next_place (self);
  gint32 result = gst_qpu_runtime_callbacks ()->begin (self->handle, place,
      (gint64) (gintptr) input, (gint64) (gintptr) output,
      running_time (self, input));

  if (result != GST_QPU_FILTERED && result != GST_QPU_PENDING
      && result != GST_QPU_HANDED_OVER)
    gst_qpu_runtime_callbacks ()->finish (self->handle, place, TRUE);
  return result;
}

GstFlowReturn
gst_qpu_pictures_filter (GstQpuPictures *self, GstBuffer *input,
    GstBuffer *output)
{
  gint32 result = begin (self, input, output);

  if (result == GST_QPU_PENDING || result == GST_QPU_HANDED_OVER)
    result = gst_qpu_runtime_callbacks ()->finish (self->handle,
        (gint32) next_place (self), TRUE);
  return result == GST_QPU_FILTERED ? GST_FLOW_OK : failure (self, result);
}

/* Finishes the first picture under way. output: its buffer, owned by the caller, or NULL if it was handed over or failed.
 * GST_FLOW_CUSTOM_SUCCESS if that would block and wait is FALSE: the picture is still under way then. */
static GstFlowReturn
finish_first (GstQpuPictures *self, gboolean wait, GstBuffer **output)
{
  Picture *first = &self->places[self->first];
  gint32 result = first->done ? GST_QPU_FILTERED
                              : gst_qpu_runtime_callbacks ()->finish (
                                    self->handle, (gint32) self->first, wait);

  *output = NULL;
  if (result == GST_QPU_PENDING)
    return GST_FLOW_CUSTOM_SUCCESS;
  if (result == GST_QPU_FILTERED)
    *output = g_steal_pointer (&first->output);
  gst_clear_buffer (&first->output);
  gst_buffer_unref (first->input);
  for (guint i = 0; i < MAX_MEMORIES; i++) {
    if (first->memories[i] != NULL)
      gst_memory_unref (first->memories[i]);
  }
  memset (first, 0, sizeof *first);
  self->under_way--;
  self->first = self->under_way == 0 ? 0 : (self->first + 1) % self->depth;
  return result == GST_QPU_FILTERED ? GST_FLOW_OK : failure (self, result);
}

/* Pictures under way */

/* Keeps the picture that has begun at the next place, and takes over its buffers; of an output that is handed over, only references
 * its memories. */
static void
keep (GstQpuPictures *self, gint32 began, GstBuffer *input, GstBuffer *output)
{
  Picture *picture = &self->places[next_place (self)];

  picture->done = began == GST_QPU_FILTERED;
  picture->input = input;
  if (began == GST_QPU_HANDED_OVER) {
    guint count = MIN (gst_buffer_n_memory (output), MAX_MEMORIES);

    for (guint i = 0; i < count; i++)
      picture->memories[i] = gst_buffer_get_memory (output, i);
  } else {
    picture->output = output;
  }
  self->under_way++;
}

/* Finishes pictures under way but the last ones, and pushes them downstream. */
static GstFlowReturn
drain_but (GstQpuPictures *self, guint last)
{
  GstFlowReturn result = GST_FLOW_OK, finished;
  GstBuffer *output;

  while (self->under_way > last) {
    finished = finish_first (self, TRUE, &output);
    if (result == GST_FLOW_OK)
      result = finished;
    if (output != NULL && result == GST_FLOW_OK)
      result =
          gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self->element), output);
    else
      gst_clear_buffer (&output);
  }
  return result;
}

GstFlowReturn
gst_qpu_pictures_drain (GstQpuPictures *self)
{
  return drain_but (self, 0);
}

void
gst_qpu_pictures_discard (GstQpuPictures *self)
{
  GstBuffer *output;

  while (self->under_way > 0) {
    finish_first (self, TRUE, &output);
    gst_clear_buffer (&output);
  }
}

static gboolean
is_full (GstQpuPictures *self)
{
  return self->under_way >= self->depth;
}

/* Releases the inputs of pictures that are downstream already and done; waits for one only if the queue is full. */
static GstFlowReturn
finish_handed_over (GstQpuPictures *self)
{
  GstFlowReturn result;
  GstBuffer *none;

  while (self->under_way > 0 && self->places[self->first].output == NULL) {
    result = finish_first (self, is_full (self), &none);
    if (result == GST_FLOW_CUSTOM_SUCCESS)
      break;
    if (result != GST_FLOW_OK)
      return result;
  }
  return GST_FLOW_OK;
}

/* Begins a picture and takes over its buffers. next: the next buffer to push, or NULL. */
static GstFlowReturn
begin_picture (GstQpuPictures *self, GstBuffer *input, GstBuffer *output,
    GstBuffer **next)
{
  GstFlowReturn result = GST_FLOW_OK;
  gint32 began = begin (self, input, output);

  switch (began) {
    case GST_QPU_FILTERED:
    case GST_QPU_PENDING:
      keep (self, began, input, output);
      if (began == GST_QPU_FILTERED || is_full (self))
        result = finish_first (self, TRUE, next);
      return result;
    case GST_QPU_HANDED_OVER:
      keep (self, began, input, output);
      /* Downstream gets the older pictures first. */
      result = drain_but (self, 1);
      if (result == GST_FLOW_OK)
        *next = output;
      else
        gst_buffer_unref (output);
      return result;
    default:
      gst_buffer_unref (input);
      gst_buffer_unref (output);
      return failure (self, began);
  }
}

/* Discontinuities. GstBaseTransform marks the first buffer that it pushes after an input with the mark, or after an input that was
 * dropped. With pictures under way, that buffer belongs to an earlier input. */

void
gst_qpu_pictures_submitted (GstQpuPictures *self, gboolean is_discont,
    GstFlowReturn result)
{
  self->marks_next = is_discont;
  /* GstBaseTransform itself marks pictures that do not overlap. */
  self->gap = gst_qpu_pictures_overlap (self)
      && (self->gap || result == GST_BASE_TRANSFORM_FLOW_DROPPED);
}

/* The buffer with the mark if an input before it was dropped. */
static GstBuffer *
mark_after_gap (GstQpuPictures *self, GstBuffer *buffer)
{
  if (self->gap) {
    self->gap = FALSE;
    buffer = gst_buffer_make_writable (buffer);
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  }
  return buffer;
}

/* Pushes a buffer that must not get the mark, so that GstBaseTransform does not push it. output: NULL then. */
static GstFlowReturn
push_unmarked (GstQpuPictures *self, GstBuffer **output)
{
  if (*output == NULL || !self->marks_next || GST_BUFFER_IS_DISCONT (*output))
    return GST_FLOW_OK;
  return gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self->element),
      g_steal_pointer (output));
}

/* Lets an input go on as it is, after the pictures before it. */
static GstFlowReturn
let_go_on (GstQpuPictures *self, GstBuffer *input, GstBuffer **output)
{
  GstFlowReturn result = gst_qpu_pictures_drain (self);

  if (result == GST_FLOW_OK)
    *output = mark_after_gap (self, input);
  else
    gst_buffer_unref (input);
  return result == GST_FLOW_OK ? push_unmarked (self, output) : result;
}

GstFlowReturn
gst_qpu_pictures_generate_output (GstQpuPictures *self, GstBuffer **output)
{
  GstBaseTransform *element = self->element;
  GstBuffer *input = g_steal_pointer (&element->queued_buf), *filtered = NULL;
  GstFlowReturn result;

  *output = NULL;
  if (input == NULL)
    return GST_FLOW_OK;
  result = finish_handed_over (self);
  if (result == GST_FLOW_OK)
    result = GST_BASE_TRANSFORM_GET_CLASS (element)->prepare_output_buffer (
        element, input, &filtered);
  if (result != GST_FLOW_OK || filtered == NULL) {
    gst_buffer_unref (input);
    return result;
  }
  if (filtered != input) {
    filtered = mark_after_gap (self, filtered);
    result = begin_picture (self, input, filtered, output);
    if (result == GST_BASE_TRANSFORM_FLOW_DROPPED)
      self->gap = TRUE;
    return result == GST_FLOW_OK ? push_unmarked (self, output) : result;
  }

  /* A gap without a picture. */
  return let_go_on (self, input, output);
}

gboolean
gst_qpu_pictures_passes (GstQpuPictures *self)
{
  return gst_qpu_runtime_callbacks ()->passes (self->handle,
             running_time (self, self->element->queued_buf))
      > 0;
}

GstFlowReturn
gst_qpu_pictures_pass (GstQpuPictures *self, GstBuffer **output)
{
  *output = NULL;
  return let_go_on (self, g_steal_pointer (&self->element->queued_buf), output);
}
