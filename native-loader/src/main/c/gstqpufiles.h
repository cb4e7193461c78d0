/*
 * How many files this process may still open.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether so many more files can be open at a time, as far as limits say. Any thread. */
gboolean gst_qpu_files_can_be_opened (guint count);

G_END_DECLS
