/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpumeter.h"

#include <gst/video/video.h>
#include <math.h>

#include "gstqpudebug.h"
#include "gstqpumeterjava.h"
#include "gstqpuproperties.h"
#include "gstqpuruntime.h"

/* For how long live video waits for a reference. */
#define STALL GST_SECOND

/* The figures of a picture are final once so many more were measured: motion looks at the pictures that follow. */
#define FRAMES_TO_FINAL 2

enum
{
  PROP_0,
  PROP_MODEL_FILENAME,
  PROP_METRICS,
  PROP_DEVICE,
  PROP_RESULTS_FILENAME,
  PROP_RESULTS_FORMAT,
  PROP_POOL_METHOD,
  PROP_SUBSTRATE,
  PROP_THREADS,
  PROP_PSNR,
  PROP_SSIM,
  PROP_MS_SSIM,
  PROP_REQUIRE_ZERO_COPY,
  PROP_DISABLE_CLIP,
  PROP_ENABLE_TRANSFORM,
  PROP_PHONE_MODEL,
  PROP_SUBSAMPLE,
  PROP_FRAME_MESSAGE,
  PROP_STATS,
  PROP_COUNT
};

/* Text properties are those before this one; the others are numbers. */
#define PROP_NUMBERS PROP_RESULTS_FORMAT

/* Properties in the order of GstQpuMeterSetting: the number of a setting is its property's, less this. */
#define SETTING_OF(property) ((property) - PROP_MODEL_FILENAME)

#define DEFAULT_MODEL "vmaf_v0.6.1"
#define POOL_MEAN 2
#define THREADS_MAX 256

/* As many as GStreamer's vmaf takes. */
#define SUBSAMPLE_MAX 128

/* When a picture is, in nanoseconds. */
typedef struct
{
  GstClockTime timestamp, stream_time, running_time, duration;
} Times;

struct _GstQpuMeter
{
  GstAggregator parent;

  GstAggregatorPad *reference_pad, *distorted_pad;

  /* Values by property; guarded by the object lock. */
  gchar *texts[PROP_COUNT];
  gint numbers[PROP_COUNT];

  /* Held while the handle is set, and while a thread that may not be the streaming thread uses it. */
  GRecMutex handle_lock;

  /* All below belongs to the streaming thread, and to whoever starts and stops it. */

  /* Java's number of this meter; 0 while the element is stopped. */
  gint32 handle;
  gboolean frame_message;
  /* Of so many pairs one is measured, from the first one on. */
  guint subsample;
  GstVideoInfo reference_info, distorted_info;
  /* Java is to be told the format before the next pair. */
  gboolean format_changed;
  /* The next pair begins a sequence; atomic, since a flush comes from any thread. */
  gint begins;
  /* Somebody sought, or flushed an input: other segments may be of other pictures. Atomic. */
  gint sought;
  /* An input has a segment that no pair was measured of. */
  gboolean segment_changed;
  /* How much later the reference is in its video than the distorted picture is in its own, in the first pair that has times. */
  gint64 apart;
  gboolean apart_known, apart_told;

  /* Pairs that were measured, and how many of them the last report was of. */
  guint64 pairs, reported;
  /* Pairs that a frame message was posted of. */
  guint64 posted;
  guint64 reference_only, distorted_only;
  /* Of the last pairs, by their number modulo the size. */
  Times times[FRAMES_TO_FINAL + 1];

  gdouble figures[GST_QPU_METER_FIGURES];
};

G_DEFINE_TYPE (GstQpuMeter, gst_qpu_meter, GST_TYPE_AGGREGATOR);

/* Times */

/* The running time of a buffer, negative before the segment. FALSE if it has none. */
static gboolean
running_time (GstAggregatorPad *pad, GstBuffer *buffer, gint64 *time)
{
  guint64 distance = 0;
  gint sign =
      GST_BUFFER_PTS_IS_VALID (buffer) && pad->segment.format == GST_FORMAT_TIME
      ? gst_segment_to_running_time_full (&pad->segment, GST_FORMAT_TIME,
            GST_BUFFER_PTS (buffer), &distance)
      : 0;

  *time = sign * (gint64) distance;
  return sign != 0;
}

/* Half the time that a picture lasts: containers round times, each in its own way. */
static gint64
tolerance (const GstVideoInfo *info)
{
  return GST_VIDEO_INFO_FPS_N (info) > 0
      ? (gint64) gst_util_uint64_scale (GST_SECOND / 2,
            (guint64) GST_VIDEO_INFO_FPS_D (info),
            (guint64) GST_VIDEO_INFO_FPS_N (info))
      : GST_MSECOND;
}

