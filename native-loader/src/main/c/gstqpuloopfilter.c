/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuloopfilter.h"

#include <gst/video/video.h>

#include "gstqpuallocation.h"
#include "gstqpucalls.h"
#include "gstqpucaps.h"
#include "gstqpudebug.h"
#include "gstqpufork.h"
#include "gstqpuparams.h"
#include "gstqpupictures.h"
#include "gstqpuposition.h"
#include "gstqpuproperties.h"
#include "gstqpuqos.h"
#include "gstqpuruntime.h"
#include "gstqpustats.h"
#include "gstqpuvalues.h"

struct _GstQpuLoopFilter
{
  GstBaseTransform parent;

  GstQpuValues *values;
  GstQpuCalls *calls;
  GstQpuQos *qos;
  GstQpuPosition *position;
  GstQpuAllocation *allocation;
  GstQpuPictures *pictures;

  /* What Java last asked for; atomic. */
  gint passthrough;
  gint look_ahead;
  /* Whether the device imports dmabufs; TRUE until a device was opened; atomic. */
  gint imports_dmabufs;
  /* Whether the device filters while the streaming thread goes on; atomic. */
  gint works_alone;

  /* Whether caps or the pictures before them have ended in an error. A buffer brings caps that were refused again, and each attempt
   * would be one more error. Until a flush or the next start. Streaming thread. */
  gboolean refuses_caps;
  /* How many pictures the device may have at once; streaming thread. */
  guint queue_depth;
  /* Whether the caps of the two pads differ, so that buffers must not be passed through; streaming thread. */
  gboolean caps_differ;
};

G_DEFINE_TYPE (GstQpuLoopFilter, gst_qpu_loop_filter, GST_TYPE_BASE_TRANSFORM);

/* Properties */

static GstStructure *
read_stats (GstQpuLoopFilter *self)
{
  GstStructure *stats = NULL;
  gint32 handle = gst_qpu_calls_enter (self->calls);

  if (handle > 0) {
    stats =
        (GstStructure *) (gintptr) gst_qpu_runtime_callbacks ()->stats (handle);
    gst_qpu_calls_leave (self->calls);
    if (stats == NULL)
      GST_ERROR_OBJECT (self, "the Java side gave no statistics");
  }
  if (stats == NULL)
    stats = gst_qpu_stats_closed ();
  gst_qpu_stats_add_source_codec (stats, GST_BASE_TRANSFORM_SINK_PAD (self));
  return stats;
}

static void
property_changed (GstQpuLoopFilter *self)
{
  gint32 handle = gst_qpu_calls_enter (self->calls);

  /* While the element is closed, the JVM may be starting on another thread: the callbacks are not to be looked at yet. */
  if (handle > 0) {
    gst_qpu_runtime_callbacks ()->property_changed (handle);
    gst_qpu_calls_leave (self->calls);
  }
}

static void
gst_qpu_loop_filter_set_property (GObject *object, guint id,
    const GValue *value, GParamSpec *pspec)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (object);
  guint ordinal = GST_QPU_PROPERTY_ORDINAL (id);

  if (ordinal >= GST_QPU_PROPERTY_COUNT)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else if (gst_qpu_values_set (self->values, ordinal, value))
    property_changed (self);
}

static void
gst_qpu_loop_filter_get_property (GObject *object, guint id, GValue *value,
    GParamSpec *pspec)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (object);
  guint ordinal = GST_QPU_PROPERTY_ORDINAL (id);

  if (ordinal >= GST_QPU_PROPERTY_COUNT)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else if (gst_qpu_property_specs[ordinal].type == GST_QPU_TYPE_STRUCTURE)
    g_value_take_boxed (value, read_stats (self));
  else
    gst_qpu_values_get (self->values, ordinal, value);
}

gchar *
gst_qpu_dup_string (GstQpuLoopFilter *self, gint32 ordinal)
{
  return gst_qpu_values_dup_string (self->values, (guint) ordinal);
}

/* Passthrough. GstBaseTransform reads its own flag several times for one buffer, so the flag changes only between buffers. */

void
gst_qpu_set_passthrough (GstQpuLoopFilter *self, gint32 passthrough)
{
  g_atomic_int_set (&self->passthrough, passthrough);
}

void
gst_qpu_set_look_ahead (GstQpuLoopFilter *self, gint32 pictures)
{
  g_atomic_int_set (&self->look_ahead, pictures);
}

