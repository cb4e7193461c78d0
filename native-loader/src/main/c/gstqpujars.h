/*
 * Where the files of the Java side lie: its jars, and the native libraries of the libraries it uses.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The folder with the jars: that of GST_QPU_JARS where it is set, else the folder qpu beside libgstqpu.so, else
 * GST_QPU_DATA_DIR. Freed with g_free; NULL and error (one line, cause and cure) where none of them holds plugin.jar. */
gchar *gst_qpu_jars_find_dir (GError ** error);

/* The paths of the jars in a folder, sorted; freed with g_strfreev. with_natives: those too that only hold native
 * libraries, to be unpacked. */
gchar **gst_qpu_jars_list (const gchar * dir, gboolean with_natives);

/* The folder gst-qpu beside that of libgstqpu.so, with the native libraries of JNA and LWJGL for this architecture; NULL
 * where they are not there, and have to be unpacked from the jars. Freed with g_free. */
gchar *gst_qpu_natives_find_dir (void);

/* The path of libgstqpu.so, links resolved; NULL where it cannot be told. Freed with g_free. */
gchar *gst_qpu_library_path (void);

G_END_DECLS
