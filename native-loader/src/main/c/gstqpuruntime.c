/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuruntime.h"

#include <jni.h>

#include "gstqpudebug.h"
#include "gstqpuexit.h"
#include "gstqpufiles.h"
#include "gstqpufork.h"
#include "gstqpujars.h"
#include "gstqpujni.h"
#include "gstqpujvm.h"
#include "gstqpujvmhome.h"
#include "gstqpusignals.h"

/* Java's start opens up to this many files at the same time, beside the jars. */
#define DESCRIPTORS_NEEDED 24

#define RUNTIME_CLASS "org.gstqpu.plugin.ElementRuntime"
#define RUNTIME_CLASS_JNI "org/gstqpu/plugin/ElementRuntime"

/* Java's own. Set once, by Java; not read before callbacks_installed is TRUE. */
static GstQpuCallbacks java;
/* Atomic. */
static gint callbacks_installed;

/* What stands between C and Java. A forked process, and one that is exiting, gets no Java: there all of them fail. */

gboolean
gst_qpu_runtime_enter (void)
{
  if (!gst_qpu_exit_enter ())
    return FALSE;
  gst_qpu_signals_check ();
  return TRUE;
}

gint32
gst_qpu_runtime_open (gint32 (*open) (gint64, gint64), gint64 element,
    gint64 values)
{
  GstQpuSignals host;
  sigset_t held;
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  gst_qpu_signals_remember (&host);
  gst_qpu_signals_hold (&held);
  result = open (element, values);
  gst_qpu_signals_release (&held);
  gst_qpu_signals_give_back (&host);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
open_element (gint64 element, gint64 values)
{
  return gst_qpu_runtime_open (java.open, element, values);
}

static void
close_element (gint32 handle)
{
  sigset_t held;

  if (!gst_qpu_runtime_enter ())
    return;
  gst_qpu_signals_hold (&held);
  java.close (handle);
  gst_qpu_signals_release (&held);
  gst_qpu_exit_leave ();
}

static gint32
start (gint32 handle)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  result = java.start (handle);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
stop (gint32 handle)
{
  sigset_t held;
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  gst_qpu_signals_hold (&held);
  result = java.stop (handle);
  gst_qpu_signals_release (&held);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
set_caps (gint32 handle, gint64 caps, gint32 output_dmabufs, gint32 in_columns,
    gint32 out_columns)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  result =
      java.set_caps (handle, caps, output_dmabufs, in_columns, out_columns);
  gst_qpu_exit_leave ();
  return result;
}

/* What becomes of a picture without Java. Nobody needs to hear of it when the process exits. */
static gint32
without_java (void)
{
  return gst_qpu_exit_has_begun () ? GST_FLOW_FLUSHING : 0;
}

static gint32
begin (gint32 handle, gint32 place, gint64 in_buffer, gint64 out_buffer,
    gint64 running_time)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return without_java ();
  result = java.begin (handle, place, in_buffer, out_buffer, running_time);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
passes (gint32 handle, gint64 running_time)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  result = java.passes (handle, running_time);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
finish (gint32 handle, gint32 place, gint32 wait)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return without_java ();
  result = java.finish (handle, place, wait);
  gst_qpu_exit_leave ();
  return result;
}

static void
call (void (*callback) (gint32), gint32 handle)
{
  if (!gst_qpu_runtime_enter ())
    return;
  callback (handle);
  gst_qpu_exit_leave ();
}

static void
property_changed (gint32 handle)
{
  call (java.property_changed, handle);
}

static void
set_timing (gint32 handle, gint32 live, gint32 keeps_time)
{
  if (!gst_qpu_runtime_enter ())
    return;
  java.set_timing (handle, live, keeps_time);
  gst_qpu_exit_leave ();
}

static gint32
qos (gint32 handle, gint64 jitter, gint64 time)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return GST_QPU_PASSED_ON;
  result = java.qos (handle, jitter, time);
  gst_qpu_exit_leave ();
  return result;
}

static void
restart (gint32 handle)
{
  call (java.restart, handle);
}

static void
cut (gint32 handle)
{
  call (java.cut, handle);
}

static void
hurry (gint32 handle)
{
  call (java.hurry, handle);
}

static gint64
stats (gint32 handle)
{
  gint64 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  result = java.stats (handle);
  gst_qpu_exit_leave ();
  return result;
}

static gint32
boot_meter (gint64 element, gint64 folder)
{
  gint32 result;

  if (!gst_qpu_runtime_enter ())
    return 0;
  result = java.boot_meter (element, folder);
  gst_qpu_exit_leave ();
  return result;
}

