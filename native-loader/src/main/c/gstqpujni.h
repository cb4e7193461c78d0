/*
 * Short forms of JNI calls for code that runs once. In all of them a failure is a pending Java exception, and with one
 * pending they do nothing, so that a row of calls needs one check at its end. Local references are left to the thread's
 * detaching.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <jni.h>

G_BEGIN_DECLS

/* Calls a method that returns an object or nothing (NULL then): a static one where object is NULL, the constructor where
 * name is <init>. Class names and signatures as in JNI. */
jobject gst_qpu_jni_call (JNIEnv * env, jobject object,
    const gchar * class_name, const gchar * name, const gchar * signature, ...);

/* A Java string; what is not UTF-8 in text is replaced. */
jstring gst_qpu_jni_string (JNIEnv * env, const gchar * text);

/* A Java string in UTF-8, freed with g_free; NULL for null. */
gchar *gst_qpu_jni_text (JNIEnv * env, jstring string);

/* Whether the pending exception, if there is one, is of this class. */
gboolean gst_qpu_jni_thrown_is (JNIEnv * env, const gchar * class_name);

/* Clears the pending exception: its root cause as one line, freed with g_free. The stack trace goes to the log. */
gchar *gst_qpu_jni_take_exception (JNIEnv * env);

G_END_DECLS
