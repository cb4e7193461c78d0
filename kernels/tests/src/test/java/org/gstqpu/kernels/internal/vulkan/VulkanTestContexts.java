/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.DeviceChoice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.TestDevice;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Contexts on the best Vulkan device as no user would open them, so that tests reach what that device alone would not. */
public final class VulkanTestContexts {
    public static final long TIMEOUT_NANOS = 600_000_000_000L;

    private VulkanTestContexts() {}

    /**
     * With the kernels as for a CPU in disguise whose subgroups are too small and have no shuffles: neither these nor barriers.
     */
    public static VulkanOptions withSubgroupsOfFour() {
        return VulkanOptions.bestDevice()
                .allowing(new DeviceAllowances(true, false))
                .tuned(new KernelTuning(DeblockForm.DIAGONALS, 64, 4, 4, 1, false, 2, 16 << 10, 32, 3, true));
    }

    /**
     * With the kernels cut as for a GPU, and no import of host memory, as on a Raspberry Pi. Small pictures only: lavapipe
     * loses memory then, see {@link KernelTuning}.
     */
    public static VulkanOptions asOnSmallGpu() {
        return VulkanOptions.bestDevice()
                .allowing(new DeviceAllowances(false, false))
                .tuned(new KernelTuning(DeblockForm.DIAGONALS, 8, 4, 0, 1, true, 8, 32 << 10, 64, 8, true));
    }

    /** With rows of macroblocks that chase one another, a subgroup a workgroup. */
    public static VulkanOptions chasing() throws SubstrateUnavailableException {
        return tuned(KernelTuning.of(capabilities(), DeblockForm.CHASE));
    }

    /** The same with workgroups of two subgroups or more, which meet at barriers. Small pictures only, as above. */
    public static VulkanOptions chasingInLargeGroups() throws SubstrateUnavailableException {
        return tuned(new KernelTuning(
                DeblockForm.CHASE,
                2 * capabilities().subgroupSize(),
                8,
                0,
                KernelTuning.CPU_POLLS,
                true,
                4,
                24 << 10,
                64,
                8,
                true));
    }

    public static VulkanFilterContext with(KernelTuning tuning) throws SubstrateUnavailableException {
        return VulkanFilterContext.open(tuned(tuning));
    }

    private static VulkanOptions tuned(KernelTuning tuning) {
        return VulkanOptions.bestDevice().allowing(DeviceAllowances.ALL).tuned(tuning);
    }

    public static DeviceCapabilities capabilities() throws SubstrateUnavailableException {
        return DeviceChoice.choose(VulkanDevices.list(), Optional.empty()).device();
    }

    /** A bare device; the test closes it. */
    public static TestDevice device() throws SubstrateUnavailableException {
        return device(DeviceAllowances.ALL);
    }

    /** The same, allowed no more than this. */
    public static TestDevice device(DeviceAllowances allowances) throws SubstrateUnavailableException {
        return new TestDevice(capabilities(), allowances);
    }

    public static VulkanFilterContext allowing(DeviceAllowances allowances) throws SubstrateUnavailableException {
        return VulkanFilterContext.open(VulkanOptions.bestDevice().allowing(allowances));
    }

    public static VulkanFilterContext usual() throws SubstrateUnavailableException {
        return VulkanFilterContext.open(VulkanOptions.bestDevice());
    }
}
