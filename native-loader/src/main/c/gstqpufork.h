/*
 * The process that runs the JVM. A process that was forked from it has a copy of the JVM's memory, but none of its threads: a call
 * into Java would wait for them for ever.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a forked process is told: the cause and the cure. */
#define GST_QPU_FORKED_LINE \
  "This process was forked after Java had started, and Java's threads are not in it: fork before the first element starts, or start a new program (in Python multiprocessing's start method spawn)"

/* Java starts in this process, or is there already. */
void gst_qpu_fork_java_starts (void);

/* Java did not start after all. */
void gst_qpu_fork_java_failed (void);

/* Whether Java was started by a process that this one was forked from. Any thread, in any state of the locks of this process. */
gboolean gst_qpu_fork_happened (void);

/* Whether a JVM that was found in this process has its threads here; TRUE if that cannot be told. */
gboolean gst_qpu_fork_jvm_has_threads (void);

G_END_DECLS
