/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/** What the device measures of the work that a context submits. A device without the means measures nothing. */
public enum GpuMeasurement {
    /** Nothing. */
    NONE,
    /** When each submission began and ended on the device. On a V3D, each of the two timestamps is a job of its own. */
    TIMESTAMPS,
    /** The performance counters of the device, over each submission. No other process can read them meanwhile. */
    PERFORMANCE_COUNTERS
}
