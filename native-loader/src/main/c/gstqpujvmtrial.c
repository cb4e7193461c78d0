/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpujvmtrial.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gstqpudebug.h"

/* How long the JVM of the trial may take, with all agents. */
#define LIMIT_SECONDS 30

/* How often the trial is looked at. */
#define PAUSE_MICROSECONDS 2000

/* How much of what it prints is read. */
#define TEXT_BYTES 65536

/* The end of an option in one of the variables. */
#define REST_OF_OPTION "[^\\s'\"]*"

/* An option that loads Java's own debugging agent. */
#define DEBUGGER \
  "(?:-agentlib:jdwp=|-agentpath:[^\\s'\"=]*jdwp[^\\s'\"=]*=|-Xrunjdwp:)" REST_OF_OPTION

/* Where options of the JVM come from, beside our own. */
static const gchar *const variables[] = { "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS",
  "GST_QPU_JVM_OPTIONS" };

/* A limit of this process, and the column of /proc/self/statm with what counts against it. */
typedef struct
{
  int resource;
  guint column;
  rlim_t
      margin; /* bytes that are left to what this process does beside the JVM's start */
  struct rlimit value; /* in bytes */
} Limit;

#define LIMITS 2

/* The trial's process. */
typedef struct
{
  GPid pid;
  int output, errors; /* files in memory with what it printed */
  gboolean running;
  gint status; /* as of waitpid, once it does not run */
} Trial;

gboolean
gst_qpu_jvm_environment_chooses_collector (void)
{
  gboolean chooses = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++) {
    const gchar *value = g_getenv (variables[i]);
    g_auto (GStrv) words =
        g_strsplit_set (value != NULL ? value : "", " \t\n'\"", -1);

    for (gchar **word = words; *word != NULL; word++)
      chooses = chooses
          || (g_str_has_prefix (*word, "-XX:+Use")
              && g_str_has_suffix (*word, "GC"));
  }
  return chooses;
}

/* Whether the JVM may fail to start for other reasons than a broken installation. */
static gboolean
worth_a_trial (const Limit *limits)
{
  gboolean worth = FALSE;

  for (guint i = 0; i < LIMITS; i++)
    worth = worth || limits[i].value.rlim_cur != RLIM_INFINITY;
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++) {
    const gchar *value = g_getenv (variables[i]);

    worth = worth || (value != NULL && *value != '\0');
  }
  return worth;
}

/* Whether one of the options in the text has the JVM connect to a debugger that listens. */
static gboolean
connects_to_debugger (const gchar *text)
{
  g_autoptr (GRegex) regex = g_regex_new (DEBUGGER, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  gboolean connects = FALSE;

  g_regex_match (regex, text, 0, &match);
  while (g_match_info_matches (match)) {
    g_autofree gchar *option = g_match_info_fetch (match, 0);

    connects =
        connects || !g_regex_match_simple ("[=:,]server=y(,|$)", option, 0, 0);
    g_match_info_next (match, NULL);
  }
  return connects;
}

/* Options for the trial, in which the debugging agent opens its port, but waits for no debugger; freed with g_free. A flight
 * recording is made as asked: the application's, which ends later, replaces it. */
static gchar *
harmless (const gchar *options)
{
  g_autoptr (GRegex) regex = g_regex_new (DEBUGGER, 0, 0, NULL);
  gchar *result =
      g_regex_replace (regex, options, -1, 0, "\\0,suspend=n", 0, NULL);

  return result != NULL ? result : g_strdup (options); /* not UTF-8 */
}

static gchar **
trial_environment (void)
{
  gchar **environment = g_get_environ ();

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++) {
    const gchar *value = g_environ_getenv (environment, variables[i]);

    if (value != NULL) {
      g_autofree gchar *options = harmless (value);

      environment = g_environ_setenv (environment, variables[i], options, TRUE);
    }
  }
  /* The program java reads this, a JVM in another program does not. */
  return g_environ_unsetenv (environment, "JDK_JAVA_OPTIONS");
}

