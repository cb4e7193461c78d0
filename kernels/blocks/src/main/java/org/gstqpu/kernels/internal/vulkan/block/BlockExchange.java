/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;

/**
 * How the invocations of the block library's kernels hand values to each other and wait for each other. All forms give
 * the same result. Immutable.
 *
 * @param shuffles true if invocations exchange values by subgroup operations, in groups of 8; false if through shared
 *     memory
 * @param lockstep invocations that wait for each other without a barrier; see {@link KernelTuning#lockstep}
 */
public record BlockExchange(boolean shuffles, int lockstep) {
    /** The form that suits a device. */
    public static BlockExchange of(VulkanDevice device, KernelTuning tuning) {
        return new BlockExchange(device.canExchangeInSubgroups(), tuning.lockstep());
    }

    /** True if workgroups wait at barriers. */
    boolean barriers() {
        return lockstep == 0;
    }

    /** True if groups of 8 neighbours can exchange values. */
    boolean inEights() {
        return shuffles || barriers() || lockstep % 8 == 0;
    }
}
