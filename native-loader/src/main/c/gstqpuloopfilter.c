/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuloopfilter.h"

#include <gst/allocators/gstdmabuf.h>
#include <gst/video/video.h>
#include <string.h>

#include "gstqpucaps.h"
#include "gstqpucolumns.h"
#include "gstqpudebug.h"
#include "gstqpudmabufs.h"
#include "gstqpuparams.h"
#include "gstqpuproperties.h"
#include "gstqpuqueue.h"
#include "gstqpuruntime.h"

struct _GstQpuLoopFilter
{
  GstBaseTransform parent;

  /* Property values by ordinal, under the object lock; Java reads values without it. */
  gint32 values[GST_QPU_PROPERTY_COUNT];
  gchar *strings[GST_QPU_PROPERTY_COUNT];
  /* What was set exactly, where values has parts; under the object lock. */
  gdouble fractions[GST_QPU_PROPERTY_COUNT];

  /* Java's number for this element, above 0 between open and close; written under the object lock. */
  gint32 handle;
  /* Calls into Java by enter() that have not left yet, under the object lock; close waits on idle for 0. */
  guint calls;
  GCond idle;
  /* A property that open reads has changed since, under the object lock. */
  gboolean stale;

  /* What Java last asked for; atomic. */
  gint passthrough;
  /* Whether the device, as far as one is open, imports dmabufs; atomic. */
  gint imports_dmabufs;
  /* Whether the element's own buffers are dmabufs, as far as it is open; atomic. */
  gint makes_dmabufs;
  /* Whether it filters while the streaming thread goes on; atomic. */
  gint works_alone;

  /* Pictures under way, and how many there may be; streaming thread. */
  GstQpuQueue queue;
  guint depth;
  /* Whether downstream takes dmabufs, with the fences that they have; streaming thread. */
  gboolean hands_over;
  /* How long a picture waits for those after it, under the object lock. */
  GstClockTime delay;

  /* What both pads' caps say of the picture, as plain caps; streaming thread. */
  GstCaps *caps;
  GstVideoInfo info;
  /* Whether the caps of the two pads differ, which forbids to pass buffers through; streaming thread. */
  gboolean caps_differ;
  /* Whether the source pad's caps are of dmabufs; streaming thread. */
  gboolean out_dmabufs;
  /* The column heights of the pads' caps (gstqpucolumns.h); streaming thread. */
  gint32 in_columns;
  gint32 out_columns;
  /* Upstream was offered GstVideoMeta, which downstream does not read; streaming thread. */
  gboolean foreign_layouts;
  /* Downstream reads GstVideoMeta, as of the last allocation query; streaming thread. */
  gboolean downstream_layouts;

  /* Buffers for pictures that are larger than the caps say because a GstVideoCropMeta crops them, and the size that the
   * pool was made for; streaming thread. */
  GstBufferPool *uncropped_pool;
  guint uncropped_width;
  guint uncropped_height;
};

G_DEFINE_TYPE (GstQpuLoopFilter, gst_qpu_loop_filter, GST_TYPE_BASE_TRANSFORM);

/* Calls into Java from threads other than those that GstBaseTransform orders before close. */

/* The handle, which stays valid until leave(), or 0 while closed. Object lock held. */
static gint32
enter_locked (GstQpuLoopFilter * self)
{
  if (self->handle > 0)
    self->calls++;
  return self->handle;
}

static void
leave (GstQpuLoopFilter * self)
{
  GST_OBJECT_LOCK (self);
  if (--self->calls == 0)
    g_cond_broadcast (&self->idle);
  GST_OBJECT_UNLOCK (self);
}

static void
notify_changed (GstQpuLoopFilter * self, guint ordinal)
{
  gint32 handle;

  GST_OBJECT_LOCK (self);
  handle = enter_locked (self);
  GST_OBJECT_UNLOCK (self);
  if (handle > 0) {
    gst_qpu_runtime_callbacks ()->property_changed (handle, (gint32) ordinal);
    leave (self);
  }
}

/* Adds the codec that the stream's tags name, if any. */
static void
add_source_codec (GstQpuLoopFilter * self, GstStructure * stats)
{
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self);
  GstTagList *tags;
  GstEvent *event;
  gchar *codec = NULL;

  for (guint i = 0; codec == NULL
      && (event = gst_pad_get_sticky_event (pad, GST_EVENT_TAG, i)) != NULL;
      i++) {
    gst_event_parse_tag (event, &tags);
    gst_tag_list_get_string (tags, GST_TAG_VIDEO_CODEC, &codec);
    gst_event_unref (event);
  }
  gst_structure_set (stats, "source-codec", G_TYPE_STRING,
      codec != NULL ? codec : "none", NULL);
  g_free (codec);
}

static GstStructure *
read_stats (GstQpuLoopFilter * self)
{
  GstStructure *stats = NULL;
  gint32 handle;

  GST_OBJECT_LOCK (self);
  handle = enter_locked (self);
  GST_OBJECT_UNLOCK (self);
  if (handle > 0) {
    stats = (GstStructure *) (gintptr)
        gst_qpu_runtime_callbacks ()->stats (handle);
    leave (self);
    if (stats == NULL)
      GST_ERROR_OBJECT (self, "the Java side gave no statistics");
  }
  if (stats == NULL) {
    stats = gst_qpu_stats_new ("none", "none", "none", "none");
    for (guint i = 0; i < GST_QPU_COUNTER_COUNT; i++)
      gst_qpu_stats_add (stats, gst_qpu_counter_specs[i].name, 0,
          gst_qpu_counter_specs[i].is_signed);
  }
  add_source_codec (self, stats);
  return stats;
}