void
gst_qpu_describe_device (GstQpuLoopFilter *self, gint32 imports_dmabufs,
    gint32 works_alone)
{
  g_atomic_int_set (&self->imports_dmabufs, imports_dmabufs);
  g_atomic_int_set (&self->works_alone, works_alone);
}

static void
apply_passthrough (GstQpuLoopFilter *self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  gboolean passthrough =
      g_atomic_int_get (&self->passthrough) && !self->caps_differ;

  if (passthrough == gst_base_transform_is_passthrough (trans))
    return;
  GST_INFO_OBJECT (self,
      passthrough ? "passing buffers through" : "filtering again");
  gst_base_transform_set_passthrough (trans, passthrough);
  /* New allocation queries on both sides: buffers that pass through must suit downstream. */
  gst_base_transform_reconfigure_src (trans);
  gst_base_transform_reconfigure_sink (trans);
}

/* States */

static gboolean
open_filter (GstQpuLoopFilter *self)
{
  gint32 handle;

  if (!gst_qpu_runtime_boot (GST_ELEMENT (self)))
    return FALSE;

  gst_qpu_values_opened (self->values);
  gst_qpu_set_passthrough (self, FALSE);
  gst_qpu_set_look_ahead (self, 0);
  handle = gst_qpu_runtime_callbacks ()->open ((gint64) (gintptr) self,
      (gint64) (gintptr) gst_qpu_values_numbers (self->values));
  if (handle == 0)
    gst_qpu_runtime_post_uncalled (GST_ELEMENT (self), "qpuloopfilter");
  if (handle <= 0)
    return FALSE;

  gst_qpu_calls_open (self->calls, handle);
  gst_qpu_qos_open (self->qos);
  gst_qpu_allocation_open (self->allocation,
      g_atomic_int_get (&self->imports_dmabufs));
  /* Java may have read a value before it was set during open. */
  property_changed (self);
  return TRUE;
}

static void
close_filter (GstQpuLoopFilter *self)
{
  gint32 handle = gst_qpu_calls_close (self->calls);

  if (handle > 0)
    gst_qpu_runtime_callbacks ()->close (handle);
}

static gboolean
reopen_if_stale (GstQpuLoopFilter *self)
{
  if (gst_qpu_calls_handle (self->calls) > 0
      && !gst_qpu_values_stale (self->values) && !gst_qpu_fork_happened ())
    return TRUE;
  close_filter (self);
  return open_filter (self);
}

static GstStateChangeReturn
gst_qpu_loop_filter_change_state (GstElement *element,
    GstStateChange transition)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !open_filter (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !reopen_if_stale (self))
    return GST_STATE_CHANGE_FAILURE;
  /* The streaming thread may wait for a device that hangs, and the parent class waits for that thread. */
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_qpu_calls_make (self->calls, gst_qpu_runtime_callbacks ()->hurry);

  result = GST_ELEMENT_CLASS (gst_qpu_loop_filter_parent_class)
               ->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    gst_qpu_qos_restart (self->qos);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL
      || (transition == GST_STATE_CHANGE_NULL_TO_READY
          && result == GST_STATE_CHANGE_FAILURE))
    close_filter (self);
  return result;
}

/* How many pictures wait for those after them. */
static guint
look_ahead (GstQpuLoopFilter *self)
{
  return (guint) g_atomic_int_get (&self->look_ahead);
}

/* The most pictures under way, with those that wait. */
static guint
most_pictures (GstQpuLoopFilter *self, guint ahead)
{
  return MIN (self->queue_depth + ahead,
      (guint) gst_qpu_property_specs[GST_QPU_PROPERTY_QUEUE_DEPTH].maximum);
}

static gboolean
gst_qpu_loop_filter_start (GstBaseTransform *trans)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  gint32 handle = gst_qpu_calls_handle (self->calls);

  if (handle <= 0) {
    GST_ELEMENT_ERROR (self, CORE, STATE_CHANGE,
        ("The pads of qpuloopfilter were activated in the NULL state; set the element to READY first"),
        (NULL));
    return FALSE;
  }
  self->caps_differ = FALSE;
  gst_qpu_position_begin (self->position, NULL);
  gst_qpu_qos_ask_timing (self->qos);
  self->refuses_caps = FALSE;
  self->queue_depth = g_atomic_int_get (&self->works_alone)
      ? (guint) gst_qpu_values_number (self->values,
            GST_QPU_PROPERTY_QUEUE_DEPTH)
      : 1;
  gst_qpu_pictures_start (self->pictures, handle,
      most_pictures (self, look_ahead (self)), look_ahead (self));
  if (gst_qpu_runtime_callbacks ()->start (handle) <= 0)
    return FALSE;
  apply_passthrough (self);
  return TRUE;
}

