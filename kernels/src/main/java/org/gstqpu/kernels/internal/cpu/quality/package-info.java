/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** The extractors of quality metrics on the CPU, each on one thread. */
package org.gstqpu.kernels.internal.cpu.quality;
