/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpujvm.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "gstqpuarchive.h"
#include "gstqpudebug.h"
#include "gstqpujvmhome.h"
#include "gstqpustderr.h"

/* From this version on, native code of unnamed modules (JNA, LWJGL) draws warnings unless it is enabled. */
#define NATIVE_ACCESS_VERSION 24

/* The last version known to let native code be called through JNI and sun.misc.Unsafe without a warning. */
#define PLAIN_LWJGL_VERSION_MAX 25

typedef jint (JNICALL * GetCreatedJavaVMs) (JavaVM **, jsize, jsize *);
typedef jint (JNICALL * CreateJavaVM) (JavaVM **, void **, void *);

/* What the JVM prints while it is being created, or NULL at other times. The JVM may print from any of its threads. */
static GMutex messages_lock;
static GString *messages;

/* The JVM's vfprintf hook. Lets the text through too: after some failures (no memory for the heap) the JVM ends the
 * process by itself, and what it printed is then all that the user sees. */
static jint JNICALL
print_message (FILE * stream, const char *format, va_list arguments)
{
  va_list copy;
  jint length;

  g_mutex_lock (&messages_lock);
  if (messages != NULL) {
    va_copy (copy, arguments);
    g_string_append_vprintf (messages, format, copy);
    va_end (copy);
  }
  g_mutex_unlock (&messages_lock);
  length = vfprintf (stream, format, arguments);
  fflush (stream);
  return length;
}

/* A libjvm.so that the process has loaded already, or NULL. */
static void *
loaded_libjvm (void)
{
  return dlopen ("libjvm.so", RTLD_LAZY | RTLD_NOLOAD);
}

JavaVM *
gst_qpu_jvm_running (void)
{
  void *library = loaded_libjvm ();
  JavaVM *vm = NULL;

  if (library != NULL) {
    GetCreatedJavaVMs get =
        (GetCreatedJavaVMs) dlsym (library, "JNI_GetCreatedJavaVMs");
    jsize count = 0;

    if (get == NULL || get (&vm, 1, &count) != JNI_OK || count == 0)
      vm = NULL;
    dlclose (library);          /* gives up this look-up's reference only */
  }
  return vm;
}

static const gchar *
create_failure (jint result)
{
  switch (result) {
    case JNI_EVERSION:
      return "it does not know JNI 10";
    case JNI_ENOMEM:
      return "not enough memory";
    case JNI_EEXIST:
      return "there is one already";
    case JNI_EINVAL:
      return "invalid options";
    default:
      return "it gives no reason";
  }
}

/* One line of what the JVM printed, for the error message. */
static gchar *
first_line (GString * text)
{
  gsize end = strcspn (text->str, "\r\n");

  return g_strstrip (g_utf8_make_valid (text->str, (gssize) end));
}

static JavaVM *
create (CreateJavaVM function, GPtrArray * options, const gchar * home,
    GError ** error)
{
  JavaVMOption *vm_options = g_new0 (JavaVMOption, options->len + 1);
  JavaVMInitArgs arguments = {
    .version = JNI_VERSION_10,
    .nOptions = (jint) options->len + 1,
    .options = vm_options,
    .ignoreUnrecognized = JNI_FALSE,
  };
  GString *printed;
  JavaVM *vm = NULL;
  void *env = NULL;
  jint result;

  vm_options[0].optionString = (char *) "vfprintf";
  vm_options[0].extraInfo = (void *) print_message;
  for (guint i = 0; i < options->len; i++) {
    vm_options[i + 1].optionString = g_ptr_array_index (options, i);
    GST_DEBUG ("JVM option %s", vm_options[i + 1].optionString);
  }

  g_mutex_lock (&messages_lock);
  messages = g_string_new (NULL);
  g_mutex_unlock (&messages_lock);

  /* A warning that concerns whoever starts a JVM with an incubator module, which is this library, not its users. */
  gst_qpu_stderr_hold ();
  result = function (&vm, &env, &arguments);
  gst_qpu_stderr_release ("WARNING: Using incubator modules: "
      GST_QPU_JAVA_VECTOR_MODULE);

  g_mutex_lock (&messages_lock);
  printed = messages;
  messages = NULL;
  g_mutex_unlock (&messages_lock);

  if (result != JNI_OK) {
    gchar *line = first_line (printed);

    vm = NULL;
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The JVM of %s could not be created (%d: %s): check GST_QPU_JVM_OPTIONS and JAVA_TOOL_OPTIONS, or reinstall Java",
        home, result, *line != '\0' ? line : create_failure (result));
    g_free (line);
  }
  g_string_free (printed, TRUE);
  g_free (vm_options);
  return vm;
}

/* The options of the JVM, each to be freed; NULL and error where GST_QPU_JVM_OPTIONS cannot be read. home: NULL where a
 * libjvm.so that was there already is taken, of whatever version. */