/* Properties */

static void
gst_qpu_loop_filter_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (object);
  guint ordinal = GST_QPU_PROPERTY_ORDINAL (id);
  const GstQpuPropertySpec *spec;
  gboolean changed;

  if (ordinal >= GST_QPU_PROPERTY_COUNT) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  spec = &gst_qpu_property_specs[ordinal];

  GST_OBJECT_LOCK (self);
  if (spec->type == GST_QPU_TYPE_STRING) {
    const gchar *string = g_value_get_string (value);

    changed = g_strcmp0 (string, self->strings[ordinal]) != 0;
    if (changed) {
      g_free (self->strings[ordinal]);
      self->strings[ordinal] = g_strdup (string);
    }
  } else {
    gint32 number;

    if (spec->type == GST_QPU_TYPE_FRACTION) {
      self->fractions[ordinal] = g_value_get_double (value);
      number = (gint32) (self->fractions[ordinal] * spec->maximum + 0.5);
    } else {
      number = spec->type == GST_QPU_TYPE_BOOLEAN ?
          g_value_get_boolean (value) : spec->type == GST_QPU_TYPE_ENUM ?
          g_value_get_enum (value) : g_value_get_int (value);
    }

    changed = number != self->values[ordinal];
    g_atomic_int_set (&self->values[ordinal], number);
  }
  if (changed && spec->access == GST_QPU_ACCESS_READY) {
    self->stale = TRUE;
    if (GST_STATE (self) > GST_STATE_READY)
      GST_WARNING_OBJECT (self,
          "%s takes effect when the element next leaves the READY state",
          spec->name);
  }
  GST_OBJECT_UNLOCK (self);

  if (changed && spec->access == GST_QPU_ACCESS_CONTROLLABLE)
    notify_changed (self, ordinal);
}

static void
gst_qpu_loop_filter_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (object);
  guint ordinal = GST_QPU_PROPERTY_ORDINAL (id);

  if (ordinal >= GST_QPU_PROPERTY_COUNT) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  switch (gst_qpu_property_specs[ordinal].type) {
    case GST_QPU_TYPE_BOOLEAN:
      g_value_set_boolean (value, g_atomic_int_get (&self->values[ordinal]));
      break;
    case GST_QPU_TYPE_INT:
      g_value_set_int (value, g_atomic_int_get (&self->values[ordinal]));
      break;
    case GST_QPU_TYPE_FRACTION:
      GST_OBJECT_LOCK (self);
      g_value_set_double (value, self->fractions[ordinal]);
      GST_OBJECT_UNLOCK (self);
      break;
    case GST_QPU_TYPE_ENUM:
      g_value_set_enum (value, g_atomic_int_get (&self->values[ordinal]));
      break;
    case GST_QPU_TYPE_STRING:
      g_value_take_string (value, gst_qpu_loop_filter_dup_string (self,
              ordinal));
      break;
    case GST_QPU_TYPE_STRUCTURE:
      g_value_take_boxed (value, read_stats (self));
      break;
  }
}

gchar *
gst_qpu_loop_filter_dup_string (GstQpuLoopFilter * self, guint ordinal)
{
  gchar *copy;

  g_return_val_if_fail (ordinal < GST_QPU_PROPERTY_COUNT, NULL);
  GST_OBJECT_LOCK (self);
  copy = g_strdup (self->strings[ordinal]);
  GST_OBJECT_UNLOCK (self);
  return copy;
}

/* Passthrough. GstBaseTransform looks at it several times for one buffer, so it changes between buffers only. */

void
gst_qpu_loop_filter_set_passthrough (GstQpuLoopFilter * self,
    gboolean passthrough)
{
  g_atomic_int_set (&self->passthrough, passthrough);
}

void
gst_qpu_loop_filter_describe_device (GstQpuLoopFilter * self,
    gboolean imports_dmabufs, gboolean works_alone)
{
  g_atomic_int_set (&self->imports_dmabufs, imports_dmabufs);
  g_atomic_int_set (&self->works_alone, works_alone);
}

static void
apply_passthrough (GstQpuLoopFilter * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  gboolean passthrough = g_atomic_int_get (&self->passthrough)
      && !self->caps_differ;

  if (passthrough == gst_base_transform_is_passthrough (trans))
    return;
  GST_INFO_OBJECT (self, passthrough ? "passing buffers through" :
      "filtering again");
  gst_base_transform_set_passthrough (trans, passthrough);
  /* Decides anew on this element's own buffers; on upstream's, which have to suit downstream while they pass through. */
  gst_base_transform_reconfigure_src (trans);
  gst_base_transform_reconfigure_sink (trans);
}

/* States */

