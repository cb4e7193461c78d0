/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The scripts that test programs take on standard input, a command a line. */
#pragma once

#include <glib.h>

/* Ends the program, with what is wrong on standard error. */
G_NORETURN void script_fail (const gchar * what, const gchar * detail);

/* Has each line of standard input obeyed, as the words between its spaces; what was printed then goes out at once. */
void script_run (void (*obey) (gpointer host, gchar ** words), gpointer host);