static GPtrArray *
jvm_options (const gchar * class_path, const gchar * natives,
    const GstQpuJvmHome * home, GError ** error)
{
  gint version = home != NULL ? home->version : 0;
  const gchar *extra = g_getenv ("GST_QPU_JVM_OPTIONS");
  GPtrArray *options = g_ptr_array_new_with_free_func (g_free);
  Dl_info gstreamer;

  /* SIGINT, SIGTERM and SIGHUP stay with the application: gst-launch-1.0 -e ends its files on them. */
  g_ptr_array_add (options, g_strdup ("-Xrs"));
  /* Nothing is allocated for a frame, so a small heap and the collector with the fewest threads do. No -Xms: one above a
   * user's -Xmx would end the process. */
  g_ptr_array_add (options, g_strdup ("-Xmx512m"));
  g_ptr_array_add (options, g_strdup ("-XX:+UseSerialGC"));
  /* What is made new at each start of an element is touched up to this size before any of it is collected; a third of a
   * 64th of all memory otherwise: 190 MB resident after 2000 starts instead of 100. */
  g_ptr_array_add (options, g_strdup ("-XX:MaxNewSize=16m"));
  /* The file in /tmp for programs that watch JVMs would stay there, for this JVM is never destroyed. */
  g_ptr_array_add (options, g_strdup ("-XX:-UsePerfData"));
  if (version >= NATIVE_ACCESS_VERSION) {
    g_ptr_array_add (options,
        g_strdup ("--enable-native-access=ALL-UNNAMED"));
    if (version <= PLAIN_LWJGL_VERSION_MAX) {
      /* LWJGL's classes for new versions make code for each native function when it is first called, which takes a second
       * until the first picture is there. The others need the deprecated sun.misc.Unsafe, which draws warnings too. */
      g_ptr_array_add (options,
          g_strdup ("-Djdk.util.jar.enableMultiRelease=false"));
      g_ptr_array_add (options,
          g_strdup ("--sun-misc-unsafe-memory-access=allow"));
    } else {
      /* With it, LWJGL does without sun.misc.Unsafe. */
      g_ptr_array_add (options,
          g_strdup ("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"));
    }
  }
  /* Where it is missing, to ask for it would end the process. */
  if (home != NULL && home->vectors) {
    g_ptr_array_add (options,
        g_strdup ("--add-modules=" GST_QPU_JAVA_VECTOR_MODULE));
    /* 100 otherwise, of all methods that are compiled into one: many for a method of some fifty vectors, which the JVM's
     * compiler then may leave on the heap. */
    g_ptr_array_add (options, g_strdup ("-XX:PerMethodTrapLimit=1000"));
  }
  g_ptr_array_add (options, g_strconcat ("-Djava.class.path=", class_path,
          NULL));
  if (natives != NULL) {
    g_ptr_array_add (options, g_strconcat ("-Djna.boot.library.path=", natives,
            NULL));
    g_ptr_array_add (options, g_strconcat ("-Dorg.lwjgl.librarypath=", natives,
            NULL));
  }
  /* JNA finds the GStreamer that this process has loaded, and starts no ldconfig to look for one. */
  if (dladdr ((void *) gst_init, &gstreamer) != 0) {
    gchar *dir = g_path_get_dirname (gstreamer.dli_fname);

    g_ptr_array_add (options, g_strconcat ("-Djna.platform.library.path=", dir,
            NULL));
    g_free (dir);
  }
  if (home != NULL)
    gst_qpu_archive_add_options (options, home->libjvm, version, class_path,
        natives);

  if (extra != NULL && *extra != '\0') {
    GError *cause = NULL;
    gchar **arguments = NULL;

    if (g_shell_parse_argv (extra, NULL, &arguments, &cause)) {
      for (gchar ** argument = arguments; *argument != NULL; argument++)
        g_ptr_array_add (options, g_strdup (*argument));
      g_strfreev (arguments);
    } else if (!g_error_matches (cause, G_SHELL_ERROR,
            G_SHELL_ERROR_EMPTY_STRING)) {
      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
          "GST_QPU_JVM_OPTIONS cannot be read (%s): quote it as for a shell",
          cause->message);
      g_clear_pointer (&options, g_ptr_array_unref);
    }
    g_clear_error (&cause);
  }
  return options;
}

JavaVM *
gst_qpu_jvm_create (const gchar * class_path, const gchar * natives,
    GError ** error)
{
  /* A process holds one libjvm at most: where one is loaded without a JVM in it, its version shows after creation. */
  void *library = loaded_libjvm ();
  GstQpuJvmHome *home = NULL;
  gchar *name;
  GPtrArray *options;
  CreateJavaVM function;
  JavaVM *vm = NULL;

  if (library == NULL) {
    home = gst_qpu_jvm_home_find (error);
    if (home == NULL)
      return NULL;
    library = dlopen (home->libjvm, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
          "The Java runtime in %s cannot be loaded (%s): reinstall it",
          home->home, dlerror ());
      gst_qpu_jvm_home_free (home);
      return NULL;
    }
  }
  name = g_strdup (home != NULL ? home->home : "the loaded libjvm.so");

  function = (CreateJavaVM) dlsym (library, "JNI_CreateJavaVM");
  if (function == NULL) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The libjvm.so of %s has no JNI_CreateJavaVM: reinstall Java", name);
  } else {
    options = jvm_options (class_path, natives, home, error);
    if (options != NULL) {
      vm = create (function, options, name, error);
      g_ptr_array_unref (options);
    }
    if (vm != NULL)
      gst_qpu_archive_make_at_exit (vm);
  }
  if (vm == NULL)
    dlclose (library);
  g_free (name);
  g_clear_pointer (&home, gst_qpu_jvm_home_free);
  return vm;
}
