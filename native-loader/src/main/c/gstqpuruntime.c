/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuruntime.h"

#include <jni.h>
#include <stdlib.h>

#include "gstqpudebug.h"
#include "gstqpujars.h"
#include "gstqpujvm.h"
#include "gstqpujvmhome.h"
#include "gstqpuloopfilter.h"

#define RUNTIME_CLASS "org.gstqpu.plugin.ElementRuntime"
#define RUNTIME_CLASS_JNI "org/gstqpu/plugin/ElementRuntime"

/* Set by Java inside boot, read after it: gst_qpu_runtime_boot's lock orders the two. */
static GstQpuCallbacks callbacks;
static gboolean callbacks_installed;

const GstQpuCallbacks *
gst_qpu_runtime_callbacks (void)
{
  return &callbacks;
}

void
gst_qpu_install_callbacks (gint32 (*open) (gint64, gint64),
    void (*close) (gint32), gint32 (*start) (gint32), gint32 (*stop) (gint32),
    gint32 (*set_caps) (gint32, gint64, gint64),
    gint32 (*transform) (gint32, gint64, gint64),
    void (*property_changed) (gint32, gint32), gint64 (*stats) (gint32))
{
  callbacks.open = open;
  callbacks.close = close;
  callbacks.start = start;
  callbacks.stop = stop;
  callbacks.set_caps = set_caps;
  callbacks.transform = transform;
  callbacks.property_changed = property_changed;
  callbacks.stats = stats;
  callbacks_installed = TRUE;
}

static jstring
to_java (JNIEnv * env, const gchar * text)
{
  glong length = 0;
  gchar *valid = g_utf8_make_valid (text, -1);
  gunichar2 *utf16 = g_utf8_to_utf16 (valid, -1, NULL, &length, NULL);
  jstring string = (*env)->NewString (env, utf16, (jsize) length);

  g_free (utf16);
  g_free (valid);
  return string;
}

/* In UTF-8, freed with g_free; NULL for a null string or where Java ran out of memory. */
static gchar *
from_java (JNIEnv * env, jstring string)
{
  const jchar *utf16;
  gchar *text = NULL;

  if (string != NULL
      && (utf16 = (*env)->GetStringChars (env, string, NULL)) != NULL) {
    text = g_utf16_to_utf8 (utf16, (*env)->GetStringLength (env, string), NULL,
        NULL, NULL);
    (*env)->ReleaseStringChars (env, string, utf16);
  }
  return text;
}

/* Takes the pending exception's root cause as one line, freed with g_free, and logs the stack trace. */
static gchar *
take_exception (JNIEnv * env)
{
  jthrowable thrown = (*env)->ExceptionOccurred (env), cause;
  jclass throwable, string_writer, print_writer;
  jobject buffer, writer;
  gchar *text, *trace;

  (*env)->ExceptionClear (env);
  throwable = (*env)->FindClass (env, "java/lang/Throwable");
  string_writer = (*env)->FindClass (env, "java/io/StringWriter");
  print_writer = (*env)->FindClass (env, "java/io/PrintWriter");
  buffer = (*env)->NewObject (env, string_writer,
      (*env)->GetMethodID (env, string_writer, "<init>", "()V"));
  writer = (*env)->NewObject (env, print_writer,
      (*env)->GetMethodID (env, print_writer, "<init>",
          "(Ljava/io/Writer;)V"), buffer);
  (*env)->CallVoidMethod (env, thrown, (*env)->GetMethodID (env, throwable,
          "printStackTrace", "(Ljava/io/PrintWriter;)V"), writer);
  trace = from_java (env, (*env)->CallObjectMethod (env, buffer,
          (*env)->GetMethodID (env, string_writer, "toString",
              "()Ljava/lang/String;")));
  GST_WARNING ("the Java side failed: %s", trace);
  g_free (trace);

  while ((cause = (*env)->CallObjectMethod (env, thrown,
              (*env)->GetMethodID (env, throwable, "getCause",
                  "()Ljava/lang/Throwable;"))) != NULL)
    thrown = cause;
  text = from_java (env, (*env)->CallObjectMethod (env, thrown,
          (*env)->GetMethodID (env, throwable, "toString",
              "()Ljava/lang/String;")));
  (*env)->ExceptionClear (env);
  return g_strdelimit (text != NULL ? text : g_strdup ("out of memory"),
      "\r\n", ' ');
}

/* The JVM's java.specification.version as a number: 17, or 8 for 1.8. */
static gint
java_version (JNIEnv * env)
{
  jclass system = (*env)->FindClass (env, "java/lang/System");
  gchar *text = from_java (env, (*env)->CallStaticObjectMethod (env, system,
          (*env)->GetStaticMethodID (env, system, "getProperty",
              "(Ljava/lang/String;)Ljava/lang/String;"),
          to_java (env, "java.specification.version")));
  gint version = 0;

  if (text != NULL)
    version = atoi (g_str_has_prefix (text, "1.") ? text + 2 : text);
  g_free (text);
  return version;
}

/* ElementRuntime through a class loader of its own, for a JVM whose class path lacks it. Its parent is the platform's
 * loader, so that other versions of the libraries on the host's class path do no harm. A pending exception on failure. */
