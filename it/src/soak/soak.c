/*
 * Runs a pipeline for a long time, and fails if the process holds more file descriptors or resident memory in the end.
 *
 * usage: soak frames|caps|states|changes COUNT LIMIT-KIB ELEMENT...    (the pipeline as gst-launch-1.0 takes it)
 *   frames   COUNT pictures
 *   caps     COUNT changes of the caps, three pictures each; the pipeline has a capsfilter named "caps"
 *   states   COUNT times from NULL to PLAYING, three pictures, and back to NULL
 *   changes  COUNT changes at random, three pictures after each: caps, properties of the elements named "first" and "second", seeks,
 *            pauses, starts; the pipeline has a capsfilter named "caps". What is held is compared at points where caps and
 *            properties are the same again.
 * Pictures are counted when they arrive at the element named "sink".
 *
 * Environment: SOAK_FIGURES, a file that gets what the process holds, once a second: seconds, KiB resident, descriptors, threads.
 * SOAK_SEED, the seed of "changes". FAULT_LAYER, the file of the Vulkan layer faultlayer.c, which the Vulkan loader must use, too: with
 * it, "changes" loses the device once after every tenth start, and looks whether the elements say so.
 *
 * Prints what the process holds at ten points. The first half is warm-up, in which the JVM compiles and caches fill. After the
 * warm-up, resident memory may grow by LIMIT-KIB at most, and descriptors by a few, because buffers under way come and go.
 * Exit status: 0 if nothing grew; 1 if something grew; 2 if the pipeline failed, or if a device was to be lost and was not.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gst/gst.h>

#define POINTS 10
#define WARM_UP_POINTS 5
#define FDS_UNDER_WAY 4
#define PICTURES_EACH 3
/* After so many pictures, a stream that was started again holds what it needs. */
#define PICTURES_SETTLED 100
#define TIMEOUT (60 * G_USEC_PER_SEC)
#define STARTS_A_LOSS 10
/* The injected loss occurs within this many pictures. */
#define PICTURES_A_LOSS 100
#define DEVICE_LOST (-4)

/* The sizes and formats that a stream changes between; some come again and again. */
static const gchar *const caps_texts[] = {
  "video/x-raw,format=I420,width=64,height=48",
  "video/x-raw,format=NV12,width=64,height=48",
  "video/x-raw,format=I420,width=32,height=32",
  "video/x-raw,format=I420_10LE,width=64,height=48",
  "video/x-raw,format=GRAY8,width=50,height=38",
};

/* Values that a stream changes between. */
static const gchar *const properties[][2] = { { "deblock", "false" },
  { "deblock", "true" }, { "cdef", "false" }, { "cdef", "true" },
  { "shrinkage", "false" }, { "shrinkage", "true" }, { "strength", "0" },
  { "strength", "1" }, { "strength", "2" }, { "quality", "fast" },
  { "quality", "best" }, { "quality", "auto" }, { "qp", "-1" }, { "qp", "40" },
  { "shrinkage-shifts", "4" }, { "shrinkage-shifts", "16" },
  { "shrinkage-shifts", "-1" }, { "cdef-damping", "3" },
  { "cdef-damping", "-1" }, { "cdef-y-primary", "15" },
  { "cdef-y-primary", "-1" }, { "cdef-uv-secondary", "4" },
  { "cdef-uv-secondary", "-1" }, { "degrade", "false" }, { "degrade", "true" },
  { "queue-depth", "1" }, { "queue-depth", "4" } };

typedef struct
{
  glong rss_kib;
  guint fds;
} Holding;

static Holding holdings[POINTS];
static guint points;

/* Number of pictures that have arrived, guarded by the lock. */
static GMutex lock;
static GCond arrived;
static guint64 pictures;
static gboolean failed;
static guint warnings;

/* How often a device was lost. */
static guint losses;

static void
fail (const gchar *what, const gchar *why)
{
  printf ("soak: %s: %s\n", what, why);
  exit (2);
}

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
note (guint64 done, const gchar *unit)
{
  gchar *statm = NULL;
  Holding *holding = &holdings[points++];

  /* Memory that was freed, but that malloc keeps for later, is no leak. */
  malloc_trim (0);
  g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL);
  holding->rss_kib =
      atol (strchr (statm, ' ')) * (sysconf (_SC_PAGESIZE) / 1024);
  holding->fds = entries ("/proc/self/fd");
  printf ("%8" G_GUINT64_FORMAT
          " %s: %6ld KiB resident, %3u descriptors, %3u threads\n",
      done, unit, holding->rss_kib, holding->fds, entries ("/proc/self/task"));
  fflush (stdout);
  g_free (statm);
}

