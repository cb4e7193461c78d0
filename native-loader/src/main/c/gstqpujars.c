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
  char *resolved;
  gchar *path = NULL;

  if (dladdr ((void *) gst_qpu_library_path, &info) != 0
      && (resolved = realpath (info.dli_fname, NULL)) != NULL) {
    path = g_strdup (resolved);
    free (resolved);
  }
  return path;
}

static gboolean
holds_jars (const gchar *dir)
{
  gchar *jar = g_build_filename (dir, MAIN_JAR, NULL);
  gboolean there = g_file_test (jar, G_FILE_TEST_IS_REGULAR);

  g_free (jar);
  return there;
}

gchar *
gst_qpu_natives_find_dir (void)
{
  gchar *library = gst_qpu_library_path (), *plugins, *dir;

  if (library == NULL)
    return NULL;
  plugins = g_path_get_dirname (library);
  dir = g_build_filename (plugins, "..", "gst-qpu", NULL);
  for (guint i = 0; dir != NULL && i < G_N_ELEMENTS (natives); i++) {
    gchar *path = g_build_filename (dir, natives[i], NULL);

    if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
      GST_INFO ("no %s: the JVM unpacks its native libraries", path);
      g_clear_pointer (&dir, g_free);
    }
    g_free (path);
  }
  g_free (plugins);
  g_free (library);
  return dir;
}

gchar *
gst_qpu_jars_find_dir (GError **error)
{
  const gchar *wanted = g_getenv ("GST_QPU_JARS");
  gchar *library, *beside = NULL, *found = NULL;

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
    gchar *dir = g_path_get_dirname (library);

    beside = g_build_filename (dir, "qpu", NULL);
    g_free (dir);
    g_free (library);
  }
  if (beside != NULL && holds_jars (beside))
    found = g_strdup (beside);
  else if (holds_jars (GST_QPU_DATA_DIR))
    found = g_strdup (GST_QPU_DATA_DIR);
  else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "The plugin's jars are missing: no " MAIN_JAR
        " in %s or %s; reinstall the plugin, or build it whole (mvn package), or set GST_QPU_JARS to their folder",
        beside != NULL ? beside : "the plugin's folder", GST_QPU_DATA_DIR);
  g_free (beside);
  return found;
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
  GError *error = NULL;
  GDir *entries = g_dir_open (dir, 0, &error);
  const gchar *name;

  if (entries == NULL) {
    GST_WARNING ("%s", error->message);
    g_error_free (error);
  } else {
    while ((name = g_dir_read_name (entries)) != NULL) {
      if (g_str_has_suffix (name, ".jar")
          && (with_natives || !g_str_has_prefix (name, NATIVES_JAR)))
        g_ptr_array_add (jars, g_build_filename (dir, name, NULL));
    }
    g_dir_close (entries);
  }
  g_ptr_array_sort (jars, compare_paths);
  g_ptr_array_add (jars, NULL);
  return (gchar **) g_ptr_array_free (jars, FALSE);
}
