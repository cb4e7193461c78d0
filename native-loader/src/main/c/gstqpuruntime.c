/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuruntime.h"

#include <jni.h>

#include "gstqpucolumns.h"
#include "gstqpudebug.h"
#include "gstqpudmabufs.h"
#include "gstqpujars.h"
#include "gstqpujni.h"
#include "gstqpujvm.h"
#include "gstqpujvmhome.h"
#include "gstqpuloopfilter.h"

#define RUNTIME_CLASS "org.gstqpu.plugin.ElementRuntime"
#define RUNTIME_CLASS_JNI "org/gstqpu/plugin/ElementRuntime"

/* Set once, by Java; read once callbacks_installed is, which is atomic. */
static GstQpuCallbacks callbacks;
static gint callbacks_installed;

const GstQpuCallbacks *
gst_qpu_runtime_callbacks (void)
{
  return &callbacks;
}

void
gst_qpu_install_callbacks (gint32 (*open) (gint64, gint64),
    void (*close) (gint32), gint32 (*start) (gint32), gint32 (*stop) (gint32),
    gint32 (*set_caps) (gint32, gint64, gint32, gint32, gint32),
    gint32 (*transform) (gint32, gint64, gint64),
    gint32 (*begin) (gint32, gint64, gint64),
    gint32 (*finish) (gint32, gint32),
    void (*property_changed) (gint32, gint32), gint64 (*stats) (gint32))
{
  static GMutex lock;

  g_mutex_lock (&lock);
  /* A Java application may bring its classes more than once, each time in another class loader. The first stay. */
  if (g_atomic_int_get (&callbacks_installed)) {
    g_mutex_unlock (&lock);
    return;
  }
  callbacks.open = open;
  callbacks.close = close;
  callbacks.start = start;
  callbacks.stop = stop;
  callbacks.set_caps = set_caps;
  callbacks.transform = transform;
  callbacks.begin = begin;
  callbacks.finish = finish;
  callbacks.property_changed = property_changed;
  callbacks.stats = stats;
  g_atomic_int_set (&callbacks_installed, TRUE);
  g_mutex_unlock (&lock);
}

/* The JVM's java.specification.version as a number: 17, or 8 for 1.8; 0 where it does not tell. */
static gint
java_version (JNIEnv * env)
{
  gchar *text = gst_qpu_jni_text (env, gst_qpu_jni_call (env, NULL,
          "java/lang/System", "getProperty",
          "(Ljava/lang/String;)Ljava/lang/String;", gst_qpu_jni_string (env,
              "java.specification.version")));
  gint version = 0;

  if (text != NULL)
    version = (gint) g_ascii_strtoll (g_str_has_prefix (text, "1.") ? text + 2 : text, NULL, 10);
  g_free (text);
  return version;
}

/* ElementRuntime through a class loader of its own, for a JVM whose class path lacks it. Its parent is the platform's
 * loader, so that other versions of the libraries on the host's class path do no harm. A pending exception on failure. */
static jclass
load_from_jars (JNIEnv * env, gchar ** jars)
{
  guint count = g_strv_length (jars);
  jclass url_class = (*env)->FindClass (env, "java/net/URL");
  jobjectArray urls;
  jobject platform, loader;

  if (url_class == NULL
      || (urls = (*env)->NewObjectArray (env, (jsize) count, url_class,
              NULL)) == NULL)
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

/* ElementRuntime from the JVM's class path, or else from the jars. NULL and error where neither works. */
static jclass
load_runtime_class (JNIEnv * env, GError ** error)
{
  jclass runtime = (*env)->FindClass (env, RUNTIME_CLASS_JNI);
  const gchar *cure = "reinstall the plugin";

  /* Also thrown where the class is there, but not what it needs. */
  if (runtime == NULL
      && gst_qpu_jni_thrown_is (env, "java/lang/NoClassDefFoundError")) {
    gchar *dir = gst_qpu_jars_find_dir (error);
    gchar **jars;

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
    g_strfreev (jars);
    g_free (dir);
  }
  if (runtime == NULL) {
    gchar *cause = gst_qpu_jni_take_exception (env);

    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The Java side of qpuloopfilter cannot be loaded (%s): %s",
        cause, cure);
    g_free (cause);
  }
  return runtime;
}

static gboolean
boot_java (JNIEnv * env, GError ** error)
{
  gchar *library = gst_qpu_library_path ();
  jclass runtime;
  gint version;

  /* All that is done here, a class loader over some ten jars included, needs fewer than 256. */
  (*env)->EnsureLocalCapacity (env, 256);
  version = java_version (env);
  if (version < GST_QPU_JAVA_VERSION_MIN) {
    (*env)->ExceptionClear (env);
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "This process's JVM is Java %d, but qpuloopfilter needs Java %d or newer: start the program with one (apt install default-jre-headless)",
        version, GST_QPU_JAVA_VERSION_MIN);
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
      gchar *cause = gst_qpu_jni_take_exception (env);

      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
          "The Java side of qpuloopfilter did not start (%s): reinstall the plugin", cause);
      g_free (cause);
    } else if (!g_atomic_int_get (&callbacks_installed)) {
      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
          "The Java side of qpuloopfilter installed no callbacks: reinstall the plugin, its jars do not fit libgstqpu.so");
    }
  }
  g_free (library);
  return *error == NULL;
}

