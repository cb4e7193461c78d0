/*
 * The signals of the host, which a JVM in its process must leave alone. The JVM needs four: with SIGSEGV, SIGBUS, SIGFPE and SIGILL its
 * compiled code finds null references, divisions by zero and stops for the garbage collector. Of these it gets what is its own, and
 * the host's handlers get all else, whether they were installed before the JVM or after it.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <signal.h>

G_BEGIN_DECLS

/* The number of the last signal, and one. */
#define GST_QPU_SIGNALS 65

/* The host's dispositions at some time. */
typedef struct
{
  struct sigaction actions[GST_QPU_SIGNALS];
} GstQpuSignals;

/* Remembers the host's dispositions, before Java is called that may change them. */
void gst_qpu_signals_remember (GstQpuSignals *host);

/* Gives back what Java has changed since, but the four that a JVM needs. What the host itself has changed meanwhile stays. */
void gst_qpu_signals_give_back (const GstQpuSignals *host);

/* Called before this process's JVM is created, on the thread that creates it, which blocks all signals but faults from then on,
 * as do the threads that the JVM starts. */
void gst_qpu_signals_before_jvm (void);

/* Called after it. created: whether the JVM could be created. */
void gst_qpu_signals_after_jvm (gboolean created);

/* Puts the JVM's handlers before handlers that the host has installed since the last call. Any thread; does nothing if
 * the host created the JVM itself. */
void gst_qpu_signals_check (void);

/* Until gst_qpu_signals_release, writing a file beyond a limit, or to a pipe without a reader, sends this thread no signal, so that
 * Java gets an error. */
void gst_qpu_signals_hold (sigset_t *held);

void gst_qpu_signals_release (const sigset_t *held);

G_END_DECLS
