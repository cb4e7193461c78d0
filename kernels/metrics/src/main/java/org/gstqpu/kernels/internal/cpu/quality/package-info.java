/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Quality metrics on the CPU: the meter, and the extractors, each on one thread. */
package org.gstqpu.kernels.internal.cpu.quality;
