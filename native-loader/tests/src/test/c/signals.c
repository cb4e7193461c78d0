/*
 * An application with signal handlers of its own. Prints "ok NAME" or "FAILED NAME" for each signal.
 *
 * Usage: signals             handlers that were there before the element booted a JVM are called afterwards, and no other disposition
 *                            and no mask has changed
 *        signals jvm LIBJVM  the same in a program that has made a JVM itself, but for the handlers that JVM has
 *        signals late        a crash reporter that is installed after the element has played gets no fault but the program's own
 *        signals crash NAME  dies of SEGV, FPE, ILL, BUS by a fault of its own, or of TERM, and prints nothing
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <dlfcn.h>
#include <gst/gst.h>
#include <jni.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIGNALS 65

/* How long a pipeline plays with the late handler. */
#define LATE_US 4000000

typedef jint (JNICALL *CreateJavaVM) (JavaVM **, void **, void *);

static volatile sig_atomic_t caught;
static volatile sig_atomic_t faults;
static sigjmp_buf after_fault;
static gint failures;

static void
note (int number)
{
  caught = number;
}

static void
survive_fault (int number)
{
  faults++;
  siglongjmp (after_fault, number);
}

/* What crash reporters do: says so, puts back what was there before, and lets the fault happen again. */
static struct sigaction before_reporter;

static void
report_crash (int number)
{
  static const char text[] = "crash reporter\n";

  faults++;
  if (write (STDOUT_FILENO, text, sizeof text - 1) < 0)
    _exit (3);
  sigaction (number, &before_reporter, NULL);
  raise (number);
}

