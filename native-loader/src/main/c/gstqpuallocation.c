/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuallocation.h"

#include <gst/allocators/gstdmabuf.h>
#include <gst/video/video.h>

#include "gstqpucolumns.h"
#include "gstqpudebug.h"
#include "gstqpudmabufs.h"
#include "gstqpuparams.h"

struct _GstQpuAllocation
{
  GstBaseTransform *element;
  /* GstBaseTransform itself, whose own methods the element's methods begin with. */
  GstBaseTransformClass *base;

  /* Whether the element's own buffers are dmabufs; atomic. */
  gint makes_dmabufs;

  /* All fields below are the streaming thread's own. */

  GstQpuNegotiated negotiated;
  /* Downstream reads GstVideoMeta, as its last answer to an allocation query says. */
  gboolean downstream_layouts;
  /* Upstream was offered GstVideoMeta, which downstream does not read. */
  gboolean foreign_layouts;
  /* The pool that was decided on was activated. Only once: its owner may have ended it since. */
  gboolean activated;

  /* Buffers for pictures that are larger than the caps say, because a GstVideoCropMeta crops them; NULL until there is such
   * a picture. */
  GstBufferPool *uncropped_pool;
  /* The size of the pictures that the pool was made for. */
  guint uncropped_width;
  guint uncropped_height;
};

GstQpuAllocation *
gst_qpu_allocation_new (GstBaseTransform *element)
{
  GstQpuAllocation *self = g_new0 (GstQpuAllocation, 1);

  self->element = element;
  self->base = g_type_class_peek (GST_TYPE_BASE_TRANSFORM);
  self->makes_dmabufs = TRUE;
  self->negotiated.in_columns = GST_QPU_WHOLE_ROWS;
  self->negotiated.out_columns = GST_QPU_WHOLE_ROWS;
  return self;
}

void
gst_qpu_allocation_free (GstQpuAllocation *self)
{
  g_free (self);
}

void
gst_qpu_allocation_open (GstQpuAllocation *self, gboolean imports_dmabufs)
{
  const gchar *reason = "the device does not import them";
  gboolean found = imports_dmabufs && gst_qpu_dmabufs_available (&reason);

  g_atomic_int_set (&self->makes_dmabufs, found);
  if (!found)
    GST_INFO_OBJECT (self->element, "own buffers are no dmabufs: %s", reason);
}

gboolean
gst_qpu_allocation_makes_dmabufs (GstQpuAllocation *self)
{
  return g_atomic_int_get (&self->makes_dmabufs);
}

static void
drop_uncropped_pool (GstQpuAllocation *self)
{
  if (self->uncropped_pool != NULL) {
    gst_buffer_pool_set_active (self->uncropped_pool, FALSE);
    gst_clear_object (&self->uncropped_pool);
  }
}

void
gst_qpu_allocation_set_caps (GstQpuAllocation *self,
    const GstQpuNegotiated *negotiated)
{
  drop_uncropped_pool (self);
  gst_clear_caps (&self->negotiated.plain);
  self->negotiated = *negotiated;
  gst_caps_ref (self->negotiated.plain);
}

void
gst_qpu_allocation_forget_caps (GstQpuAllocation *self)
{
  drop_uncropped_pool (self);
  gst_clear_caps (&self->negotiated.plain);
}

void
gst_qpu_allocation_stop (GstQpuAllocation *self)
{
  gst_qpu_allocation_forget_caps (self);
  self->foreign_layouts = FALSE;
}

/* Pools */

/* Whether the pool's buffers are dmabufs, as far as the pool says so before it is active. */
static gboolean
pool_has_dmabufs (GstBufferPool *pool)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstAllocator *allocator = NULL;
  gboolean has_dmabufs =
      gst_buffer_pool_config_get_allocator (config, &allocator, NULL)
      && allocator != NULL && GST_IS_DMABUF_ALLOCATOR (allocator);

  gst_structure_free (config);
  return has_dmabufs;
}

/* A pool of buffers that the element writes pictures of these caps to: dmabufs, if the device imports them. NULL on failure. */
static GstBufferPool *
own_pool_new (GstQpuAllocation *self, GstCaps *plain, const GstVideoInfo *info,
    guint size, guint min, gboolean with_meta)
{
  const GstQpuNegotiated *negotiated = &self->negotiated;
  GstAllocator *allocator = NULL;
  GstBufferPool *pool;
  guint max = 0;

  if (gst_qpu_allocation_makes_dmabufs (self)) {
    allocator = gst_qpu_dmabuf_allocator_new (!negotiated->out_dmabufs);
    /* If downstream takes only dmabufs, the pool must wait for one to come back once all are out. */
    if (negotiated->out_dmabufs)
      max = MAX (min, GST_QPU_DMABUFS_MAX);
  }
  if (negotiated->out_columns != GST_QPU_WHOLE_ROWS)
    pool = gst_qpu_columns_pool_new (allocator, plain, info,
        negotiated->out_columns, min, max);
  else
    pool = gst_qpu_video_pool_new (allocator, plain, size, min, max, with_meta);
  gst_clear_object (&allocator);
  return pool;
}

