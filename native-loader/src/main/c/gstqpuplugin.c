/*
 * The plugin: registers the element. It does not look for a JVM, so that a registry scan is quick, and a machine without Java
 * lists the element too.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpudebug.h"
#include "gstqpuloopfilter.h"
#include "gstqpumeter.h"
#include "gstqpuparams.h"

#define PACKAGE "gst-qpu"

GST_DEBUG_CATEGORY (gst_qpu_loop_filter_debug);

static gboolean
plugin_init (GstPlugin *plugin)
{
  GST_DEBUG_CATEGORY_INIT (gst_qpu_loop_filter_debug, "qpuloopfilter", 0,
      "Codec loop filters on the QPU or the CPU");
  gst_qpu_params_register ();
  return gst_element_register (plugin, "qpuloopfilter", GST_RANK_NONE,
             GST_TYPE_QPU_LOOP_FILTER)
      && gst_element_register (plugin, "qpumeter", GST_RANK_NONE,
          GST_TYPE_QPU_METER);
}

/* 1.22 is the oldest GStreamer that has all functions that the plugin calls. The version of the headers may be newer, and would
 * keep older ones from loading the plugin. */
GST_PLUGIN_DEFINE (1, 22, qpu,
    "Codec loop filters (H.264 deblocking, AV1 CDEF) and a video quality meter on a Vulkan device or the CPU",
    plugin_init, GST_QPU_VERSION, "LGPL", "gst-qpu", "org.gstqpu")
