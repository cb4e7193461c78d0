/*
 * The end of the process. Threads run on while a process exits, after libjvm.so and the drivers of devices have destroyed objects that
 * they use: a JVM that collects garbage then, or a picture that is submitted, ends the process by a signal. So the JVM that the plugin
 * has created is ended before that: no call into it begins any more, elements that are still open are closed, and with them devices.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <jni.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

/* What an element is told that opens later. */
#define GST_QPU_EXITING_LINE \
  "This process is exiting, and its JVM has ended: stop pipelines before main returns or exit is called"

/* Ends a JVM when this process exits, before whatever was registered with atexit until now. Called once, for a JVM that the plugin
 * has created. */
void gst_qpu_exit_end (JavaVM *vm);

/* Whether it was: then nobody else's classes are in the JVM. Any thread, once Java runs. */
GST_QPU_FOR_JAVA gint32 gst_qpu_exit_ends_jvm (void);

/* That JVM is ended before whatever was registered until now, as drivers do that were loaded, and no more so once they are unloaded.
 * Nothing if an application has created the JVM: then that ends it. Any thread. */
GST_QPU_FOR_JAVA void gst_qpu_exit_end_first (void);
GST_QPU_FOR_JAVA void gst_qpu_exit_end_late (void);

/* A call into Java begins, or ends, on this thread. FALSE if there must be none: the process is exiting, or was forked from the one with
 * Java. Any thread, in any state of the locks of this process. */
gboolean gst_qpu_exit_enter (void);
void gst_qpu_exit_leave (void);

/* Whether the process is exiting: Java is called no more, and closes what is open. Any thread. */
GST_QPU_FOR_JAVA gint32 gst_qpu_exit_has_begun (void);

G_END_DECLS