static const GstQpuCallbacks callbacks = {
  .open = open_element,
  .close = close_element,
  .start = start,
  .stop = stop,
  .set_caps = set_caps,
  .begin = begin,
  .passes = passes,
  .finish = finish,
  .property_changed = property_changed,
  .set_timing = set_timing,
  .qos = qos,
  .restart = restart,
  .cut = cut,
  .hurry = hurry,
  .stats = stats,
  .boot_meter = boot_meter,
};

const GstQpuCallbacks *
gst_qpu_runtime_callbacks (void)
{
  return &callbacks;
}

void
gst_qpu_runtime_post_uncalled (GstElement *element, const gchar *name)
{
  if (gst_qpu_fork_happened ())
    GST_ELEMENT_ERROR (element, LIBRARY, INIT, (GST_QPU_FORKED_LINE), (NULL));
  else if (gst_qpu_exit_has_begun ())
    GST_ELEMENT_ERROR (element, LIBRARY, INIT, (GST_QPU_EXITING_LINE), (NULL));
  else
    GST_ELEMENT_ERROR (element, LIBRARY, FAILED,
        ("The Java side of %s could not be called: standard error says why, please report it",
            name),
        (NULL));
}

void
gst_qpu_install_callbacks (gint32 (*open) (gint64, gint64),
    void (*close) (gint32), gint32 (*start) (gint32), gint32 (*stop) (gint32),
    gint32 (*set_caps) (gint32, gint64, gint32, gint32, gint32),
    gint32 (*begin) (gint32, gint32, gint64, gint64, gint64),
    gint32 (*passes) (gint32, gint64),
    gint32 (*finish) (gint32, gint32, gint32),
    void (*property_changed) (gint32),
    void (*set_timing) (gint32, gint32, gint32),
    gint32 (*qos) (gint32, gint64, gint64), void (*restart) (gint32),
    void (*cut) (gint32), void (*hurry) (gint32), gint64 (*stats) (gint32),
    gint32 (*boot_meter) (gint64, gint64))
{
  static GMutex lock;

  g_mutex_lock (&lock);
  /* A Java application may load the classes several times, by several class loaders. The first callbacks stay. */
  if (g_atomic_int_get (&callbacks_installed)) {
    g_mutex_unlock (&lock);
    return;
  }
  java.open = open;
  java.close = close;
  java.start = start;
  java.stop = stop;
  java.set_caps = set_caps;
  java.begin = begin;
  java.passes = passes;
  java.finish = finish;
  java.property_changed = property_changed;
  java.set_timing = set_timing;
  java.qos = qos;
  java.restart = restart;
  java.cut = cut;
  java.hurry = hurry;
  java.stats = stats;
  java.boot_meter = boot_meter;
  gst_qpu_fork_java_starts ();
  g_atomic_int_set (&callbacks_installed, TRUE);
  g_mutex_unlock (&lock);
}

/* The JVM's java.specification.version as a number: 17, or 8 for 1.8; 0 if the JVM does not say. */
static gint
java_version (JNIEnv *env)
{
  g_autofree gchar *text = gst_qpu_jni_text (env,
      gst_qpu_jni_call (env, NULL, "java/lang/System", "getProperty",
          "(Ljava/lang/String;)Ljava/lang/String;",
          gst_qpu_jni_string (env, "java.specification.version")));

  if (text == NULL)
    return 0;
  return (gint) g_ascii_strtoll (
      g_str_has_prefix (text, "1.") ? text + 2 : text, NULL, 10);
}

/* The first of the modules that the plugin needs besides java.base and that the JVM lacks: applications may bring a Java runtime of
 * some modules. NULL if it lacks none, or if it cannot tell: then loading fails. */
static const gchar *
missing_module (JNIEnv *env)
{
  static const gchar *const needed[] = { "java.logging", "jdk.unsupported" };
  jobject layer = gst_qpu_jni_call (env, NULL, "java/lang/ModuleLayer", "boot",
      "()Ljava/lang/ModuleLayer;");
  const gchar *missing = NULL;

  for (guint i = 0; missing == NULL && i < G_N_ELEMENTS (needed); i++) {
    jobject found = gst_qpu_jni_call (env, layer, "java/lang/ModuleLayer",
        "findModule", "(Ljava/lang/String;)Ljava/util/Optional;",
        gst_qpu_jni_string (env, needed[i]));
    jobject module = gst_qpu_jni_call (env, found, "java/util/Optional",
        "orElse", "(Ljava/lang/Object;)Ljava/lang/Object;", NULL);

    if (module == NULL && !(*env)->ExceptionCheck (env))
      missing = needed[i];
  }
  (*env)->ExceptionClear (env);
  return missing;
}

