/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/** How a Vulkan device failed. The kind decides what its user can do next. */
public enum DeviceFailure {
    /** The driver gave the device up. The context is lost with all that it made; a new context may work. */
    LOST,
    /** The device or the system has not enough memory. Less work at a time may fit. */
    OUT_OF_MEMORY,
    /** Work did not finish within its time limit. It may still run. */
    TIMED_OUT,
    /** A kernel needs more than the limits of the device, or of the profile that the device is held to, allow. */
    LIMIT_EXCEEDED,
    /** The driver reported another error. */
    OTHER
}
