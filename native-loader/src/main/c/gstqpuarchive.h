/*
 * The archive of classes that a JVM starts faster with (class data sharing): found for the JVM about to be created, made
 * on request alone.
 *
 * An archive fits one Java runtime, one set of jars and one set of options, which its file name is a digest of, so that
 * one for others is never looked at. Files are looked for beside JNA's and LWJGL's native libraries, in
 * GST_QPU_CACHE_DIR, and in the folder gst-qpu of the user's cache ($XDG_CACHE_HOME, else ~/.cache).
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <jni.h>

G_BEGIN_DECLS

/* Appends to a JVM's options (each to be freed) those that make it use an archive, where there is one; an archive that
 * the JVM then finds not to fit is ignored in silence. Where GST_QPU_MAKE_ARCHIVE names a folder, those that allow for
 * gst_qpu_archive_make_at_exit instead.
 * options: all others that the archive has to fit. libjvm, version: as of GstQpuJvmHome. class_path: as of
 * java.class.path. natives: folder of native libraries, or NULL. */
void gst_qpu_archive_add_options (GPtrArray * options, const gchar * libjvm,
    gint version, const gchar * class_path, const gchar * natives);

/* Where GST_QPU_MAKE_ARCHIVE names a folder: when this process exits, an archive of the classes that it has loaded by
 * then replaces the one in that folder, if any, at once. Prints a line about it, and about a failure to standard error.
 * Once, after gst_qpu_archive_add_options, for the JVM with its options. */
void gst_qpu_archive_make_at_exit (JavaVM * vm);

G_END_DECLS