static JavaVM *
create_jvm (GError ** error)
{
  gchar *dir = gst_qpu_jars_find_dir (error);
  gchar *natives, **jars, *class_path;
  JavaVM *vm;

  if (dir == NULL)
    return NULL;
  natives = gst_qpu_natives_find_dir ();
  /* LWJGL unpacks what it finds on the class path, whatever else it is told. */
  jars = gst_qpu_jars_list (dir, natives == NULL);
  class_path = g_strjoinv (":", jars);
  vm = gst_qpu_jvm_create (class_path, natives, error);
  g_free (natives);
  g_free (class_path);
  g_strfreev (jars);
  g_free (dir);
  return vm;
}

/* Returns NULL, or the GError. */
static gpointer
boot_thread (gpointer unused)
{
  gint64 start = g_get_monotonic_time (), attached;
  GError *error = NULL;
  JavaVM *vm = gst_qpu_jvm_running ();
  void *env = NULL;

  (void) unused;
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
        " us", attached - start, g_get_monotonic_time () - attached);
  (*vm)->DetachCurrentThread (vm);
  return error;
}

gboolean
gst_qpu_runtime_boot (GError ** error)
{
  static GMutex lock;
  static gboolean booted;
  GThread *thread;
  gboolean result;

  g_mutex_lock (&lock);
  if (!booted && g_atomic_int_get (&callbacks_installed)) {
    GST_INFO ("using the Java side that this process has");
    booted = TRUE;
  }
  if (!booted) {
    GError *cause = NULL;

    /* On a thread of its own, for the JVM changes the stack of the thread that creates it (guard pages), and that thread
     * must not end while it is attached. */
    thread = g_thread_try_new ("qpu-jvm-boot", boot_thread, NULL, &cause);
    if (thread != NULL)
      cause = g_thread_join (thread);
    else
      g_prefix_error (&cause, "No thread to start Java on, raise the limit of processes (ulimit -u): ");
    booted = cause == NULL;
    if (!booted)
      g_propagate_error (error, cause);
  }
  result = booted;
  g_mutex_unlock (&lock);
  return result;
}

/* The functions for Java. */

static gpointer
to_pointer (gint64 address)
{
  return (gpointer) (gintptr) address;
}

static void
post_message (gint64 element, GstMessageType type, gint32 domain, gint32 code,
    const gchar * text, const gchar * debug)
{
  const GQuark domains[] = { GST_CORE_ERROR, GST_LIBRARY_ERROR,
    GST_RESOURCE_ERROR, GST_STREAM_ERROR
  };

  g_return_if_fail (domain >= 0 && domain < (gint32) G_N_ELEMENTS (domains));
  gst_element_message_full (GST_ELEMENT (to_pointer (element)), type,
      domains[domain], code, g_strdup (text), g_strdup (debug),
      "ElementRuntime.java", RUNTIME_CLASS, 0);
}

void
gst_qpu_element_error (gint64 element, gint32 domain, gint32 code,
    const gchar * text, const gchar * debug)
{
  post_message (element, GST_MESSAGE_ERROR, domain, code, text, debug);
}

void
gst_qpu_element_warning (gint64 element, gint32 domain, gint32 code,
    const gchar * text, const gchar * debug)
{
  post_message (element, GST_MESSAGE_WARNING, domain, code, text, debug);
}

void
gst_qpu_log (gint64 element, gint32 level, const gchar * line)
{
  gst_debug_log (GST_CAT_DEFAULT, (GstDebugLevel) level, "ElementRuntime.java",
      RUNTIME_CLASS, 0, to_pointer (element), "%s", line);
}

gint32
gst_qpu_log_threshold (void)
{
  return gst_debug_category_get_threshold (GST_CAT_DEFAULT);
}

gchar *
gst_qpu_dup_string (gint64 element, gint32 ordinal)
{
  return
      gst_qpu_loop_filter_dup_string (GST_QPU_LOOP_FILTER (to_pointer
          (element)), (guint) ordinal);
}

void
gst_qpu_set_passthrough (gint64 element, gint32 passthrough)
{
  gst_qpu_loop_filter_set_passthrough (GST_QPU_LOOP_FILTER (to_pointer
          (element)), passthrough != 0);
}

void
gst_qpu_describe_device (gint64 element, gint32 imports_dmabufs,
    gint32 works_alone)
{
  gst_qpu_loop_filter_describe_device (GST_QPU_LOOP_FILTER (to_pointer
          (element)), imports_dmabufs != 0, works_alone != 0);
}

gint32
gst_qpu_is_own_dmabuf (gint64 memory)
{
  GstMemory *memory_pointer = to_pointer (memory);

  return GST_QPU_IS_DMABUF_ALLOCATOR (memory_pointer->allocator);
}

gint32
gst_qpu_column_rows (gint64 meta, gint32 plane)
{
  return gst_qpu_columns_rows (to_pointer (meta), (guint) plane);
}

GstStructure *
gst_qpu_stats_new (const gchar * substrate, const gchar * device,
    const gchar * reason, const gchar * filters)
{
  return gst_structure_new ("qpuloopfilter-stats",
      "substrate", G_TYPE_STRING, substrate,
      "device", G_TYPE_STRING, device,
      "reason", G_TYPE_STRING, reason, "filters", G_TYPE_STRING, filters, NULL);
}

void
gst_qpu_stats_add (GstStructure * stats, const gchar * name, gint64 value,
    gint32 is_signed)
{
  gst_structure_set (stats, name, is_signed ? G_TYPE_INT64 : G_TYPE_UINT64,
      value, NULL);
}
