/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The command line {@code qpu}. It plays and transcodes video through the element, compares the element with other filters,
 * checks the machine, verifies the kernels against golden vectors and measures them.
 */
package org.gstqpu.pipelines;
