/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuexit.h"

#include <stdlib.h>

#include "gstqpuarchive.h"
#include "gstqpudebug.h"
#include "gstqpufork.h"

/* For calls that are under way, and for the JVM: it waits for threads in native code (0.3 s), and for those of its compilers (10 s). */
#define PATIENCE_SECONDS 2
#define LOOK_MICROS 500

/* The JVM to be ended. Written once, by the thread that creates it. */
static JavaVM *running;

/* Calls into Java that are under way; atomic. */
static gint calls;
/* Those of this thread: one that exits from within a call cannot wait for it. */
static _Thread_local gint own_calls;
/* Whether the process exits: no call begins any more; atomic. */
static gint ended;

/* The C library's own, of which atexit is a part: what is registered for an object is taken back with the object. */
int __cxa_atexit (void (*function) (void *), void *argument, void *object);
void __cxa_finalize (void *object);

/* For which the end is registered a second time, after drivers have been loaded. */
static gint drivers;
/* That registration. Guarded by registering. */
static GMutex registering;
/* The thread that takes it back; NULL if none does. */
static gpointer taker;

static GMutex lock;
static GCond destroyed;
/* Whether the JVM has been destroyed. Guarded by lock. */
static gboolean done;

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

static gint64
latest_end (void)
{
  return g_get_monotonic_time () + PATIENCE_SECONDS * G_TIME_SPAN_SECOND;
}

static void
end (void)
{
  gint64 latest = latest_end ();
  GThread *thread;

  /* It may be registered twice. */
  if (gst_qpu_fork_happened () || g_atomic_int_get (&ended))
    return;
  g_atomic_int_set (&ended, TRUE);
  while (
      g_atomic_int_get (&calls) > own_calls && g_get_monotonic_time () < latest)
    g_usleep (LOOK_MICROS);
  /* A thread that is in Java would not come back. Whoever waits for it at this exit would hang. */
  if (g_atomic_int_get (&calls) > 0)
    return;
  gst_qpu_archive_make (running);

  /* The JVM waits for each thread that has called Java and is not there now: this one, and those that GStreamer keeps for its next
   * tasks. */
  (*running)->DetachCurrentThread (running);
  g_thread_pool_stop_unused_threads ();
  /* On a thread of its own, since it may take longer than an exit may. The process then exits beside the JVM. */
  thread = g_thread_try_new ("qpu-jvm-end", destroy, NULL, NULL);
  if (thread == NULL)
    return;
  g_thread_unref (thread);
  latest = latest_end ();
  g_mutex_lock (&lock);
  while (!done && g_cond_wait_until (&destroyed, &lock, latest)) {
  }
  g_mutex_unlock (&lock);
}

static void
end_first (void *unused)
{
  /* What is taken back is called. */
  if (g_atomic_pointer_get (&taker) != (gpointer) g_thread_self ())
    end ();
}

void
gst_qpu_exit_end (JavaVM *vm)
{
  running = vm;
  if (atexit (end) != 0)
    GST_WARNING ("the JVM will not be ended at exit: not enough memory");
}

gint32
gst_qpu_exit_ends_jvm (void)
{
  return running != NULL;
}

/* Entries of drivers that are unloaded are used again if nothing is registered after them. So there is one, while there are drivers. */
static void
take_back (void)
{
  g_atomic_pointer_set (&taker, (gpointer) g_thread_self ());
  __cxa_finalize (&drivers);
  g_atomic_pointer_set (&taker, NULL);
}

void
gst_qpu_exit_end_first (void)
{
  if (running == NULL || g_atomic_int_get (&ended))
    return;
  g_mutex_lock (&registering);
  take_back ();
  if (__cxa_atexit (end_first, NULL, &drivers) != 0)
    GST_WARNING ("devices will not be closed at exit: not enough memory");
  g_mutex_unlock (&registering);
}

void
gst_qpu_exit_end_late (void)
{
  if (running == NULL || g_atomic_int_get (&ended))
    return;
  g_mutex_lock (&registering);
  take_back ();
  g_mutex_unlock (&registering);
}

gboolean
gst_qpu_exit_enter (void)
{
  if (gst_qpu_fork_happened ())
    return FALSE;
  g_atomic_int_inc (&calls);
  /* After the count: whoever ends Java sees this call, or is seen here. */
  if (g_atomic_int_get (&ended)) {
    g_atomic_int_add (&calls, -1);
    return FALSE;
  }
  own_calls++;
  return TRUE;
}

void
gst_qpu_exit_leave (void)
{
  own_calls--;
  g_atomic_int_add (&calls, -1);
}

gint32
gst_qpu_exit_has_begun (void)
{
  return g_atomic_int_get (&ended);
}
