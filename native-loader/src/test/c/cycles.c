/*
 * Takes a pipeline description to a state and away again, many times, and prints what the process holds after a tenth of
 * the cycles and at the end: one line each of "cycle N rss BYTES fds N threads N".
 *
 * usage: cycles COUNT ready|paused DESCRIPTION [THREADS]
 * THREADS (default 1) threads share the work; all begin at once.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const gchar *description;
static GstState state;
static gint failures;

static guint
entries (const gchar *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  guint count = 0;

  while (g_dir_read_name (dir) != NULL)
    count++;
  g_dir_close (dir);
  return count;
}

static void
report (guint cycle)
{
  gchar *statm = NULL;

  malloc_trim (0);
  g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL);
  printf ("cycle %u rss %ld fds %u threads %u\n", cycle,
      atol (strchr (statm, ' ')) * sysconf (_SC_PAGESIZE),
      entries ("/proc/self/fd"), entries ("/proc/self/task"));
  fflush (stdout);
  g_free (statm);
}

static void
run_cycle (void)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  if (error != NULL
      || gst_element_set_state (pipeline, state) == GST_STATE_CHANGE_FAILURE
      || gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND)
          != GST_STATE_CHANGE_SUCCESS)
    g_atomic_int_inc (&failures);
  if (pipeline != NULL) {
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (pipeline);
  }
  g_clear_error (&error);
}

static gpointer
run_share (gpointer count)
{
  for (guint i = 0; i < GPOINTER_TO_UINT (count); i++)
    run_cycle ();
  return NULL;
}

int
main (int argc, char **argv)
{
  guint count, threads;

  gst_init (&argc, &argv);
  if (argc < 4) {
    fprintf (stderr,
        "usage: cycles COUNT ready|paused DESCRIPTION [THREADS]\n");
    return 2;
  }
  count = (guint) atoi (argv[1]);
  state = strcmp (argv[2], "paused") == 0 ? GST_STATE_PAUSED : GST_STATE_READY;
  description = argv[3];
  threads = argc > 4 ? (guint) atoi (argv[4]) : 1;

  if (threads > 1) {
    GThread *workers[threads];

    for (guint i = 0; i < threads; i++)
      workers[i] = g_thread_new ("cycles", run_share,
          GUINT_TO_POINTER (count / threads));
    for (guint i = 0; i < threads; i++)
      g_thread_join (workers[i]);
    report (count);
  } else {
    for (guint i = 1; i <= count; i++) {
      run_cycle ();
      if (i == (count + 9) / 10 || i == count)
        report (i);
    }
  }
  if (failures > 0)
    fprintf (stderr, "%d cycles failed\n", failures);
  return failures > 0;
}
