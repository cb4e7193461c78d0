/*
 * The end of the process. A JVM's threads run on while a process exits, after libjvm.so has destroyed objects that they use: one that
 * collects garbage then ends the process by a signal. So the JVM that the plugin has created is ended before that, unless an element
 * is still open.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <jni.h>

G_BEGIN_DECLS

/* What an element is told that opens later. */
#define GST_QPU_EXITING_LINE \
  "This process is exiting, and its JVM has ended: stop pipelines before main returns or exit is called"

/* Ends a JVM when this process exits, before whatever was registered with atexit until now. Called once, for a JVM that the plugin
 * has created. */
void gst_qpu_exit_end (JavaVM *vm);

/* Something begins that needs Java, or ends. Any thread. FALSE if Java has ended: then it must not begin. */
gboolean gst_qpu_exit_enter (void);
void gst_qpu_exit_leave (void);

/* Whether Java may be called no more: the process is exiting, or was forked from the one with Java. Any thread, in any state of the
 * locks of this process. */
gboolean gst_qpu_exit_java_is_gone (void);

G_END_DECLS
