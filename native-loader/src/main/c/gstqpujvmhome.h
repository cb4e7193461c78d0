/*
 * Finds the Java runtime to create a JVM from: looks at files only, and loads nothing.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The oldest Java that the jars run on. */
#define GST_QPU_JAVA_VERSION_MIN 17

/* The newest Java that the plugin was tested with. */
#define GST_QPU_JAVA_VERSION_TESTED 25

/* The module of the Vector API, which a JVM has only if an option asks for it. */
#define GST_QPU_JAVA_VECTOR_MODULE "jdk.incubator.vector"

/* A Java runtime on disk. */
typedef struct
{
  gchar *home;
  gchar *libjvm; /* path of its libjvm.so */
  gint
      version; /* feature version such as 17; 0 if its release file does not say */
  gboolean
      vectors; /* whether its release file names the modules that vectors need */
} GstQpuJvmHome;

/* Finds the runtime to use. If JAVA_HOME is set, that is the only candidate. Else the candidates are the runtime of java on PATH,
 * and those in each DIR of GST_QPU_JVM_DIRS (separated by colons; /usr/lib/jvm and /usr/lib64/jvm if it is not set). A usable one is
 * for this architecture and not known to be too old. Of these one with the Vector API is taken before one without; then the newest
 * up to GST_QPU_JAVA_VERSION_TESTED. Of equals, java on PATH comes first, then the distribution's default (DIR/default-java,
 * DIR/default).
 * Freed with gst_qpu_jvm_home_free; NULL and error (one line, the cause and the cure) if there is none. Any thread. */
GstQpuJvmHome *gst_qpu_jvm_home_find (GError **error);

void gst_qpu_jvm_home_free (GstQpuJvmHome *home);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstQpuJvmHome, gst_qpu_jvm_home_free)

G_END_DECLS
