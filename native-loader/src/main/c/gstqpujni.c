/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpujni.h"

#include <string.h>

#include "gstqpudebug.h"

jobject
gst_qpu_jni_call (JNIEnv *env, jobject object, const gchar *class_name,
    const gchar *name, const gchar *signature, ...)
{
  gboolean constructor = strcmp (name, "<init>") == 0;
  gboolean is_static = object == NULL && !constructor;
  gboolean is_void = g_str_has_suffix (signature, ")V") && !constructor;
  jclass class;
  jmethodID method = NULL;
  jobject result = NULL;
  va_list arguments;

  if ((*env)->ExceptionCheck (env))
    return NULL;
  class = (*env)->FindClass (env, class_name);
  if (class != NULL)
    method = is_static ? (*env)->GetStaticMethodID (env, class, name, signature)
                       : (*env)->GetMethodID (env, class, name, signature);
  if (method == NULL)
    return NULL;

  va_start (arguments, signature);
  if (constructor)
    result = (*env)->NewObjectV (env, class, method, arguments);
  else if (is_static && is_void)
    (*env)->CallStaticVoidMethodV (env, class, method, arguments);
  else if (is_static)
    result = (*env)->CallStaticObjectMethodV (env, class, method, arguments);
  else if (is_void)
    (*env)->CallVoidMethodV (env, object, method, arguments);
  else
    result = (*env)->CallObjectMethodV (env, object, method, arguments);
  va_end (arguments);
  return (*env)->ExceptionCheck (env) ? NULL : result;
}

jstring
gst_qpu_jni_string (JNIEnv *env, const gchar *text)
{
  g_autofree gchar *valid = NULL;
  g_autofree gunichar2 *utf16 = NULL;
  glong length = 0;

  if ((*env)->ExceptionCheck (env))
    return NULL;
  valid = g_utf8_make_valid (text, -1);
  utf16 = g_utf8_to_utf16 (valid, -1, NULL, &length, NULL);
  return (*env)->NewString (env, utf16, (jsize) length);
}

jobjectArray
gst_qpu_jni_array (JNIEnv *env, const gchar *class_name)
{
  jclass class;

  if ((*env)->ExceptionCheck (env)
      || (class = (*env)->FindClass (env, class_name)) == NULL)
    return NULL;
  return (*env)->NewObjectArray (env, 0, class, NULL);
}

gboolean
gst_qpu_jni_contains (JNIEnv *env, jobject collection, jobject object)
{
  jclass class;
  jmethodID method;

  if ((*env)->ExceptionCheck (env)
      || (class = (*env)->FindClass (env, "java/util/Collection")) == NULL
      || (method = (*env)->GetMethodID (env, class, "contains",
              "(Ljava/lang/Object;)Z"))
          == NULL)
    return FALSE;
  return (*env)->CallBooleanMethod (env, collection, method, object)
      && !(*env)->ExceptionCheck (env);
}

gchar *
gst_qpu_jni_text (JNIEnv *env, jstring string)
{
  const jchar *utf16;
  gchar *text;

  if ((*env)->ExceptionCheck (env) || string == NULL)
    return NULL;
  utf16 = (*env)->GetStringChars (env, string, NULL);
  if (utf16 == NULL)
    return NULL;
  text = g_utf16_to_utf8 (utf16, (*env)->GetStringLength (env, string), NULL,
      NULL, NULL);
  (*env)->ReleaseStringChars (env, string, utf16);
  return text;
}

gboolean
gst_qpu_jni_thrown_is (JNIEnv *env, const gchar *class_name)
{
  jthrowable thrown = (*env)->ExceptionOccurred (env);
  jclass class;
  gboolean is;

  if (thrown == NULL)
    return FALSE;
  (*env)->ExceptionClear (env);
  class = (*env)->FindClass (env, class_name);
  is = class != NULL && (*env)->IsInstanceOf (env, thrown, class);
  (*env)->ExceptionClear (env);
  (*env)->Throw (env, thrown);
  return is;
}

static void
log_stack_trace (JNIEnv *env, jthrowable thrown)
{
  jobject buffer =
      gst_qpu_jni_call (env, NULL, "java/io/StringWriter", "<init>", "()V");
  jobject writer = gst_qpu_jni_call (env, NULL, "java/io/PrintWriter", "<init>",
      "(Ljava/io/Writer;)V", buffer);
  g_autofree gchar *trace = NULL;

  gst_qpu_jni_call (env, thrown, "java/lang/Throwable", "printStackTrace",
      "(Ljava/io/PrintWriter;)V", writer);
  trace = gst_qpu_jni_text (env,
      gst_qpu_jni_call (env, buffer, "java/lang/Object", "toString",
          "()Ljava/lang/String;"));
  GST_WARNING ("the Java side failed: %s", trace);
  (*env)->ExceptionClear (env);
}

gchar *
gst_qpu_jni_take_exception (JNIEnv *env)
{
  jthrowable thrown = (*env)->ExceptionOccurred (env), cause = thrown;
  gchar *text;

  (*env)->ExceptionClear (env);
  log_stack_trace (env, thrown);
  while (cause != NULL) {
    thrown = cause;
    cause = gst_qpu_jni_call (env, thrown, "java/lang/Throwable", "getCause",
        "()Ljava/lang/Throwable;");
  }
  text = gst_qpu_jni_text (env,
      gst_qpu_jni_call (env, thrown, "java/lang/Object", "toString",
          "()Ljava/lang/String;"));
  (*env)->ExceptionClear (env);
  if (text == NULL)
    text = g_strdup ("an exception without a text");
  return g_strdelimit (text, "\r\n", ' ');
}
