/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs a short pipeline again and again, and lets another call fail in each run.
 *
 * Usage: fault-host KIND COUNT SEED ELEMENT...    (the pipeline as gst-launch-1.0 takes it)
 * The pipeline is a source, a queue, elements of which the first is named filter, and a sink named sink.
 *   KIND   vulkan:spec: a call to Vulkan fails, in each way that the specification lists for it
 *          vulkan:lost: the device is lost at a call to Vulkan, for good
 *          or a kind of faultpreload.c: descriptors, mmap, memory-map
 *   COUNT  so many calls, and one way for each, chosen by SEED; 0 for all calls of the pipeline
 * Environment: FAULT_LAYER, the file of the Vulkan layer faultlayer.c, which the Vulkan loader must use, too, for each kind: it tells
 * whether a run leaves a VkInstance or a VkDevice behind, which is wrong. LD_PRELOAD, the file made from faultpreload.c;
 * FAULT_PARAMS=1, so that buffers into the element named filter carry side information; FAULT_CAPS, what a capsfilter named caps lets
 * through behind two pictures, which a queue named changing follows; FAULT_OPEN=1, so that calls fail only once the elements are open;
 * FAULT_TAKEOVER=1, so that only the right samples are right, and not an error.
 *
 * The first two runs have no failure: the second tells how many calls there are. A run is right if it brings the samples of the
 * second run to the sink, or if it ends in an error whose text has no line break and asks for no report: one of each element at
 * most, as those that share a device lose it together. Where a GstMemory cannot be mapped, it is also right if one picture is
 * missing and one warning tells that. Prints one line for each run, and one at the end: runs, those with the right samples, those
 * with a picture less, those with an error, those in which the CPU took the place of a device. Exit status 0: all were right, and
 * the process holds at most one file descriptor more than after the first runs; with FAULT_TAKEOVER also, the device filtered in
 * the second run, and if all calls failed, the CPU took its place at least once. A run without an end ends the program by SIGALRM.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gst/gst.h>

#include "bus-printer.h"
#include "script.h"

/* A run that takes longer hangs. */
#define RUN_LIMIT_SECONDS 600

/* The JVM opens a jar when it first needs a class of it, as for a message, and keeps it open. */
#define MOST_NEW_DESCRIPTORS 1
#define SETTLE_STEPS 1200
#define SETTLE_STEP_US 50000

typedef struct
{
  GChecksum *sum;
  guint buffers;
  guint errors;
  guint warnings;
  gboolean ended;
  gboolean bad_text;
  /* An element told of two errors. */
  gboolean told_twice;
  gchar *text;
  gboolean on_device;
  guint64 losses;
} Outcome;

static const char *kind;
/* Which of the ways to fail that are listed for a call comes next, counted over and over. */
static int way;
static void (*layer_arm_listed) (int number, int index);
static void (*layer_lose_device) (int number);
static int (*layer_listed) (const char *name, int index);
static const char *(*layer_numbered) (void);
static int (*layer_disarm) (void);
static int64_t (*layer_total) (void);
static int (*layer_alive) (void);
static int (*preload_arm) (const char *kind, long number);
static long (*preload_count) (const char *kind);
static const char *(*preload_failed) (void);
static void (*preload_mark) (int is_marked);

static void *
function (void *library, const char *name)
{
  void *found = dlsym (library, name);

  if (found == NULL) {
    script_fail ("no such function", name);
  }
  return found;
}

