/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;

/**
 * How the invocations of the block library's kernels hand values to each other and wait for each other; every form gives the
 * same result. Immutable.
 *
 * @param shuffles whether they exchange by subgroup operations, in groups of 8; through shared memory otherwise
 * @param lockstep as {@link KernelTuning} has it
 */
public record BlockExchange(boolean shuffles, int lockstep) {
    /** What suits a device. */
    public static BlockExchange of(VulkanDevice device, KernelTuning tuning) {
        return new BlockExchange(device.canExchangeInSubgroups(), tuning.lockstep());
    }

    /** Whether workgroups wait at barriers. */
    boolean barriers() {
        return lockstep == 0;
    }

    /** Whether groups of 8 neighbours can exchange values. */
    boolean inEights() {
        return shuffles || barriers() || lockstep % 8 == 0;
    }
}
