/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Pushes pictures through a qpuloopfilter whose device fails again and again, and writes what comes out.
 *
 * Usage: device-loss LAYER MODE PICTURES FAILURES INPUT OUTPUT PROPERTY=VALUE ...
 *   LAYER     the built fault layer of module kernels, which the environment adds to all Vulkan instances
 *   MODE      lose: calls return that the device is lost, or out of memory, in turns
 *             hang: work that is submitted never ends
 *             stop: as hang; while the element waits for the work, this program sets the element to NULL, and ends
 *   INPUT     I420 pictures of 64x48, pushed over and over
 *   OUTPUT    gets the pictures that come out
 * A failure is let come once the device has finished some more pictures than the element had waited for it.
 *
 * Prints one line each: how many pictures came out, and how many of them at the wrong place; how many messages there were of each
 * kind, with the first one's text; the element's statistics. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/check/gstharness.h>

#include "bus-printer.h"
#include "packed-picture.h"
#include "script.h"

#define PICTURE_BYTES (64 * 48 * 3 / 2)
#define PICTURE_NANOS 40000000
/* Pictures on the device from one failure to the next, besides those under way. */
#define SERVED 18
/* A device that is asked for nothing during this time seems to be open. */
#define QUIET_MICROS 50000
/* Results of Vulkan. */
#define OUT_OF_DEVICE_MEMORY (-2)
#define DEVICE_LOST (-4)

typedef struct
{
  int (*arm) (const char *name, int result);
  int64_t (*count) (const char *name);
  int64_t (*total) (void);
  void (*drop_submits) (int times);
  int (*submits_to_drop) (void);
} Layer;

typedef struct
{
  GstElement *element;
  GstHarness *harness;
  Layer layer;
  FILE *output;
  guint pulled, disorder;
} Run;

static void *
function (void *library, const char *name)
{
  void *found = dlsym (library, name);

  if (found == NULL)
    script_fail ("the layer has no function", name);
  return found;
}

static void
open_layer (Layer *layer, const gchar *file)
{
  void *library = dlopen (file, RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    script_fail ("the layer cannot be loaded", dlerror ());
  *(void **) &layer->arm = function (library, "fault_layer_arm");
  *(void **) &layer->count = function (library, "fault_layer_count");
  *(void **) &layer->total = function (library, "fault_layer_total");
  *(void **) &layer->drop_submits =
      function (library, "fault_layer_drop_submits");
  *(void **) &layer->submits_to_drop =
      function (library, "fault_layer_submits_to_drop");
}

static void
pull (Run *run)
{
  GstBuffer *buffer;
  guint8 bytes[PICTURE_BYTES];

  while ((buffer = gst_harness_try_pull (run->harness)) != NULL) {
    if (GST_BUFFER_PTS (buffer) != (GstClockTime) run->pulled * PICTURE_NANOS
        || gst_buffer_extract (buffer, 0, bytes, PICTURE_BYTES)
            != PICTURE_BYTES)
      run->disorder++;
    fwrite (bytes, 1, PICTURE_BYTES, run->output);
    run->pulled++;
    gst_buffer_unref (buffer);
  }
}

static GstBuffer *
picture (const guint8 *input, guint pictures, guint number)
{
  GstBuffer *buffer = gst_buffer_new_memdup (
      input + (gsize) (number % pictures) * PICTURE_BYTES, PICTURE_BYTES);

  GST_BUFFER_PTS (buffer) = (GstClockTime) number * PICTURE_NANOS;
  GST_BUFFER_DURATION (buffer) = PICTURE_NANOS;
  return buffer;
}

/* The numbers of the statistics that this program goes by. */
static void
read_stats (GstElement *element, gboolean *on_device, guint64 *losses,
    guint64 *retries)
{
  GstStructure *stats = NULL;

  g_object_get (element, "stats", &stats, NULL);
  *on_device =
      g_strcmp0 (gst_structure_get_string (stats, "substrate"), "qpu") == 0;
  gst_structure_get_uint64 (stats, "device-losses", losses);
  gst_structure_get_uint64 (stats, "device-retries", retries);
  gst_structure_free (stats);
}

/* The next failure, of a kind that the last one was not of. */
static void
arm (Run *run, gboolean hang, guint number)
{
  static const struct
  {
    const char *call;
    int result;
  } faults[] = {
    { "vkQueueSubmit", DEVICE_LOST },
    { "vkGetFenceStatus", DEVICE_LOST },
    { "vkQueueSubmit", OUT_OF_DEVICE_MEMORY },
    { "vkWaitForFences", DEVICE_LOST },
    { "vkResetFences", OUT_OF_DEVICE_MEMORY },
  };
  guint kind = number % G_N_ELEMENTS (faults);

  if (hang)
    run->layer.drop_submits (1);
  else if (!run->layer.arm (faults[kind].call, faults[kind].result))
    script_fail ("the layer does not know", faults[kind].call);
}

/* The device is opened again by another thread: waits until more devices were made than before, and until that thread seems to ask for
 * nothing more. If it does, the next picture waits, too. */
static void
await_device (Run *run, gint64 made)
{
  int64_t calls = -1;

  for (guint i = 0; i < 600000 && run->layer.count ("vkCreateDevice") == made;
      i++)
    g_usleep (1000);
  while (run->layer.total () != calls) {
    calls = run->layer.total ();
    g_usleep (QUIET_MICROS);
  }
}

static void
push_all (Run *run, const guint8 *input, guint pictures, guint count,
    guint failures, gboolean hang, guint served_before)
{
  guint armed = 0, served = 0;
  guint64 losses = 0, retries = 0, tried = 0;
  gboolean on_device, opens = FALSE;
  gint64 made = run->layer.count ("vkCreateDevice");

  for (guint i = 0; i < count; i++) {
    if (gst_harness_push (run->harness, picture (input, pictures, i))
        != GST_FLOW_OK)
      script_fail ("a picture", "was not taken");
    pull (run);
    read_stats (run->element, &on_device, &losses, &retries);
    opens = !on_device && (opens || retries > tried);
    tried = retries;
    if (opens)
      await_device (run, made);
    else
      made = run->layer.count ("vkCreateDevice");
    served = on_device ? served + 1 : 0;
    if (served > served_before && armed == losses && armed < failures) {
      arm (run, hang, i);
      armed++;
    } else if (armed > losses && !hang) {
      /* The call was not made: whether the element polls or waits for work depends on the device's speed. */
      arm (run, hang, i);
    }
  }
  gst_harness_push_event (run->harness, gst_event_new_eos ());
  pull (run);
}

static gpointer
push_in_thread (gpointer data)
{
  Run *run = data;
  guint8 nothing[PICTURE_BYTES] = { 0 };

  for (guint i = 0; i < 8; i++) {
    if (gst_harness_push (run->harness, picture (nothing, 1, i)) != GST_FLOW_OK)
      break;
  }
  return NULL;
}

/* Ends while the device hangs. */
static void
stop (Run *run)
{
  GThread *thread;

  run->layer.drop_submits (1);
  thread = g_thread_new ("pusher", push_in_thread, run);
  while (run->layer.submits_to_drop () > 0)
    g_usleep (1000);
  g_usleep (200000);
  gst_element_set_state (run->element, GST_STATE_NULL);
  g_thread_join (thread);
  printf ("stopped\n");
}

static void
print_messages (GstBus *bus)
{
  static const struct
  {
    GstMessageType type;
    const gchar *name;
    void (*parse) (GstMessage *, GError **, gchar **);
  } kinds[] = {
    { GST_MESSAGE_ERROR, "errors", gst_message_parse_error },
    { GST_MESSAGE_WARNING, "warnings", gst_message_parse_warning },
    { GST_MESSAGE_INFO, "infos", gst_message_parse_info },
  };
  guint counts[G_N_ELEMENTS (kinds)] = { 0 };
  gchar *first[G_N_ELEMENTS (kinds)] = { NULL };
  GstMessage *message;

  while ((message = gst_bus_pop (bus)) != NULL) {
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
      GError *error = NULL;

      if (GST_MESSAGE_TYPE (message) != kinds[i].type)
        continue;
      kinds[i].parse (message, &error, NULL);
      if (counts[i]++ == 0)
        first[i] = g_strdup (error->message);
      g_error_free (error);
    }
    gst_message_unref (message);
  }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    printf ("%s %u %s\n", kinds[i].name, counts[i],
        first[i] == NULL ? "" : first[i]);
    g_free (first[i]);
  }
}

