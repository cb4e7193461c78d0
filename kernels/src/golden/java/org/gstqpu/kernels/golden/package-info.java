/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Files of golden vectors, which hold what the reference codecs make of given inputs, and the check against them. */
package org.gstqpu.kernels.golden;
