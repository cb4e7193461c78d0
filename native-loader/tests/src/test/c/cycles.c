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
#include <sys/resource.h>
#include <unistd.h>

/* How long the process may take to come to rest, how long it is looked at then, and how often. */
#define REST_MS 30000
#define LULL_MS 6000
#define STEP_MS 250

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

/* Processor time of the process so far, in microseconds. */
static gint64
used (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC
      + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static glong
resident (void)
{
  gchar *statm = NULL;
  glong bytes;

  malloc_trim (0);
  g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL);
  bytes = atol (strchr (statm, ' ')) * sysconf (_SC_PAGESIZE);
  g_free (statm);
  return bytes;
}

/*
 * A compiler of the JVM that is at work holds tens of megabytes, and gives them back up to 5 s after it is done. So the
 * process is let come to rest first, and the least that it then holds in LULL_MS counts.
 */
static void
report (guint cycle)
{
  gint64 before;
  glong least = G_MAXLONG;

  for (guint i = 0; i < REST_MS / STEP_MS; i++) {
    before = used ();
    g_usleep (STEP_MS * 1000);
    if (used () - before < STEP_MS * 1000 / 10)
      break;
  }
  for (guint i = 0; i < LULL_MS / STEP_MS; i++) {
    least = MIN (least, resident ());
    g_usleep (STEP_MS * 1000);
  }
  printf ("cycle %u rss %ld fds %u threads %u\n", cycle, least,
      entries ("/proc/self/fd"), entries ("/proc/self/task"));
  fflush (stdout);
}

static void
run_cycle (void)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  if (error != NULL
      || gst_element_set_state (pipeline, state) == GST_STATE_CHANGE_FAILURE
      || gst_element_get_state (pipeline, NULL, NULL, 600 * GST_SECOND)
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