/* Finds out whether own buffers can be dmabufs, which only a device that imports them has a use for. */
static void
look_for_dmabufs (GstQpuLoopFilter * self)
{
  const gchar *reason = "the device does not import them";
  gboolean found = g_atomic_int_get (&self->imports_dmabufs)
      && gst_qpu_dmabufs_available (&reason);

  g_atomic_int_set (&self->makes_dmabufs, found);
  if (!found)
    GST_INFO_OBJECT (self, "own buffers are no dmabufs: %s", reason);
}

static gboolean
open_filter (GstQpuLoopFilter * self)
{
  GError *error = NULL;
  gint32 before[GST_QPU_PROPERTY_COUNT];
  gint32 handle;

  if (!gst_qpu_runtime_boot (&error)) {
    gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR,
        error->domain, error->code, g_strdup (error->message), NULL, __FILE__,
        GST_FUNCTION, __LINE__);
    g_error_free (error);
    return FALSE;
  }

  GST_OBJECT_LOCK (self);
  memcpy (before, self->values, sizeof before);
  self->stale = FALSE;
  GST_OBJECT_UNLOCK (self);
  gst_qpu_loop_filter_set_passthrough (self, FALSE);
  handle = gst_qpu_runtime_callbacks ()->open ((gint64) (gintptr) self,
      (gint64) (gintptr) self->values);
  if (handle == 0)
    GST_ELEMENT_ERROR (self, LIBRARY, INIT,
        ("The Java side of qpuloopfilter could not be called: standard error says why, please report it"),
        (NULL));
  if (handle <= 0)
    return FALSE;

  GST_OBJECT_LOCK (self);
  self->handle = handle;
  GST_OBJECT_UNLOCK (self);
  look_for_dmabufs (self);
  /* What was set while Java opened, it may have read or not. */
  for (guint i = 0; i < GST_QPU_PROPERTY_COUNT; i++) {
    if (gst_qpu_property_specs[i].access == GST_QPU_ACCESS_CONTROLLABLE &&
        g_atomic_int_get (&self->values[i]) != before[i])
      notify_changed (self, i);
  }
  return TRUE;
}

static void
close_filter (GstQpuLoopFilter * self)
{
  gint32 handle;

  GST_OBJECT_LOCK (self);
  handle = self->handle;
  self->handle = 0;
  while (self->calls > 0)
    g_cond_wait (&self->idle, GST_OBJECT_GET_LOCK (self));
  GST_OBJECT_UNLOCK (self);
  if (handle > 0)
    gst_qpu_runtime_callbacks ()->close (handle);
}

static gboolean
reopen_if_stale (GstQpuLoopFilter * self)
{
  gboolean fresh;

  GST_OBJECT_LOCK (self);
  fresh = self->handle > 0 && !self->stale;
  GST_OBJECT_UNLOCK (self);
  if (fresh)
    return TRUE;
  close_filter (self);
  return open_filter (self);
}

static GstStateChangeReturn
gst_qpu_loop_filter_change_state (GstElement * element,
    GstStateChange transition)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !open_filter (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !reopen_if_stale (self))
    return GST_STATE_CHANGE_FAILURE;

  result = GST_ELEMENT_CLASS (gst_qpu_loop_filter_parent_class)->change_state
      (element, transition);

  if (transition == GST_STATE_CHANGE_READY_TO_NULL ||
      (transition == GST_STATE_CHANGE_NULL_TO_READY &&
          result == GST_STATE_CHANGE_FAILURE))
    close_filter (self);
  return result;
}

static void
drop_uncropped_pool (GstQpuLoopFilter * self)
{
  if (self->uncropped_pool != NULL) {
    gst_buffer_pool_set_active (self->uncropped_pool, FALSE);
    gst_clear_object (&self->uncropped_pool);
  }
}

/* Pictures under way */

static void
set_delay (GstQpuLoopFilter * self, GstClockTime delay)
{
  gboolean changed;

  GST_OBJECT_LOCK (self);
  changed = self->delay != delay;
  self->delay = delay;
  GST_OBJECT_UNLOCK (self);
  if (changed)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_latency (GST_OBJECT (self)));
}

/* Finishes all pictures under way and pushes them; the first thing that went wrong. */
static GstFlowReturn
drain (GstQpuLoopFilter * self)
{
  GstFlowReturn result = GST_FLOW_OK, finished;
  GstBuffer *output;

  while (gst_qpu_queue_length (&self->queue) > 0) {
    finished = gst_qpu_queue_finish (&self->queue, self->handle, TRUE, &output);
    if (result == GST_FLOW_OK)
      result = finished;
    if (output != NULL && result == GST_FLOW_OK)
      result = gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self), output);
    else
      gst_clear_buffer (&output);
  }
  return result;
}

/* Finishes them and pushes none. */
static void
discard (GstQpuLoopFilter * self)
{
  GstBuffer *output;

  while (gst_qpu_queue_length (&self->queue) > 0) {
    gst_qpu_queue_finish (&self->queue, self->handle, TRUE, &output);
    gst_clear_buffer (&output);
  }
}

static gboolean
gst_qpu_loop_filter_start (GstBaseTransform * trans)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);

  if (self->handle <= 0) {
    GST_ELEMENT_ERROR (self, CORE, STATE_CHANGE,
        ("The pads of qpuloopfilter were activated in the NULL state; set the element to READY first"),
        (NULL));
    return FALSE;
  }
  self->foreign_layouts = FALSE;
  self->caps_differ = FALSE;
  self->hands_over = FALSE;
  self->depth = g_atomic_int_get (&self->works_alone) ?
      (guint) self->values[GST_QPU_PROPERTY_QUEUE_DEPTH] : 1;
  set_delay (self, 0);
  if (gst_qpu_runtime_callbacks ()->start (self->handle) <= 0)
    return FALSE;
  apply_passthrough (self);
  return TRUE;
}

