/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpufiles.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

gboolean
gst_qpu_files_can_be_opened (guint count)
{
  g_autofree int *files = g_new (int, count);
  guint opened = 0;
  gboolean limited;

  /* Not a device: a sandbox may have none. */
  while (opened < count
      && (files[opened] = open ("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0)
    opened++;
  limited = opened < count && (errno == EMFILE || errno == ENFILE);
  for (guint i = 0; i < opened; i++)
    close (files[i]);
  return !limited;
}