/* Loads ElementRuntime by a new class loader, for a JVM whose class path lacks it. The new loader's parent is the platform's
 * loader: other versions of the same libraries on the host's class path are not seen. On failure, a Java exception is
 * pending. */
static jclass
load_from_jars (JNIEnv *env, gchar **jars)
{
  guint count = g_strv_length (jars);
  jclass url_class = (*env)->FindClass (env, "java/net/URL");
  jobjectArray urls;
  jobject platform, loader;

  if (url_class == NULL
      || (urls = (*env)->NewObjectArray (env, (jsize) count, url_class, NULL))
          == NULL)
    return NULL;
  for (guint i = 0; i < count; i++) {
    jobject file = gst_qpu_jni_call (env, NULL, "java/io/File", "<init>",
        "(Ljava/lang/String;)V", gst_qpu_jni_string (env, jars[i]));
    jobject uri = gst_qpu_jni_call (env, file, "java/io/File", "toURI",
        "()Ljava/net/URI;");
    jobject url = gst_qpu_jni_call (env, uri, "java/net/URI", "toURL",
        "()Ljava/net/URL;");

    if (url == NULL)
      return NULL;
    (*env)->SetObjectArrayElement (env, urls, (jsize) i, url);
  }
  platform = gst_qpu_jni_call (env, NULL, "java/lang/ClassLoader",
      "getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
  loader = gst_qpu_jni_call (env, NULL, "java/net/URLClassLoader", "<init>",
      "(Ljava/lang/String;[Ljava/net/URL;Ljava/lang/ClassLoader;)V",
      gst_qpu_jni_string (env, "gst-qpu"), urls, platform);
  return gst_qpu_jni_call (env, NULL, "java/lang/Class", "forName",
      "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;",
      gst_qpu_jni_string (env, RUNTIME_CLASS), JNI_TRUE, loader);
}

/* What helps if Java's classes or libraries could not be loaded. Java's own reason does not say that files could not be opened. */
static const gchar *
cure_of_loading (void)
{
  if (!gst_qpu_files_can_be_opened (DESCRIPTORS_NEEDED))
    return "raise the limit of open files (ulimit -n)";
  return g_file_test ("/proc/self", G_FILE_TEST_EXISTS)
      ? "reinstall the plugin"
      : "mount /proc, which Java needs";
}

/* ElementRuntime from the JVM's class path, or else from the jars. NULL and error if neither has it. */
static jclass
load_runtime_class (JNIEnv *env, GError **error)
{
  jclass runtime = (*env)->FindClass (env, RUNTIME_CLASS_JNI);
  const gchar *cure = cure_of_loading ();

  /* Java also throws this if it finds the class, but not a class that it needs. */
  if (runtime == NULL
      && gst_qpu_jni_thrown_is (env, "java/lang/NoClassDefFoundError")) {
    g_autofree gchar *dir = gst_qpu_jars_find_dir (error);
    g_auto (GStrv) jars = NULL;

    (*env)->ExceptionClear (env);
    if (dir == NULL)
      return NULL;
    GST_INFO ("the JVM's class path lacks the plugin: loading the jars in %s",
        dir);
    jars = gst_qpu_jars_list (dir, TRUE);
    runtime = load_from_jars (env, jars);
    if (!g_str_is_ascii (dir) && !g_get_charset (NULL))
      cure = "its folder's name is not ASCII, so that Java reads it in a UTF-8"
             " locale only: set LC_ALL=C.UTF-8";
  }
  if (runtime == NULL) {
    g_autofree gchar *cause = gst_qpu_jni_take_exception (env);

    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The Java side of qpuloopfilter cannot be loaded (%s): %s", cause,
        cure);
  }
  return runtime;
}

