/*
 * An application with signal handlers of its own, which it installs before the element boots a JVM: prints "ok NAME" or
 * "FAILED NAME" for each handler that must still be called.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

static volatile sig_atomic_t caught;
static sigjmp_buf after_fault;

static void
note (int number)
{
  caught = number;
}

static void
survive_fault (int number)
{
  siglongjmp (after_fault, number);
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

int
main (int argc, char **argv)
{
  static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
  struct sigaction action = { .sa_handler = note };
  sigset_t none;
  GstElement *filter;
  gint failures = 0;

  gst_init (&argc, &argv);
  /* A Java program, such as a test's, hands SIGQUIT on blocked. */
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    sigaction (signals[i], &action, NULL);
  action.sa_handler = survive_fault;
  sigaction (SIGSEGV, &action, NULL);

  filter = gst_element_factory_make ("qpuloopfilter", NULL);
  if (filter == NULL
      || gst_element_set_state (filter, GST_STATE_READY)
          == GST_STATE_CHANGE_FAILURE)
    return 2;
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++) {
    caught = 0;
    raise (signals[i]);
    failures += caught != signals[i];
    printf ("%s %s\n", caught == signals[i] ? "ok" : "FAILED",
        g_strsignal (signals[i]));
    fflush (stdout);
  }
  failures += !fault_reaches_handler ();
  printf ("ok %s\n", g_strsignal (SIGSEGV));
  gst_element_set_state (filter, GST_STATE_NULL);
  gst_object_unref (filter);
  return failures > 0;
}