static jclass
load_from_jars (JNIEnv * env, gchar ** jars)
{
  guint count = g_strv_length (jars);
  jclass file_class = (*env)->FindClass (env, "java/io/File");
  jclass uri_class = (*env)->FindClass (env, "java/net/URI");
  jclass url_class = (*env)->FindClass (env, "java/net/URL");
  jclass loader_class = (*env)->FindClass (env, "java/net/URLClassLoader");
  jclass class_class = (*env)->FindClass (env, "java/lang/Class");
  jobjectArray urls = (*env)->NewObjectArray (env, (jsize) count, url_class,
      NULL);
  jobject platform, loader;

  for (guint i = 0; i < count; i++) {
    jobject file, uri, url;

    file = (*env)->NewObject (env, file_class, (*env)->GetMethodID (env,
            file_class, "<init>", "(Ljava/lang/String;)V"), to_java (env,
            jars[i]));
    uri = (*env)->CallObjectMethod (env, file, (*env)->GetMethodID (env,
            file_class, "toURI", "()Ljava/net/URI;"));
    url = (*env)->CallObjectMethod (env, uri, (*env)->GetMethodID (env,
            uri_class, "toURL", "()Ljava/net/URL;"));
    if ((*env)->ExceptionCheck (env))
      return NULL;
    (*env)->SetObjectArrayElement (env, urls, (jsize) i, url);
  }
  platform = (*env)->CallStaticObjectMethod (env, loader_class,
      (*env)->GetStaticMethodID (env, loader_class, "getPlatformClassLoader",
          "()Ljava/lang/ClassLoader;"));
  loader = (*env)->NewObject (env, loader_class, (*env)->GetMethodID (env,
          loader_class, "<init>",
          "(Ljava/lang/String;[Ljava/net/URL;Ljava/lang/ClassLoader;)V"),
      to_java (env, "gst-qpu"), urls, platform);
  if ((*env)->ExceptionCheck (env))
    return NULL;
  return (*env)->CallStaticObjectMethod (env, class_class,
      (*env)->GetStaticMethodID (env, class_class, "forName",
          "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;"),
      to_java (env, RUNTIME_CLASS), JNI_TRUE, loader);
}

/* ElementRuntime from the JVM's class path, or else from the jars. NULL and error where neither works. */
static jclass
load_runtime_class (JNIEnv * env, GError ** error)
{
  jclass runtime = (*env)->FindClass (env, RUNTIME_CLASS_JNI);
  gchar *dir, **jars, *cause;

  if (runtime == NULL) {
    jclass absent;
    jthrowable thrown = (*env)->ExceptionOccurred (env);

    (*env)->ExceptionClear (env);
    absent = (*env)->FindClass (env, "java/lang/NoClassDefFoundError");
    if ((*env)->IsInstanceOf (env, thrown, absent)) {
      dir = gst_qpu_jars_find_dir (error);
      if (dir == NULL)
        return NULL;
      GST_INFO ("loading the jars in %s beside the JVM's class path", dir);
      jars = gst_qpu_jars_list (dir);
      runtime = load_from_jars (env, jars);
      g_strfreev (jars);
      g_free (dir);
    } else {
      (*env)->Throw (env, thrown);
    }
  }
  if ((*env)->ExceptionCheck (env)) {
    cause = take_exception (env);
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The Java side of qpuloopfilter cannot be loaded (%s): reinstall the plugin",
        cause);
    g_free (cause);
    return NULL;
  }
  return runtime;
}

static gboolean
boot_java (JNIEnv * env, GError ** error)
{
  gint version = java_version (env);
  jclass runtime;
  jmethodID boot;
  gchar *library;

  if (version < GST_QPU_JAVA_VERSION_MIN) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "This process's JVM is Java %d, but qpuloopfilter needs Java %d or newer: start the program with one (apt install default-jre-headless)",
        version, GST_QPU_JAVA_VERSION_MIN);
    return FALSE;
  }
  library = gst_qpu_library_path ();
  if (library == NULL) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The path of libgstqpu.so cannot be told: keep the file in place while it is in use");
    return FALSE;
  }
  runtime = load_runtime_class (env, error);
  if (runtime != NULL) {
    boot = (*env)->GetStaticMethodID (env, runtime, "boot",
        "(Ljava/lang/String;)V");
    if (boot != NULL)
      (*env)->CallStaticVoidMethod (env, runtime, boot, to_java (env,
              library));
    if ((*env)->ExceptionCheck (env)) {
      gchar *cause = take_exception (env);

      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
          "The Java side of qpuloopfilter did not start (%s)", cause);
      g_free (cause);
    } else if (!callbacks_installed) {
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
  gchar **jars, *class_path;
  JavaVM *vm;

  if (dir == NULL)
    return NULL;
  jars = gst_qpu_jars_list (dir);
  class_path = g_strjoinv (":", jars);
  vm = gst_qpu_jvm_create (class_path, error);
  g_free (class_path);
  g_strfreev (jars);
  g_free (dir);
  return vm;
}

/* Returns NULL, or the GError. */
static gpointer
boot_thread (gpointer unused)
{
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
        "This process's JVM takes no thread: it is shutting down or out of memory");
    return error;
  }
  boot_java (env, &error);
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
  if (!booted) {
    GError *cause = NULL;

    /* On a thread of its own, for the JVM changes the stack of the thread that creates it (guard pages), and that thread
     * must not end while it is attached. */
    thread = g_thread_try_new ("qpu-jvm-boot", boot_thread, NULL, &cause);
    if (thread != NULL)
      cause = g_thread_join (thread);
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

GstStructure *
gst_qpu_stats_new (const gchar * substrate, const gchar * device,
    gint64 frames, gint64 submits, gint64 bytes_copied, gint64 re_records,
    gint64 pool_bytes)
{
  return gst_structure_new ("qpuloopfilter-stats",
      "substrate", G_TYPE_STRING, substrate,
      "device", G_TYPE_STRING, device,
      "frames", G_TYPE_UINT64, (guint64) frames,
      "submits", G_TYPE_UINT64, (guint64) submits,
      "bytes-copied", G_TYPE_UINT64, (guint64) bytes_copied,
      "re-records", G_TYPE_UINT64, (guint64) re_records,
      "pool-bytes", G_TYPE_UINT64, (guint64) pool_bytes, NULL);
}
