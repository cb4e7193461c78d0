/*
 * The Java side of the element: org.gstqpu.plugin.ElementRuntime, booted once a process, and the calls between it and C.
 *
 * Java direct-maps the gst_qpu_... functions below with JNA; every pointer travels as a Java long, every number as an
 * int. C calls Java through the callbacks that ElementRuntime.boot installs.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* What transform, begin and finish return beside GstFlowReturns other than GST_FLOW_OK. */
enum
{
  GST_QPU_FILTERED = 1,         /* the output holds the result */
  GST_QPU_PENDING = 2,          /* it will when finish has returned GST_QPU_FILTERED */
  GST_QPU_HANDED_OVER = 3       /* the same, but whoever heeds the fences of the output's dmabuf may have it now */
};

/*
 * What Java implements. JNA answers 0 where it cannot run a callback (a thread that cannot be attached, an exception
 * that escaped), so 0 always means failure.
 *
 * A handle is a number above 0 that Java chose in open; C gives it to every other callback. Calls for one handle come
 * from any thread, property_changed and stats also at the same time as the others; none comes after close.
 */
typedef struct
{
  /* NULL to READY, application thread; also READY to PAUSED, after a close, where a property that is
   * GST_QPU_ACCESS_READY has changed in between. element: the GstElement, not referenced, valid until close, not passing
   * through. values: its gint32 values, one for each ElementProperty, which Java may read at any time until close.
   * A handle, or -1 after an element error has been posted. */
  gint32 (*open) (gint64 element, gint64 values);
  /* READY to NULL: gives up everything that open took. */
  void (*close) (gint32 handle);
  /* GstBaseTransform's start and stop: 1, or -1 after an element error has been posted. */
  gint32 (*start) (gint32 handle);
  gint32 (*stop) (gint32 handle);
  /* GstCaps of the picture, plain ones in system memory whatever memory the pads have, valid during the call.
   * output_dmabufs: whether whoever takes the output knows it to be dmabufs, and so heeds their fences. in_columns and
   * out_columns: the column heights of either side's pictures, 0 where gst_qpu_column_rows tells, GST_QPU_WHOLE_ROWS where
   * rows are whole. 1, or -1 for caps that cannot be filtered. */
  gint32 (*set_caps) (gint32 handle, gint64 caps, gint32 output_dmabufs,
      gint32 in_columns, gint32 out_columns);
  /* Filters the picture of one GstBuffer into another, streaming thread. Both may have a GstVideoMeta, whose width and
   * height, where they exceed those of the caps (a GstVideoCropMeta is there too), are those of the picture to filter;
   * they are the same in both buffers. The output buffer is writable, has metas, flags and times already, and is not
   * shared. GST_QPU_FILTERED, else a GstFlowReturn other than GST_FLOW_OK. Nothing is done where both are the same, and
   * no picture may be under way by begin. */
  gint32 (*transform) (gint32 handle, gint64 in_buffer, gint64 out_buffer);
  /* The same without waiting for the result. After GST_QPU_PENDING or GST_QPU_HANDED_OVER the picture is under way, and
   * both buffers' memories are kept until finish. */
  gint32 (*begin) (gint32 handle, gint64 in_buffer, gint64 out_buffer);
  /* Finishes the picture that began first of those under way: GST_QPU_FILTERED; or GST_QPU_PENDING where wait is FALSE
   * and it is not done, and then still under way; else a GstFlowReturn other than GST_FLOW_OK. */
  gint32 (*finish) (gint32 handle, gint32 wait);
  /* A controllable property has a new value in values; any thread. */
  void (*property_changed) (gint32 handle, gint32 ordinal);
  /* A new GstStructure from gst_qpu_stats_new, which C frees. */
  gint64 (*stats) (gint32 handle);
} GstQpuCallbacks;

/* Boots the Java side where that has not yet been done: finds or creates a JVM, loads ElementRuntime and lets it install
 * its callbacks. Any thread; blocks while another thread does it. A failure may be tried again.
 * error: one line with the cause and the cure. */
