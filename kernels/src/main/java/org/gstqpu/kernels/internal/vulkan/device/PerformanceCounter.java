/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/**
 * What a performance counter of the device has counted. Immutable.
 *
 * @param name the name, in the driver's words
 * @param description the description, in the driver's words
 * @param total the sum over all submissions that have ended
 */
public record PerformanceCounter(String name, String description, double total) {}
