/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/** Where kernels run. */
public enum Substrate {
    /** Whichever of the two is faster here; a {@link org.gstqpu.kernels.filter.FilterContext} never reports this value as what it runs on. */
    AUTO,
    /** Java on several threads. */
    CPU,
    /** Compute shaders on a Vulkan device, as on the QPUs of a Raspberry Pi; never replaced by the CPU silently. */
    QPU
}