static gboolean
gst_qpu_loop_filter_stop (GstBaseTransform * trans)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);

  /* What ran where, for someone who cannot read the property: gst-launch-1.0's user. */
  if (gst_debug_category_get_threshold (GST_CAT_DEFAULT) >= GST_LEVEL_INFO) {
    GstStructure *stats = read_stats (self);

    GST_INFO_OBJECT (self, "%" GST_PTR_FORMAT, stats);
    gst_structure_free (stats);
  }
  discard (self);
  drop_uncropped_pool (self);
  gst_clear_caps (&self->caps);
  return self->handle <= 0 ||
      gst_qpu_runtime_callbacks ()->stop (self->handle) > 0;
}

/* Caps and sizes */

/* What a pad may have. */
static GstQpuMemory
pad_memory (GstQpuLoopFilter * self, GstPadDirection direction)
{
  if (direction == GST_PAD_SINK)
    return g_atomic_int_get (&self->imports_dmabufs) ?
        GST_QPU_MEMORY_DMABUF_FIRST : GST_QPU_MEMORY_SYSTEM;
  return g_atomic_int_get (&self->makes_dmabufs) ? GST_QPU_MEMORY_DMABUF_TOO :
      GST_QPU_MEMORY_SYSTEM;
}

static GstCaps *
gst_qpu_loop_filter_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstCaps *other, *filtered;

  other = gst_qpu_caps_transform (caps, direction, filter, pad_memory (self,
          direction),
      pad_memory (self,
          direction == GST_PAD_SRC ? GST_PAD_SINK : GST_PAD_SRC));
  /* Any memory passes through; where the other pad takes another kind only, pictures are copied. */
  if (gst_base_transform_is_passthrough (trans))
    other = gst_caps_merge (gst_caps_ref (caps), other);
  if (filter != NULL) {
    filtered = gst_caps_intersect_full (filter, other,
        GST_CAPS_INTERSECT_FIRST);
    gst_caps_replace (&other, filtered);
    gst_caps_unref (filtered);
  }
  return other;
}

static gboolean
is_of_dmabufs (GstCaps * caps)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_CAPS_FEATURE_MEMORY_DMABUF);
}

static gboolean
gst_qpu_loop_filter_set_caps (GstBaseTransform * trans, GstCaps * in_caps,
    GstCaps * out_caps)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstCaps *plain = gst_qpu_caps_plain (in_caps);
  gboolean done;

  if (plain == NULL || !gst_video_info_from_caps (&self->info, plain)) {
    GST_ERROR_OBJECT (self, "not caps of raw video: %" GST_PTR_FORMAT, in_caps);
    gst_clear_caps (&plain);
    return FALSE;
  }
  drop_uncropped_pool (self);
  self->caps_differ = !gst_caps_is_equal (in_caps, out_caps);
  self->out_dmabufs = is_of_dmabufs (out_caps);
  self->in_columns = gst_qpu_caps_column_height (in_caps);
  self->out_columns = gst_qpu_caps_column_height (out_caps);
  if (self->caps_differ)
    gst_base_transform_set_passthrough (trans, FALSE);
  gst_caps_replace (&self->caps, plain);
  self->hands_over = gst_caps_features_contains (gst_caps_get_features
      (out_caps, 0), GST_CAPS_FEATURE_MEMORY_DMABUF);
  if (self->hands_over || self->depth == 1
      || GST_VIDEO_INFO_FPS_N (&self->info) <= 0)
    set_delay (self, 0);
  else
    set_delay (self, gst_util_uint64_scale (self->depth - 1,
            GST_SECOND * GST_VIDEO_INFO_FPS_D (&self->info),
            GST_VIDEO_INFO_FPS_N (&self->info)));
  done = gst_qpu_runtime_callbacks ()->set_caps (self->handle,
      (gint64) (gintptr) plain, self->hands_over, self->in_columns,
      self->out_columns) > 0;
  gst_caps_unref (plain);
  return done;
}

static gboolean
gst_qpu_loop_filter_get_unit_size (GstBaseTransform * trans, GstCaps * caps,
    gsize * size)
{
  GstVideoInfo info;

  if (!gst_qpu_caps_video_info (caps, &info)) {
    GST_ERROR_OBJECT (trans, "not caps of raw video: %" GST_PTR_FORMAT, caps);
    return FALSE;
  }
  *size = info.size;
  return TRUE;
}

/* Input buffers may be longer than a frame, so that the default, which divides by the unit size, would refuse them. */
static gboolean
gst_qpu_loop_filter_transform_size (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, gsize size, GstCaps * othercaps,
    gsize * othersize)
{
  (void) direction;
  (void) caps;
  (void) size;
  return gst_qpu_loop_filter_get_unit_size (trans, othercaps, othersize);
}

/* Allocation */

/* Metas that downstream understands and that this element hands through may be offered upstream, GstVideoCropMeta above
 * all; those that describe memory depend on the buffers of each side. */