/* 0 for a pair; less if the reference comes first, more if the distorted picture does. Without times, pictures are pairs in their
 * order. */
static gint
order (GstQpuMeter *self, GstBuffer *reference, GstBuffer *distorted)
{
  gint64 of_reference, of_distorted, apart;

  if (!running_time (self->reference_pad, reference, &of_reference)
      || !running_time (self->distorted_pad, distorted, &of_distorted))
    return 0;
  apart = of_reference - of_distorted;
  if (ABS (apart) < MIN (tolerance (&self->reference_info),
          tolerance (&self->distorted_info)))
    return 0;
  return apart < 0 ? -1 : 1;
}

/* What a picture's time in its video has ahead of its running time. FALSE if it has no times. */
static gboolean
stream_offset (GstAggregatorPad *pad, GstBuffer *buffer, gint64 *offset)
{
  guint64 distance = 0;
  gint64 running;
  gint sign = running_time (pad, buffer, &running)
      ? gst_segment_to_stream_time_full (&pad->segment, GST_FORMAT_TIME,
            GST_BUFFER_PTS (buffer), &distance)
      : 0;

  if (sign != 0)
    *offset = sign * (gint64) distance - running;
  return sign != 0;
}

/* Warns once if a seek has moved one input against the other: what is a pair by running time is of different pictures then. */
static void
check_apart (GstQpuMeter *self, GstBuffer *reference, GstBuffer *distorted)
{
  gint64 of_reference, of_distorted, apart;

  if (!self->segment_changed)
    return;
  self->segment_changed = FALSE;
  if (!stream_offset (self->reference_pad, reference, &of_reference)
      || !stream_offset (self->distorted_pad, distorted, &of_distorted))
    return;
  apart = of_reference - of_distorted;
  if (!self->apart_known) {
    self->apart = apart;
    self->apart_known = TRUE;
  }
  if (g_atomic_int_get (&self->sought) && !self->apart_told
      && ABS (apart - self->apart) >= MIN (tolerance (&self->reference_info),
             tolerance (&self->distorted_info))) {
    self->apart_told = TRUE;
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("After a seek the inputs go on from different times, so that different pictures are compared from pair %" G_GUINT64_FORMAT
         " on: seek in both at once, with a flush",
            self->pairs),
        (NULL));
  }
}

static Times
times_of (GstQpuMeter *self, GstBuffer *buffer)
{
  const GstSegment *segment = &self->distorted_pad->segment;
  GstClockTime timestamp = GST_BUFFER_PTS (buffer);
  Times times = { timestamp, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE,
    GST_BUFFER_DURATION (buffer) };

  if (GST_CLOCK_TIME_IS_VALID (timestamp)
      && segment->format == GST_FORMAT_TIME) {
    times.stream_time =
        gst_segment_to_stream_time (segment, GST_FORMAT_TIME, timestamp);
    times.running_time =
        gst_segment_to_running_time (segment, GST_FORMAT_TIME, timestamp);
  }
  return times;
}

/* Messages */

/* Whether Java did it; otherwise an element error is on the bus. */
static gboolean
done (GstQpuMeter *self, gint32 result)
{
  if (result == 0)
    gst_qpu_runtime_post_uncalled (GST_ELEMENT (self), "qpumeter");
  return result > 0;
}

/* A message with the figures that were read last, without those that nobody asked for. */
static GstStructure *
message (GstQpuMeter *self, const gchar *type, const Times *times)
{
  static const gchar *const names[] = { "score", "psnr-y", "ssim", "ms-ssim" };
  GstStructure *fields = gst_structure_new ("VMAF", "timestamp", G_TYPE_UINT64,
      times->timestamp, "stream-time", G_TYPE_UINT64, times->stream_time,
      "running-time", G_TYPE_UINT64, times->running_time, "duration",
      G_TYPE_UINT64, times->duration, "type", G_TYPE_STRING, type, NULL);

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == GST_QPU_METER_FIGURES);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (!isnan (self->figures[i]))
      gst_structure_set (fields, names[i], G_TYPE_DOUBLE, self->figures[i],
          NULL);
  }
  return fields;
}

static void
post (GstQpuMeter *self, GstStructure *fields)
{
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), fields));
}

static gboolean
read_figures (GstQpuMeter *self, gint32 pair)
{
  return done (self,
      gst_qpu_meter_java_callbacks ()->figures (self->handle, pair,
          (gint64) (gintptr) self->figures));
}

