/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The scripts that test programs read from standard input, one command on each line. */
#pragma once

#include <glib.h>

/* Prints the reason on standard error and ends the program. */
G_NORETURN void script_fail (const gchar *what, const gchar *detail);

/* Splits each line of standard input into words and runs it as a command, then flushes standard output. */
void script_run (void (*obey) (gpointer host, gchar **words), gpointer host);
