/*
 * Holds back, for a short time, what the process writes to standard error.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Redirects the process's standard error to memory. Does nothing if that is not possible, or if it is redirected already. If the
 * process exits meanwhile, everything is written then. One thread at a time. */
void gst_qpu_stderr_hold (void);

/* Ends the redirection, and writes what was held back to standard error, except for lines that equal without. */
void gst_qpu_stderr_release (const gchar *without);

G_END_DECLS