/* Posts the messages of the pairs before end, as far as they were measured. */
static gboolean
post_frames (GstQpuMeter *self, guint64 end)
{
  for (; self->frame_message && self->posted < end; self->posted++) {
    const Times *times =
        &self->times[self->posted % G_N_ELEMENTS (self->times)];
    GstStructure *fields;

    if (self->posted % self->subsample != 0)
      continue;
    if (!read_figures (self, (gint32) self->posted))
      return FALSE;
    fields = message (self, "frame", times);
    gst_structure_set (fields, "index", G_TYPE_INT, (gint) self->posted, NULL);
    post (self, fields);
  }
  return TRUE;
}

/* Posts the figures of all pairs with the number of these, and of the pictures without a counterpart. */
static void
post_pooled (GstQpuMeter *self, GstStructure *fields)
{
  gst_structure_set (fields, "pairs", G_TYPE_UINT64, self->pairs,
      "reference-only", G_TYPE_UINT64, self->reference_only, "distorted-only",
      G_TYPE_UINT64, self->distorted_only, NULL);
  post (self, fields);
}

/* Says what was measured so far, unless that was said. */
static gboolean
report (GstQpuMeter *self)
{
  const Times *last;
  Times times;
  GstStructure *fields;
  guint64 pictures = self->pairs + self->reference_only + self->distorted_only;

  if (self->handle <= 0 || pictures == self->reported)
    return TRUE;
  /* Once, even if it fails. */
  self->reported = pictures;
  if (self->pairs == 0) {
    fields = gst_structure_new ("VMAF", "type", G_TYPE_STRING, "pooled", NULL);
    post_pooled (self, fields);
    return TRUE;
  }
  last = &self->times[(self->pairs - 1) % G_N_ELEMENTS (self->times)];
  times = *last;
  if (GST_VIDEO_INFO_FPS_N (&self->distorted_info) > 0)
    times.duration = gst_util_uint64_scale (self->pairs,
        GST_SECOND * (guint64) GST_VIDEO_INFO_FPS_D (&self->distorted_info),
        (guint64) GST_VIDEO_INFO_FPS_N (&self->distorted_info));
  if (!post_frames (self, self->pairs)
      || !read_figures (self, GST_QPU_METER_POOLED)
      || !done (self,
          gst_qpu_meter_java_callbacks ()->report (self->handle,
              (gint64) self->reference_only, (gint64) self->distorted_only)))
    return FALSE;
  post_pooled (self, message (self, "pooled", &times));
  return TRUE;
}

/* Counts a picture without a counterpart, and warns of the first of its input. */
static void
count_alone (GstQpuMeter *self, GstAggregatorPad *pad, GstBuffer *buffer)
{
  gboolean of_reference = pad == self->reference_pad;
  guint64 *count = of_reference ? &self->reference_only : &self->distorted_only;
  const gchar *other = of_reference ? "distorted" : "reference";

  if ((*count)++ == 0)
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("The %s video has no picture for the one at %" GST_TIME_FORMAT
         " of the other: it is left out, and so will be what else lacks a counterpart; compare videos of the same pictures",
            other, GST_TIME_ARGS (GST_BUFFER_PTS (buffer))),
        (NULL));
  GST_DEBUG_OBJECT (pad, "no counterpart for %" GST_PTR_FORMAT, buffer);
}

/* Measuring */

/* Warns of frame rates of which neither is a multiple of the other: pictures that are near in time are pairs, but not of one time. */
static void
warn_of_rates (GstQpuMeter *self)
{
  const GstVideoInfo *of = &self->reference_info, *in = &self->distorted_info;
  gint64 rate_of =
      (gint64) GST_VIDEO_INFO_FPS_N (of) * GST_VIDEO_INFO_FPS_D (in);
  gint64 rate_in =
      (gint64) GST_VIDEO_INFO_FPS_N (in) * GST_VIDEO_INFO_FPS_D (of);

  if (rate_of > 0 && rate_in > 0 && rate_of % rate_in != 0
      && rate_in % rate_of != 0)
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("The reference has %d/%d pictures a second, and the distorted video %d/%d: pictures of different times are compared; put videorate with a caps filter before one of them",
            GST_VIDEO_INFO_FPS_N (of), GST_VIDEO_INFO_FPS_D (of),
            GST_VIDEO_INFO_FPS_N (in), GST_VIDEO_INFO_FPS_D (in)),
        (NULL));
}