/* True if a point is reached after this many of COUNT. */
static gboolean
is_point (guint64 done, guint64 count)
{
  return done > 0 && points < POINTS && done >= count * (points + 1) / POINTS;
}

static int
judge (glong limit_kib)
{
  const Holding *warm = &holdings[WARM_UP_POINTS - 1];
  const Holding *last = &holdings[POINTS - 1];
  glong grown = last->rss_kib - warm->rss_kib;
  int status = 0;

  if (points < POINTS)
    fail ("the run", "it ended early");
  if (grown > limit_kib) {
    printf (
        "soak: LEAK: resident memory grew by %ld KiB in the second half, the limit is %ld\n",
        grown, limit_kib);
    status = 1;
  }
  if (last->fds > warm->fds + FDS_UNDER_WAY) {
    printf ("soak: LEAK: descriptors grew from %u to %u in the second half\n",
        warm->fds, last->fds);
    status = 1;
  }
  if (status == 0)
    printf ("soak: flat: %+ld KiB and %+d descriptors in the second half\n",
        grown, (gint) last->fds - (gint) warm->fds);
  return status;
}

static GstPadProbeReturn
count_picture (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  (void) pad;
  (void) probe;
  (void) data;
  g_mutex_lock (&lock);
  pictures++;
  g_cond_signal (&arrived);
  g_mutex_unlock (&lock);
  return GST_PAD_PROBE_OK;
}

static GstBusSyncReply
hear (GstBus *bus, GstMessage *message, gpointer data)
{
  GError *error = NULL;

  (void) bus;
  (void) data;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    printf ("soak: %s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
    g_error_free (error);
    g_mutex_lock (&lock);
    failed = TRUE;
    g_cond_signal (&arrived);
    g_mutex_unlock (&lock);
  }
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    g_mutex_lock (&lock);
    warnings++;
    g_mutex_unlock (&lock);
  }
  /* Nobody else reads the messages. */
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static guint64
count_pictures (void)
{
  guint64 now;

  g_mutex_lock (&lock);
  now = pictures;
  g_mutex_unlock (&lock);
  return now;
}

/* Waits until this many pictures have arrived. */
static void
await (guint64 count)
{
  gint64 deadline = g_get_monotonic_time () + TIMEOUT;

  g_mutex_lock (&lock);
  while (pictures < count && !failed) {
    if (!g_cond_wait_until (&arrived, &lock, deadline)) {
      g_mutex_unlock (&lock);
      fail ("the pipeline", "no picture came");
    }
  }
  g_mutex_unlock (&lock);
  if (failed)
    exit (2);
}

static void
set_state (GstElement *pipeline, GstState state)
{
  if (gst_element_set_state (pipeline, state) == GST_STATE_CHANGE_FAILURE)
    fail ("the pipeline", "it changes its state no more");
}

static void
run_frames (GstElement *pipeline, guint64 count)
{
  set_state (pipeline, GST_STATE_PLAYING);
  while (points < POINTS) {
    guint64 goal = count * (points + 1) / POINTS;

    /* In steps, each of which has the time limit of one picture. */
    for (guint64 step = pictures + 100; step < goal; step += 100)
      await (step);
    await (goal);
    note (goal, "frames");
  }
  set_state (pipeline, GST_STATE_NULL);
}

static void
set_caps (GstElement *filter, const gchar *text)
{
  GstCaps *caps = gst_caps_from_string (text);

  g_object_set (filter, "caps", caps, NULL);
  gst_caps_unref (caps);
}

/* The caps that the stream is to change to; NULL if it has. Guarded by the lock. */
static const gchar *next_caps;

static GstPadProbeReturn
change_caps (GstPad *pad, GstPadProbeInfo *probe, gpointer filter)
{
  const gchar *text;

  (void) pad;
  (void) probe;
  g_mutex_lock (&lock);
  text = next_caps;
  g_mutex_unlock (&lock);
  if (text == NULL)
    return GST_PAD_PROBE_OK;
  set_caps (filter, text);
  g_mutex_lock (&lock);
  next_caps = NULL;
  g_cond_signal (&arrived);
  g_mutex_unlock (&lock);
  /* It has the caps of before. */
  return GST_PAD_PROBE_DROP;
}

/* Changes the caps on the streaming thread. If another thread did while the source negotiates, since an element after the filter has
 * asked for that, the source would end the stream ("not-negotiated"), with elements of GStreamer alone, too. */
static void
change_caps_of_stream (const gchar *text)
{
  g_mutex_lock (&lock);
  next_caps = text;
  while (next_caps != NULL && !failed)
    g_cond_wait (&arrived, &lock);
  g_mutex_unlock (&lock);
}

