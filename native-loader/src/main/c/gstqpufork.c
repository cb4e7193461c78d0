/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpufork.h"

#include <unistd.h>

/* The thread without which no JVM gets far, as HotSpot names it. */
#define VM_THREAD "VM Thread"

/* The process with the JVM; 0 while there is none; atomic. A fork copies it. */
static gint process;

void
gst_qpu_fork_java_starts (void)
{
  g_atomic_int_set (&process, (gint) getpid ());
}

void
gst_qpu_fork_java_failed (void)
{
  g_atomic_int_set (&process, 0);
}

gboolean
gst_qpu_fork_happened (void)
{
  gint with_java = g_atomic_int_get (&process);

  return with_java != 0 && with_java != (gint) getpid ();
}

gboolean
gst_qpu_fork_jvm_has_threads (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  gboolean found = tasks == NULL;
  const gchar *task;

  while (!found && (task = g_dir_read_name (tasks)) != NULL) {
    g_autofree gchar *file =
        g_build_filename ("/proc/self/task", task, "comm", NULL);
    g_autofree gchar *name = NULL;

    found = g_file_get_contents (file, &name, NULL, NULL)
        && g_str_equal (g_strchomp (name), VM_THREAD);
  }
  return found;
}
