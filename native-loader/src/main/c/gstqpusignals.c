/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpusignals.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gstqpudebug.h"

/* The variable that names the signal by which a JVM suspends its threads. SIGUSR2 by default, which hosts use. */
#define SUSPEND_VARIABLE "_JAVA_SR_SIGNUM"

/* Real-time signals above this one are those of valgrind, Java's networking and others. */
#define SUSPEND_SIGNAL_MAX (SIGRTMAX - 3)

/* One of the signals that the JVM must have. */
typedef struct
{
  int number;
  /* What the host had when the JVM was created. */
  struct sigaction first;
  /* What the JVM has installed. */
  struct sigaction jvm;
  /* What the host has installed afterwards, if it has; guarded by faults_lock, but for signal handlers. */
  struct sigaction later;
  /* Atomic. */
  gint has_later;
  /* Whether the handler that was installed later runs; atomic. */
  gint in_later;
} Fault;

static Fault faults[] = { { .number = SIGSEGV }, { .number = SIGBUS },
  { .number = SIGFPE }, { .number = SIGILL } };

/* Whether this plugin created the JVM, which then has the faults; atomic. */
static gint owns_jvm;
static GMutex faults_lock;

/* The environment with SUSPEND_VARIABLE. Kept for ever, because another thread may still read it. */
static gchar **environment_of_jvm;
static gchar **environment_of_host;

static Fault *
fault_of (int number)
{
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    if (faults[i].number == number)
      return &faults[i];
  }
  return NULL;
}

static gboolean
is_same (const struct sigaction *one, const struct sigaction *other)
{
  return one->sa_sigaction == other->sa_sigaction;
}

/* What the JVM hands on */

/* Runs a handler of the host. The JVM has set its signal mask. */
static void
run (const struct sigaction *action, int number, siginfo_t *info, void *context)
{
  if ((action->sa_flags & SA_SIGINFO) != 0)
    action->sa_sigaction (number, info, context);
  else
    action->sa_handler (number);
}

/* Lets the signal do what it does to a process without a handler: at a fault the instruction runs once more. */
static void
act_by_default (int number, const siginfo_t *info)
{
  struct sigaction action = { .sa_handler = SIG_DFL };

  sigaction (number, &action, NULL);
  if (info->si_code <= 0)
    raise (number);
}

static void
run_action (const struct sigaction *action, int number, siginfo_t *info,
    void *context)
{
  if ((action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler == SIG_DFL)
    act_by_default (number, info);
  else if ((action->sa_flags & SA_SIGINFO) == 0
      && action->sa_handler == SIG_IGN) {
    /* A fault that is ignored ends a process, too. */
    if (info->si_code > 0)
      act_by_default (number, info);
  } else
    run (action, number, info, context);
}

/* Runs what the host has installed after the JVM, as if it were the process's handler: it may look, and install what was before it
 * (which is the JVM's) or another. */
static void
run_later (Fault *fault, siginfo_t *info, void *context)
{
  struct sigaction now;

  sigaction (fault->number, &fault->later, NULL);
  g_atomic_int_set (&fault->in_later, TRUE);
  run_action (&fault->later, fault->number, info, context);
  g_atomic_int_set (&fault->in_later, FALSE);
  sigaction (fault->number, NULL, &now);
  if (is_same (&now, &fault->later))
    sigaction (fault->number, &fault->jvm, NULL);
  else if (is_same (&now, &fault->jvm))
    g_atomic_int_set (&fault->has_later, FALSE);
}

/* What the JVM takes for the host's handler: gets each fault that is not the JVM's own. */
static void
not_of_jvm (int number, siginfo_t *info, void *context)
{
  Fault *fault = fault_of (number);
  int error = errno;

  if (fault == NULL)
    return; /* It is installed for faults alone. */
  /* A handler that runs while the JVM's is the process's has put that back, and raises the signal again. */
  if (g_atomic_int_get (&fault->in_later)) {
    g_atomic_int_set (&fault->in_later, FALSE);
    g_atomic_int_set (&fault->has_later, FALSE);
  }
  if (g_atomic_int_get (&fault->has_later))
    run_later (fault, info, context);
  else
    run_action (&fault->first, number, info, context);
  errno = error;
}

void
gst_qpu_signals_check (void)
{
  if (!g_atomic_int_get (&owns_jvm))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    Fault *fault = &faults[i];
    struct sigaction now;

    if (sigaction (fault->number, NULL, &now) != 0
        || is_same (&now, &fault->jvm))
      continue;
    g_mutex_lock (&faults_lock);
    sigaction (fault->number, NULL, &now);
    if (!is_same (&now, &fault->jvm)) {
      GST_INFO ("the application has installed a handler of %s: it gets what"
                " is not Java's",
          g_strsignal (fault->number));
      fault->later = now;
      g_atomic_int_set (&fault->in_later, FALSE);
      g_atomic_int_set (&fault->has_later, TRUE);
      sigaction (fault->number, &fault->jvm, NULL);
    }
    g_mutex_unlock (&faults_lock);
  }
}

/* The signal by which the JVM suspends threads */