/* The capsfilter of the pipeline, whose caps change_caps_of_stream changes. */
static GstElement *
find_filter (GstElement *pipeline)
{
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "caps");
  GstPad *pad;

  if (filter == NULL)
    fail ("the pipeline", "it has no capsfilter named caps");
  pad = gst_element_get_static_pad (filter, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, change_caps, filter, NULL);
  gst_object_unref (pad);
  return filter;
}

static void
run_caps (GstElement *pipeline, guint64 count)
{
  GstElement *filter = find_filter (pipeline);

  set_state (pipeline, GST_STATE_PLAYING);
  for (guint64 i = 1; i <= count; i++) {
    change_caps_of_stream (caps_texts[i % G_N_ELEMENTS (caps_texts)]);
    await (count_pictures () + PICTURES_EACH);
    if (is_point (i, count))
      note (i, "changes of caps");
  }
  set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (filter);
}

static void
run_states (GstElement *pipeline, guint64 count)
{
  for (guint64 i = 1; i <= count; i++) {
    g_mutex_lock (&lock);
    pictures = 0;
    g_mutex_unlock (&lock);
    set_state (pipeline, GST_STATE_PLAYING);
    await (PICTURES_EACH);
    set_state (pipeline, GST_STATE_NULL);
    if (is_point (i, count))
      note (i, "starts");
  }
}

/* The layer's function that lets a call fail; NULL without the layer. */
static int (*arm_layer) (const char *name, int result);

static void
find_layer (void)
{
  const gchar *file = g_getenv ("FAULT_LAYER");
  void *layer;

  if (file == NULL)
    return;
  layer = dlopen (file, RTLD_NOW | RTLD_LOCAL);
  if (layer == NULL)
    fail ("the layer", dlerror ());
  *(void **) &arm_layer = dlsym (layer, "fault_layer_arm");
  if (arm_layer == NULL)
    fail ("the layer", "it has no function fault_layer_arm");
}

/* How often an element has lost its device since it was started. */
static guint64
losses_of (GstElement *element)
{
  GstStructure *stats = NULL;
  guint64 count = 0;

  g_object_get (element, "stats", &stats, NULL);
  if (!gst_structure_get_uint64 (stats, "device-losses", &count))
    fail ("the element", "its stats have no device-losses");
  gst_structure_free (stats);
  return count;
}

/* Loses the device of one of the elements, and waits until that has the CPU in its place. */
static void
lose_device (GstElement *const elements[2])
{
  guint64 before = losses_of (elements[0]) + losses_of (elements[1]);
  guint64 goal = count_pictures () + PICTURES_A_LOSS;

  /* So that there is something to submit, whatever was changed before. */
  g_object_set (elements[0], "deblock", TRUE, "qp", 40, NULL);
  arm_layer ("vkQueueSubmit", DEVICE_LOST);
  while (losses_of (elements[0]) + losses_of (elements[1]) == before) {
    guint64 now = count_pictures ();

    if (now >= goal)
      fail ("a device", "it was to be lost, and no element says that it was");
    await (now + 1);
  }
  losses++;
}

static void
start_again (GstElement *pipeline, GstElement *const elements[2], guint number)
{
  set_state (pipeline, GST_STATE_NULL);
  set_state (pipeline, GST_STATE_PLAYING);
  if (arm_layer != NULL && number % STARTS_A_LOSS == 0)
    lose_device (elements);
}

/* Makes a change at random. */
static void
change (GRand *random, GstElement *pipeline, GstElement *const elements[2],
    guint which, guint *starts)
{
  const gchar *const *property;

  switch (g_rand_int_range (random, 0, 10)) {
    case 0:
    case 1:
    case 2:
      change_caps_of_stream (
          caps_texts[g_rand_int_range (random, 0, G_N_ELEMENTS (caps_texts))]);
      break;
    case 3:
      gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
          g_rand_int_range (random, 0, 1000) * GST_SECOND);
      break;
    case 4:
      set_state (pipeline, GST_STATE_PAUSED);
      set_state (pipeline, GST_STATE_PLAYING);
      break;
    case 5:
      start_again (pipeline, elements, ++*starts);
      break;
    default:
      property =
          properties[g_rand_int_range (random, 0, G_N_ELEMENTS (properties))];
      gst_util_set_object_arg (G_OBJECT (elements[which]), property[0],
          property[1]);
      break;
  }
}

static void
set_default (GstElement *element, const gchar *property)
{
  GParamSpec *spec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), property);
  GValue value = G_VALUE_INIT;

  g_value_init (&value, spec->value_type);
  g_param_value_set_default (spec, &value);
  g_object_set_property (G_OBJECT (element), property, &value);
  g_value_unset (&value);
}

