/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/** What the device itself measures of the work that a context submits. A device that lacks it measures nothing. */
public enum GpuMeasurement {
    /** Nothing: the device only works. */
    NONE,
    /** When each submission began and ended on the device; on a V3D each of the two is a job of its own. */
    TIMESTAMPS,
    /** The device's performance counters over each submission; other processes measure nothing meanwhile. */
    PERFORMANCE_COUNTERS
}
