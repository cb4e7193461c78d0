/*
 * The Java side of the element, org.gstqpu.plugin.ElementRuntime: how it is booted, once a process, and the callbacks by which
 * C calls it.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

/* What begin and finish return, if not a GstFlowReturn other than GST_FLOW_OK. */
enum
{
  /* The output holds the result. */
  GST_QPU_FILTERED = 1,
  /* The output holds the result once finish has returned GST_QPU_FILTERED. */
  GST_QPU_PENDING = 2,
  /* As GST_QPU_PENDING, but whoever waits for the fences of the output's dmabuf may have the output now. */
  GST_QPU_HANDED_OVER = 3
};

/* What qos returns. */
enum
{
  /* The element filters less from now on, so that elements before it need not know. */
  GST_QPU_ANSWERED = 1,
  /* The event goes on to the elements before this one. */
  GST_QPU_PASSED_ON = 2
};

/* The running time of a picture that QoS events cannot name. */
#define GST_QPU_NO_TIME (-1)

/*
 * The functions that Java implements. A pointer is a gint64, so that a call makes no Java object. JNA returns 0 if it cannot run
 * a callback (the thread cannot be attached to the JVM, or an exception escaped): 0 always means failure, and then no element
 * error was posted.
 *
 * A handle is a number above 0 that Java chose in open; C passes it to every other callback. Calls with one handle come from any
 * thread. property_changed, qos, restart and stats run at the same time as other callbacks. No call comes after close.
 */
typedef struct
{
  /* Opens an element, application thread: NULL to READY; also READY to PAUSED, after a close, if a property with
   * GST_QPU_ACCESS_READY has changed in between. element: the GstElement, not referenced, valid until close, not passing buffers
   * through, its stream not live. values: the element's gint32 values, one for each ElementProperty, which Java may read at any time until close.
   * Returns a handle, or -1 after an element error was posted. */
  gint32 (*open) (gint64 element, gint64 values);
  /* READY to NULL: releases everything that open took. */
  void (*close) (gint32 handle);
  /* GstBaseTransform's start and stop: 1, or -1 after an element error was posted. */
  gint32 (*start) (gint32 handle);
  gint32 (*stop) (gint32 handle);
  /* The stream has new caps; no picture is under way. caps: the GstCaps of the picture in system memory, whatever memory the
   * pads have; valid during the call. output_dmabufs: whether whoever takes the output knows that it is dmabufs, and waits for
   * their fences. in_columns, out_columns: the column heights of both pads' pictures, 0 if gst_qpu_column_rows says them,
   * GST_QPU_WHOLE_ROWS if rows are whole. Returns 1, or -1 for caps that cannot be filtered. */
  gint32 (*set_caps) (gint32 handle, gint64 caps, gint32 output_dmabufs,
      gint32 in_columns, gint32 out_columns);
  /* Begins to filter the picture of one GstBuffer into another, streaming thread. Both buffers may have a GstVideoMeta. If its
   * width and height exceed those of the caps (there is a GstVideoCropMeta too), they are the size of the picture to filter, and
   * the same in both buffers. The output buffer is writable, not shared, and has its metas, flags and times already.
   *
   * running_time: of the picture, in nanoseconds, by which QoS events name it; else GST_QPU_NO_TIME.
   *
   * place: by which finish knows the picture, a number from 0 up to the greatest queue depth, less 1, at which no picture is under
   * way. C keeps both buffers' memories until it has called finish with that place, unless begin returns GST_QPU_FILTERED.
   *
   * Returns GST_QPU_FILTERED; GST_QPU_PENDING or GST_QPU_HANDED_OVER if the picture is under way; else a GstFlowReturn other than
   * GST_FLOW_OK, after which the device may still work on a part of the picture. */
  gint32 (*begin) (gint32 handle, gint32 place, gint64 in_buffer,
      gint64 out_buffer, gint64 running_time);
  /* Whether the next picture, which has no side information, goes on as it is, because all that is filtered is given up to be in
   * time; begin is not called for it then. Called once before each such picture, streaming thread. running_time: as of begin.
   * Returns 1 if it goes on, else 0. */
  gint32 (*passes) (gint32 handle, gint64 running_time);
  /* Finishes a picture under way, whichever began before it, streaming thread. Returns GST_QPU_FILTERED; GST_QPU_PENDING if that
   * would block and wait is FALSE, and the picture is still under way; else a GstFlowReturn other than GST_FLOW_OK, and the picture is
   * no longer under way. Without a picture at that place, returns GST_FLOW_ERROR and posts nothing. */
  gint32 (*finish) (gint32 handle, gint32 place, gint32 wait);
  /* A controllable property has a new value in values; any thread. */
  void (*property_changed) (gint32 handle);
  /* Whether the stream is live, and whether downstream has a sink that keeps time and sends QoS events. Streaming thread: before the
   * first picture if one of them is so, and after each change. */
  void (*set_timing) (gint32 handle, gint32 live, gint32 keeps_time);
  /* Downstream got the picture of a running time late, or early if jitter is negative, in nanoseconds; any thread. Returns
   * GST_QPU_ANSWERED or GST_QPU_PASSED_ON. */
  gint32 (*qos) (gint32 handle, gint64 jitter, gint64 running_time);
  /* After a flush or a pause, what downstream has said of earlier pictures counts no more; any thread. */
  void (*restart) (gint32 handle);
  /* The next picture does not continue the one before: a flush, a segment or a gap came between; streaming thread or that of a
   * flush. */
  void (*cut) (gint32 handle);
  /* The stream is to end: until the next start, a picture that the device does not end soon is given up; any thread. */
  void (*hurry) (gint32 handle);
  /* A new GstStructure from gst_qpu_stats_new, which C frees; any thread. */
  gint64 (*stats) (gint32 handle);
  /* Loads the Java side of qpumeter, which installs callbacks of its own; any thread, one at a time. element: the qpumeter, not
   * referenced; folder: in UTF-8, with its jars, which a class path may have in their place. Returns 1, or -1 after an element
   * error was posted. */
  gint32 (*boot_meter) (gint64 element, gint64 folder);
} GstQpuCallbacks;

