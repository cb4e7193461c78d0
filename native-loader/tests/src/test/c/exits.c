/*
 * A host that exits. What it registered with atexit before it used an element comes last, after libjvm.so has destroyed objects of its
 * own: it then says whether there is a JVM, in which it collects garbage, as any thread of a JVM may at any time; it stops what still
 * plays, and opens an element once more.
 *
 * Usage: exits LIBJVM DESCRIPTION stopped|playing
 *        what becomes of the pipeline before the exit, after its first picture or its end
 * Environment: FAULT_LAYER, the file of the Vulkan layer faultlayer.c, which the Vulkan loader must use, too: then it also says how many
 * instances and devices of Vulkan there are before the exit and at its end.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>

#include <gst/gst.h>

#define LIMIT_SECONDS 60

typedef jint (JNICALL *GetCreatedJavaVMs) (JavaVM **, jsize, jsize *);

static const gchar *libjvm, *description;
static GstElement *pipeline;

/* The layer's function that counts instances and devices; NULL without the layer. */
static int (*alive) (void);

static void
find_layer (const gchar *file)
{
  void *layer = dlopen (file, RTLD_NOW | RTLD_LOCAL);

  if (layer == NULL)
    g_error ("%s", dlerror ());
  *(void **) &alive = dlsym (layer, "fault_layer_alive");
}

static GstElement *
begin (void)
{
  GError *error = NULL;
  GstElement *begun = gst_parse_launch (description, &error);

  if (error != NULL)
    g_error ("%s", error->message);
  gst_element_set_state (begun, GST_STATE_PLAYING);
  return begun;
}

static void
stop (GstElement *element)
{
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
}

static void
collect (void)
{
  void *library = dlopen (libjvm, RTLD_LAZY | RTLD_NOLOAD);
  GetCreatedJavaVMs created = library == NULL
      ? NULL
      : (GetCreatedJavaVMs) dlsym (library, "JNI_GetCreatedJavaVMs");
  JavaVM *vm = NULL;
  JNIEnv *env = NULL;
  jsize count = 0;

  if (created == NULL) {
    printf ("Java was not loaded\n");
  } else if (created (&vm, 1, &count) != JNI_OK || count == 0) {
    printf ("no JVM\n");
  } else if ((*vm)->AttachCurrentThreadAsDaemon (vm, (void **) &env, NULL)
      == JNI_OK) {
    jclass system = (*env)->FindClass (env, "java/lang/System");

    (*env)->CallStaticVoidMethod (env, system,
        (*env)->GetStaticMethodID (env, system, "gc", "()V"));
    printf ("a JVM\n");
  }
}

static void
open_again (void)
{
  GstElement *again = begin ();
  GstBus *bus = gst_element_get_bus (again);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (message == NULL) {
    printf ("no error\n");
  } else {
    gst_message_parse_error (message, &error, NULL);
    printf ("%s\n", error->message);
    g_error_free (error);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  stop (again);
}

static void
last (void)
{
  if (alive != NULL)
    printf ("%d at the end\n", alive ());
  if (pipeline == NULL) {
    collect ();
    open_again ();
  } else {
    stop (pipeline);
    printf ("stopped\n");
  }
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  GstBus *bus;
  GstMessage *message;

  if (argc != 4 || atexit (last) != 0)
    return 2;
  libjvm = argv[1];
  description = argv[2];
  if (g_getenv ("FAULT_LAYER") != NULL)
    find_layer (g_getenv ("FAULT_LAYER"));
  gst_init (NULL, NULL);
  pipeline = begin ();
  bus = gst_element_get_bus (pipeline);
  message = gst_bus_timed_pop_filtered (bus, LIMIT_SECONDS * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_ASYNC_DONE);
  if (message == NULL || GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    return 1;
  gst_message_unref (message);
  gst_object_unref (bus);
  if (g_str_equal (argv[3], "stopped")) {
    stop (pipeline);
    pipeline = NULL;
  }
  if (alive != NULL)
    printf ("%d before\n", alive ());
  exit (0);
}