static gboolean
gst_qpu_loop_filter_stop (GstBaseTransform *trans)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  gint32 handle = gst_qpu_calls_handle (self->calls);

  /* Users of gst-launch-1.0 cannot read the property stats. */
  if (gst_debug_category_get_threshold (GST_CAT_DEFAULT) >= GST_LEVEL_INFO) {
    GstStructure *stats = read_stats (self);

    GST_INFO_OBJECT (self, "%" GST_PTR_FORMAT, stats);
    gst_structure_free (stats);
  }
  gst_qpu_pictures_discard (self->pictures);
  gst_qpu_allocation_stop (self->allocation);
  /* What fails is on the bus. An element that refused to stop would keep its pipeline from ever ending. */
  if (handle > 0)
    gst_qpu_runtime_callbacks ()->stop (handle);
  return TRUE;
}

/* Caps and sizes */

/* The kinds of memory that a pad may have. */
static GstQpuMemory
pad_memory (GstQpuLoopFilter *self, GstPadDirection direction)
{
  if (direction == GST_PAD_SINK)
    return g_atomic_int_get (&self->imports_dmabufs)
        ? GST_QPU_MEMORY_DMABUF_FIRST
        : GST_QPU_MEMORY_SYSTEM;
  return gst_qpu_allocation_makes_dmabufs (self->allocation)
      ? GST_QPU_MEMORY_DMABUF_TOO
      : GST_QPU_MEMORY_SYSTEM;
}

static GstCaps *
gst_qpu_loop_filter_transform_caps (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstCaps *other, *filtered;

  other = gst_qpu_caps_transform (caps, direction, filter,
      pad_memory (self, direction),
      pad_memory (self, direction == GST_PAD_SRC ? GST_PAD_SINK : GST_PAD_SRC));
  /* Any memory passes through. If the other pad takes only another kind, pictures are copied. */
  if (gst_base_transform_is_passthrough (trans))
    other = gst_caps_merge (gst_caps_ref (caps), other);
  if (filter != NULL) {
    filtered =
        gst_caps_intersect_full (filter, other, GST_CAPS_INTERSECT_FIRST);
    gst_caps_replace (&other, filtered);
    gst_caps_unref (filtered);
  }
  return other;
}

static gboolean
gst_qpu_loop_filter_set_caps (GstBaseTransform *trans, GstCaps *in_caps,
    GstCaps *out_caps)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstQpuNegotiated negotiated;
  gboolean done;

  if (self->refuses_caps)
    return FALSE;
  /* Unless these are taken, there are none: the buffers that follow are not of those before. */
  gst_qpu_allocation_forget_caps (self->allocation);
  if (!gst_qpu_caps_negotiated (in_caps, out_caps, &negotiated)) {
    GST_ERROR_OBJECT (self, "not caps of raw video: %" GST_PTR_FORMAT, in_caps);
    return FALSE;
  }
  /* Downstream may ask for other caps between two buffers; the pictures before them have the old caps. */
  if (gst_qpu_pictures_drain (self->pictures) == GST_FLOW_ERROR) {
    self->refuses_caps = TRUE;
    gst_caps_unref (negotiated.plain);
    return FALSE;
  }
  self->caps_differ = !gst_caps_is_equal (in_caps, out_caps);
  if (self->caps_differ)
    gst_base_transform_set_passthrough (trans, FALSE);
  gst_qpu_qos_ask_timing (self->qos);
  gst_qpu_allocation_set_caps (self->allocation, &negotiated);
  gst_qpu_pictures_set_caps (self->pictures, &negotiated.info,
      negotiated.out_dmabufs);
  done = gst_qpu_runtime_callbacks ()->set_caps (
             gst_qpu_calls_handle (self->calls),
             (gint64) (gintptr) negotiated.plain, negotiated.out_dmabufs,
             negotiated.in_columns, negotiated.out_columns)
      > 0;
  gst_caps_unref (negotiated.plain);
  if (!done)
    gst_qpu_allocation_forget_caps (self->allocation);
  self->refuses_caps = !done;
  return done;
}

