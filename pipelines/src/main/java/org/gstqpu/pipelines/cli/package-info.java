/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** What the commands share: exit statuses, child processes, tables, options. */
package org.gstqpu.pipelines.cli;