static void
find_functions (void)
{
  const char *file = g_getenv ("FAULT_LAYER");
  void *layer = file != NULL ? dlopen (file, RTLD_NOW | RTLD_LOCAL) : NULL;

  if (layer == NULL) {
    script_fail ("no layer", file != NULL ? dlerror () : "FAULT_LAYER");
  }
  layer_alive = function (layer, "fault_layer_alive");
  layer_total = function (layer, "fault_layer_total");
  if (g_str_has_prefix (kind, "vulkan:")) {
    layer_arm_listed = function (layer, "fault_layer_arm_listed");
    layer_lose_device = function (layer, "fault_layer_lose_device");
    layer_listed = function (layer, "fault_layer_listed");
    layer_numbered = function (layer, "fault_layer_numbered");
    layer_disarm = function (layer, "fault_layer_disarm");
  } else {
    preload_arm = function (RTLD_DEFAULT, "fault_preload_arm");
    preload_count = function (RTLD_DEFAULT, "fault_preload_count");
    preload_failed = function (RTLD_DEFAULT, "fault_preload_failed");
    preload_mark = function (RTLD_DEFAULT, "fault_preload_mark");
  }
}

static gboolean
is_loss (void)
{
  return strcmp (kind, "vulkan:lost") == 0;
}

static void
arm (long number)
{
  if (preload_arm != NULL) {
    preload_arm (kind, number);
  } else if (number <= 0) {
    layer_disarm ();
  } else if (is_loss ()) {
    layer_lose_device ((int) number);
  } else {
    layer_arm_listed ((int) number, way);
  }
}

static long
calls (void)
{
  return preload_count != NULL ? preload_count (kind) : (long) layer_total ();
}

static const char *
failed_call (void)
{
  const char *name =
      preload_failed != NULL ? preload_failed () : layer_numbered ();

  return name != NULL ? name : "";
}

/* The thread that pushes into the filter: a queue's, so that it runs no source. */
static GstPadProbeReturn
mark_thread (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  (void) pad;
  (void) probe;
  (void) data;
  preload_mark (1);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
add_params (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  GstBuffer *buffer =
      gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (probe));
  GstCustomMeta *meta =
      gst_buffer_add_custom_meta (buffer, "qpu-filter-params");

  (void) pad;
  (void) data;
  if (meta == NULL) {
    script_fail ("no meta", "qpu-filter-params");
  }
  gst_structure_set (gst_custom_meta_get_structure (meta), "codec",
      G_TYPE_STRING, "h264", "qp", G_TYPE_INT, 40, NULL);
  GST_PAD_PROBE_INFO_DATA (probe) = buffer;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
take_buffer (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  Outcome *outcome = data;
  gsize size = gst_buffer_get_size (buffer);
  guint8 *bytes = g_malloc (size);

  (void) pad;
  if (preload_mark != NULL) {
    /* What reads the result is not under test. */
    preload_mark (0);
  }
  if (gst_buffer_extract (buffer, 0, bytes, size) == size) {
    g_checksum_update (outcome->sum, bytes, (gssize) size);
    outcome->buffers++;
  }
  g_free (bytes);
  if (preload_mark != NULL) {
    preload_mark (1);
  }
  return GST_PAD_PROBE_OK;
}

/* Changes the caps behind the second picture. */
static GstPadProbeReturn
change_caps (GstPad *pad, GstPadProbeInfo *info, gpointer capsfilter)
{
  static const char COUNT[] = "pictures";
  guint pictures = GPOINTER_TO_UINT (g_object_get_data (capsfilter, COUNT)) + 1;

  (void) pad;
  (void) info;
  g_object_set_data (capsfilter, COUNT, GUINT_TO_POINTER (pictures));
  if (pictures == 2) {
    GstCaps *caps = gst_caps_from_string (g_getenv ("FAULT_CAPS"));

    if (caps == NULL) {
      script_fail ("no caps", g_getenv ("FAULT_CAPS"));
    }
    g_object_set (capsfilter, "caps", caps, NULL);
    gst_caps_unref (caps);
  }
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement *pipeline, const char *name, GstPadProbeCallback callback,
    gpointer data)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad =
      element != NULL ? gst_element_get_static_pad (element, "sink") : NULL;

  if (pad == NULL) {
    script_fail ("no element with a sink pad", name);
  }
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, data, NULL);
  gst_object_unref (pad);
  gst_object_unref (element);
}