/* Has Java measure pictures of the format of both pads. */
static gboolean
adopt_format (GstQpuMeter *self)
{
  const GstVideoInfo *of = &self->reference_info, *in = &self->distorted_info;

  if (GST_VIDEO_INFO_WIDTH (of) != GST_VIDEO_INFO_WIDTH (in)
      || GST_VIDEO_INFO_HEIGHT (of) != GST_VIDEO_INFO_HEIGHT (in)
      || GST_VIDEO_INFO_FORMAT (of) != GST_VIDEO_INFO_FORMAT (in)) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("The reference is %s %dx%d, and the distorted video %s %dx%d: put videoscale and videoconvert with a caps filter before one of them",
            GST_VIDEO_INFO_NAME (of), GST_VIDEO_INFO_WIDTH (of),
            GST_VIDEO_INFO_HEIGHT (of), GST_VIDEO_INFO_NAME (in),
            GST_VIDEO_INFO_WIDTH (in), GST_VIDEO_INFO_HEIGHT (in)),
        (NULL));
    return FALSE;
  }
  warn_of_rates (self);
  if (!done (self,
          gst_qpu_meter_java_callbacks ()->set_format (self->handle,
              (gint64) (gintptr) of, (gint64) (gintptr) in)))
    return FALSE;
  self->format_changed = FALSE;
  return TRUE;
}

static gboolean
measure (GstQpuMeter *self, GstBuffer *reference, GstBuffer *distorted)
{
  gboolean begins;

  if (self->format_changed && !adopt_format (self))
    return FALSE;
  check_apart (self, reference, distorted);
  begins = g_atomic_int_compare_and_exchange (&self->begins, TRUE, FALSE);
  if (!done (self,
          gst_qpu_meter_java_callbacks ()->measure (self->handle,
              (gint64) (gintptr) reference, (gint64) (gintptr) distorted,
              begins)))
    return FALSE;

  self->times[self->pairs % G_N_ELEMENTS (self->times)] =
      times_of (self, distorted);
  self->pairs++;
  return self->pairs <= FRAMES_TO_FINAL
      || post_frames (self, self->pairs - FRAMES_TO_FINAL);
}

/* The aggregator */

/* The pad's next picture, owned by the caller; NULL if there is none now. Gaps are not pictures. */
static GstBuffer *
peek_picture (GstAggregatorPad *pad)
{
  GstBuffer *buffer = gst_aggregator_pad_peek_buffer (pad);

  while (buffer != NULL && gst_buffer_get_size (buffer) == 0
      && GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)) {
    gst_buffer_unref (buffer);
    gst_aggregator_pad_drop_buffer (pad);
    buffer = gst_aggregator_pad_peek_buffer (pad);
  }
  return buffer;
}

/* Takes a step with what the pads have: passes one picture on, or drops one of the reference. */
static GstFlowReturn
step (GstQpuMeter *self, GstBuffer *reference, GstBuffer *distorted)
{
  gint which = reference == NULL ? 1 : order (self, reference, distorted);

  if (which < 0) {
    count_alone (self, self->reference_pad, reference);
    gst_aggregator_pad_drop_buffer (self->reference_pad);
    return GST_FLOW_OK;
  }
  if (which > 0)
    count_alone (self, self->distorted_pad, distorted);
  else if (!measure (self, reference, distorted))
    return GST_FLOW_ERROR;
  else
    gst_aggregator_pad_drop_buffer (self->reference_pad);
  GST_AGGREGATOR_PAD (GST_AGGREGATOR (self)->srcpad)->segment.position =
      GST_BUFFER_PTS (distorted);
  return gst_aggregator_finish_buffer (GST_AGGREGATOR (self),
      gst_aggregator_pad_pop_buffer (self->distorted_pad));
}

/* Until when a picture of live video waits for its reference, the pipeline's latency besides. What waits for the distorted video waits
 * for ever: without it nothing goes on. */
static GstClockTime
gst_qpu_meter_get_next_time (GstAggregator *aggregator)
{
  GstAggregatorPad *distorted = GST_QPU_METER (aggregator)->distorted_pad;
  GstClockTime next = gst_aggregator_simple_get_next_time (aggregator);

  if (!GST_CLOCK_TIME_IS_VALID (next)
      || !(gst_aggregator_pad_has_buffer (distorted)
          || gst_aggregator_pad_is_eos (distorted)))
    return GST_CLOCK_TIME_NONE;
  return next + STALL;
}

