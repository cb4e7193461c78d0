/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/**
 * What one of the device's performance counters has counted over the submissions that ended.
 *
 * @param name as the driver words it
 * @param description as the driver words it
 * @param total the sum over those submissions
 */
public record PerformanceCounter(String name, String description, double total) {}