static void
take_error (Outcome *outcome, GstMessage *message)
{
  static const char TOLD[] = "told of an error";
  GObject *element = G_OBJECT (GST_MESSAGE_SRC (message));
  GError *error = NULL;

  gst_message_parse_error (message, &error, NULL);
  /* A source says this of every stream that an element has ended. */
  if (strstr (error->message, "Internal data stream error") == NULL) {
    outcome->errors++;
    outcome->told_twice =
        outcome->told_twice || g_object_get_data (element, TOLD) != NULL;
    g_object_set_data (element, TOLD, outcome);
    outcome->bad_text = outcome->bad_text
        || strchr (error->message, '\n') != NULL
        || strstr (error->message, "report") != NULL;
    if (outcome->text == NULL) {
      outcome->text = g_strdup (error->message);
    }
  }
  g_error_free (error);
}

static void
read_stats (GstElement *pipeline, Outcome *outcome)
{
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  GstStructure *stats = NULL;

  g_object_get (filter, "stats", &stats, NULL);
  outcome->on_device =
      g_strcmp0 (gst_structure_get_string (stats, "substrate"), "qpu") == 0;
  gst_structure_get_uint64 (stats, "device-losses", &outcome->losses);
  gst_structure_free (stats);
  gst_object_unref (filter);
}

/* Returns how many calls were made once calls could fail. */
static long
run (const gchar **elements, long number, Outcome *outcome)
{
  GError *error = NULL;
  GstElement *pipeline;
  GstMessage *message;
  gboolean over = FALSE, opens = g_getenv ("FAULT_OPEN") != NULL;
  long before = calls ();

  memset (outcome, 0, sizeof *outcome);
  outcome->sum = g_checksum_new (G_CHECKSUM_MD5);
  alarm (RUN_LIMIT_SECONDS);
  if (!opens) {
    arm (number);
  }
  pipeline = gst_parse_launchv (elements, &error);
  if (error != NULL || !GST_IS_PIPELINE (pipeline)) {
    script_fail ("cannot make the pipeline",
        error != NULL ? error->message : "not a pipeline");
  }
  /* Else what is said after the first error would be lost with the state. */
  gst_pipeline_set_auto_flush_bus (GST_PIPELINE (pipeline), FALSE);
  add_probe (pipeline, "sink", take_buffer, outcome);
  if (preload_mark != NULL) {
    add_probe (pipeline, "filter", mark_thread, NULL);
  }
  if (g_getenv ("FAULT_PARAMS") != NULL) {
    add_probe (pipeline, "filter", add_params, NULL);
  }
  if (g_getenv ("FAULT_CAPS") != NULL) {
    GstElement *capsfilter = gst_bin_get_by_name (GST_BIN (pipeline), "caps");

    if (capsfilter == NULL) {
      script_fail ("no capsfilter", "caps");
    }
    add_probe (pipeline, "changing", change_caps, capsfilter);
    /* The pipeline keeps it. */
    gst_object_unref (capsfilter);
  }
  if (opens) {
    gst_element_set_state (pipeline, GST_STATE_READY);
    before = calls ();
    arm (number);
  }
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!over) {
    message =
        gst_bus_timed_pop (GST_ELEMENT_BUS (pipeline), GST_CLOCK_TIME_NONE);
    switch (GST_MESSAGE_TYPE (message)) {
      case GST_MESSAGE_EOS:
        outcome->ended = TRUE;
        over = TRUE;
        break;
      case GST_MESSAGE_ERROR:
        take_error (outcome, message);
        over = TRUE;
        break;
      case GST_MESSAGE_WARNING:
        outcome->warnings++;
        break;
      default:
        break;
    }
    gst_message_unref (message);
  }
  read_stats (pipeline, outcome);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  while ((message = gst_bus_pop (GST_ELEMENT_BUS (pipeline))) != NULL) {
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      take_error (outcome, message);
    }
    gst_message_unref (message);
  }
  /* A message that a thread posts at its end would keep its sender, and with it the bus. */
  gst_bus_set_flushing (GST_ELEMENT_BUS (pipeline), TRUE);
  gst_object_unref (pipeline);
  arm (0);
  alarm (0);
  return calls () - before;
}