static gboolean
gst_qpu_loop_filter_get_unit_size (GstBaseTransform *trans, GstCaps *caps,
    gsize *size)
{
  GstVideoInfo info;

  if (!gst_qpu_caps_video_info (caps, &info)) {
    GST_ERROR_OBJECT (trans, "not caps of raw video: %" GST_PTR_FORMAT, caps);
    return FALSE;
  }
  *size = info.size;
  return TRUE;
}

/* An input buffer may be longer than a frame. GstBaseTransform's own method would refuse it, for it divides by the unit size. */
static gboolean
gst_qpu_loop_filter_transform_size (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, gsize size, GstCaps *othercaps,
    gsize *othersize)
{
  return gst_qpu_loop_filter_get_unit_size (trans, othercaps, othersize);
}

/* Memory and metas */

static gboolean
gst_qpu_loop_filter_decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);

  return gst_qpu_allocation_decide (self->allocation, query,
      gst_qpu_pictures_depth (self->pictures));
}

static gboolean
gst_qpu_loop_filter_propose_allocation (GstBaseTransform *trans,
    GstQuery *decide_query, GstQuery *query)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);

  return gst_qpu_allocation_propose (self->allocation, decide_query, query,
      gst_qpu_pictures_depth (self->pictures));
}

static GstFlowReturn
gst_qpu_loop_filter_prepare_output_buffer (GstBaseTransform *trans,
    GstBuffer *in_buffer, GstBuffer **out_buffer)
{
  return gst_qpu_allocation_prepare_output (
      GST_QPU_LOOP_FILTER (trans)->allocation, in_buffer, out_buffer);
}

/* Upstream is offered the metas that downstream understands and that go through this element, such as GstVideoCropMeta. Metas
 * that describe memory do not: each side has its own buffers. */
static gboolean
gst_qpu_loop_filter_filter_meta (GstBaseTransform *trans, GstQuery *query,
    GType api, const GstStructure *params)
{
  return !gst_meta_api_type_has_tag (api,
      g_quark_from_static_string (GST_META_TAG_MEMORY_STR));
}

/* Whether a meta goes from the input to the output. The caller drops metas that describe the input's memory. All others stay
 * true, for the picture keeps its size and place; but a filtered picture must not be filtered again as its side information
 * says. */
static gboolean
gst_qpu_loop_filter_transform_meta (GstBaseTransform *trans,
    GstBuffer *out_buffer, GstMeta *meta, GstBuffer *in_buffer)
{
  if (meta->info->api == gst_qpu_params_api ())
    return gst_base_transform_is_passthrough (trans);
  /* Such a meta keeps the input's memory, which upstream's pool waits for. */
  return !gst_meta_api_type_has_tag (meta->info->api,
      g_quark_from_static_string (GST_META_TAG_MEMORY_REFERENCE_STR));
}

/* Pictures */

static void
gst_qpu_loop_filter_before_transform (GstBaseTransform *trans,
    GstBuffer *buffer)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;

  /* A stream of bytes, as from filesrc, has no times, by which properties could change. */
  if (trans->segment.format == GST_FORMAT_TIME)
    stream_time = gst_segment_to_stream_time (&trans->segment, GST_FORMAT_TIME,
        GST_BUFFER_TIMESTAMP (buffer));
  if (GST_CLOCK_TIME_IS_VALID (stream_time))
    gst_object_sync_values (GST_OBJECT (trans), stream_time);
  gst_qpu_qos_picture (self->qos, buffer);
  apply_passthrough (self);
}

static GstFlowReturn
gst_qpu_loop_filter_transform (GstBaseTransform *trans, GstBuffer *in_buffer,
    GstBuffer *out_buffer)
{
  /* prepare_output_buffer lets a gap without a picture through. */
  if (in_buffer == out_buffer)
    return GST_FLOW_OK;
  return gst_qpu_pictures_filter (GST_QPU_LOOP_FILTER (trans)->pictures,
      in_buffer, out_buffer);
}

