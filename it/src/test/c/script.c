/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>

#define LONGEST_LINE 8192

void
script_fail (const gchar *what, const gchar *detail)
{
  fprintf (stderr, "%s: %s: %s\n", g_get_prgname (), what, detail);
  exit (2);
}

void
script_run (void (*obey) (gpointer host, gchar **words), gpointer host)
{
  gchar line[LONGEST_LINE];

  while (fgets (line, sizeof line, stdin) != NULL) {
    gchar **words = g_strsplit (g_strstrip (line), " ", -1);
    obey (host, words);
    g_strfreev (words);
    fflush (stdout);
  }
}