static void
clear (Outcome *outcome)
{
  g_checksum_free (outcome->sum);
  g_free (outcome->text);
}

static guint
open_descriptors (void)
{
  GDir *folder = g_dir_open ("/proc/self/fd", 0, NULL);
  guint count = 0;

  while (g_dir_read_name (folder) != NULL) {
    count++;
  }
  g_dir_close (folder);
  return count;
}

/* Prints what each open descriptor is: a leak of one run is told from what the first runs hold. */
static void
print_descriptors (void)
{
  GDir *folder = g_dir_open ("/proc/self/fd", 0, NULL);
  const gchar *name;

  while ((name = g_dir_read_name (folder)) != NULL) {
    gchar *path = g_build_filename ("/proc/self/fd", name, NULL);
    gchar *target = g_file_read_link (path, NULL);

    printf ("  open: %s -> %s\n", name, target != NULL ? target : "closed");
    g_free (target);
    g_free (path);
  }
  g_dir_close (folder);
}

/* What came of the runs. */
typedef struct
{
  guint runs, right, dropped, errors, losses, wrong;
} Result;

static void
judge (long number, const Outcome *outcome, const Outcome *wanted,
    Result *result)
{
  gboolean same = outcome->ended && outcome->errors == 0
      && outcome->buffers == wanted->buffers
      && strcmp (g_checksum_get_string (outcome->sum),
             g_checksum_get_string (wanted->sum))
          == 0;
  gboolean may_fail = g_getenv ("FAULT_TAKEOVER") == NULL;

  result->runs++;
  result->losses += outcome->losses > 0;
  if (strcmp (kind, "memory-map") == 0 && outcome->ended && outcome->errors == 0
      && outcome->warnings == 1 && outcome->buffers == wanted->buffers - 1) {
    result->dropped++;
    printf ("call %ld, %s: one picture dropped\n", number, failed_call ());
  } else if (!same
      && (!may_fail || outcome->errors == 0 || outcome->told_twice
          || outcome->bad_text)) {
    result->wrong++;
    printf ("WRONG call %ld, %s, way %d: %u buffers, %u errors, %s: %s\n",
        number, failed_call (), way, outcome->buffers, outcome->errors,
        outcome->ended ? "ended" : "not ended",
        outcome->text != NULL ? outcome->text : "");
  } else if (!same) {
    result->errors++;
    printf ("call %ld, %s: %s\n", number, failed_call (), outcome->text);
  } else {
    result->right++;
    printf ("call %ld, %s: right samples, %u warnings\n", number,
        failed_call (), outcome->warnings);
  }
}

/* How many more instances and devices are left than before. A thread that the element does not wait for may still destroy some. */
static int
newly_left (void)
{
  static int left_before;
  int left, more;

  for (guint i = 0; i < SETTLE_STEPS && layer_alive () > left_before; i++)
    g_usleep (SETTLE_STEP_US);
  left = layer_alive ();
  more = left - left_before;
  left_before = left;
  return more;
}

/* One run, in which that call fails. */
static void
run_once (const gchar **elements, long number, const Outcome *wanted,
    Result *result)
{
  Outcome outcome;
  int left;

  /* So that a crash or a hang names its run. */
  printf ("run %s %ld, way %d\n", kind, number, way);
  fflush (stdout);
  run (elements, number, &outcome);
  judge (number, &outcome, wanted, result);
  left = newly_left ();
  if (left > 0) {
    printf ("WRONG call %ld, %s, way %d: %d instances or devices are left\n",
        number, failed_call (), way, left);
    result->wrong++;
  }
  clear (&outcome);
}