static GstFlowReturn
gst_qpu_loop_filter_submit_input_buffer (GstBaseTransform *trans,
    gboolean is_discont, GstBuffer *input)
{
  GstFlowReturn result =
      GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)
          ->submit_input_buffer (trans, is_discont, input);

  if (trans->queued_buf != NULL)
    gst_qpu_position_note_input (GST_QPU_LOOP_FILTER (trans)->position,
        trans->queued_buf);
  gst_qpu_pictures_submitted (GST_QPU_LOOP_FILTER (trans)->pictures, is_discont,
      result);
  return result;
}

/* Adopts for how many pictures others wait, which a property may have changed, or the timing. */
static GstFlowReturn
set_depth (GstQpuLoopFilter *self)
{
  guint ahead = look_ahead (self);
  guint depth = most_pictures (self, ahead);
  guint before = gst_qpu_pictures_depth (self->pictures);
  GstFlowReturn result =
      gst_qpu_pictures_set_depth (self->pictures, depth, ahead);

  /* Pools on both sides need buffers for all pictures under way. */
  if (depth != before) {
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
    gst_base_transform_reconfigure_sink (GST_BASE_TRANSFORM (self));
  }
  return result;
}

static GstFlowReturn
generate (GstBaseTransform *trans, GstBuffer **out_buffer)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstFlowReturn result;

  gst_qpu_qos_update_timing (self->qos);
  result = set_depth (self);
  *out_buffer = NULL;
  if (result != GST_FLOW_OK)
    return result;
  if (trans->queued_buf != NULL && !self->caps_differ
      && !gst_base_transform_is_passthrough (trans)
      && gst_qpu_allocation_can_pass (self->allocation, trans->queued_buf)
      && gst_qpu_pictures_passes (self->pictures))
    return gst_qpu_pictures_pass (self->pictures, out_buffer);
  if (gst_qpu_pictures_overlap (self->pictures)
      && !gst_base_transform_is_passthrough (trans))
    return gst_qpu_pictures_generate_output (self->pictures, out_buffer);

  result = gst_qpu_pictures_drain (self->pictures);
  return result != GST_FLOW_OK
      ? result
      : GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)
            ->generate_output (trans, out_buffer);
}

static GstFlowReturn
gst_qpu_loop_filter_generate_output (GstBaseTransform *trans,
    GstBuffer **out_buffer)
{
  GstFlowReturn result = generate (trans, out_buffer);

  if (*out_buffer != NULL)
    gst_qpu_position_note_output (GST_QPU_LOOP_FILTER (trans)->position,
        *out_buffer);
  return result;
}

/* Events and queries */

static gboolean
gst_qpu_loop_filter_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstFlowReturn result;

  /* Another source may follow. */
  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
    gst_qpu_qos_ask_timing (self->qos);
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    gst_qpu_pictures_discard (self->pictures);
    gst_qpu_qos_restart (self->qos);
    gst_qpu_position_begin (self->position, NULL);
    self->refuses_caps = FALSE;
  } else if (GST_EVENT_IS_SERIALIZED (event)) {
    /* The event must not overtake a picture. */
    result = gst_qpu_pictures_drain (self->pictures);
    if (result != GST_FLOW_OK)
      GST_DEBUG_OBJECT (self,
          "pictures were dropped before %" GST_PTR_FORMAT ": %s", event,
          gst_flow_get_name (result));
    if (result == GST_FLOW_ERROR)
      self->refuses_caps = TRUE;
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP
      || GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT
      || GST_EVENT_TYPE (event) == GST_EVENT_GAP)
    gst_qpu_calls_make (self->calls, gst_qpu_runtime_callbacks ()->cut);
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT) {
    const GstSegment *segment;

    gst_event_parse_segment (event, &segment);
    gst_qpu_position_begin (self->position, segment);
  }
  return GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)
      ->sink_event (trans, event);
}

static gboolean
gst_qpu_loop_filter_src_event (GstBaseTransform *trans, GstEvent *event)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  gboolean handled;

  if (gst_qpu_values_number (self->values, GST_QPU_PROPERTY_DEGRADE)
      && gst_qpu_qos_take (self->qos, event, &handled))
    return handled;
  return GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)
      ->src_event (trans, event);
}

void
gst_qpu_degraded (GstQpuLoopFilter *self, gint64 late, gint32 step,
    gint32 steps, gint64 frames)
{
  gst_qpu_qos_post_degraded (self->qos, late,
      steps > 0 ? (gdouble) step / steps : 0, (guint64) frames);
}