gboolean gst_qpu_runtime_boot (GError ** error);

/* The installed callbacks; only after gst_qpu_runtime_boot returned TRUE. */
const GstQpuCallbacks *gst_qpu_runtime_callbacks (void);

/* The functions for Java; nothing else of the library is visible but GStreamer's plugin symbols. */
#define GST_QPU_FOR_JAVA __attribute__ ((visibility ("default")))

/* Takes the callbacks; called by ElementRuntime.boot, of each class loader once; those that come first stay. Java keeps the callback objects reachable for ever. */
GST_QPU_FOR_JAVA void gst_qpu_install_callbacks (
    gint32 (*open) (gint64, gint64), void (*close) (gint32),
    gint32 (*start) (gint32), gint32 (*stop) (gint32),
    gint32 (*set_caps) (gint32, gint64, gint32, gint32, gint32),
    gint32 (*transform) (gint32, gint64, gint64),
    gint32 (*begin) (gint32, gint64, gint64),
    gint32 (*finish) (gint32, gint32),
    void (*property_changed) (gint32, gint32), gint64 (*stats) (gint32));

/* Posts an element error or warning. domain: 0 core, 1 library, 2 resource, 3 stream; code: of that domain's enum.
 * text: one line in UTF-8, cause and cure; debug: more, or NULL. */
GST_QPU_FOR_JAVA void gst_qpu_element_error (gint64 element, gint32 domain,
    gint32 code, const gchar * text, const gchar * debug);
GST_QPU_FOR_JAVA void gst_qpu_element_warning (gint64 element, gint32 domain,
    gint32 code, const gchar * text, const gchar * debug);

/* Writes a line to the debug category qpuloopfilter. element: 0 where none is meant; level: a GstDebugLevel. */
GST_QPU_FOR_JAVA void gst_qpu_log (gint64 element, gint32 level,
    const gchar * line);

/* The category's threshold, a GstDebugLevel: lines above it need not be made. */
GST_QPU_FOR_JAVA gint32 gst_qpu_log_threshold (void);

/* A copy of a string property's value in UTF-8, NULL where unset; freed with g_free. */
GST_QPU_FOR_JAVA gchar *gst_qpu_dup_string (gint64 element, gint32 ordinal);

/* Lets buffers through unfiltered, or no longer, from the next buffer (or start) on. Any thread. */
GST_QPU_FOR_JAVA void gst_qpu_set_passthrough (gint64 element,
    gint32 passthrough);

/* Says what the substrate that was opened does, during open. imports_dmabufs: whether dmabufs may be negotiated as input;
 * works_alone: whether begin leaves pictures under way. */
GST_QPU_FOR_JAVA void gst_qpu_describe_device (gint64 element,
    gint32 imports_dmabufs, gint32 works_alone);

/* Whether a GstMemory is a dmabuf that some qpuloopfilter made. */
GST_QPU_FOR_JAVA gint32 gst_qpu_is_own_dmabuf (gint64 memory);

/* The rows of a column of a plane of a buffer whose caps' column height is 0, by its GstVideoMeta; not above 0 where that makes
 * no sense. */
GST_QPU_FOR_JAVA gint32 gst_qpu_column_rows (gint64 meta, gint32 plane);

/* The structure that the property stats holds, without its numbers and the source's codec; owned by the caller. Strings are "none" while closed.
 * substrate: cpu or qpu; device: its name; reason: why it was chosen; filters: deblock+cdef, deblock, cdef or none. */
GST_QPU_FOR_JAVA GstStructure *gst_qpu_stats_new (const gchar * substrate,
    const gchar * device, const gchar * reason, const gchar * filters);

/* Adds one of the numbers, a gint64 where is_signed, else a guint64; gst_qpu_counter_specs lists those that
 * are always there. */
GST_QPU_FOR_JAVA void gst_qpu_stats_add (GstStructure * stats,
    const gchar * name, gint64 value, gint32 is_signed);

G_END_DECLS
