/*
 * Where the files of the Java side are: its jars, and the native libraries of JNA and LWJGL.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The folder with the jars: GST_QPU_JARS if it is set, else the folder qpu beside libgstqpu.so, else GST_QPU_DATA_DIR. Freed
 * with g_free; NULL and error (one line, the cause and the cure) if that folder does not hold plugin.jar. */
gchar *gst_qpu_jars_find_dir (GError **error);

/* The sorted paths of the jars in a folder; freed with g_strfreev. with_natives: also the jars that hold only native libraries,
 * which have to be unpacked. */
gchar **gst_qpu_jars_list (const gchar *dir, gboolean with_natives);

/* The folder gst-qpu beside the folder of libgstqpu.so, which holds the native libraries of JNA and LWJGL for this architecture;
 * freed with g_free. NULL if they are not there: they have to be unpacked from the jars then. */
gchar *gst_qpu_natives_find_dir (void);

/* The path of libgstqpu.so without symbolic links; freed with g_free. NULL if it is not known. */
gchar *gst_qpu_library_path (void);

G_END_DECLS
