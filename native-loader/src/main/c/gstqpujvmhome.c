/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpujvmhome.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gstqpudebug.h"
#include "gstqpujars.h"

#define DEFAULT_JVM_DIRS "/usr/lib/jvm:/usr/lib64/jvm"
#define INSTALL_JAVA "apt install default-jre-headless"

void
gst_qpu_jvm_home_free (GstQpuJvmHome *home)
{
  g_free (home->home);
  g_free (home->libjvm);
  g_free (home);
}

/* Reads a runtime's release file. Returns the feature version in its JAVA_VERSION: 17 for "17.0.15", 25 for "25-ea", 8 for
 * "1.8.0_392", 0 if the file has none. vectors: whether its MODULES name the module of the Vector API, and that
 * which tells the kernels what vectors allocate. */
static gint
read_release (const gchar *home, gboolean *vectors)
{
  g_autofree gchar *path = g_build_filename (home, "release", NULL);
  g_autofree gchar *content = NULL;
  gint version = 0;

  *vectors = FALSE;
  if (g_file_get_contents (path, &content, NULL, NULL)) {
    g_auto (GStrv) lines = g_strsplit (content, "\n", -1);

    for (gchar **line = lines; *line != NULL; line++) {
      if (g_str_has_prefix (*line, "JAVA_VERSION=\"")) {
        const gchar *number = *line + strlen ("JAVA_VERSION=\"");

        if (g_str_has_prefix (number, "1."))
          number += 2;
        version = (gint) g_ascii_strtoll (number, NULL, 10);
      } else if (g_str_has_prefix (*line, "MODULES=\"")) {
        g_auto (GStrv) modules = g_strsplit_set (*line, "\" ", -1);

        *vectors = g_strv_contains ((const gchar *const *) modules,
                       GST_QPU_JAVA_VECTOR_MODULE)
            && g_strv_contains ((const gchar *const *) modules,
                "jdk.management");
      }
    }
  }
  return version;
}

/* Whether two ELF files are for the same machine. */
static gboolean
same_machine (const gchar *path, const gchar *other)
{
  Elf32_Ehdr headers[2]; /* e_ident and e_machine lie alike in Elf64_Ehdr */
  const gchar *paths[] = { path, other };

  for (guint i = 0; i < 2; i++) {
    FILE *file = fopen (paths[i], "rbe");
    gboolean complete =
        file != NULL && fread (&headers[i], sizeof headers[i], 1, file) == 1;

    if (file != NULL)
      fclose (file);
    if (!complete || memcmp (headers[i].e_ident, ELFMAG, SELFMAG) != 0)
      return FALSE;
  }
  return headers[0].e_ident[EI_CLASS] == headers[1].e_ident[EI_CLASS]
      && headers[0].e_ident[EI_DATA] == headers[1].e_ident[EI_DATA]
      && headers[0].e_machine == headers[1].e_machine;
}

/* Whether a library is for this program's machine. This library is, and can be read where there is no /proc. */
static gboolean
is_for_this_machine (const gchar *path)
{
  g_autofree gchar *own = gst_qpu_library_path ();

  return own == NULL || same_machine (path, own);
}

/* The libjvm.so in a home of Java 8 or older, which has a folder for each architecture; NULL if there is none. */
static gchar *
old_libjvm (const gchar *home, const gchar *lib)
{
  g_autofree gchar *lib_dir = g_build_filename (home, lib, NULL);
  g_autoptr (GDir) dir = g_dir_open (lib_dir, 0, NULL);
  const gchar *arch;

  while (dir != NULL && (arch = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path =
        g_build_filename (lib_dir, arch, "server", "libjvm.so", NULL);

    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&path);
  }
  return NULL;
}

/* The runtime in a folder, of any version; NULL if there is none. */
static GstQpuJvmHome *
read_home (const gchar *path)
{
  static const gchar *const kinds[] = { "server", "client", "minimal" };
  GstQpuJvmHome *home;
  gchar *libjvm = NULL;
  gboolean vectors;
  gint version = read_release (path, &vectors);

  for (guint i = 0; libjvm == NULL && i < G_N_ELEMENTS (kinds); i++) {
    libjvm = g_build_filename (path, "lib", kinds[i], "libjvm.so", NULL);
    if (!g_file_test (libjvm, G_FILE_TEST_IS_REGULAR))
      g_clear_pointer (&libjvm, g_free);
  }
  if (libjvm != NULL) {
    g_autofree gchar *modules = g_build_filename (path, "lib", "modules", NULL);

    /* A JVM that lacks its classes does not fail to start: it exits the process. */
    if (!g_file_test (modules, G_FILE_TEST_IS_REGULAR))
      g_clear_pointer (&libjvm, g_free);
  } else {
    libjvm = old_libjvm (path, "lib");
    if (libjvm == NULL)
      libjvm = old_libjvm (path, "jre/lib");
    if (version == 0)
      version = 8;
  }
  if (libjvm == NULL)
    return NULL;

  home = g_new0 (GstQpuJvmHome, 1);
  home->home = g_strdup (path);
  home->libjvm = libjvm;
  home->version = version;
  home->vectors = vectors;
  return home;
}

static gboolean
too_old (const GstQpuJvmHome *home)
{
  return home->version > 0 && home->version < GST_QPU_JAVA_VERSION_MIN;
}