/* Boots the Java side unless it runs already: finds or creates a JVM, loads ElementRuntime and lets it install its callbacks.
 * Any thread; blocks while another thread does it. Returns FALSE after an element error was posted, one line with the cause and the
 * cure; may be tried again then. */
gboolean gst_qpu_runtime_boot (GstElement *element);

/* The installed callbacks; only after gst_qpu_runtime_boot has returned TRUE. In a process that was forked after Java had started,
 * and in one that is exiting, all of them fail at once. */
const GstQpuCallbacks *gst_qpu_runtime_callbacks (void);

/* A call of one of Java's functions begins on this thread; gst_qpu_exit_leave ends it. FALSE if there must be none: see
 * gst_qpu_exit_enter. Sees to it that Java's signals are Java's. */
gboolean gst_qpu_runtime_enter (void);

/* Calls Java's open for an element, which may start threads, write files and load libraries, but not change the host's signals. Returns
 * what it does; 0 without a call if the process is exiting, or was forked. */
gint32 gst_qpu_runtime_open (gint32 (*open) (gint64, gint64), gint64 element,
    gint64 values);

/* Posts the element error of a callback that returned 0. name: of the element. */
void gst_qpu_runtime_post_uncalled (GstElement *element, const gchar *name);

/* Takes the callbacks, which GstQpuCallbacks describes. ElementRuntime.boot calls this once in each class loader; the first
 * callbacks stay. Java must keep the callback objects reachable for ever. */
GST_QPU_FOR_JAVA void gst_qpu_install_callbacks (
    gint32 (*open) (gint64, gint64), void (*close) (gint32),
    gint32 (*start) (gint32), gint32 (*stop) (gint32),
    gint32 (*set_caps) (gint32, gint64, gint32, gint32, gint32),
    gint32 (*begin) (gint32, gint32, gint64, gint64, gint64),
    gint32 (*passes) (gint32, gint64),
    gint32 (*finish) (gint32, gint32, gint32),
    void (*property_changed) (gint32),
    void (*set_timing) (gint32, gint32, gint32),
    gint32 (*qos) (gint32, gint64, gint64), void (*restart) (gint32),
    void (*cut) (gint32), void (*hurry) (gint32), gint64 (*stats) (gint32),
    gint32 (*boot_meter) (gint64, gint64));

G_END_DECLS
