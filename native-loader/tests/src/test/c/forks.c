/*
 * A host that forks. Prints what the children said: "child: " and the element's error, or "end of stream", or "hung".
 *
 * Usage: forks SUBSTRATE ELEMENT use      a child uses an element of its own, after one of the parent has run
 *        forks SUBSTRATE ELEMENT play     a child sets the parent's playing element to NULL, and exits
 *        forks SUBSTRATE ELEMENT jvm LIB  a child uses an element; the parent has a JVM of its own, and used none
 *        forks SUBSTRATE ELEMENT many N   N starts and stops, each with a child that exits, and a signal each millisecond
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <dlfcn.h>
#include <jni.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gst/gst.h>

#define LIMIT_SECONDS 60

typedef jint (JNICALL *CreateJavaVM) (JavaVM **, void **, void *);

static const gchar *substrate, *element;

static GstElement *
new_pipeline (const gchar *source)
{
  g_autofree gchar *caps =
      g_strdup_printf ("%s ! video/x-raw,format=I420,width=64,height=48,"
                       "framerate=30/1",
          source);
  g_autofree gchar *description = g_str_equal (element, "qpumeter")
      ? g_strdup_printf (
            "%s ! m.ref_sink %s ! m.dist_sink qpumeter name=m substrate=%s"
            " model-filename=vmaf psnr=true ! fakesink",
            caps, caps, substrate)
      : g_strdup_printf ("%s ! qpuloopfilter substrate=%s ! fakesink", caps,
            substrate);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  if (error != NULL)
    g_error ("%s", error->message);
  return pipeline;
}

/* The error of a pipeline, or how else it ended; freed with g_free. */
static gchar *
run (void)
{
  GstElement *pipeline = new_pipeline ("videotestsrc num-buffers=3");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  gchar *result;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, LIMIT_SECONDS * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message == NULL) {
    result = g_strdup ("hung");
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    result = g_strdup ("end of stream");
  } else {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    result = g_strdup (error->message);
    g_error_free (error);
  }
  g_clear_pointer (&message, gst_message_unref);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  return result;
}

/* Waits for a child; FALSE if it had to be killed, or failed. */
static gboolean
await (pid_t child)
{
  gint64 end = g_get_monotonic_time () + LIMIT_SECONDS * G_USEC_PER_SEC;
  int status = 0;

  while (waitpid (child, &status, WNOHANG) == 0) {
    if (g_get_monotonic_time () > end) {
      kill (child, SIGKILL);
      waitpid (child, NULL, 0);
      puts ("child: hung");
      return FALSE;
    }
    g_usleep (1000);
  }
  return status == 0;
}

static gboolean
use_in_child (void)
{
  pid_t child;

  /* A thread of the pipeline before may still hold a lock of GObject, which would stay locked in the child. */
  gst_task_cleanup_all ();
  fflush (NULL);
  child = fork ();
  if (child == 0) {
    g_autofree gchar *result = run ();

    printf ("child: %s\n", result);
    exit (0);
  }
  return await (child);
}

static gboolean
exit_from_child (GstElement *playing)
{
  pid_t child;

  fflush (NULL);
  child = fork ();
  if (child == 0) {
    if (playing != NULL) {
      GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (playing));
      GValue item = G_VALUE_INIT;

      /* As the finalizers of some languages do: of this element alone, for others wait for their threads. */
      while (gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
        GstElement *one = g_value_get_object (&item);
        GstStructure *stats = NULL;

        if (g_str_has_prefix (GST_OBJECT_NAME (one), "qpuloopfilter")) {
          g_object_set (one, "split-view", 0.5, NULL);
          g_object_get (one, "stats", &stats, NULL);
          gst_structure_free (stats);
        }
        g_value_reset (&item);
      }
      puts ("child: exits");
    }
    exit (0);
  }
  return await (child);
}

static void
ignore (int number)
{
  (void) number;
}

static gboolean
start_and_stop (guint times)
{
  struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };
  struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };
  gboolean well = TRUE;

  sigaction (SIGALRM, &action, NULL);
  setitimer (ITIMER_REAL, &timer, NULL);
  for (guint i = 0; well && i < times; i++) {
    g_autofree gchar *result = run ();

    well = g_str_equal (result, "end of stream") && exit_from_child (NULL);
    if (!well)
      printf ("start %u: %s\n", i, result);
  }
  return well;
}

static gboolean
create_jvm (const char *path)
{
  JavaVMOption options[] = { { .optionString = (char *) "-Xmx64m" } };
  JavaVMInitArgs arguments = { .version = JNI_VERSION_10,
    .nOptions = 1,
    .options = options };
  void *library = dlopen (path, RTLD_NOW | RTLD_GLOBAL);
  JavaVM *vm = NULL;
  void *env = NULL;

  return library != NULL
      && ((CreateJavaVM) dlsym (library, "JNI_CreateJavaVM")) (&vm, &env,
             &arguments)
      == JNI_OK;
}

int
main (int argc, char **argv)
{
  const gchar *mode = argc > 3 ? argv[3] : "";
  g_autofree gchar *first = NULL;
  gboolean well;

  gst_init (NULL, NULL);
  substrate = argc > 1 ? argv[1] : "cpu";
  element = argc > 2 ? argv[2] : "qpuloopfilter";
  if (g_str_equal (mode, "many")) {
    well = start_and_stop ((guint) atoi (argv[4]));
  } else if (g_str_equal (mode, "jvm")) {
    well = create_jvm (argv[4]) && use_in_child ();
  } else if (g_str_equal (mode, "play")) {
    GstElement *pipeline = new_pipeline ("videotestsrc");

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    gst_element_get_state (pipeline, NULL, NULL, LIMIT_SECONDS * GST_SECOND);
    well = exit_from_child (pipeline);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (pipeline);
  } else {
    first = run ();
    printf ("parent: %s\n", first);
    well = use_in_child ();
  }
  fflush (stdout);
  return well ? 0 : 1;
}
