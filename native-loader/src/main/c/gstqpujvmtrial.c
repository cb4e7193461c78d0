/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpujvmtrial.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gstqpudebug.h"

/* Address space that is left to what this process does beside the JVM's start. */
#define MARGIN_BYTES (768 << 20)

/* Where options of the JVM come from, beside our own. */
static const gchar *const variables[] = { "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS",
  "GST_QPU_JVM_OPTIONS" };

gboolean
gst_qpu_jvm_environment_chooses_collector (void)
{
  gboolean chooses = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++) {
    const gchar *value = g_getenv (variables[i]);
    gchar **words = g_strsplit_set (value != NULL ? value : "", " \t\n'\"", -1);

    for (gchar **word = words; *word != NULL; word++)
      chooses = chooses
          || (g_str_has_prefix (*word, "-XX:+Use")
              && g_str_has_suffix (*word, "GC"));
    g_strfreev (words);
  }
  return chooses;
}

/* Whether the JVM may fail to start for other reasons than a broken installation. */
static gboolean
worth_a_trial (const struct rlimit *space)
{
  static const gchar *const waiting[] = { "-agentlib:", "-agentpath:",
    "-javaagent:", "-Xrun", "-XX:StartFlightRecording" };
  gboolean worth = space->rlim_cur != RLIM_INFINITY;

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++) {
    const gchar *value = g_getenv (variables[i]);

    if (value == NULL)
      continue;
    for (guint j = 0; j < G_N_ELEMENTS (waiting); j++) {
      if (strstr (value, waiting[j]) != NULL)
        return FALSE;
    }
    worth = worth || *value != '\0';
  }
  return worth;
}

/* Lowers a limit of this process's address space to what is left of it. */
static void
subtract_used (struct rlimit *space)
{
  FILE *file = fopen ("/proc/self/statm", "re");
  unsigned long pages = 0;
  rlim_t used;

  if (file != NULL) {
    if (fscanf (file, "%lu", &pages) != 1)
      pages = 0;
    fclose (file);
  }
  used = (rlim_t) pages * (rlim_t) sysconf (_SC_PAGESIZE) + MARGIN_BYTES;
  space->rlim_cur = space->rlim_cur > used ? space->rlim_cur - used : 0;
}

/* In the new process, before it runs Java. */
static void
limit_space (gpointer space)
{
  setrlimit (RLIMIT_AS, space);
}

/* The line in which a JVM says why it does not start; freed with g_free. NULL if there is none. */
static gchar *
reason (const gchar *text)
{
  gchar **lines = g_strsplit (text, "\n", -1);
  gchar *found = NULL;

  for (gchar **line = lines; found == NULL && *line != NULL; line++) {
    const gchar *start = *line + strspn (*line, "# \t");

    if (*start != '\0' && !g_str_has_prefix (start, "Picked up ")
        && !g_str_has_prefix (start, "WARNING: ")
        && !g_str_has_prefix (start, "Error occurred during initialization"))
      found = g_strchomp (g_utf8_make_valid (start, -1));
  }
  g_strfreev (lines);
  return found;
}

static GPtrArray *
command (const gchar *program, GPtrArray *options)
{
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (arguments, g_strdup (program));
  for (guint i = 0; i < options->len; i++) {
    const gchar *option = g_ptr_array_index (options, i);

    /* The classes of the plugin, which are not loaded. */
    if (!g_str_has_prefix (option, "-XX:SharedArchiveFile=")
        && !g_str_equal (option, "-XX:+RecordDynamicDumpInfo"))
      g_ptr_array_add (arguments, g_strdup (option));
  }
  g_ptr_array_add (arguments, g_strdup ("-XX:ErrorFile=/dev/null"));
  g_ptr_array_add (arguments, g_strdup ("-version"));
  g_ptr_array_add (arguments, NULL);
  return arguments;
}

gboolean
gst_qpu_jvm_trial (const GstQpuJvmHome *home, GPtrArray *options,
    GError **error)
{
  gchar *program = g_build_filename (home->home, "bin", "java", NULL);
  gchar *output = NULL, *errors = NULL, *why = NULL;
  struct rlimit space = { RLIM_INFINITY, RLIM_INFINITY };
  GError *cause = NULL;
  GPtrArray *arguments;
  gchar **environment;
  gboolean limited;
  gint status = 0;

  if (getrlimit (RLIMIT_AS, &space) != 0)
    space.rlim_cur = RLIM_INFINITY;
  limited = space.rlim_cur != RLIM_INFINITY;
  if (!worth_a_trial (&space)
      || !g_file_test (program, G_FILE_TEST_IS_EXECUTABLE)) {
    g_free (program);
    return TRUE;
  }
  if (limited)
    subtract_used (&space);
  arguments = command (program, options);
  /* The program java reads this, a JVM in another program does not. */
  environment = g_environ_unsetenv (g_get_environ (), "JDK_JAVA_OPTIONS");
  if (!g_spawn_sync (NULL, (gchar **) arguments->pdata, environment,
          G_SPAWN_DEFAULT, limited ? limit_space : NULL, &space, &output,
          &errors, &status, &cause)) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The JVM of %s could not be tried (%s): raise the limits of open files and processes (ulimit -n, ulimit -u)",
        home->home, cause->message);
    g_clear_error (&cause);
  } else if (status != 0) {
    why = reason (output);
    if (why == NULL)
      why = reason (errors);
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The JVM of %s could not be created (%s): check GST_QPU_JVM_OPTIONS and JAVA_TOOL_OPTIONS, or raise the limit of memory (ulimit -v)",
        home->home, why != NULL ? why : "it gives no reason");
  }
  g_free (why);
  g_free (output);
  g_free (errors);
  g_strfreev (environment);
  g_ptr_array_unref (arguments);
  g_free (program);
  return error == NULL || *error == NULL;
}