int
main (int argc, char **argv)
{
  Run run = { NULL };
  GstBus *bus;
  gchar *input;
  gsize bytes;
  gint depth;
  guint served;

  gst_init (NULL, NULL);
  if (argc < 7)
    script_fail ("usage",
        "device-loss LAYER MODE PICTURES FAILURES INPUT OUTPUT PROPERTY=VALUE ...");
  open_layer (&run.layer, argv[1]);
  if (!g_file_get_contents (argv[5], &input, &bytes, NULL))
    script_fail ("cannot be read", argv[5]);
  run.output = fopen (argv[6], "wb");
  run.element = gst_element_factory_make ("qpuloopfilter", NULL);
  if (run.output == NULL || run.element == NULL)
    script_fail ("no output, or no element", argv[6]);
  for (int i = 7; i < argc; i++) {
    gchar **pair = g_strsplit (argv[i], "=", 2);

    gst_util_set_object_arg (G_OBJECT (run.element), pair[0], pair[1]);
    g_strfreev (pair);
  }
  bus = gst_bus_new ();
  gst_element_set_bus (run.element, bus);
  run.harness = gst_harness_new_with_element (run.element, "sink", "src");
  gst_harness_play (run.harness);
  gst_harness_set_src_caps_str (run.harness,
      "video/x-raw,format=I420,width=64,height=48,framerate=25/1");

  if (strcmp (argv[2], "stop") == 0) {
    stop (&run);
  } else {
    g_object_get (run.element, "queue-depth", &depth, NULL);
    /* A device that hangs gets another chance anyway. */
    served = strcmp (argv[2], "hang") == 0 ? 2 : SERVED + (guint) depth;
    push_all (&run, (guint8 *) input, (guint) (bytes / PICTURE_BYTES),
        (guint) atoi (argv[3]), (guint) atoi (argv[4]),
        strcmp (argv[2], "hang") == 0, served);
    bus_printer_print_stats (run.element);
  }
  printf ("pictures %u disorder %u\n", run.pulled, run.disorder);
  print_messages (bus);
  gst_element_set_state (run.element, GST_STATE_NULL);
  gst_harness_teardown (run.harness);
  gst_object_unref (run.element);
  gst_object_unref (bus);
  fclose (run.output);
  g_free (input);
  return 0;
}