static GstFlowReturn
gst_qpu_meter_aggregate (GstAggregator *aggregator, gboolean timeout)
{
  GstQpuMeter *self = GST_QPU_METER (aggregator);
  GstBuffer *reference = peek_picture (self->reference_pad);
  GstBuffer *distorted = peek_picture (self->distorted_pad);
  GstFlowReturn result = GST_AGGREGATOR_FLOW_NEED_DATA;

  /* Live video goes on though the reference stalls. */
  gboolean goes_on = timeout || reference != NULL
      || gst_aggregator_pad_is_eos (self->reference_pad);

  if (distorted != NULL && goes_on) {
    result = step (self, reference, distorted);
  } else if (distorted == NULL && goes_on
      && gst_aggregator_pad_is_eos (self->distorted_pad)) {
    /* The rest of the reference may never end: it is not waited for. */
    if (reference != NULL)
      count_alone (self, self->reference_pad, reference);
    result = report (self) ? GST_FLOW_EOS : GST_FLOW_ERROR;
  }
  g_clear_pointer (&reference, gst_buffer_unref);
  g_clear_pointer (&distorted, gst_buffer_unref);
  return result;
}

static gboolean
adopt_caps (GstQpuMeter *self, GstAggregatorPad *pad, GstCaps *caps)
{
  GstVideoInfo *info = pad == self->reference_pad ? &self->reference_info
                                                  : &self->distorted_info;

  if (!gst_video_info_from_caps (info, caps))
    return FALSE;
  self->format_changed = TRUE;
  g_atomic_int_set (&self->begins, TRUE);
  if (pad == self->distorted_pad)
    gst_pad_mark_reconfigure (GST_AGGREGATOR (self)->srcpad);
  return TRUE;
}

static gboolean
gst_qpu_meter_sink_event (GstAggregator *aggregator, GstAggregatorPad *pad,
    GstEvent *event)
{
  GstQpuMeter *self = GST_QPU_METER (aggregator);
  GstEventType type = GST_EVENT_TYPE (event);
  GstCaps *caps;
  gboolean adopted;

  /* The parent class would pass caps on at once; they follow from update_src_caps. */
  if (type == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    adopted = adopt_caps (self, pad, caps);
    gst_event_unref (event);
    return adopted;
  }
  if (!GST_AGGREGATOR_CLASS (gst_qpu_meter_parent_class)
          ->sink_event (aggregator, pad, event))
    return FALSE;
  if (type == GST_EVENT_FLUSH_STOP) {
    /* The parent class calls flush only if both inputs are flushed by a seek. */
    g_atomic_int_set (&self->sought, TRUE);
    g_atomic_int_set (&self->begins, TRUE);
  }
  if (type == GST_EVENT_SEGMENT) {
    self->segment_changed = TRUE;
    if (g_atomic_int_get (&self->sought))
      g_atomic_int_set (&self->begins, TRUE);
  }
  if (type == GST_EVENT_SEGMENT && pad == self->distorted_pad
      && pad->segment.format == GST_FORMAT_TIME)
    gst_aggregator_update_segment (aggregator, &pad->segment);
  return TRUE;
}

static gboolean
gst_qpu_meter_src_event (GstAggregator *aggregator, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEEK)
    g_atomic_int_set (&GST_QPU_METER (aggregator)->sought, TRUE);
  return GST_AGGREGATOR_CLASS (gst_qpu_meter_parent_class)
      ->src_event (aggregator, event);
}

/* What goes out is what came in. */
static GstFlowReturn
gst_qpu_meter_update_src_caps (GstAggregator *aggregator, GstCaps *caps,
    GstCaps **result)
{
  GstQpuMeter *self = GST_QPU_METER (aggregator);

  *result = gst_pad_get_current_caps (GST_PAD (self->distorted_pad));
  return *result != NULL ? GST_FLOW_OK : GST_AGGREGATOR_FLOW_NEED_DATA;
}