static gboolean
gst_qpu_loop_filter_filter_meta (GstBaseTransform * trans, GstQuery * query,
    GType api, const GstStructure * params)
{
  (void) trans;
  (void) query;
  (void) params;
  return !gst_meta_api_type_has_tag (api,
      g_quark_from_static_string (GST_META_TAG_MEMORY_STR));
}

/* Whether the pool's buffers are dmabufs, as far as it tells before it is active. */
static gboolean
pool_has_dmabufs (GstBufferPool * pool)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstAllocator *allocator = NULL;
  gboolean has_dmabufs =
      gst_buffer_pool_config_get_allocator (config, &allocator, NULL)
      && allocator != NULL && GST_IS_DMABUF_ALLOCATOR (allocator);

  gst_structure_free (config);
  return has_dmabufs;
}

/* A pool for pictures like these that this element writes: of dmabufs, where those are of use. NULL on failure. */
static GstBufferPool *
own_pool_new (GstQpuLoopFilter * self, GstCaps * plain,
    const GstVideoInfo * info, guint size, guint min, gboolean with_meta)
{
  GstAllocator *allocator = NULL;
  GstBufferPool *pool;
  guint max = 0;

  if (g_atomic_int_get (&self->makes_dmabufs)) {
    allocator = gst_qpu_dmabuf_allocator_new (!self->out_dmabufs);
    /* Where downstream takes nothing but dmabufs, it has to give one back before it gets too many. */
    if (self->out_dmabufs)
      max = MAX (min, GST_QPU_DMABUFS_MAX);
  }
  if (self->out_columns != GST_QPU_WHOLE_ROWS)
    pool = gst_qpu_columns_pool_new (allocator, plain,
        (guint) GST_VIDEO_INFO_WIDTH (info),
        (guint) GST_VIDEO_INFO_HEIGHT (info), self->out_columns, min, max);
  else
    pool = gst_qpu_video_pool_new (allocator, plain, size, min, max, with_meta);
  gst_clear_object (&allocator);
  return pool;
}

/* Sees to it that a pool keeps its allocator: the parent's method gives it the one that the query has, or none. */
static void
keep_allocator (GstBufferPool * pool, GstQuery * query)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstAllocator *own = NULL, *given = NULL;
  GstAllocationParams params, given_params;
  gboolean asked = gst_query_get_n_allocation_params (query) > 0;

  if (asked)
    gst_query_parse_nth_allocation_param (query, 0, &given, &given_params);
  if (given == NULL
      && gst_buffer_pool_config_get_allocator (config, &own, &params)
      && own != NULL) {
    if (asked)
      gst_query_set_nth_allocation_param (query, 0, own, &given_params);
    else
      gst_query_add_allocation_param (query, own, &params);
  }
  gst_clear_object (&given);
  gst_structure_free (config);
}

/* Takes downstream's pool, unless its buffers had to be copied into where those of a pool of our own need not. */
static gboolean
gst_qpu_loop_filter_decide_allocation (GstBaseTransform * trans,
    GstQuery * query)
{
  GstBufferPool *pool = NULL;
  guint size = 0, min = 0, max = 0;
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstStructure *config;
  GstCaps *caps, *plain;
  GstVideoInfo info;

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps == NULL || !gst_qpu_caps_video_info (caps, &info)) {
    GST_ERROR_OBJECT (trans, "not caps of raw video: %" GST_PTR_FORMAT, caps);
    return FALSE;
  }
  self->downstream_layouts = gst_query_find_allocation_meta (query,
      GST_VIDEO_META_API_TYPE, NULL);
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, &max);
  else
    gst_query_add_allocation_pool (query, NULL, info.size, 0, 0);
  size = MAX (size, info.size);
  /* Pictures under way keep buffers from downstream. */
  min += self->depth - 1;
  if (max > 0)
    max = MAX (max, min);
  /* A pool of others does not say how it would lay columns out. */
  if (pool != NULL && (self->out_columns != GST_QPU_WHOLE_ROWS
          || (!self->out_dmabufs && g_atomic_int_get (&self->makes_dmabufs)
              && !pool_has_dmabufs (pool))))
    gst_clear_object (&pool);

  if (pool != NULL) {
    config = gst_buffer_pool_get_config (pool);
    gst_buffer_pool_config_set_params (config, caps, size, min, max);
    if (self->downstream_layouts
        && gst_buffer_pool_has_option (pool, GST_BUFFER_POOL_OPTION_VIDEO_META))
      gst_buffer_pool_config_add_option (config,
          GST_BUFFER_POOL_OPTION_VIDEO_META);
    /* A pool that wants other values keeps them; the parent's method asks for them again. */
    gst_buffer_pool_set_config (pool, config);
    keep_allocator (pool, query);
  }
  gst_query_set_nth_allocation_pool (query, 0, pool, size, min, max);
  if (!GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)->
      decide_allocation (trans, query)) {
    gst_clear_object (&pool);
    return FALSE;
  }
  if (pool == NULL) {
    /* In place of the one that the parent has made, which knows no pictures. */
    plain = gst_qpu_caps_plain (caps);
    pool =
        own_pool_new (self, plain, &info, size, min, self->downstream_layouts);
    gst_caps_unref (plain);
    if (pool == NULL)
      return FALSE;
    gst_query_set_nth_allocation_pool (query, 0, pool, size, min, 0);
  }
  gst_object_unref (pool);
  return TRUE;
}

