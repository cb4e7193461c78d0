/*
 * The archive of classes (class data sharing), with which a JVM starts faster: found for the JVM that is about to be created,
 * and made only on request.
 *
 * An archive fits one Java runtime, one set of jars and one set of options. Its file name has a digest of these three, so that
 * an archive that does not fit is not even opened. Archives are looked for beside JNA's and LWJGL's native libraries, in
 * GST_QPU_CACHE_DIR, and in the folder gst-qpu of the user's cache ($XDG_CACHE_HOME, else ~/.cache).
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <jni.h>

G_BEGIN_DECLS

/* Appends the JVM options (each to be freed) that make the JVM use an archive, if there is one. The JVM silently ignores an
 * archive that does not fit after all. If GST_QPU_MAKE_ARCHIVE names a folder, appends the options that
 * gst_qpu_archive_make needs instead.
 * options: all other options, which the archive has to fit. libjvm, version: as in GstQpuJvmHome. class_path: the value of
 * java.class.path. natives: the folder of native libraries, or NULL. */
void gst_qpu_archive_add_options (GPtrArray *options, const gchar *libjvm,
    gint version, const gchar *class_path, const gchar *natives);

/* If GST_QPU_MAKE_ARCHIVE names a folder: writes an archive of the classes that are loaded now, and atomically replaces the folder's
 * older archive. Prints a line about the archive to standard output, or about a failure to standard error. Called once, when the
 * process exits, for the JVM that got those options. */
void gst_qpu_archive_make (JavaVM *vm);

G_END_DECLS
