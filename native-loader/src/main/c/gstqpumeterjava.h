/*
 * The Java side of qpumeter, org.gstqpu.meter.MeterRuntime: how it is loaded, once a process, and the callbacks by which C calls it.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

/* What open is given: 64 bits each, a pointer to UTF-8 or NULL, or a number. org.gstqpu.meter.MeterSettings reads them. */
typedef enum
{
  GST_QPU_METER_MODEL,
  GST_QPU_METER_METRICS,
  GST_QPU_METER_DEVICE,
  GST_QPU_METER_RESULTS_FILENAME,
  GST_QPU_METER_RESULTS_FORMAT, /* 1 CSV, else JSON */
  GST_QPU_METER_POOL_METHOD, /* 0 min, 1 max, 2 mean, 3 harmonic mean */
  GST_QPU_METER_SUBSTRATE, /* 0 auto, 1 cpu, 2 qpu */
  GST_QPU_METER_THREADS,
  GST_QPU_METER_PSNR,
  GST_QPU_METER_SSIM,
  GST_QPU_METER_MS_SSIM,
  GST_QPU_METER_REQUIRE_ZERO_COPY,
  GST_QPU_METER_DISABLE_CLIP,
  GST_QPU_METER_ENABLE_TRANSFORM,
  GST_QPU_METER_PHONE_MODEL,
  GST_QPU_METER_SUBSAMPLE,
  GST_QPU_METER_SETTINGS
} GstQpuMeterSetting;

/* What figures writes: a gdouble each, NaN if it was not asked for. */
typedef enum
{
  GST_QPU_METER_SCORE,
  GST_QPU_METER_PSNR_Y,
  GST_QPU_METER_SSIM_Y,
  GST_QPU_METER_MS_SSIM_Y,
  GST_QPU_METER_FIGURES
} GstQpuMeterFigure;

/* What counts writes: a guint64 each, since open. As in the stats of qpuloopfilter. */
typedef enum
{
  GST_QPU_METER_SUBMITS,
  GST_QPU_METER_BYTES_COPIED,
  GST_QPU_METER_COPIES,
  GST_QPU_METER_RE_RECORDS,
  GST_QPU_METER_IMPORTS_DMABUF,
  GST_QPU_METER_IMPORTS_HOST,
  GST_QPU_METER_IMPORT_CACHE_HITS,
  GST_QPU_METER_FENCES_IMPORTED,
  GST_QPU_METER_CPU_WAITS,
  GST_QPU_METER_GATHERED,
  GST_QPU_METER_COUNTS
} GstQpuMeterCount;

/* The figures of all pictures, pooled, in place of those of one. */
#define GST_QPU_METER_POOLED (-1)

/*
 * The functions that Java implements. A pointer is a gint64. JNA returns 0 if it cannot run a callback: 0 always means failure, and
 * then no element error was posted; -1 means that one was. Calls with one handle come from one thread at a time, but for counts, and
 * none after close.
 */
typedef struct
{
  /* Opens a meter. element: the GstElement, not referenced, valid until close; settings: GST_QPU_METER_SETTINGS numbers, read
   * during the call. Returns a handle above 0, or -1. */
  gint32 (*open) (gint64 element, gint64 settings);
  /* The pictures are of the streams that two GstVideoInfos of one format and size describe from now on, and begin a new sequence. These
   * are read during the call. Returns 1, or -1. */
  gint32 (*set_format) (gint32 handle, gint64 reference, gint64 distorted);
  /* Measures a pair in two GstBuffers, which the caller keeps during the call; begins: whether a new sequence begins. Returns 1, or -1. */
  gint32 (*measure) (gint32 handle, gint64 reference, gint64 distorted,
      gint32 begins);
  /* Writes the figures of a pair, by its number from 0, or GST_QPU_METER_POOLED. Returns 1, or -1. */
  gint32 (*figures) (gint32 handle, gint32 pair, gint64 figures);
  /* Writes GST_QPU_METER_COUNTS numbers; any thread. Returns 1, or -1. */
  gint32 (*counts) (gint32 handle, gint64 counts);
  /* Writes the file of results, if there is to be one, with these numbers of pictures that had no counterpart. Returns 1, or -1. */
  gint32 (
      *report) (gint32 handle, gint64 reference_only, gint64 distorted_only);
  /* Releases everything that open took. */
  void (*close) (gint32 handle);
} GstQpuMeterCallbacks;

/* Loads the Java side unless it is there already: boots the JVM, and has it load the jars of the meter, which no other element
 * needs. Any thread. Returns FALSE after an element error was posted; may be tried again then. */
gboolean gst_qpu_meter_java_boot (GstElement *element);

/* The installed callbacks; only after gst_qpu_meter_java_boot has returned TRUE. As with gst_qpu_runtime_callbacks, all of them
 * fail in a forked process. */
const GstQpuMeterCallbacks *gst_qpu_meter_java_callbacks (void);

/* Takes the callbacks; the first ones stay. Java must keep the callback objects reachable for ever. */
GST_QPU_FOR_JAVA void gst_qpu_install_meter_callbacks (
    gint32 (*open) (gint64, gint64),
    gint32 (*set_format) (gint32, gint64, gint64),
    gint32 (*measure) (gint32, gint64, gint64, gint32),
    gint32 (*figures) (gint32, gint32, gint64),
    gint32 (*counts) (gint32, gint64),
    gint32 (*report) (gint32, gint64, gint64), void (*close) (gint32));

G_END_DECLS