static void
read_limits (Limit *limits)
{
  limits[0] =
      (Limit) { .resource = RLIMIT_AS, .column = 0, .margin = 768 << 20 };
  limits[1] =
      (Limit) { .resource = RLIMIT_DATA, .column = 5, .margin = 128 << 20 };
  for (guint i = 0; i < LIMITS; i++) {
    if (getrlimit ((__rlimit_resource_t) limits[i].resource, &limits[i].value)
        != 0)
      limits[i].value.rlim_cur = RLIM_INFINITY;
  }
}

/* Lowers limits of this process's memory to what is left of them. Not to 0, which Linux takes for no limit of data. */
static void
subtract_used (Limit *limits)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) columns = NULL;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    text = g_strdup ("");
  columns = g_strsplit (text, " ", -1);
  for (guint i = 0; i < LIMITS; i++) {
    rlim_t used = limits[i].margin;

    if (limits[i].value.rlim_cur == RLIM_INFINITY)
      continue;
    if (limits[i].column < g_strv_length (columns))
      used += g_ascii_strtoull (columns[limits[i].column], NULL, 10)
          * (rlim_t) sysconf (_SC_PAGESIZE);
    limits[i].value.rlim_cur =
        limits[i].value.rlim_cur > used ? limits[i].value.rlim_cur - used : 1;
  }
}

/* In the new process, before it runs Java. */
static void
set_limits (gpointer data)
{
  const Limit *limits = data;

  for (guint i = 0; i < LIMITS; i++)
    setrlimit ((__rlimit_resource_t) limits[i].resource, &limits[i].value);
}

/* The line in which a JVM says why it does not start; freed with g_free. NULL if there is none. */
static gchar *
reason (const gchar *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (gchar **line = lines; *line != NULL; line++) {
    const gchar *start = *line + strspn (*line, "# \t");

    if (*start != '\0' && !g_str_has_prefix (start, "Picked up ")
        && !g_str_has_prefix (start, "WARNING: ")
        && !g_str_has_prefix (start, "Error occurred during initialization"))
      return g_strchomp (g_utf8_make_valid (start, -1));
  }
  return NULL;
}

static GPtrArray *
command (const gchar *program, GPtrArray *options)
{
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (arguments, g_strdup (program));
  for (guint i = 0; i < options->len; i++) {
    const gchar *option = g_ptr_array_index (options, i);

    /* The classes of the plugin, which are not loaded. What a JVM says of its end is wanted here. */
    if (!g_str_equal (option, GST_QPU_JVM_SILENT_OPTION)
        && !g_str_has_prefix (option, "-XX:SharedArchiveFile=")
        && !g_str_equal (option, "-XX:+RecordDynamicDumpInfo"))
      g_ptr_array_add (arguments, harmless (option));
  }
  g_ptr_array_add (arguments, g_strdup ("-XX:ErrorFile=/dev/null"));
  g_ptr_array_add (arguments, g_strdup ("-version"));
  g_ptr_array_add (arguments, NULL);
  return arguments;
}

/* The beginning of what is in a file; freed with g_free. */
static gchar *
content (int file)
{
  gchar *text = g_malloc0 (TEXT_BYTES + 1);
  gssize length = pread (file, text, TEXT_BYTES, 0);

  if (length < 0)
    *text = '\0';
  return text;
}

/* Starts the trial; FALSE and error if that is not possible. */
static gboolean
start (Trial *trial, GPtrArray *arguments, Limit *limits, GError **error)
{
  g_auto (GStrv) environment = trial_environment ();

  trial->output = memfd_create ("output", MFD_CLOEXEC);
  trial->errors = memfd_create ("errors", MFD_CLOEXEC);
  if (trial->output < 0 || trial->errors < 0)
    g_set_error_literal (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
        g_strerror (errno));
  else
    trial->running = g_spawn_async_with_fds (NULL, (gchar **) arguments->pdata,
        environment, G_SPAWN_DO_NOT_REAP_CHILD, set_limits, limits, &trial->pid,
        -1, trial->output, trial->errors, error);
  return trial->running;
}

