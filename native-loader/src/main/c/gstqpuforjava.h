/*
 * Functions that Java calls for any element: messages, log lines, and the memory of a frame. Java direct-maps them with JNA
 * (org.gstqpu.plugin.GstQpuLibrary): a pointer is a Java long, a number an int. Any thread. The library exports what is marked with
 * GST_QPU_FOR_JAVA, here and in other headers, and GStreamer's plugin symbols, and nothing else.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

/* Posts an element error or warning. domain: 0 core, 1 library, 2 resource, 3 stream; code: a number of that domain's enum.
 * text: one line in UTF-8, the cause and the cure; debug: more text, or NULL. */
GST_QPU_FOR_JAVA void gst_qpu_element_error (gint64 element, gint32 domain,
    gint32 code, const gchar *text, const gchar *debug);
GST_QPU_FOR_JAVA void gst_qpu_element_warning (gint64 element, gint32 domain,
    gint32 code, const gchar *text, const gchar *debug);

/* Posts an element info message, with a domain and a code as above. */
GST_QPU_FOR_JAVA void gst_qpu_element_info (gint64 element, gint32 domain,
    gint32 code, const gchar *text);

/* Writes a line to the debug category qpuloopfilter. element: the element that the line is about, or 0; level: a
 * GstDebugLevel. */
GST_QPU_FOR_JAVA void gst_qpu_log (gint64 element, gint32 level,
    const gchar *line);

/* The category's threshold, a GstDebugLevel: nobody reads lines of a higher level. */
GST_QPU_FOR_JAVA gint32 gst_qpu_log_threshold (void);

/* Gives a writable GstBuffer other memory, of its size, and keeps the memory that it had until the process ends: a device that
 * hangs may still write to that. Its metas stay true, and its pool does not take it back. Returns FALSE if there is no memory. */
GST_QPU_FOR_JAVA gint32 gst_qpu_replace_memory_leaking (gint64 buffer);

/* Calls freed with 0 and the memory when a GstMemory is freed, unless that happens in a process that was forked after Java had
 * started. The caller keeps the memory alive during this call. Java must keep the callback object reachable for ever. */
GST_QPU_FOR_JAVA void gst_qpu_watch_memory (gint64 memory,
    void (*freed) (gint64 data, gint64 memory));

G_END_DECLS
