/*
 * What is written to standard error, held back for a moment.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From here on, what this process writes to standard error is kept, whoever writes it. Nothing happens where that is not
 * possible, or while it is kept already. Should the process exit meanwhile, all is written then. One thread at a time. */
void gst_qpu_stderr_hold (void);

/* Standard error is itself again. What was kept is written there, but for lines that are the same as without. */
void gst_qpu_stderr_release (const gchar * without);

G_END_DECLS