/* Offers upstream memory that the device needs no copy of, and that a decoder works in as in any. */
static void
offer_dmabufs (GstQuery * query, guint depth)
{
  GstAllocator *allocator;
  GstBufferPool *pool = NULL;
  GstVideoInfo info;
  gboolean need_pool;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (caps == NULL || !gst_qpu_caps_video_info (caps, &info))
    return;
  if (is_of_dmabufs (caps)) {
    /* Upstream brings its own, of which pictures under way keep some. */
    gst_query_add_allocation_pool (query, NULL, info.size, depth, 0);
    return;
  }
  allocator = gst_qpu_dmabuf_allocator_new (TRUE);
  if (allocator == NULL)
    return;
  gst_query_add_allocation_param (query, allocator, NULL);
  if (need_pool)
    pool = gst_qpu_video_pool_new (allocator, caps, info.size, 0, 0, TRUE);
  gst_object_unref (allocator);
  if (pool != NULL) {
    gst_query_add_allocation_pool (query, pool, info.size, 0, 0);
    gst_object_unref (pool);
  }
}

static gboolean
gst_qpu_loop_filter_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);

  if (!GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)->
      propose_allocation (trans, decide_query, query))
    return FALSE;
  /* Without decide_query the element passes buffers through, and only downstream's answer counts. */
  if (decide_query != NULL) {
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
    if (!gst_query_find_allocation_meta (query, gst_qpu_params_api (), NULL))
      gst_query_add_allocation_meta (query, gst_qpu_params_api (), NULL);
    if (g_atomic_int_get (&self->makes_dmabufs))
      offer_dmabufs (query, self->depth);
  }
  self->foreign_layouts = decide_query != NULL && !self->downstream_layouts;
  return TRUE;
}

/* Whether a buffer's planes lie as its caps alone say. */
static gboolean
has_default_layout (GstQpuLoopFilter * self, GstVideoMeta * meta)
{
  if ((gint) meta->width != GST_VIDEO_INFO_WIDTH (&self->info) ||
      (gint) meta->height != GST_VIDEO_INFO_HEIGHT (&self->info))
    return FALSE;
  for (guint i = 0; i < meta->n_planes; i++) {
    if (meta->offset[i] != GST_VIDEO_INFO_PLANE_OFFSET (&self->info, i) ||
        meta->stride[i] != GST_VIDEO_INFO_PLANE_STRIDE (&self->info, i))
      return FALSE;
  }
  return TRUE;
}

/* A copy with the layout of the caps, without GstVideoMeta. */
static GstFlowReturn
copy_to_default_layout (GstQpuLoopFilter * self, GstBuffer * in_buffer,
    GstBuffer ** out_buffer)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstVideoFrame in_frame, out_frame;
  GstBuffer *copy = gst_buffer_new_allocate (NULL, self->info.size, NULL);
  gboolean copied = FALSE;

  if (copy != NULL && gst_video_frame_map (&in_frame, &self->info, in_buffer,
          GST_MAP_READ)) {
    if (gst_video_frame_map (&out_frame, &self->info, copy, GST_MAP_WRITE)) {
      copied = gst_video_frame_copy (&out_frame, &in_frame);
      gst_video_frame_unmap (&out_frame);
    }
    gst_video_frame_unmap (&in_frame);
  }
  if (!copied || !GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (trans,
          in_buffer, copy)) {
    gst_clear_buffer (&copy);
    GST_ELEMENT_ERROR (self, RESOURCE, READ,
        ("A buffer of %" G_GSIZE_FORMAT " bytes could not be copied: close other programs, if memory is short, or look at the element before qpuloopfilter",
            gst_buffer_get_size (in_buffer)), (NULL));
    return GST_FLOW_ERROR;
  }
  *out_buffer = copy;
  return GST_FLOW_OK;
}

static GstBufferPool *
uncropped_pool (GstQpuLoopFilter * self, guint width, guint height)
{
  GstVideoInfo info;
  GstCaps *caps;

  if (self->uncropped_pool != NULL && self->uncropped_width == width &&
      self->uncropped_height == height)
    return self->uncropped_pool;

  drop_uncropped_pool (self);
  caps = gst_caps_copy (self->caps);
  gst_caps_set_simple (caps, "width", G_TYPE_INT, (gint) width, "height",
      G_TYPE_INT, (gint) height, NULL);
  if (gst_video_info_from_caps (&info, caps)) {
    GstBufferPool *pool = own_pool_new (self, caps, &info, info.size, 0, TRUE);

    if (pool != NULL && gst_buffer_pool_set_active (pool, TRUE)) {
      self->uncropped_pool = pool;
      self->uncropped_width = width;
      self->uncropped_height = height;
    } else {
      gst_clear_object (&pool);
    }
  }
  gst_caps_unref (caps);
  return self->uncropped_pool;
}

