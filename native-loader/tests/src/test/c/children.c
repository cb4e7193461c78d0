/*
 * Starts child processes all the while the JVM boots, and looks whether their standard error is this program's. Prints "same N" or
 * "other", where N is the number of children.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gst/gst.h>

#define PAUSE_US 5000

static struct stat before;
/* Atomic. */
static gint booting = TRUE;

static gboolean
is_same (void)
{
  struct stat now;

  return fstat (STDERR_FILENO, &now) == 0 && now.st_dev == before.st_dev
      && now.st_ino == before.st_ino;
}

/* The number of children, negative if the standard error of one was another. */
static gpointer
start_children (gpointer unused)
{
  gint count = 0;
  gboolean same = TRUE;

  (void) unused;
  while (g_atomic_int_get (&booting) && same) {
    pid_t child = fork ();
    int status = 0;

    if (child == 0)
      _exit (is_same () ? 0 : 1);
    if (child < 0 || waitpid (child, &status, 0) != child)
      g_error ("no child");
    same = status == 0;
    count++;
    /* Without a pause the JVM, whose pages each child shares, would take a quarter of a minute to boot. */
    g_usleep (PAUSE_US);
  }
  return GINT_TO_POINTER (same ? count : -count);
}

int
main (int argc, char **argv)
{
  GstElement *element;
  GThread *thread;
  GstStateChangeReturn ready;
  gint children;

  gst_init (&argc, &argv);
  if (fstat (STDERR_FILENO, &before) != 0)
    return 1;
  element = gst_element_factory_make ("qpuloopfilter", NULL);
  if (element == NULL)
    return 1;
  gst_util_set_object_arg (G_OBJECT (element), "substrate", "cpu");
  thread = g_thread_new ("children", start_children, NULL);
  ready = gst_element_set_state (element, GST_STATE_READY);
  g_atomic_int_set (&booting, FALSE);
  children = GPOINTER_TO_INT (g_thread_join (thread));
  if (children < 0)
    puts ("other");
  else
    printf ("same %d\n", children);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
  return ready == GST_STATE_CHANGE_FAILURE;
}