/* Buffers of the distorted video suit downstream; those of the reference end here. */
static gboolean
gst_qpu_meter_propose_allocation (GstAggregator *aggregator,
    GstAggregatorPad *pad, GstQuery *decide_query, GstQuery *query)
{
  if (pad == GST_QPU_METER (aggregator)->distorted_pad)
    return gst_pad_peer_query (aggregator->srcpad, query);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

static GstFlowReturn
gst_qpu_meter_flush (GstAggregator *aggregator)
{
  g_atomic_int_set (&GST_QPU_METER (aggregator)->begins, TRUE);
  return GST_FLOW_OK;
}

static void
set_handle (GstQpuMeter *self, gint32 handle)
{
  g_rec_mutex_lock (&self->handle_lock);
  self->handle = handle;
  g_rec_mutex_unlock (&self->handle_lock);
}

static gboolean
gst_qpu_meter_start (GstAggregator *aggregator)
{
  GstQpuMeter *self = GST_QPU_METER (aggregator);
  gint64 settings[GST_QPU_METER_SETTINGS];
  gchar *texts[PROP_NUMBERS] = { NULL };
  gint32 handle;

  if (!gst_qpu_meter_java_boot (GST_ELEMENT (self)))
    return FALSE;
  GST_OBJECT_LOCK (self);
  for (guint i = PROP_MODEL_FILENAME; i < PROP_FRAME_MESSAGE; i++) {
    if (i < PROP_NUMBERS)
      texts[i] = g_strdup (self->texts[i]);
    settings[SETTING_OF (i)] =
        i < PROP_NUMBERS ? (gint64) (gintptr) texts[i] : self->numbers[i];
  }
  self->frame_message = self->numbers[PROP_FRAME_MESSAGE];
  self->subsample = (guint) self->numbers[PROP_SUBSAMPLE];
  GST_OBJECT_UNLOCK (self);

  gst_video_info_init (&self->reference_info);
  gst_video_info_init (&self->distorted_info);
  self->format_changed = TRUE;
  g_atomic_int_set (&self->begins, TRUE);
  g_atomic_int_set (&self->sought, FALSE);
  self->segment_changed = TRUE;
  self->apart_known = self->apart_told = FALSE;
  self->pairs = self->reported = self->posted = 0;
  self->reference_only = self->distorted_only = 0;
  handle = gst_qpu_meter_java_callbacks ()->open ((gint64) (gintptr) self,
      (gint64) (gintptr) settings);
  for (guint i = 0; i < PROP_NUMBERS; i++)
    g_free (texts[i]);
  set_handle (self, MAX (handle, 0));
  return done (self, handle);
}

static gboolean
gst_qpu_meter_stop (GstAggregator *aggregator)
{
  GstQpuMeter *self = GST_QPU_METER (aggregator);
  gint32 handle = self->handle;

  if (handle <= 0)
    return TRUE;
  /* A pipeline that is stopped before the end has a report, too. What fails is on the bus, and the pipeline ends nevertheless. */
  report (self);
  set_handle (self, 0);
  gst_qpu_meter_java_callbacks ()->close (handle);
  return TRUE;
}

/* Properties */

/* What was counted since the element was started; all 0 while it is stopped. Any thread. */
static GstStructure *
read_stats (GstQpuMeter *self)
{
  static const gchar *const names[] = { "submits", "bytes-copied", "copies",
    "re-records", "imports-dmabuf", "imports-host", "import-cache-hits",
    "fences-imported", "cpu-waits", "gathered" };
  GstStructure *stats = gst_structure_new_empty ("qpumeter-stats");
  guint64 counts[GST_QPU_METER_COUNTS] = { 0 };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == GST_QPU_METER_COUNTS);
  g_rec_mutex_lock (&self->handle_lock);
  if (self->handle > 0
      && gst_qpu_meter_java_callbacks ()->counts (self->handle,
             (gint64) (gintptr) counts)
          <= 0)
    GST_ERROR_OBJECT (self, "the Java side gave no statistics");
  g_rec_mutex_unlock (&self->handle_lock);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    gst_structure_set (stats, names[i], G_TYPE_UINT64, counts[i], NULL);
  return stats;
}

