/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** {@code qpu report}: what a machine is, and what the filter does on it, in a file that its owner can send. */
package org.gstqpu.pipelines.report;
