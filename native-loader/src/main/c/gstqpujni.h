/*
 * Short forms of JNI calls, for code that runs once. A function that fails leaves a Java exception pending. While one is pending,
 * the functions do nothing, so that a sequence of calls needs only one check at its end. Local references are deleted when the
 * thread is detached.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <jni.h>

G_BEGIN_DECLS

/* Calls a method that returns an object, or one that returns nothing, for which the result is NULL. If name is <init>, calls the
 * constructor; else if object is NULL, calls a static method. Class names and signatures are JNI's. */
jobject gst_qpu_jni_call (JNIEnv *env, jobject object, const gchar *class_name,
    const gchar *name, const gchar *signature, ...);

/* A Java string; bytes of text that are not UTF-8 are replaced. */
jstring gst_qpu_jni_string (JNIEnv *env, const gchar *text);

/* An empty array of objects of a class. */
jobjectArray gst_qpu_jni_array (JNIEnv *env, const gchar *class_name);

/* Whether a java.util.Collection contains the object; FALSE on failure. */
gboolean gst_qpu_jni_contains (JNIEnv *env, jobject collection, jobject object);

/* The text of a Java string in UTF-8, freed with g_free; NULL if string is NULL. */
gchar *gst_qpu_jni_text (JNIEnv *env, jstring string);

/* Whether an exception of this class is pending. */
gboolean gst_qpu_jni_thrown_is (JNIEnv *env, const gchar *class_name);

/* Clears the pending exception, and logs its stack trace. Returns its root cause as one line, freed with g_free. */
gchar *gst_qpu_jni_take_exception (JNIEnv *env);

G_END_DECLS
