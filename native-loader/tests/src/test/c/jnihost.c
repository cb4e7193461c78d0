/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* A program that runs a JVM of its own, made through JNI with a class path that lacks the plugin, and then plays a pipeline.
 *
 * Usage: jnihost LIBJVM ELEMENT...    (the pipeline as gst-launch-1.0 takes it)
 * Prints "end of stream", or "ERROR: from element x: " and the error, then "JVMs: " and how many the process has; ends with the JVM
 * destroyed, as such programs do. */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>

#include <gst/gst.h>

typedef jint (JNICALL *CreateJavaVM) (JavaVM **, void **, void *);
typedef jint (JNICALL *GetCreatedJavaVMs) (JavaVM **, jsize, jsize *);

int
main (int argc, char **argv)
{
  JavaVMOption options[] = { { .optionString = (char *) "-Xmx64m" } };
  JavaVMInitArgs arguments = { .version = JNI_VERSION_10,
    .nOptions = 1,
    .options = options };
  void *library = argc > 2 ? dlopen (argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
  JavaVM *vm = NULL, *found[2];
  jsize count = 0;
  void *env = NULL;
  GError *error = NULL;
  GstElement *pipeline;
  GstMessage *message;
  GstBus *bus;

  if (library == NULL
      || ((CreateJavaVM) dlsym (library, "JNI_CreateJavaVM")) (&vm, &env,
             &arguments)
          != JNI_OK) {
    fprintf (stderr, "no JVM\n");
    return 2;
  }
  gst_init (NULL, NULL);
  pipeline = gst_parse_launchv ((const gchar **) argv + 2, &error);
  if (pipeline == NULL) {
    fprintf (stderr, "%s\n", error->message);
    return 2;
  }
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    printf ("ERROR: from element x: %s\n", error->message);
    g_error_free (error);
  } else {
    printf ("%s\n", message != NULL ? "end of stream" : "hung");
  }
  g_clear_pointer (&message, gst_message_unref);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  ((GetCreatedJavaVMs) dlsym (library, "JNI_GetCreatedJavaVMs")) (found, 2,
      &count);
  printf ("JVMs: %d\n", (int) count);
  fflush (stdout);
  return (*vm)->DestroyJavaVM (vm) == JNI_OK ? 0 : 3;
}
