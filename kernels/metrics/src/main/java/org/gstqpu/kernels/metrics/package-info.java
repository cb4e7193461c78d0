/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** The entrance of the metrics: {@link org.gstqpu.kernels.metrics.Metrics} opens the CPU or a Vulkan device for meters. */
package org.gstqpu.kernels.metrics;
