/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpujars.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "gstqpudebug.h"

/* The jar that holds ElementRuntime: a folder with this file is a folder with the plugin's jars. */
#define MAIN_JAR "plugin.jar"

/* The beginning of the names of jars that hold only native libraries. */
#define NATIVES_JAR "lwjgl-natives-"

static const gchar *const natives[] = { "liblwjgl.so", "libjnidispatch.so" };

gchar *
gst_qpu_library_path (void)
{
  Dl_info info;

  /* GLib's memory is the C library's. */
  return dladdr ((void *) gst_qpu_library_path, &info) != 0
      ? realpath (info.dli_fname, NULL)
      : NULL;
}

static gboolean
holds_jars (const gchar *dir)
{
  g_autofree gchar *jar = g_build_filename (dir, MAIN_JAR, NULL);

  return g_file_test (jar, G_FILE_TEST_IS_REGULAR);
}

gchar *
gst_qpu_natives_find_dir (void)
{
  g_autofree gchar *library = gst_qpu_library_path ();
  g_autofree gchar *plugins = NULL;
  g_autofree gchar *dir = NULL;

  if (library == NULL)
    return NULL;
  plugins = g_path_get_dirname (library);
  dir = g_build_filename (plugins, "..", "gst-qpu", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (natives); i++) {
    g_autofree gchar *path = g_build_filename (dir, natives[i], NULL);

    if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
      GST_INFO ("no %s: the JVM unpacks its native libraries", path);
      return NULL;
    }
  }
  return g_steal_pointer (&dir);
}

gchar *
gst_qpu_jars_find_dir (GError **error)
{
  const gchar *wanted = g_getenv ("GST_QPU_JARS");
  g_autofree gchar *library = NULL;
  g_autofree gchar *beside = NULL;

  if (wanted != NULL && *wanted != '\0') {
    if (holds_jars (wanted))
      return g_strdup (wanted);
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "GST_QPU_JARS is %s, which does not hold the plugin's jars (no " MAIN_JAR
        "): correct or unset GST_QPU_JARS",
        wanted);
    return NULL;
  }

  library = gst_qpu_library_path ();
  if (library != NULL) {
    g_autofree gchar *dir = g_path_get_dirname (library);

    beside = g_build_filename (dir, "qpu", NULL);
  }
  if (beside != NULL && holds_jars (beside))
    return g_steal_pointer (&beside);
  if (holds_jars (GST_QPU_DATA_DIR))
    return g_strdup (GST_QPU_DATA_DIR);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "The plugin's jars are missing: no " MAIN_JAR
      " in %s or %s; reinstall the plugin, or build it whole (mvn package), or set GST_QPU_JARS to their folder",
      beside != NULL ? beside : "the plugin's folder", GST_QPU_DATA_DIR);
  return NULL;
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar *const *) a, *(gchar *const *) b);
}

gchar **
gst_qpu_jars_list (const gchar *dir, gboolean with_natives)
{
  GPtrArray *jars = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) entries = g_dir_open (dir, 0, &error);
  const gchar *name;

  if (entries == NULL)
    GST_WARNING ("%s", error->message);
  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL) {
    if (g_str_has_suffix (name, ".jar")
        && (with_natives || !g_str_has_prefix (name, NATIVES_JAR)))
      g_ptr_array_add (jars, g_build_filename (dir, name, NULL));
  }
  g_ptr_array_sort (jars, compare_paths);
  g_ptr_array_add (jars, NULL);
  return (gchar **) g_ptr_array_free (jars, FALSE);
}
