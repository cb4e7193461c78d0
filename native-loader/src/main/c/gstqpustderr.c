/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpustderr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* GCC's analyzer takes standard error, which dup2 returns, for a file that is opened there and never closed. */
#if defined(__GNUC__) && __GNUC__ >= 13
#pragma GCC diagnostic ignored "-Wanalyzer-fd-leak"
#endif

/* The file that standard error is redirected to; -1 while it is not redirected. Used by one thread at a time. */
static int kept = -1;
/* The real standard error; -1 while it is not redirected. Used by one thread at a time. */
static int before = -1;

static void
write_all (int fd, const gchar *text, gsize length)
{
  while (length > 0) {
    gssize written = write (fd, text, length);

    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return; /* there is no other place to write to */
    text += written;
    length -= (gsize) written;
  }
}

static void
release (const gchar *without)
{
  gchar *text = NULL;
  off_t length;

  if (kept < 0)
    return;
  fflush (stderr);
  dup2 (before, STDERR_FILENO);
  length = lseek (kept, 0, SEEK_END);
  if (length > 0)
    text = g_malloc ((gsize) length);
  if (text != NULL && pread (kept, text, (gsize) length, 0) == length) {
    for (gsize at = 0; at < (gsize) length;) {
      const gchar *end = memchr (text + at, '\n', (gsize) length - at);
      gsize line =
          end == NULL ? (gsize) length - at : (gsize) (end - text) - at;

      if (without == NULL || line != strlen (without)
          || memcmp (text + at, without, line) != 0)
        write_all (STDERR_FILENO, text + at, line + (end != NULL));
      at += line + 1;
    }
  }
  g_free (text);
  close (kept);
  close (before);
  kept = before = -1;
}

static void
release_at_exit (void)
{
  release (NULL);
}

void
gst_qpu_stderr_hold (void)
{
  static gsize prepared = 0;

  if (kept >= 0)
    return;
  if (g_once_init_enter (&prepared))
    g_once_init_leave (&prepared, atexit (release_at_exit) == 0 ? 1 : 2);
  if (prepared != 1)
    return;
  fflush (stderr);
  before = fcntl (STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (before < 0)
    return;
  kept = memfd_create ("stderr", MFD_CLOEXEC);
  /* Appending, for several threads write, and a child process may share the file. */
  if (kept < 0 || fcntl (kept, F_SETFL, O_APPEND) < 0
      || dup2 (kept, STDERR_FILENO) < 0) {
    if (kept >= 0)
      close (kept);
    close (before);
    kept = before = -1;
  }
}

void
gst_qpu_stderr_release (const gchar *without)
{
  release (without);
}
