/*
 * The functions that Java calls. Java direct-maps them with JNA (org.gstqpu.plugin.GstQpuLibrary): a pointer is a Java long, a
 * number an int. Any thread. The library exports them, those of gstqpumeterjava.h, gstqpuparams.h and gstqpustats.h, and GStreamer's plugin symbols, and nothing else.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

/* Takes the callbacks, which GstQpuCallbacks describes. ElementRuntime.boot calls this once in each class loader; the first
 * callbacks stay. Java must keep the callback objects reachable for ever. */
GST_QPU_FOR_JAVA void gst_qpu_install_callbacks (
    gint32 (*open) (gint64, gint64), void (*close) (gint32),
    gint32 (*start) (gint32), gint32 (*stop) (gint32),
    gint32 (*set_caps) (gint32, gint64, gint32, gint32, gint32),
    gint32 (*begin) (gint32, gint32, gint64, gint64, gint64),
    gint32 (*finish) (gint32, gint32, gint32),
    void (*property_changed) (gint32),
    void (*set_timing) (gint32, gint32, gint32),
    gint32 (*qos) (gint32, gint64, gint64), void (*restart) (gint32),
    void (*hurry) (gint32), gint64 (*stats) (gint32),
    gint32 (*boot_meter) (gint64, gint64));

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

/* A copy of a string property's value in UTF-8, NULL if it is not set; freed with g_free. */
GST_QPU_FOR_JAVA gchar *gst_qpu_dup_string (gint64 element, gint32 ordinal);

/* Lets buffers through unfiltered, or no longer, from the next buffer (or the next start) on. */
GST_QPU_FOR_JAVA void gst_qpu_set_passthrough (gint64 element,
    gint32 passthrough);

/* Describes the substrate that open has opened; Java calls this within open. imports_dmabufs: whether dmabufs may be negotiated
 * as input; works_alone: whether begin leaves pictures under way. */
GST_QPU_FOR_JAVA void gst_qpu_describe_device (gint64 element,
    gint32 imports_dmabufs, gint32 works_alone);

/* Posts a QoS message for the picture that begins, which is the first at another step; Java calls this within begin. late: by
 * how much a picture was late, in nanoseconds; step: 0, if nothing is given up of the filters, up to steps; frames: how many
 * pictures were filtered. */
GST_QPU_FOR_JAVA void gst_qpu_degraded (gint64 element, gint64 late,
    gint32 step, gint32 steps, gint64 frames);

/* Whether a GstMemory is a dmabuf that a qpuloopfilter made. */
GST_QPU_FOR_JAVA gint32 gst_qpu_is_own_dmabuf (gint64 memory);

/* Gives a writable GstBuffer other memory, of its size, and keeps the memory that it had until the process ends: a device that
 * hangs may still write to that. Its metas stay true, and its pool does not take it back. Returns FALSE if there is no memory. */
GST_QPU_FOR_JAVA gint32 gst_qpu_replace_memory_leaking (gint64 buffer);

/* For a buffer whose caps have the column height 0: the rows of a column of a plane, as the buffer's GstVideoMeta says. 0 or
 * less if the meta makes no sense. */
GST_QPU_FOR_JAVA gint32 gst_qpu_column_rows (gint64 meta, gint32 plane);

G_END_DECLS