static gboolean
boot_java (JNIEnv *env, GError **error)
{
  g_autofree gchar *library = gst_qpu_library_path ();
  const gchar *missing = NULL;
  jclass runtime;
  gint version;

  /* This function and those that it calls make fewer than 256 local references, for a class loader over some ten jars too. */
  (*env)->EnsureLocalCapacity (env, 256);
  version = java_version (env);
  if (version < GST_QPU_JAVA_VERSION_MIN) {
    (*env)->ExceptionClear (env);
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "This process's JVM is Java %d, but qpuloopfilter needs Java %d or newer: start the program with one (apt install default-jre-headless)",
        version, GST_QPU_JAVA_VERSION_MIN);
  } else if ((missing = missing_module (env)) != NULL) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "This process's JVM lacks the module %s: use a whole Java runtime, or add java.logging and jdk.unsupported to yours; start a program that is a module itself with --add-modules=java.logging,jdk.unsupported",
        missing);
  } else if (library == NULL) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The path of libgstqpu.so cannot be told: keep the file in place while it is in use");
  } else if ((runtime = load_runtime_class (env, error)) != NULL) {
    jmethodID boot = (*env)->GetStaticMethodID (env, runtime, "boot",
        "(Ljava/lang/String;)V");
    jstring path = gst_qpu_jni_string (env, library);

    if (boot != NULL && path != NULL)
      (*env)->CallStaticVoidMethod (env, runtime, boot, path);
    if ((*env)->ExceptionCheck (env)) {
      g_autofree gchar *cause = gst_qpu_jni_take_exception (env);

      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
          "The Java side of qpuloopfilter did not start (%s): %s", cause,
          cure_of_loading ());
    } else if (!g_atomic_int_get (&callbacks_installed)) {
      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
          "The Java side of qpuloopfilter installed no callbacks: reinstall the plugin, its jars do not fit libgstqpu.so");
    }
  }
  return *error == NULL;
}

static JavaVM *
create_jvm (GError **error)
{
  g_autofree gchar *dir = gst_qpu_jars_find_dir (error);
  g_autofree gchar *natives = NULL;
  g_autofree gchar *class_path = NULL;
  g_auto (GStrv) jars = NULL;

  if (dir == NULL)
    return NULL;
  natives = gst_qpu_natives_find_dir ();
  /* LWJGL unpacks native libraries that it finds on the class path, even if it is told of unpacked ones. */
  jars = gst_qpu_jars_list (dir, natives == NULL);
  class_path = g_strjoinv (":", jars);
  return gst_qpu_jvm_create (class_path, natives, error);
}

/* Returns NULL, or the GError. */
static gpointer
boot_thread (gpointer unused)
{
  gint64 start = g_get_monotonic_time (), attached;
  GError *error = NULL;
  JavaVM *vm = gst_qpu_jvm_running ();
  void *env = NULL;

  if (vm != NULL && !gst_qpu_fork_jvm_has_threads ()) {
    g_set_error_literal (&error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        GST_QPU_FORKED_LINE);
    return error;
  }
  if (vm != NULL)
    GST_INFO ("using the JVM that this process has");
  else
    vm = create_jvm (&error);
  if (vm == NULL)
    return error;

  if ((*vm)->AttachCurrentThreadAsDaemon (vm, &env, NULL) != JNI_OK) {
    g_set_error (&error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "This process's JVM takes no thread, it is shutting down or out of memory: stop pipelines before the JVM, or give it more (-Xmx)");
    return error;
  }
  attached = g_get_monotonic_time ();
  if (boot_java (env, &error))
    GST_INFO ("JVM in %" G_GINT64_FORMAT " us, Java side in %" G_GINT64_FORMAT
              " us",
        attached - start, g_get_monotonic_time () - attached);
  (*vm)->DetachCurrentThread (vm);
  return error;
}

gboolean
gst_qpu_runtime_boot (GstElement *element)
{
  static GMutex lock;
  static gboolean booted;
  GThread *thread;
  GError *cause = NULL;

  /* Before the locks, which a thread that the fork left behind may hold. */
  if (!gst_qpu_exit_enter ()) {
    gst_qpu_runtime_post_uncalled (element, GST_OBJECT_NAME (element));
    return FALSE;
  }
  g_mutex_lock (&lock);
  if (!booted && g_atomic_int_get (&callbacks_installed)) {
    GST_INFO ("using the Java side that this process has");
    booted = TRUE;
  }
  if (!booted) {
    GstQpuSignals host;

    gst_qpu_fork_java_starts ();
    gst_qpu_signals_remember (&host);
    /* A new thread creates the JVM: the JVM puts guard pages on that thread's stack, and the thread must not end while it is
     * attached. */
    thread = g_thread_try_new ("qpu-jvm-boot", boot_thread, NULL, &cause);
    if (thread != NULL)
      cause = g_thread_join (thread);
    else
      g_prefix_error (&cause,
          "No thread to start Java on, raise the limit of processes (ulimit -u): ");
    gst_qpu_signals_give_back (&host);
    booted = cause == NULL;
    if (!booted && gst_qpu_jvm_running () == NULL)
      gst_qpu_fork_java_failed ();
  }
  g_mutex_unlock (&lock);
  gst_qpu_exit_leave ();
  if (cause == NULL)
    return TRUE;
  gst_element_message_full (element, GST_MESSAGE_ERROR, cause->domain,
      cause->code, g_strdup (cause->message), NULL, __FILE__, GST_FUNCTION,
      __LINE__);
  g_error_free (cause);
  return FALSE;
}
