/*
 * Where the jars of the Java side lie.
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

/* The paths of all jars in a folder, sorted; freed with g_strfreev. */
gchar **gst_qpu_jars_list (const gchar * dir);

/* The path of libgstqpu.so, links resolved; NULL where it cannot be told. Freed with g_free. */
gchar *gst_qpu_library_path (void);

G_END_DECLS