/* Puts the pool's own allocator into the query if the query has none: GstBaseTransform's method gives the pool the query's. */
static void
keep_allocator (GstBufferPool *pool, GstQuery *query)
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

gboolean
gst_qpu_allocation_decide (GstQpuAllocation *self, GstQuery *query, guint depth)
{
  const GstQpuNegotiated *negotiated = &self->negotiated;
  GstBufferPool *pool = NULL;
  guint size = 0, min = 0, max = 0;
  GstStructure *config;
  GstCaps *caps, *plain;
  GstVideoInfo info;

  self->activated = FALSE;
  gst_query_parse_allocation (query, &caps, NULL);
  if (caps == NULL || !gst_qpu_caps_video_info (caps, &info)) {
    GST_ERROR_OBJECT (self->element, "not caps of raw video: %" GST_PTR_FORMAT,
        caps);
    return FALSE;
  }
  self->downstream_layouts =
      gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, &max);
  else
    gst_query_add_allocation_pool (query, NULL, info.size, 0, 0);
  size = MAX (size, info.size);
  /* Pictures under way keep buffers from downstream, which may keep as many as it said, too. */
  min += depth - 1;
  if (max > 0)
    max = MAX (max + depth - 1, min);
  /* The pool of another element does not say how it lays columns out. If it has no dmabufs, pictures are copied into it. */
  if (pool != NULL
      && (negotiated->out_columns != GST_QPU_WHOLE_ROWS
          || (!negotiated->out_dmabufs
              && gst_qpu_allocation_makes_dmabufs (self)
              && !pool_has_dmabufs (pool))))
    gst_clear_object (&pool);

  if (pool != NULL) {
    config = gst_buffer_pool_get_config (pool);
    gst_buffer_pool_config_set_params (config, caps, size, min, max);
    if (self->downstream_layouts
        && gst_buffer_pool_has_option (pool, GST_BUFFER_POOL_OPTION_VIDEO_META))
      gst_buffer_pool_config_add_option (config,
          GST_BUFFER_POOL_OPTION_VIDEO_META);
    /* A pool that refuses these values keeps its own; GstBaseTransform's method asks for those. */
    gst_buffer_pool_set_config (pool, config);
    keep_allocator (pool, query);
  }
  gst_query_set_nth_allocation_pool (query, 0, pool, size, min, max);
  if (!self->base->decide_allocation (self->element, query)) {
    gst_clear_object (&pool);
    return FALSE;
  }
  if (pool == NULL) {
    /* Replaces the pool that GstBaseTransform has made, which does not know how a picture is laid out. */
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

/* Offers upstream dmabufs, which the device imports, and in which a decoder works as in any other memory. */
static void
offer_dmabufs (GstQuery *query, guint depth)
{
  GstAllocator *allocator;
  GstBufferPool *pool = NULL;
  GstVideoInfo info;
  gboolean need_pool;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (caps == NULL || !gst_qpu_caps_video_info (caps, &info))
    return;
  if (gst_qpu_caps_are_dmabufs (caps)) {
    /* Upstream has its own dmabufs, and needs as many more as pictures under way keep. */
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

gboolean
gst_qpu_allocation_propose (GstQpuAllocation *self, GstQuery *decide_query,
    GstQuery *query, guint depth)
{
  if (!self->base->propose_allocation (self->element, decide_query, query))
    return FALSE;
  /* Without decide_query the element passes buffers through, and only downstream's answer counts. */
  if (decide_query != NULL) {
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
    if (!gst_query_find_allocation_meta (query, gst_qpu_params_api (), NULL))
      gst_query_add_allocation_meta (query, gst_qpu_params_api (), NULL);
    if (gst_qpu_allocation_makes_dmabufs (self))
      offer_dmabufs (query, depth);
  }
  self->foreign_layouts = decide_query != NULL && !self->downstream_layouts;
  return TRUE;
}

/* Output buffers */

static gboolean
has_size_of_caps (GstQpuAllocation *self, GstVideoMeta *meta)
{
  return (gint) meta->width == GST_VIDEO_INFO_WIDTH (&self->negotiated.info)
      && (gint) meta->height == GST_VIDEO_INFO_HEIGHT (&self->negotiated.info);
}

/* Whether a buffer may hold a picture of the size that its meta says. No format has less than a byte for a luma sample. Java drops
 * the buffer if it does not, and also checks what else the meta says. */
static gboolean
may_hold_picture (GstBuffer *buffer, GstVideoMeta *meta)
{
  return meta->width > 0 && meta->height > 0
      && (guint64) meta->width * meta->height <= gst_buffer_get_size (buffer);
}

/* Whether a buffer's planes lie where its caps alone say. */
static gboolean
has_default_layout (GstQpuAllocation *self, GstVideoMeta *meta)
{
  const GstVideoInfo *info = &self->negotiated.info;

  if (!has_size_of_caps (self, meta))
    return FALSE;
  for (guint i = 0; i < meta->n_planes; i++) {
    if (meta->offset[i] != GST_VIDEO_INFO_PLANE_OFFSET (info, i)
        || meta->stride[i] != GST_VIDEO_INFO_PLANE_STRIDE (info, i))
      return FALSE;
  }
  return TRUE;
}

static gboolean
copy_metadata (GstQpuAllocation *self, GstBuffer *from, GstBuffer *to)
{
  return GST_BASE_TRANSFORM_GET_CLASS (self->element)
      ->copy_metadata (self->element, from, to);
}

/* Whether the picture that a meta describes is that of the caps, and lies in the buffer. */
static gboolean
lies_inside (GstQpuAllocation *self, GstBuffer *buffer, GstVideoMeta *meta)
{
  const GstVideoInfo *info = &self->negotiated.info;
  gsize size = gst_buffer_get_size (buffer);

  if (meta->format != GST_VIDEO_INFO_FORMAT (info)
      || meta->n_planes != GST_VIDEO_INFO_N_PLANES (info)
      || !has_size_of_caps (self, meta))
    return FALSE;
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    guint plane = GST_VIDEO_INFO_COMP_PLANE (info, i);
    gsize row = (gsize) GST_VIDEO_INFO_COMP_WIDTH (info, i)
        * (gsize) GST_VIDEO_INFO_COMP_PSTRIDE (info, i);
    gsize rows = (gsize) GST_VIDEO_INFO_COMP_HEIGHT (info, i);

    /* Both numbers are below 2^31, so that their product does not overflow. */
    if (meta->stride[plane] < 0 || (gsize) meta->stride[plane] < row
        || meta->offset[plane] > size
        || (rows - 1) * (gsize) meta->stride[plane] + row
            > size - meta->offset[plane])
      return FALSE;
  }
  return TRUE;
}

/* A copy with the layout of the caps, without GstVideoMeta. gst_video_frame_map would map no more than the memory in which a plane
 * begins; here a plane may go on in the next one. */
static GstFlowReturn
copy_to_default_layout (GstQpuAllocation *self, GstBuffer *input,
    GstVideoMeta *meta, GstBuffer **output)
{
  GstVideoInfo *info = &self->negotiated.info;
  GstVideoFrame in_frame = { .info = *info }, out_frame;
  GstBuffer *copy = gst_buffer_new_allocate (NULL, info->size, NULL);
  gboolean copied = FALSE;
  GstMapInfo map;

  if (copy != NULL && gst_buffer_map (input, &map, GST_MAP_READ)) {
    for (guint i = 0; i < meta->n_planes; i++) {
      in_frame.info.stride[i] = meta->stride[i];
      in_frame.data[i] = map.data + meta->offset[i];
    }
    if (gst_video_frame_map (&out_frame, info, copy, GST_MAP_WRITE)) {
      copied = gst_video_frame_copy (&out_frame, &in_frame);
      gst_video_frame_unmap (&out_frame);
    }
    gst_buffer_unmap (input, &map);
  }
  if (!copied || !copy_metadata (self, input, copy)) {
    gst_clear_buffer (&copy);
    GST_ELEMENT_ERROR (self->element, RESOURCE, READ,
        ("A buffer of %" G_GSIZE_FORMAT
         " bytes could not be copied: close other programs, if memory is short, or look at the element before qpuloopfilter",
            gst_buffer_get_size (input)),
        (NULL));
    return GST_FLOW_ERROR;
  }
  *output = copy;
  return GST_FLOW_OK;
}

/* The result of a pool that was asked for a buffer. If it has none, posts the element error, for nobody else does. */
static GstFlowReturn
acquired (GstQpuAllocation *self, GstFlowReturn result)
{
  if (result == GST_FLOW_ERROR)
    GST_ELEMENT_ERROR (self->element, RESOURCE, NO_SPACE_LEFT,
        ("No buffer for a filtered picture: if it would be a dmabuf, raise the limit of open files (ulimit -n); else close other programs"),
        (NULL));
  return result;
}

/* GstBaseTransform's own method. That would activate the pool, too, but name no cure if it fails. */
static GstFlowReturn
pooled_output (GstQpuAllocation *self, GstBuffer *input, GstBuffer **output)
{
  /* The pads are being deactivated. GstBaseTransform's method would release caps that are no longer there. */
  if (!gst_pad_has_current_caps (GST_BASE_TRANSFORM_SINK_PAD (self->element)))
    return GST_FLOW_FLUSHING;
  if (!self->activated) {
    GstBufferPool *pool = gst_base_transform_get_buffer_pool (self->element);

    self->activated = pool == NULL || gst_buffer_pool_set_active (pool, TRUE);
    gst_clear_object (&pool);
    if (!self->activated)
      return acquired (self, GST_FLOW_ERROR);
  }
  return acquired (self,
      self->base->prepare_output_buffer (self->element, input, output));
}

static GstBufferPool *
uncropped_pool (GstQpuAllocation *self, guint width, guint height)
{
  GstVideoInfo info;
  GstCaps *caps;

  if (self->uncropped_pool != NULL && self->uncropped_width == width
      && self->uncropped_height == height)
    return self->uncropped_pool;

  drop_uncropped_pool (self);
  caps = gst_caps_copy (self->negotiated.plain);
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

/* A buffer for a picture that is larger than the caps say. */
static GstFlowReturn
uncropped_output (GstQpuAllocation *self, GstVideoMeta *meta, GstBuffer *input,
    GstBuffer **output)
{
  GstBufferPool *pool = uncropped_pool (self, meta->width, meta->height);
  GstFlowReturn result;

  if (pool == NULL) {
    GST_ELEMENT_ERROR (self->element, RESOURCE, NO_SPACE_LEFT,
        ("No buffers for pictures of %ux%u before cropping: close other programs, if memory is short",
            meta->width, meta->height),
        (NULL));
    return GST_FLOW_ERROR;
  }
  result = acquired (self, gst_buffer_pool_acquire_buffer (pool, output, NULL));
  if (result == GST_FLOW_OK && !copy_metadata (self, input, *output))
    GST_ELEMENT_WARNING (self->element, STREAM, NOT_IMPLEMENTED,
        ("The metadata of a buffer could not be copied: look at the elements before qpuloopfilter"),
        (NULL));
  return result;
}

gboolean
gst_qpu_allocation_can_pass (GstQpuAllocation *self, GstBuffer *input)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (input);

  if (self->negotiated.plain == NULL
      || gst_buffer_get_meta (input, gst_qpu_params_api ()) != NULL)
    return FALSE;
  if (meta == NULL)
    return gst_buffer_get_size (input)
        >= GST_VIDEO_INFO_SIZE (&self->negotiated.info);
  return lies_inside (self, input, meta)
      && (self->downstream_layouts || has_default_layout (self, meta));
}

GstFlowReturn
gst_qpu_allocation_prepare_output (GstQpuAllocation *self, GstBuffer *input,
    GstBuffer **output)
{
  gboolean passthrough = gst_base_transform_is_passthrough (self->element);
  GstVideoMeta *meta = gst_buffer_get_video_meta (input);

  /* A gap without a picture goes on as it is. */
  if (gst_buffer_n_memory (input) == 0
      && GST_BUFFER_FLAG_IS_SET (input, GST_BUFFER_FLAG_GAP)) {
    *output = input;
    return GST_FLOW_OK;
  }
  /* Upstream laid this buffer out for the filter, which was then switched off; downstream does not read the layout. A layout that is
   * wrong goes on as it is, as all that passes through. */
  if (passthrough && self->foreign_layouts
      && self->negotiated.in_columns == GST_QPU_WHOLE_ROWS && meta != NULL
      && !has_default_layout (self, meta)
      && gst_buffer_get_video_crop_meta (input) == NULL
      && lies_inside (self, input, meta))
    return copy_to_default_layout (self, input, meta, output);
  if (passthrough)
    return self->base->prepare_output_buffer (self->element, input, output);
  /* GstBaseTransform lets a buffer through before any caps, and after caps that were refused, if the element passes all through; another
   * thread has just switched a filter on. */
  if (self->negotiated.plain == NULL)
    return GST_FLOW_NOT_NEGOTIATED;
  if (meta == NULL || has_size_of_caps (self, meta)
      || !may_hold_picture (input, meta))
    return pooled_output (self, input, output);
  return uncropped_output (self, meta, input, output);
}
