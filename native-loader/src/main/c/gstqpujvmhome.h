/*
 * Which Java runtime to create a JVM from: the files are looked at, nothing is loaded.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The oldest Java that the jars run on. */
#define GST_QPU_JAVA_VERSION_MIN 17

/* The module of the Vector API, which a JVM offers on request alone. */
#define GST_QPU_JAVA_VECTOR_MODULE "jdk.incubator.vector"

/* A Java runtime on disk. */
typedef struct
{
  gchar *home;
  gchar *libjvm;                /* path of its libjvm.so */
  gint version;                 /* feature version such as 17, 0 where its release file does not tell */
  gboolean vectors;             /* whether its release file names the module of the Vector API */
} GstQpuJvmHome;

/* Finds the runtime to use: that of JAVA_HOME, which then has to be usable; else the first usable of: that of java on
 * PATH, the distribution's default (DIR/default-java, DIR/default), the newest in DIR; for each DIR of
 * GST_QPU_JVM_DIRS (separated by colons; unset: /usr/lib/jvm and /usr/lib64/jvm). Usable: for this architecture and not
 * known to be too old.
 * Freed with gst_qpu_jvm_home_free; NULL and error (one line, cause and cure) where there is none. Any thread. */
GstQpuJvmHome *gst_qpu_jvm_home_find (GError ** error);

void gst_qpu_jvm_home_free (GstQpuJvmHome * home);

G_END_DECLS