static void
gst_qpu_meter_set_property (GObject *object, guint id, const GValue *value,
    GParamSpec *spec)
{
  GstQpuMeter *self = GST_QPU_METER (object);

  if (id == PROP_0 || id >= PROP_STATS) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id < PROP_NUMBERS) {
    g_free (self->texts[id]);
    self->texts[id] = g_value_dup_string (value);
  } else {
    self->numbers[id] = G_VALUE_HOLDS_BOOLEAN (value)
        ? g_value_get_boolean (value)
        : G_VALUE_HOLDS_ENUM (value) ? g_value_get_enum (value)
                                     : (gint) g_value_get_uint (value);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_qpu_meter_get_property (GObject *object, guint id, GValue *value,
    GParamSpec *spec)
{
  GstQpuMeter *self = GST_QPU_METER (object);

  if (id == PROP_0 || id >= PROP_COUNT) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    return;
  }
  if (id == PROP_STATS) {
    g_value_take_boxed (value, read_stats (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id < PROP_NUMBERS)
    g_value_set_string (value, self->texts[id]);
  else if (G_VALUE_HOLDS_BOOLEAN (value))
    g_value_set_boolean (value, self->numbers[id]);
  else if (G_VALUE_HOLDS_ENUM (value))
    g_value_set_enum (value, self->numbers[id]);
  else
    g_value_set_uint (value, (guint) self->numbers[id]);
  GST_OBJECT_UNLOCK (self);
}

static const GEnumValue results_formats[] = {
  { 0, "JSON if there is a results-filename", "none" },
  { 1, "A line for each picture", "csv" },
  { 2, "The form of libvmaf's log", "json" },
  { 3, "The form of libvmaf's log", "xml" }, { 0, NULL, NULL }
};
static const GEnumValue pool_methods[] = { { 0, "Least value", "min" },
  { 1, "Greatest value", "max" }, { POOL_MEAN, "Arithmetic mean", "mean" },
  { 3, "Harmonic mean", "harmonic_mean" }, { 0, NULL, NULL } };
static const GEnumValue substrates[] = {
  { 0, "Whichever filters pictures faster", "auto" }, { 1, "CPU", "cpu" },
  { 2, "Vulkan device", "qpu" }, { 0, NULL, NULL }
};

#define FLAGS \
  (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)

static void
install_text (GObjectClass *klass, guint id, const gchar *name,
    const gchar *blurb, const gchar *default_value)
{
  g_object_class_install_property (klass, id,
      g_param_spec_string (name, name, blurb, default_value, FLAGS));
}

static void
install_switch (GObjectClass *klass, guint id, const gchar *name,
    const gchar *blurb)
{
  g_object_class_install_property (klass, id,
      g_param_spec_boolean (name, name, blurb, FALSE, FLAGS));
}

static void
install_choice (GObjectClass *klass, guint id, const gchar *name,
    const gchar *blurb, const gchar *type_name, const GEnumValue *values,
    gint default_value)
{
  GType type = g_enum_register_static (type_name, values);

  gst_type_mark_as_plugin_api (type, 0);
  g_object_class_install_property (klass, id,
      g_param_spec_enum (name, name, blurb, type, default_value, FLAGS));
}

static void
install_properties (GObjectClass *klass)
{
  install_text (klass, PROP_MODEL_FILENAME, "model-filename",
      "The model of VMAF that gives the score: libvmaf's name (vmaf_v0.6.1,"
      " vmaf_v0.6.1neg, vmaf_4k_v0.6.1, vmaf_v1.0.16_3d0h, ...), qpu measure's"
      " (vmaf, vmaf_neg, vmaf_v1, ...), or a file in JSON",
      DEFAULT_MODEL);
  install_text (klass, PROP_METRICS, "metrics",
      "What else to measure for the file of results: names as of qpu measure"
      " --metrics with commas between them, such as vmaf_v1,ssimulacra2",
      NULL);
  install_text (klass, PROP_DEVICE, "device",
      "The Vulkan device: index, UUID or part of its name (default: the best)",
      NULL);
  install_text (klass, PROP_RESULTS_FILENAME, "results-filename",
      "The file to write the figures of all pictures to, at the end", NULL);
  install_choice (klass, PROP_RESULTS_FORMAT, "results-format",
      "The form of that file", "GstQpuMeterResultsFormat", results_formats, 0);
  install_choice (klass, PROP_POOL_METHOD, "pool-method",
      "How the figures of all pictures become those of the message at the end",
      "GstQpuMeterPoolMethod", pool_methods, POOL_MEAN);
  install_choice (klass, PROP_SUBSTRATE, "substrate", "What measures",
      "GstQpuMeterSubstrate", substrates, 0);
  g_object_class_install_property (klass, PROP_THREADS,
      g_param_spec_uint ("threads", "threads",
          "Threads of the CPU (0: one a processor)", 0, THREADS_MAX, 0, FLAGS));
  install_switch (klass, PROP_PSNR, "psnr", "Measure the PSNR of luma, too");
  install_switch (klass, PROP_SSIM, "ssim",
      "Measure the SSIM of luma, too, as x264 and ffmpeg compute it");
  install_switch (klass, PROP_MS_SSIM, "ms-ssim",
      "Measure the MS-SSIM of luma, too");
  install_switch (klass, PROP_REQUIRE_ZERO_COPY, "require-zero-copy",
      "Fail rather than copy a picture to the device");
  install_switch (klass, PROP_DISABLE_CLIP, "disable-clip",
      "Do not cut off scores below and above, as the model says");
  install_switch (klass, PROP_ENABLE_TRANSFORM, "enable-transform",
      "Apply the curve that the model has for scores, though it does not say so");
  install_switch (klass, PROP_PHONE_MODEL, "phone-model",
      "As enable-transform, which gives scores of a phone with vmaf_v0.6.1");
  g_object_class_install_property (klass, PROP_SUBSAMPLE,
      g_param_spec_uint ("subsample", "subsample",
          "Measure one of so many pairs of pictures; motion is that between all",
          1, SUBSAMPLE_MAX, 1, FLAGS));
  install_switch (klass, PROP_FRAME_MESSAGE, "frame-message",
      "Post a message for each pair of pictures");
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "stats",
          "Counts of submissions, copies, imports and waits",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

/* The class */

static void
gst_qpu_meter_finalize (GObject *object)
{
  GstQpuMeter *self = GST_QPU_METER (object);

  for (guint i = 0; i < PROP_COUNT; i++)
    g_free (self->texts[i]);
  g_rec_mutex_clear (&self->handle_lock);
  G_OBJECT_CLASS (gst_qpu_meter_parent_class)->finalize (object);
}

static void
add_template (GstElementClass *klass, const gchar *name,
    GstPadDirection direction)
{
  GstCaps *caps =
      gst_caps_from_string (GST_VIDEO_CAPS_MAKE (GST_QPU_VIDEO_FORMATS));

  gst_element_class_add_pad_template (klass,
      gst_pad_template_new_with_gtype (name, direction, GST_PAD_ALWAYS, caps,
          GST_TYPE_AGGREGATOR_PAD));
  gst_caps_unref (caps);
}

static void
gst_qpu_meter_class_init (GstQpuMeterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstAggregatorClass *aggregator_class = GST_AGGREGATOR_CLASS (klass);

  object_class->set_property = gst_qpu_meter_set_property;
  object_class->get_property = gst_qpu_meter_get_property;
  object_class->finalize = gst_qpu_meter_finalize;
  install_properties (object_class);

  gst_element_class_set_static_metadata (element_class, "Video quality meter",
      "Filter/Analyzer/Video",
      "Says how close a video comes to its reference (VMAF, PSNR, SSIM, MS-SSIM"
      " and others), on a Vulkan device or the CPU",
      "The gst-qpu authors");
  add_template (element_class, "ref_sink", GST_PAD_SINK);
  add_template (element_class, "dist_sink", GST_PAD_SINK);
  add_template (element_class, "src", GST_PAD_SRC);

  aggregator_class->get_next_time = gst_qpu_meter_get_next_time;
  aggregator_class->aggregate = gst_qpu_meter_aggregate;
  aggregator_class->sink_event = gst_qpu_meter_sink_event;
  aggregator_class->src_event = gst_qpu_meter_src_event;
  aggregator_class->update_src_caps = gst_qpu_meter_update_src_caps;
  aggregator_class->propose_allocation = gst_qpu_meter_propose_allocation;
  aggregator_class->flush = gst_qpu_meter_flush;
  aggregator_class->start = gst_qpu_meter_start;
  aggregator_class->stop = gst_qpu_meter_stop;
}

static GstAggregatorPad *
add_pad (GstQpuMeter *self, const gchar *name)
{
  GstPadTemplate *template =
      gst_element_class_get_pad_template (GST_ELEMENT_GET_CLASS (self), name);
  GstPad *pad = g_object_new (GST_TYPE_AGGREGATOR_PAD, "name", name,
      "direction", GST_PAD_SINK, "template", template, NULL);

  gst_element_add_pad (GST_ELEMENT (self), pad);
  return GST_AGGREGATOR_PAD (pad);
}

static void
gst_qpu_meter_init (GstQpuMeter *self)
{
  g_rec_mutex_init (&self->handle_lock);
  self->texts[PROP_MODEL_FILENAME] = g_strdup (DEFAULT_MODEL);
  self->numbers[PROP_POOL_METHOD] = POOL_MEAN;
  self->numbers[PROP_SUBSAMPLE] = 1;
  self->reference_pad = add_pad (self, "ref_sink");
  self->distorted_pad = add_pad (self, "dist_sink");
  /* The distorted video goes on as it is, so that downstream says what it may be. */
  GST_PAD_SET_PROXY_CAPS (GST_PAD (self->distorted_pad));
}