static gboolean
gst_qpu_loop_filter_query (GstBaseTransform *trans, GstPadDirection direction,
    GstQuery *query)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstClockTime minimum, maximum, latency;
  gboolean live;

  if (GST_QUERY_TYPE (query) == GST_QUERY_POSITION)
    return gst_qpu_position_answer (self->position, direction, query);
  if (direction == GST_PAD_SINK && GST_QUERY_TYPE (query) == GST_QUERY_DRAIN)
    gst_qpu_pictures_drain (self->pictures);
  if (!GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)
          ->query (trans, direction, query))
    return FALSE;
  if (direction == GST_PAD_SRC && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY) {
    latency = gst_qpu_pictures_latency (self->pictures);
    gst_query_parse_latency (query, &live, &minimum, &maximum);
    gst_query_set_latency (query, live, minimum + latency,
        GST_CLOCK_TIME_IS_VALID (maximum) ? maximum + latency : maximum);
  }
  return TRUE;
}

/* The class */

static void
gst_qpu_loop_filter_finalize (GObject *object)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (object);

  gst_qpu_pictures_free (self->pictures);
  gst_qpu_allocation_free (self->allocation);
  gst_qpu_qos_free (self->qos);
  gst_qpu_position_free (self->position);
  gst_qpu_calls_free (self->calls);
  gst_qpu_values_free (self->values);
  G_OBJECT_CLASS (gst_qpu_loop_filter_parent_class)->finalize (object);
}

static void
gst_qpu_loop_filter_class_init (GstQpuLoopFilterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstCaps *caps;

  object_class->set_property = gst_qpu_loop_filter_set_property;
  object_class->get_property = gst_qpu_loop_filter_get_property;
  object_class->finalize = gst_qpu_loop_filter_finalize;
  gst_qpu_properties_install (object_class);

  gst_element_class_set_static_metadata (element_class, "Codec loop filter",
      "Filter/Effect/Video",
      "Takes blocking and ringing out of decoded video with the loop filters of"
      " H.264 (deblocking) and AV1 (CDEF) and with transform shrinkage, on a"
      " Vulkan device or the CPU",
      "The gst-qpu authors");
  caps = gst_qpu_caps_template ();
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
  element_class->change_state = gst_qpu_loop_filter_change_state;

  trans_class->start = gst_qpu_loop_filter_start;
  trans_class->stop = gst_qpu_loop_filter_stop;
  trans_class->transform_caps = gst_qpu_loop_filter_transform_caps;
  trans_class->set_caps = gst_qpu_loop_filter_set_caps;
  trans_class->get_unit_size = gst_qpu_loop_filter_get_unit_size;
  trans_class->transform_size = gst_qpu_loop_filter_transform_size;
  trans_class->filter_meta = gst_qpu_loop_filter_filter_meta;
  trans_class->decide_allocation = gst_qpu_loop_filter_decide_allocation;
  trans_class->propose_allocation = gst_qpu_loop_filter_propose_allocation;
  trans_class->prepare_output_buffer =
      gst_qpu_loop_filter_prepare_output_buffer;
  trans_class->transform_meta = gst_qpu_loop_filter_transform_meta;
  trans_class->before_transform = gst_qpu_loop_filter_before_transform;
  trans_class->transform = gst_qpu_loop_filter_transform;
  trans_class->submit_input_buffer = gst_qpu_loop_filter_submit_input_buffer;
  trans_class->generate_output = gst_qpu_loop_filter_generate_output;
  trans_class->sink_event = gst_qpu_loop_filter_sink_event;
  trans_class->src_event = gst_qpu_loop_filter_src_event;
  trans_class->query = gst_qpu_loop_filter_query;
}

static void
gst_qpu_loop_filter_init (GstQpuLoopFilter *self)
{
  self->imports_dmabufs = TRUE;
  self->values = gst_qpu_values_new (GST_ELEMENT (self));
  self->calls = gst_qpu_calls_new (GST_ELEMENT (self));
  self->qos = gst_qpu_qos_new (GST_BASE_TRANSFORM (self), self->calls);
  self->position = gst_qpu_position_new (GST_BASE_TRANSFORM (self));
  self->allocation = gst_qpu_allocation_new (GST_BASE_TRANSFORM (self));
  self->pictures = gst_qpu_pictures_new (GST_BASE_TRANSFORM (self));
}