/* Waits for the trial's end, but not longer than its limit. Not by GLib, which waits for ever, and takes it for a success if the
 * application has asked that nobody need wait for its processes (SIGCHLD is ignored). */
static void
await (Trial *trial)
{
  gint64 end = g_get_monotonic_time () + LIMIT_SECONDS * G_USEC_PER_SEC;

  while (trial->running) {
    pid_t ended = waitpid (trial->pid, &trial->status, WNOHANG);

    if (ended == 0 && g_get_monotonic_time () >= end)
      return;
    if (ended == 0) {
      g_usleep (PAUSE_MICROSECONDS);
    } else if (ended > 0) {
      trial->running = FALSE;
    } else if (errno != EINTR) {
      g_autofree gchar *errors = content (trial->errors);

      trial->running = FALSE;
      trial->status = strstr (errors, " version \"") != NULL ? 0 : -1;
    }
  }
}

/* Whether somebody ended the trial: Ctrl-C in a terminal goes to all its processes. */
static gboolean
was_interrupted (gint status)
{
  return WIFSIGNALED (status)
      && (WTERMSIG (status) == SIGINT || WTERMSIG (status) == SIGTERM
          || WTERMSIG (status) == SIGHUP || WTERMSIG (status) == SIGQUIT);
}

static void
judge (const Trial *trial, const gchar *home, GError **error)
{
  g_autofree gchar *output = content (trial->output);
  g_autofree gchar *errors = content (trial->errors);
  g_autofree gchar *why = reason (output);

  if (why == NULL)
    why = reason (errors);
  if (trial->running)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The JVM of %s does not start within %d s: check GST_QPU_JVM_OPTIONS and JAVA_TOOL_OPTIONS",
        home, LIMIT_SECONDS);
  else if (was_interrupted (trial->status))
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The start of Java was interrupted (%s): start again",
        g_strsignal (WTERMSIG (trial->status)));
  else if (trial->status != 0)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The JVM of %s could not be created (%s): check GST_QPU_JVM_OPTIONS and JAVA_TOOL_OPTIONS, or raise the limits of memory and processes (ulimit -v, -d, -u)",
        home, why != NULL ? why : "it gives no reason");
}

/* Ends the trial if it still runs, and frees what it holds. */
static void
finish (Trial *trial)
{
  if (trial->running) {
    kill (trial->pid, SIGKILL);
    while (waitpid (trial->pid, NULL, 0) < 0 && errno == EINTR)
      continue;
  }
  if (trial->output >= 0)
    close (trial->output);
  if (trial->errors >= 0)
    close (trial->errors);
}

gboolean
gst_qpu_jvm_trial (const GstQpuJvmHome *home, GPtrArray *options,
    GError **error)
{
  Trial trial = { .output = -1, .errors = -1 };
  Limit limits[LIMITS];
  GError *cause = NULL;
  g_autofree gchar *program =
      g_build_filename (home->home, "bin", "java", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++) {
    const gchar *value = g_getenv (variables[i]);

    if (value != NULL && connects_to_debugger (value)) {
      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
          "%s has Java connect to a debugger, which ends the application if none listens: have Java listen, with server=y",
          variables[i]);
      return FALSE;
    }
  }
  read_limits (limits);
  if (worth_a_trial (limits)
      && g_file_test (program, G_FILE_TEST_IS_EXECUTABLE)) {
    g_autoptr (GPtrArray) arguments = command (program, options);

    subtract_used (limits);
    if (start (&trial, arguments, limits, &cause)) {
      await (&trial);
      judge (&trial, home->home, error);
    } else {
      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
          "The JVM of %s could not be tried (%s): raise the limits of open files and processes (ulimit -n, ulimit -u)",
          home->home, cause->message);
      g_clear_error (&cause);
    }
    finish (&trial);
  }
  return error == NULL || *error == NULL;
}