/* Brings the stream into one form. What it holds depends on caps and properties, and both are at random. */
static void
settle (GstElement *pipeline, GstElement *filter, GstElement *const elements[2])
{
  set_state (pipeline, GST_STATE_NULL);
  set_caps (filter, caps_texts[0]);
  for (guint which = 0; which < 2; which++) {
    for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
      set_default (elements[which], properties[i][0]);
    g_object_set (elements[which], "deblock", TRUE, "qp", 40, NULL);
  }
  set_state (pipeline, GST_STATE_PLAYING);
  await (count_pictures () + PICTURES_SETTLED);
}

static void
run_changes (GstElement *pipeline, guint64 count)
{
  const gchar *given = g_getenv ("SOAK_SEED");
  guint32 seed = given != NULL ? (guint32) g_ascii_strtoull (given, NULL, 10)
                               : g_random_int ();
  GRand *random = g_rand_new_with_seed (seed);
  GstElement *filter = find_filter (pipeline);
  GstElement *elements[2];
  guint starts = 0;

  elements[0] = gst_bin_get_by_name (GST_BIN (pipeline), "first");
  elements[1] = gst_bin_get_by_name (GST_BIN (pipeline), "second");
  if (elements[0] == NULL || elements[1] == NULL)
    fail ("the pipeline", "it has no elements named first and second");
  printf ("soak: seed %u\n", seed);
  find_layer ();
  set_state (pipeline, GST_STATE_PLAYING);
  for (guint64 i = 1; i <= count; i++) {
    change (random, pipeline, elements, (guint) (i % 2), &starts);
    await (count_pictures () + PICTURES_EACH);
    if (is_point (i, count)) {
      settle (pipeline, filter, elements);
      note (i, "changes");
    }
  }
  /* One for each loss of the device, besides those of settings that do not go together. */
  printf ("soak: %u starts, %u losses of the device, %u warnings\n", starts,
      losses, warnings);
  set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (filter);
  gst_object_unref (elements[0]);
  gst_object_unref (elements[1]);
  g_rand_free (random);
}

/* Writes down what the process holds, once a second, as long as it runs. */
static gpointer
take_figures (gpointer data)
{
  FILE *file = data;
  gint64 begin = g_get_monotonic_time ();

  for (;;) {
    gchar *statm = NULL;

    g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL);
    fprintf (file, "%.1f %ld %u %u\n",
        (gdouble) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC,
        atol (strchr (statm, ' ')) * (sysconf (_SC_PAGESIZE) / 1024),
        entries ("/proc/self/fd"), entries ("/proc/self/task"));
    fflush (file);
    g_free (statm);
    g_usleep (G_USEC_PER_SEC);
  }
  return NULL;
}

int
main (int argc, char **argv)
{
  GstElement *pipeline, *sink;
  GstPad *pad;
  GstBus *bus;
  GError *error = NULL;
  guint64 count;

  gst_init (NULL, NULL);
  if (argc < 5 || (count = g_ascii_strtoull (argv[2], NULL, 10)) < POINTS) {
    fprintf (stderr,
        "usage: soak frames|caps|states|changes COUNT LIMIT-KIB ELEMENT..., COUNT at least %d\n",
        POINTS);
    return 2;
  }
  pipeline = gst_parse_launchv ((const gchar **) argv + 4, &error);
  if (error != NULL)
    fail ("the pipeline", error->message);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  if (sink == NULL)
    fail ("the pipeline", "it has no element named sink");
  pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_picture, NULL, NULL);
  gst_object_unref (pad);
  gst_object_unref (sink);
  bus = gst_element_get_bus (pipeline);
  gst_bus_set_sync_handler (bus, hear, NULL, NULL);
  gst_object_unref (bus);

  if (g_getenv ("SOAK_FIGURES") != NULL) {
    FILE *figures = fopen (g_getenv ("SOAK_FIGURES"), "w");

    if (figures == NULL)
      fail ("SOAK_FIGURES", "the file cannot be written");
    g_thread_unref (g_thread_new ("figures", take_figures, figures));
  }

  if (strcmp (argv[1], "frames") == 0)
    run_frames (pipeline, count);
  else if (strcmp (argv[1], "caps") == 0)
    run_caps (pipeline, count);
  else if (strcmp (argv[1], "states") == 0)
    run_states (pipeline, count);
  else if (strcmp (argv[1], "changes") == 0)
    run_changes (pipeline, count);
  else
    fail ("not frames, caps, states or changes", argv[1]);
  gst_object_unref (pipeline);
  return judge (atol (argv[3]));
}
