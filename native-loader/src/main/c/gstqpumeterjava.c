/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpumeterjava.h"

#include "gstqpudebug.h"
#include "gstqpuexit.h"
#include "gstqpujars.h"
#include "gstqpuruntime.h"
#include "gstqpusignals.h"

/* The folder with the meter's jars, in the folder of the plugin's: a JVM's class path has the plugin's alone. */
#define METER_DIR "meter"

/* Java's own. Set once, by Java; not read before callbacks_installed is TRUE. */
static GstQpuMeterCallbacks java;
/* Atomic. */
static gint callbacks_installed;

/* What stands between C and Java. A forked process, and one that is exiting, gets no Java: there all of them fail. */

static gint32
open_meter (gint64 element, gint64 settings)
{
  return gst_qpu_runtime_open (java.open, element, settings);
}

static gint32
set_format (gint32 handle, gint64 reference, gint64 distorted)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  result = java.set_format (handle, reference, distorted);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
measure (gint32 handle, gint64 reference, gint64 distorted, gint32 begins)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  result = java.measure (handle, reference, distorted, begins);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
figures (gint32 handle, gint32 pair, gint64 to)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  result = java.figures (handle, pair, to);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
counts (gint32 handle, gint64 to)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  result = java.counts (handle, to);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
report (gint32 handle, gint64 reference_only, gint64 distorted_only)
{
  sigset_t held;
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  gst_qpu_signals_hold (&held);
  result = java.report (handle, reference_only, distorted_only);
  gst_qpu_signals_release (&held);
  gst_qpu_exit_leave ();
  return result;
}

static void
close_meter (gint32 handle)
{
  if (!gst_qpu_runtime_enter ())
    return;
  java.close (handle);
  gst_qpu_exit_leave ();
}

static const GstQpuMeterCallbacks callbacks = {
  .open = open_meter,
  .set_format = set_format,
  .measure = measure,
  .figures = figures,
  .counts = counts,
  .report = report,
  .close = close_meter,
};

const GstQpuMeterCallbacks *
gst_qpu_meter_java_callbacks (void)
{
  return &callbacks;
}

void
gst_qpu_install_meter_callbacks (gint32 (*open) (gint64, gint64),
    gint32 (*set_format) (gint32, gint64, gint64),
    gint32 (*measure) (gint32, gint64, gint64, gint32),
    gint32 (*figures) (gint32, gint32, gint64),
    gint32 (*counts) (gint32, gint64),
    gint32 (*report) (gint32, gint64, gint64), void (*close) (gint32))
{
  static GMutex lock;

  g_mutex_lock (&lock);
  if (!g_atomic_int_get (&callbacks_installed)) {
    java.open = open;
    java.set_format = set_format;
    java.measure = measure;
    java.figures = figures;
    java.counts = counts;
    java.report = report;
    java.close = close;
    g_atomic_int_set (&callbacks_installed, TRUE);
  }
  g_mutex_unlock (&lock);
}

static gboolean
load_meter (GstElement *element)
{
  /* A Java application may have the meter on its class path, and no folder. */
  g_autofree gchar *jars = gst_qpu_jars_find_dir (NULL);
  g_autofree gchar *dir =
      g_build_filename (jars != NULL ? jars : "", METER_DIR, NULL);
  gint32 result = gst_qpu_runtime_callbacks ()->boot_meter (
      (gint64) (gintptr) element, (gint64) (gintptr) dir);

  if (result == 0 || (result > 0 && !g_atomic_int_get (&callbacks_installed)))
    GST_ELEMENT_ERROR (element, LIBRARY, INIT,
        ("The Java side of qpumeter could not be called: reinstall the plugin, its jars do not fit libgstqpu.so"),
        (NULL));
  return result > 0 && g_atomic_int_get (&callbacks_installed);
}

gboolean
gst_qpu_meter_java_boot (GstElement *element)
{
  static GMutex lock;
  gboolean booted;

  if (!gst_qpu_runtime_boot (element))
    return FALSE;
  g_mutex_lock (&lock);
  booted = g_atomic_int_get (&callbacks_installed) || load_meter (element);
  g_mutex_unlock (&lock);
  return booted;
}
