/*
 * The module of Java's Vector API, which a JVM resolves only on request. The request on the command line (--add-modules) has the
 * JVM print a warning to standard error, which is the application's. The same module that is added to a running JVM brings none.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <jni.h>

G_BEGIN_DECLS

/* Appends the option (to be freed) that asks for the module to those of a JVM of this version, unless gst_qpu_vectors_add adds it
 * there: that uses methods of Java which are not public, and are known up to GST_QPU_JAVA_VERSION_TESTED. */
void gst_qpu_vectors_add_option (GPtrArray *options, gint version);

/* Adds the module to a running JVM of this version, to which gst_qpu_vectors_add_option gave no option. If that fails, logs why,
 * and the kernels do without vectors. env: this thread's; no exception is pending, before and after. Makes some hundred local
 * references, and deletes them. */
void gst_qpu_vectors_add (JNIEnv *env, gint version);

G_END_DECLS
