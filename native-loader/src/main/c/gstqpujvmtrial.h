/*
 * A trial of a JVM in a process of its own. A JVM that cannot start often exits its process, which is the application's.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstqpujvmhome.h"

G_BEGIN_DECLS

/* The option with which a JVM that crashes says nothing; the trial goes without it. */
#define GST_QPU_JVM_SILENT_OPTION "-XX:+SuppressFatalErrorMessage"

/* Whether the environment chooses the garbage collector, so that no option of ours may: a JVM with two exits its process. */
gboolean gst_qpu_jvm_environment_chooses_collector (void);

/* Starts the JVM with these options in another process, which has as much memory as is left to this one. Does so only where the
 * environment has options or memory is limited (RLIMIT_AS, RLIMIT_DATA), for it takes a tenth of a second, and the time of the
 * user's agents. There the debugging agent waits for nobody. FALSE and error if the JVM does not start, not within 30 seconds, or
 * would connect to a debugger. Any thread; waits for that process. */
gboolean gst_qpu_jvm_trial (const GstQpuJvmHome *home, GPtrArray *options,
    GError **error);

G_END_DECLS
