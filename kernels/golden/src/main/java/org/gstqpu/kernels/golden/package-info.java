/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Files of golden vectors, which hold the results of the reference codecs, and for shrinkage of the tests' references, for
 * given inputs; and the check of a context against them.
 */
package org.gstqpu.kernels.golden;