static gboolean
fault_reaches_handler (void)
{
  if (sigsetjmp (after_fault, 1) == 0) {
    volatile int *unmapped = mmap (NULL, sizeof (int), PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    *unmapped = 1;
    return FALSE;
  }
  return TRUE;
}

static void
check (gboolean ok, const char *name)
{
  failures += !ok;
  printf ("%s %s\n", ok ? "ok" : "FAILED", name);
  fflush (stdout);
}

/* The four that every JVM has for itself. */
static gboolean
is_of_jvm (int number)
{
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE
      || number == SIGILL;
}

static void
remember (struct sigaction *actions, sigset_t *mask)
{
  for (int number = 1; number < SIGNALS; number++)
    sigaction (number, NULL, &actions[number]);
  pthread_sigmask (SIG_SETMASK, NULL, mask);
}

static gboolean
nothing_changed (const struct sigaction *before, const sigset_t *mask)
{
  struct sigaction now[SIGNALS];
  sigset_t mask_now;
  gboolean same = TRUE;

  memset (now, 0, sizeof now);
  remember (now, &mask_now);
  /* Real-time signals that nobody had are Java's to use. */
  for (int number = 1; number < SIGNALS; number++) {
    gboolean changed = number < SIGRTMIN && !is_of_jvm (number)
        && now[number].sa_handler != before[number].sa_handler;

    if (changed
        || sigismember (mask, number) != sigismember (&mask_now, number)) {
      printf ("changed: %s\n", g_strsignal (number));
      same = FALSE;
    }
  }
  return same;
}

static gboolean
create_jvm (const char *path)
{
  JavaVMOption options[] = { { .optionString = (char *) "-Xrs" } };
  JavaVMInitArgs arguments = { .version = JNI_VERSION_10,
    .nOptions = 1,
    .options = options };
  void *library = dlopen (path, RTLD_NOW | RTLD_GLOBAL);
  JavaVM *vm = NULL;
  void *env = NULL;

  return library != NULL
      && ((CreateJavaVM) dlsym (library, "JNI_CreateJavaVM")) (&vm, &env,
             &arguments)
      == JNI_OK;
}

static GstElement *
play (const char *description)
{
  GstElement *pipeline = gst_parse_launch (description, NULL);

  if (gst_element_set_state (pipeline, GST_STATE_PLAYING)
          == GST_STATE_CHANGE_FAILURE
      || gst_element_get_state (pipeline, NULL, NULL, 600 * GST_SECOND)
          != GST_STATE_CHANGE_SUCCESS)
    return NULL;
  return pipeline;
}

static void
stop (GstElement *pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* What was there before is there afterwards. */
static int
check_dispositions (const char *libjvm)
{
  static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1,
    SIGUSR2, SIGCHLD, SIGPIPE };
  struct sigaction action = { .sa_handler = note };
  struct sigaction before[SIGNALS];
  sigset_t mask;
  GstElement *pipeline;

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    sigaction (signals[i], &action, NULL);
  action.sa_handler = survive_fault;
  sigaction (SIGSEGV, &action, NULL);
  if (libjvm != NULL && !create_jvm (libjvm))
    return 2;
  memset (before, 0, sizeof before);
  remember (before, &mask);

  pipeline = play ("videotestsrc ! video/x-raw,format=I420,width=64,height=48 !"
                   " qpuloopfilter substrate=cpu ! fakesink");
  if (pipeline == NULL)
    return 2;
  check (nothing_changed (before, &mask), "dispositions while it plays");
  for (guint i = 0; i < G_N_ELEMENTS (signals) && libjvm == NULL; i++) {
    caught = 0;
    raise (signals[i]);
    check (caught == signals[i], g_strsignal (signals[i]));
  }
  check (fault_reaches_handler (), g_strsignal (SIGSEGV));
  stop (pipeline);
  check (nothing_changed (before, &mask), "dispositions afterwards");
  return failures > 0;
}

/* Whether Java makes kernels warm, on a thread that goes on while the pipeline is paused. */
static gboolean
is_warming_up (void)
{
  GDir *tasks = g_dir_open ("/proc/self/task", 0, NULL);
  gboolean found = FALSE;
  const gchar *task;

  while (!found && (task = g_dir_read_name (tasks)) != NULL) {
    gchar *file = g_strdup_printf ("/proc/self/task/%s/comm", task);
    gchar *name = NULL;

    found = g_file_get_contents (file, &name, NULL, NULL)
        && g_str_has_prefix (name, "qpu-cpu-warm-up");
    g_free (name);
    g_free (file);
  }
  g_dir_close (tasks);
  return found;
}

static int
check_late_handler (void)
{
  struct sigaction action = { .sa_handler = report_crash,
    .sa_flags = SA_NODEFER };
  GstElement *pipeline =
      play ("videotestsrc ! video/x-raw,format=I420,width=320,height=192 !"
            " qpuloopfilter substrate=cpu ! fakesink");
  int status = 0;
  pid_t child;

  if (pipeline == NULL)
    return 2;
  /* While Java runs, faults of Java could reach the reporter until the next picture begins. */
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  if (gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE)
      != GST_STATE_CHANGE_SUCCESS)
    return 2;
  while (is_warming_up ())
    g_usleep (10000);
  sigaction (SIGSEGV, &action, &before_reporter);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_usleep (LATE_US);
  check (faults == 0, "no fault of Java");
  fflush (stdout);
  /* In a child, because such a reporter lets the process end. */
  child = fork ();
  if (child == 0)
    fault_reaches_handler ();
  waitpid (child, &status, 0);
  check (WIFSIGNALED (status) && WTERMSIG (status) == SIGSEGV, "own fault");
  stop (pipeline);
  return failures > 0;
}

static int
crash (const char *name)
{
  volatile int zero = 0;
  GstElement *pipeline =
      play ("videotestsrc ! video/x-raw,format=I420,width=64,height=48 !"
            " qpuloopfilter substrate=cpu ! fakesink");

  if (pipeline == NULL)
    return 2;
  if (strcmp (name, "SEGV") == 0)
    fault_reaches_handler ();
  else if (strcmp (name, "ILL") == 0)
    __builtin_trap ();
#ifdef __x86_64__
  else if (strcmp (name, "FPE") == 0)
    zero = 100 / zero;
#endif
  else
    raise (strcmp (name, "BUS") == 0    ? SIGBUS
            : strcmp (name, "FPE") == 0 ? SIGFPE
                                        : SIGTERM);
  return zero + 3;
}

int
main (int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "";
  sigset_t none;

  gst_init (&argc, &argv);
  /* A Java program, such as a test's, hands SIGQUIT on blocked. */
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  if (strcmp (mode, "late") == 0)
    return check_late_handler ();
  if (strcmp (mode, "crash") == 0)
    return crash (argv[2]);
  return check_dispositions (strcmp (mode, "jvm") == 0 ? argv[2] : NULL);
}