/* The runtime in a folder if it is usable, else NULL. old: the newest runtime so far that is too old. */
static GstQpuJvmHome *
usable (const gchar *path, const gchar *origin, GstQpuJvmHome **old)
{
  g_autoptr (GstQpuJvmHome) home = read_home (path);

  if (home == NULL) {
    GST_INFO ("%s: no Java runtime in %s", origin, path);
    return NULL;
  }
  if (!is_for_this_machine (home->libjvm)) {
    GST_INFO ("%s: %s is for another architecture", origin, home->libjvm);
  } else if (too_old (home)) {
    GST_INFO ("%s: Java %d in %s is too old", origin, home->version, path);
    if (*old == NULL || (*old)->version < home->version) {
      g_clear_pointer (old, gst_qpu_jvm_home_free);
      *old = g_steal_pointer (&home);
    }
  } else {
    GST_INFO ("%s: Java %d in %s", origin, home->version, path);
    return g_steal_pointer (&home);
  }
  return NULL;
}

static GstQpuJvmHome *
find_in_java_home (const gchar *java_home, GError **error)
{
  g_autoptr (GstQpuJvmHome) home = read_home (java_home);

  if (home == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "JAVA_HOME is %s, which holds no Java runtime (no lib/server/libjvm.so and lib/modules): correct or unset JAVA_HOME",
        java_home);
  } else if (!is_for_this_machine (home->libjvm)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "JAVA_HOME is %s, a Java runtime for another architecture than this program's: correct or unset JAVA_HOME",
        java_home);
  } else if (too_old (home)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "JAVA_HOME is %s, which is Java %d, but qpuloopfilter needs Java %d or newer: " INSTALL_JAVA
        ", and correct or unset JAVA_HOME",
        java_home, home->version, GST_QPU_JAVA_VERSION_MIN);
  } else {
    GST_INFO ("JAVA_HOME: Java %d in %s", home->version, java_home);
    return g_steal_pointer (&home);
  }
  return NULL;
}

/* How good a usable runtime is; more is better. A runtime with the Vector API comes before all without, for it more than halves
 * the time of a picture on the CPU. Then the newest comes first; a version that this plugin was not tested with comes last. */
static gint
rank (const GstQpuJvmHome *home)
{
  gint newest =
      home->version <= GST_QPU_JAVA_VERSION_TESTED ? home->version : 1;

  return home->vectors ? 1000 + newest : newest;
}

/* Takes the runtime in a folder in place of best if it is usable and better. */
static void
consider (const gchar *path, const gchar *origin, GstQpuJvmHome **best,
    GstQpuJvmHome **old)
{
  g_autoptr (GstQpuJvmHome) home = usable (path, origin, old);

  if (home != NULL && (*best == NULL || rank (*best) < rank (home))) {
    g_clear_pointer (best, gst_qpu_jvm_home_free);
    *best = g_steal_pointer (&home);
  }
}

static void
consider_path (GstQpuJvmHome **best, GstQpuJvmHome **old)
{
  g_autofree gchar *program = g_find_program_in_path ("java");
  /* GLib's memory is the C library's. */
  g_autofree gchar *file = program != NULL ? realpath (program, NULL) : NULL;

  if (file != NULL) {
    g_autofree gchar *bin = g_path_get_dirname (file);
    g_autofree gchar *path = g_path_get_dirname (bin);

    consider (path, "java on PATH", best, old);
  }
}

static void
consider_dir (const gchar *path, GstQpuJvmHome **best, GstQpuJvmHome **old)
{
  static const gchar *const defaults[] = { "default-java", "default" };
  g_autoptr (GDir) dir = NULL;
  const gchar *name;

  for (guint i = 0; i < G_N_ELEMENTS (defaults); i++) {
    g_autofree gchar *candidate = g_build_filename (path, defaults[i], NULL);

    if (g_file_test (candidate, G_FILE_TEST_IS_DIR))
      consider (candidate, "distribution's default", best, old);
  }
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *candidate = g_build_filename (path, name, NULL);

    if (g_file_test (candidate, G_FILE_TEST_IS_DIR))
      consider (candidate, path, best, old);
  }
}

GstQpuJvmHome *
gst_qpu_jvm_home_find (GError **error)
{
  const gchar *java_home = g_getenv ("JAVA_HOME");
  const gchar *jvm_dirs = g_getenv ("GST_QPU_JVM_DIRS");
  GstQpuJvmHome *home = NULL;
  g_autoptr (GstQpuJvmHome) old = NULL;
  g_auto (GStrv) dirs = NULL;

  if (java_home != NULL && *java_home != '\0')
    return find_in_java_home (java_home, error);

  if (jvm_dirs == NULL)
    jvm_dirs = DEFAULT_JVM_DIRS;
  consider_path (&home, &old);
  dirs = g_strsplit (jvm_dirs, ":", -1);
  for (gchar **dir = dirs; *dir != NULL; dir++)
    consider_dir (*dir, &home, &old);

  if (home == NULL && old != NULL)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "The newest Java found is %d, in %s, but qpuloopfilter needs Java %d or newer: " INSTALL_JAVA,
        old->version, old->home, GST_QPU_JAVA_VERSION_MIN);
  else if (home == NULL)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "No Java runtime found by JAVA_HOME, java on PATH or in %s, but qpuloopfilter needs Java %d or newer: " INSTALL_JAVA,
        jvm_dirs, GST_QPU_JAVA_VERSION_MIN);
  if (home != NULL)
    GST_INFO ("chosen: Java %d in %s", home->version, home->home);
  return home;
}
