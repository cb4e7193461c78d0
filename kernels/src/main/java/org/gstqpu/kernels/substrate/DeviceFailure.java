/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/** How a Vulkan device failed, which decides what its user can do next. */
public enum DeviceFailure {
    /** The driver gave the device up: everything of this context is gone, a newly opened one may work. */
    LOST,
    /** The device or the system has not the memory; less work at once may fit. */
    OUT_OF_MEMORY,
    /** Work did not finish within the time that it was given, and may still run. */
    TIMED_OUT,
    /** What a kernel needs is more than the device, or the profile that it is held to, allows. */
    LIMIT_EXCEEDED,
    /** Any other refusal of the driver. */
    OTHER
}
