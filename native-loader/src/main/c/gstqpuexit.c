/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuexit.h"

#include <stdlib.h>

#include "gstqpudebug.h"
#include "gstqpufork.h"

/* A JVM waits for threads in native code (0.3 s), and for those of its compilers (10 s). */
#define PATIENCE_SECONDS 2

/* The JVM to be ended. Written once, by the thread that creates it. */
static JavaVM *running;

static GMutex lock;
static GCond destroyed;
/* Whether the JVM has been destroyed. Guarded by lock. */
static gboolean done;
/* How many need Java now. Guarded by lock. */
static guint users;
/* Whether Java has ended, or is about to. Written with lock held; atomic. */
static gint ended;

static gpointer
destroy (gpointer unused)
{
  (*running)->DestroyJavaVM (running);
  g_mutex_lock (&lock);
  done = TRUE;
  g_cond_signal (&destroyed);
  g_mutex_unlock (&lock);
  return NULL;
}

static void
end (void)
{
  gint64 latest =
      g_get_monotonic_time () + PATIENCE_SECONDS * G_TIME_SPAN_SECOND;
  GThread *thread;

  if (gst_qpu_fork_happened ())
    return;
  g_mutex_lock (&lock);
  g_atomic_int_set (&ended, users == 0);
  g_mutex_unlock (&lock);
  /* An open element may have threads in Java, which would not come back. Whoever waits for them at this exit would hang. */
  if (!g_atomic_int_get (&ended))
    return;

  /* The JVM waits for each thread that has called Java and is not there now: this one, and those that GStreamer keeps for its next
   * tasks. */
  (*running)->DetachCurrentThread (running);
  g_thread_pool_stop_unused_threads ();
  /* On a thread of its own, since it may take longer than an exit may. The process then exits beside the JVM. */
  thread = g_thread_try_new ("qpu-jvm-end", destroy, NULL, NULL);
  if (thread == NULL)
    return;
  g_thread_unref (thread);
  g_mutex_lock (&lock);
  while (!done && g_cond_wait_until (&destroyed, &lock, latest)) {
  }
  g_mutex_unlock (&lock);
}

void
gst_qpu_exit_end (JavaVM *vm)
{
  running = vm;
  if (atexit (end) != 0)
    GST_WARNING ("the JVM will not be ended at exit: not enough memory");
}

gboolean
gst_qpu_exit_enter (void)
{
  gboolean may;

  g_mutex_lock (&lock);
  may = !g_atomic_int_get (&ended);
  if (may)
    users++;
  g_mutex_unlock (&lock);
  return may;
}

void
gst_qpu_exit_leave (void)
{
  g_mutex_lock (&lock);
  users--;
  g_mutex_unlock (&lock);
}

gboolean
gst_qpu_exit_java_is_gone (void)
{
  return g_atomic_int_get (&ended) || gst_qpu_fork_happened ();
}
