/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The {@code qpu} command line: plays and transcodes through the element, compares it with other filters, looks over the
 * machine, verifies kernels against golden vectors and measures them.
 */
package org.gstqpu.pipelines;
