/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpumeterjava.h"

#include "gstqpudebug.h"
#include "gstqpujars.h"
#include "gstqpuruntime.h"

/* The folder with the meter's jars, in the folder of the plugin's: a JVM's class path has the plugin's alone. */
#define METER_DIR "meter"

/* Set once, by Java; not read before callbacks_installed is TRUE. */
static GstQpuMeterCallbacks callbacks;
/* Atomic. */
static gint callbacks_installed;

const GstQpuMeterCallbacks *
gst_qpu_meter_java_callbacks (void)
{
  return &callbacks;
}

void
gst_qpu_install_meter_callbacks (gint32 (*open) (gint64, gint64),
    gint32 (*set_format) (gint32, gint64, gint32, gint32),
    gint32 (*measure) (gint32, gint64, gint32),
    gint32 (*figures) (gint32, gint32, gint64),
    gint32 (*report) (gint32, gint64, gint64), void (*close) (gint32))
{
  static GMutex lock;

  g_mutex_lock (&lock);
  if (!g_atomic_int_get (&callbacks_installed)) {
    callbacks.open = open;
    callbacks.set_format = set_format;
    callbacks.measure = measure;
    callbacks.figures = figures;
    callbacks.report = report;
    callbacks.close = close;
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