/* Whether there is one more way in which the call fails that failed last. */
static gboolean
has_next_way (void)
{
  return layer_listed != NULL && !is_loss ()
      && layer_listed (failed_call (), way + 1) != 0;
}

/* The numbers of all calls; or so many of them, if "count" is not 0, in the order in which they are drawn. */
static GArray *
choose_numbers (long all, long count, GRand *random)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (long));

  for (long number = 1; number <= all; number++) {
    g_array_append_val (numbers, number);
  }
  /* A shuffle as far as it is needed. */
  for (guint i = 0; count > 0 && i < MIN ((guint) count, numbers->len); i++) {
    guint other =
        (guint) g_rand_int_range (random, (gint32) i, (gint32) numbers->len);
    long swapped = g_array_index (numbers, long, i);

    g_array_index (numbers, long, i) = g_array_index (numbers, long, other);
    g_array_index (numbers, long, other) = swapped;
  }
  if (count > 0 && (guint) count < numbers->len) {
    g_array_set_size (numbers, (guint) count);
  }
  return numbers;
}

int
main (int argc, char **argv)
{
  const gchar **elements = (const gchar **) argv + 4;
  Outcome first, wanted;
  Result result = { 0 };
  long count, all;
  guint descriptors;
  GArray *numbers;
  GRand *random;

  gst_init (&argc, &argv);
  if (argc < 5) {
    script_fail ("usage: fault-host KIND COUNT SEED ELEMENT...", "");
  }
  kind = argv[1];
  count = atol (argv[2]);
  random = g_rand_new_with_seed ((guint32) atol (argv[3]));
  find_functions ();
  run (elements, 0, &first);
  all = run (elements, 0, &wanted);
  if (!first.ended || !wanted.ended || wanted.buffers == 0) {
    script_fail ("the pipeline fails by itself",
        first.text != NULL ? first.text : "");
  }
  if (g_getenv ("FAULT_TAKEOVER") != NULL && !wanted.on_device) {
    script_fail ("the CPU cannot take over", "no device filters");
  }
  if (wanted.on_device && layer_total () == 0) {
    script_fail ("the Vulkan loader does not use the layer",
        g_getenv ("FAULT_LAYER"));
  }
  if (newly_left () > 0) {
    script_fail ("instances or devices are left", "by a run without a failure");
  }
  descriptors = open_descriptors ();
  numbers = choose_numbers (all, count, random);
  for (guint i = 0; i < numbers->len; i++) {
    long number = g_array_index (numbers, long, i);

    way = count > 0 ? g_rand_int_range (random, 0, 12) : 0;
    run_once (elements, number, &wanted, &result);
    while (count == 0 && has_next_way ()) {
      way++;
      run_once (elements, number, &wanted, &result);
    }
  }
  /* A streaming thread that ends may hold the last pipeline's bus, with two sockets, for a moment. */
  for (guint i = 0; i < SETTLE_STEPS
      && open_descriptors () > descriptors + MOST_NEW_DESCRIPTORS;
      i++)
    g_usleep (SETTLE_STEP_US);
  if (open_descriptors () > descriptors + MOST_NEW_DESCRIPTORS)
    print_descriptors ();
  printf (
      "calls=%ld runs=%u right=%u dropped=%u errors=%u losses=%u wrong=%u descriptors=%u,%u\n",
      all, result.runs, result.right, result.dropped, result.errors,
      result.losses, result.wrong, descriptors, open_descriptors ());
  if (open_descriptors () > descriptors + MOST_NEW_DESCRIPTORS
      || (g_getenv ("FAULT_TAKEOVER") != NULL && count == 0
          && result.losses == 0)) {
    result.wrong++;
  }
  clear (&first);
  clear (&wanted);
  g_array_free (numbers, TRUE);
  g_rand_free (random);
  gst_deinit ();
  return result.wrong == 0 ? 0 : 1;
}
