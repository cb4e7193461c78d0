/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Exit statuses, child processes, tables and options, which all commands use. */
package org.gstqpu.pipelines.cli;