/* A signal that nobody uses; 0 if there is none. */
static int
unused_signal (void)
{
  for (int number = SUSPEND_SIGNAL_MAX; number > SIGRTMIN; number--) {
    struct sigaction action;

    if (sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
      return number;
  }
  return 0;
}

/* Names another signal than SIGUSR2 to the JVM, which reads the environment alone. setenv would free the array of variables, which
 * other threads may be reading: this puts another array in its place. */
static void
name_suspend_signal (void)
{
  static gchar entry[32];
  int number = unused_signal ();
  guint count = environ != NULL ? g_strv_length (environ) : 0;

  environment_of_host = environ;
  if (number == 0 || g_getenv (SUSPEND_VARIABLE) != NULL)
    return;
  snprintf (entry, sizeof entry, SUSPEND_VARIABLE "=%d", number);
  environment_of_jvm = g_new0 (gchar *, count + 2);
  environment_of_jvm[0] = entry;
  for (guint i = 0; i < count; i++)
    environment_of_jvm[i + 1] = environment_of_host[i];
  g_atomic_pointer_set (&environ, environment_of_jvm);
}

static void
forget_suspend_signal (void)
{
  /* Fails if the host has set a variable meanwhile, and so copied the array. */
  if (environment_of_jvm != NULL
      && !g_atomic_pointer_compare_and_exchange (&environ, environment_of_jvm,
          environment_of_host))
    unsetenv (SUSPEND_VARIABLE);
}

/* The JVM's creation */

void
gst_qpu_signals_before_jvm (void)
{
  sigset_t blocked;

  sigfillset (&blocked);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    struct sigaction action;

    sigdelset (&blocked, faults[i].number);
    sigaction (faults[i].number, NULL, &faults[i].first);
    action = faults[i].first;
    action.sa_flags =
        (action.sa_flags & ~SA_RESETHAND) | SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = not_of_jvm;
    sigaction (faults[i].number, &action, NULL);
  }
  sigdelset (&blocked, SIGABRT);
  sigdelset (&blocked, SIGTRAP);
  pthread_sigmask (SIG_BLOCK, &blocked, NULL);
  name_suspend_signal ();
}

void
gst_qpu_signals_after_jvm (gboolean created)
{
  forget_suspend_signal ();
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    if (created)
      sigaction (faults[i].number, NULL, &faults[i].jvm);
    else
      sigaction (faults[i].number, &faults[i].first, NULL);
  }
  g_atomic_int_set (&owns_jvm, created);
}

/* What Java changes */

void
gst_qpu_signals_remember (GstQpuSignals *host)
{
  memset (host, 0, sizeof *host);
  for (int number = 1; number < GST_QPU_SIGNALS; number++)
    sigaction (number, NULL, &host->actions[number]);
}

/* Whether the handler is one of Java's libraries. */
static gboolean
is_of_java (const struct sigaction *action)
{
  static const gchar *const libraries[] = { "libjvm.so", "libjava.so",
    "libnio.so", "libnet.so", "libextnet.so" };
  Dl_info info;
  gboolean found = FALSE;

  if (dladdr ((void *) action->sa_sigaction, &info) == 0
      || info.dli_fname == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
    found = found || g_str_has_suffix (info.dli_fname, libraries[i]);
  return found;
}

/* Whether the signal's disposition was changed by Java. Java sets that of SIGCHLD to the default one. */
static gboolean
was_changed (int number, const struct sigaction *before)
{
  struct sigaction now;

  if (sigaction (number, NULL, &now) != 0 || is_same (&now, before))
    return FALSE;
  if (number == SIGCHLD)
    return now.sa_handler == SIG_DFL;
  /* A real-time signal without a handler ends the process, and Java's networking sends itself one. */
  return is_of_java (&now)
      && (number < SIGRTMIN || before->sa_handler != SIG_DFL);
}

/* A child that ended while SIGCHLD had no handler is waited for by nobody. */
static void
tell_of_children (const struct sigaction *action)
{
  siginfo_t ended = { .si_pid = 0 };

  if (action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL
      && waitid (P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0
      && ended.si_pid != 0)
    kill (getpid (), SIGCHLD);
}

void
gst_qpu_signals_give_back (const GstQpuSignals *host)
{
  for (int number = 1; number < GST_QPU_SIGNALS; number++) {
    const struct sigaction *before = &host->actions[number];

    if (fault_of (number) != NULL || !was_changed (number, before))
      continue;
    sigaction (number, before, NULL);
    if (number == SIGCHLD)
      tell_of_children (before);
  }
}

/* Signals of writing */

static void
signals_of_writing (sigset_t *set)
{
  sigemptyset (set);
  sigaddset (set, SIGPIPE);
  sigaddset (set, SIGXFSZ);
}

void
gst_qpu_signals_hold (sigset_t *held)
{
  sigset_t writing, before;

  signals_of_writing (&writing);
  pthread_sigmask (SIG_BLOCK, &writing, &before);
  /* Those that the host itself blocks stay so. */
  *held = writing;
  if (sigismember (&before, SIGPIPE))
    sigdelset (held, SIGPIPE);
  if (sigismember (&before, SIGXFSZ))
    sigdelset (held, SIGXFSZ);
}

void
gst_qpu_signals_release (const sigset_t *held)
{
  const struct timespec now = { 0, 0 };

  while (!sigisemptyset (held) && sigtimedwait (held, NULL, &now) > 0)
    continue;
  pthread_sigmask (SIG_UNBLOCK, held, NULL);
}
