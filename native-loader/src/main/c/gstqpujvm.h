/*
 * The process's JVM: the one that runs already, or one that is created once and never destroyed.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <jni.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

/* The JVM that runs in this process, whoever created it; NULL if there is none. */
JavaVM *gst_qpu_jvm_running (void);

/* Creates the process's JVM from the Java runtime that gst_qpu_jvm_home_find chooses. The calling thread is attached to the JVM,
 * and must detach before it ends.
 * class_path: the value of java.class.path; natives: the folder of JNA's and LWJGL's native libraries, or NULL.
 * GST_QPU_JVM_OPTIONS (quoted as in a shell) may hold more options, which override those that this function sets.
 * error: one line, the cause and the cure. */
JavaVM *gst_qpu_jvm_create (const gchar *class_path, const gchar *natives,
    GError **error);

/* Gives memory that was freed, of all of the process, back to the system. Any thread; takes some milliseconds. */
GST_QPU_FOR_JAVA void gst_qpu_jvm_trim (void);

G_END_DECLS