static GstFlowReturn
gst_qpu_loop_filter_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in_buffer, GstBuffer ** out_buffer)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstVideoMeta *meta = gst_buffer_get_video_meta (in_buffer);
  GstBufferPool *pool;
  GstFlowReturn result;

  /* A gap without a picture goes on as it is; transform then has nothing to do. */
  if (gst_buffer_n_memory (in_buffer) == 0
      && GST_BUFFER_FLAG_IS_SET (in_buffer, GST_BUFFER_FLAG_GAP)) {
    *out_buffer = in_buffer;
    return GST_FLOW_OK;
  }

  /* Buffers that upstream laid out for the filter, after it was switched off. */
  if (gst_base_transform_is_passthrough (trans) && self->foreign_layouts
      && self->in_columns == GST_QPU_WHOLE_ROWS && meta != NULL && !has_default_layout (self, meta)
      && gst_buffer_get_video_crop_meta (in_buffer) == NULL)
    return copy_to_default_layout (self, in_buffer, out_buffer);

  if (gst_base_transform_is_passthrough (trans) || meta == NULL ||
      ((gint) meta->width == GST_VIDEO_INFO_WIDTH (&self->info) &&
          (gint) meta->height == GST_VIDEO_INFO_HEIGHT (&self->info)))
    return GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)->
        prepare_output_buffer (trans, in_buffer, out_buffer);

  pool = uncropped_pool (self, meta->width, meta->height);
  if (pool == NULL) {
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT,
        ("No buffers for pictures of %ux%u before cropping: close other programs, if memory is short", meta->width,
            meta->height), (NULL));
    return GST_FLOW_ERROR;
  }
  result = gst_buffer_pool_acquire_buffer (pool, out_buffer, NULL);
  if (result == GST_FLOW_OK && !GST_BASE_TRANSFORM_GET_CLASS (trans)->
      copy_metadata (trans, in_buffer, *out_buffer))
    GST_ELEMENT_WARNING (self, STREAM, NOT_IMPLEMENTED,
        ("The metadata of a buffer could not be copied: look at the elements before qpuloopfilter"), (NULL));
  return result;
}

/* Frames */

/* Only metas that do not describe the input's memory come here (the caller drops those), all of which stay true, since the
 * picture keeps its size and place, but that which says what is to be filtered. */
static gboolean
gst_qpu_loop_filter_transform_meta (GstBaseTransform * trans,
    GstBuffer * out_buffer, GstMeta * meta, GstBuffer * in_buffer)
{
  (void) out_buffer;
  (void) in_buffer;
  if (meta->info->api == gst_qpu_params_api ())
    return gst_base_transform_is_passthrough (trans);
  /* Such a meta keeps the input's memory alive, and with it its pool waiting. */
  return !gst_meta_api_type_has_tag (meta->info->api,
      g_quark_from_static_string (GST_META_TAG_MEMORY_REFERENCE_STR));
}

static void
gst_qpu_loop_filter_before_transform (GstBaseTransform * trans,
    GstBuffer * buffer)
{
  GstClockTime stream_time = gst_segment_to_stream_time (&trans->segment,
      GST_FORMAT_TIME, GST_BUFFER_TIMESTAMP (buffer));

  if (GST_CLOCK_TIME_IS_VALID (stream_time))
    gst_object_sync_values (GST_OBJECT (trans), stream_time);
  apply_passthrough (GST_QPU_LOOP_FILTER (trans));
}

static GstFlowReturn
gst_qpu_loop_filter_transform (GstBaseTransform * trans, GstBuffer * in_buffer,
    GstBuffer * out_buffer)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  gint32 result = gst_qpu_runtime_callbacks ()->transform (self->handle,
      (gint64) (gintptr) in_buffer, (gint64) (gintptr) out_buffer);

  if (result == GST_QPU_FILTERED)
    return GST_FLOW_OK;
  if (result != 0)
    return (GstFlowReturn) result;
  GST_ELEMENT_ERROR (self, LIBRARY, FAILED,
      ("The Java side of qpuloopfilter could not be called: standard error says why, please report it"),
      (NULL));
  return GST_FLOW_ERROR;
}

/* The next picture to push after a new one, whose buffers are taken over, has begun; NULL for none yet. */
static GstFlowReturn
begin_picture (GstQpuLoopFilter * self, GstBuffer * input, GstBuffer * output,
    GstBuffer ** next)
{
  gint32 began = gst_qpu_runtime_callbacks ()->begin (self->handle,
      (gint64) (gintptr) input, (gint64) (gintptr) output);
  GstFlowReturn result = GST_FLOW_OK;

  *next = NULL;
  switch (began) {
    case GST_QPU_FILTERED:
    case GST_QPU_PENDING:
      gst_qpu_queue_push (&self->queue, input, output, began);
      if (began == GST_QPU_FILTERED
          || gst_qpu_queue_length (&self->queue) >= self->depth)
        result = gst_qpu_queue_finish (&self->queue, self->handle, TRUE, next);
      return result;
    case GST_QPU_HANDED_OVER:
      /* Java knows of the new one; what it is asked to finish are those before. */
      result = drain (self);
      gst_qpu_queue_push (&self->queue, input, output, began);
      *next = output;
      return result;
    case 0:
      GST_ELEMENT_ERROR (self, LIBRARY, FAILED,
          ("The Java side of qpuloopfilter could not be called: standard error says why, please report it"),
          (NULL));
      result = GST_FLOW_ERROR;
      break;
    default:
      result = (GstFlowReturn) began;
  }
  gst_buffer_unref (input);
  gst_buffer_unref (output);
  return result;
}

