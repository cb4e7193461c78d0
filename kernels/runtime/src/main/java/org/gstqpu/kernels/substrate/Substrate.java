/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/** Where kernels run. */
public enum Substrate {
    /**
     * The faster of the two on this machine. An opened {@code FilterContext} reports one
     * of the other values.
     */
    AUTO,
    /** The CPU: Java code on one or more threads. */
    CPU,
    /**
     * A Vulkan device, such as the QPUs of a Raspberry Pi, by compute shaders. The CPU never takes the place of a device that was
     * asked for: opening fails instead.
     */
    QPU
}