static GstFlowReturn
gst_qpu_loop_filter_generate_output (GstBaseTransform * trans,
    GstBuffer ** out_buffer)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstBaseTransformClass *parent =
      GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class);
  GstBuffer *input = trans->queued_buf, *output = NULL;
  GstFlowReturn result = GST_FLOW_OK;

  if (self->depth == 1 && !self->hands_over)
    return parent->generate_output (trans, out_buffer);

  *out_buffer = NULL;
  if (input == NULL)
    return GST_FLOW_OK;
  if (gst_base_transform_is_passthrough (trans)) {
    result = drain (self);
    return result == GST_FLOW_OK ? parent->generate_output (trans,
        out_buffer) : result;
  }

  /* What was handed over waits for nobody: as soon as it is done, its input goes back. */
  while (gst_qpu_queue_first_is_handed_over (&self->queue)) {
    result = gst_qpu_queue_finish (&self->queue, self->handle,
        gst_qpu_queue_length (&self->queue) >= self->depth, &output);
    if (result == GST_FLOW_CUSTOM_SUCCESS)
      break;
    if (result != GST_FLOW_OK)
      return result;
  }

  trans->queued_buf = NULL;
  result = GST_BASE_TRANSFORM_GET_CLASS (trans)->prepare_output_buffer (trans,
      input, &output);
  if (result != GST_FLOW_OK || output == NULL) {
    gst_buffer_unref (input);
    return result;
  }
  if (output == input) {
    /* A gap without a picture. */
    result = drain (self);
    if (result == GST_FLOW_OK)
      *out_buffer = input;
    else
      gst_buffer_unref (input);
    return result;
  }
  return begin_picture (self, input, output, out_buffer);
}

static gboolean
gst_qpu_loop_filter_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstFlowReturn result;

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    discard (self);
  } else if (GST_EVENT_IS_SERIALIZED (event)) {
    /* What comes after a picture stays after it. */
    result = drain (self);
    if (result != GST_FLOW_OK)
      GST_DEBUG_OBJECT (self, "pictures were dropped before %" GST_PTR_FORMAT
          ": %s", event, gst_flow_get_name (result));
  }
  return GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)->sink_event
      (trans, event);
}

static gboolean
gst_qpu_loop_filter_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (trans);
  GstClockTime minimum, maximum, delay;
  gboolean live;

  if (direction == GST_PAD_SINK && GST_QUERY_TYPE (query) == GST_QUERY_DRAIN)
    drain (self);
  if (!GST_BASE_TRANSFORM_CLASS (gst_qpu_loop_filter_parent_class)->query
      (trans, direction, query))
    return FALSE;
  if (direction == GST_PAD_SRC && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY) {
    GST_OBJECT_LOCK (self);
    delay = self->delay;
    GST_OBJECT_UNLOCK (self);
    gst_query_parse_latency (query, &live, &minimum, &maximum);
    gst_query_set_latency (query, live, minimum + delay,
        GST_CLOCK_TIME_IS_VALID (maximum) ? maximum + delay : maximum);
  }
  return TRUE;
}

static void
gst_qpu_loop_filter_finalize (GObject * object)
{
  GstQpuLoopFilter *self = GST_QPU_LOOP_FILTER (object);

  for (guint i = 0; i < GST_QPU_PROPERTY_COUNT; i++)
    g_free (self->strings[i]);
  g_cond_clear (&self->idle);
  G_OBJECT_CLASS (gst_qpu_loop_filter_parent_class)->finalize (object);
}

static void
gst_qpu_loop_filter_class_init (GstQpuLoopFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstCaps *caps;

  object_class->set_property = gst_qpu_loop_filter_set_property;
  object_class->get_property = gst_qpu_loop_filter_get_property;
  object_class->finalize = gst_qpu_loop_filter_finalize;
  gst_qpu_properties_install (object_class);

  gst_element_class_set_static_metadata (element_class,
      "Codec loop filter", "Filter/Effect/Video",
      "Takes blocking and ringing out of decoded video with the loop filters of"
      " H.264 (deblocking) and AV1 (CDEF), on a Vulkan device or the CPU",
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
  trans_class->generate_output = gst_qpu_loop_filter_generate_output;
  trans_class->sink_event = gst_qpu_loop_filter_sink_event;
  trans_class->query = gst_qpu_loop_filter_query;
}

static void
gst_qpu_loop_filter_init (GstQpuLoopFilter * self)
{
  for (guint i = 0; i < GST_QPU_PROPERTY_COUNT; i++) {
    self->values[i] = gst_qpu_property_specs[i].default_value;
    if (gst_qpu_property_specs[i].type == GST_QPU_TYPE_FRACTION)
      self->fractions[i] = (gdouble) self->values[i] /
          gst_qpu_property_specs[i].maximum;
  }
  g_cond_init (&self->idle);
  self->imports_dmabufs = TRUE;
  self->makes_dmabufs = TRUE;
  self->in_columns = GST_QPU_WHOLE_ROWS;
  self->out_columns = GST_QPU_WHOLE_ROWS;
  self->depth = 1;
  gst_qpu_queue_init (&self->queue);
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), TRUE);
}
