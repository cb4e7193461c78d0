/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.Patience;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;

/**
 * How {@link DeviceRuntime#open} opens a device. Immutable: each method returns a copy that differs in one point.
 *
 * @param device index, UUID or part of the name of a device; empty for the best one
 * @param allowances what it may use of the device
 * @param tuning how kernels are cut for the device; throws a {@link DeviceException} where the device cannot run them so
 * @param timeoutNanos how long the CPU waits for work in flight before it gives the device up
 */
public record VulkanOptions(
        Optional<String> device,
        DeviceAllowances allowances,
        Function<DeviceCapabilities, KernelTuning> tuning,
        ToLongFunction<DeviceCapabilities> timeoutNanos) {
    /** Opens a device as a user does; an empty one is the best one. */
    public static VulkanOptions of(Optional<String> device) {
        return new VulkanOptions(
                device,
                DeviceAllowances.usual(),
                KernelTuning::of,
                capabilities -> Patience.usualNanos(capabilities.type()));
    }

    /** Opens the best device as a user does. */
    public static VulkanOptions bestDevice() {
        return of(Optional.empty());
    }

    /** It may use this of the device. */
    public VulkanOptions allowing(DeviceAllowances allowed) {
        return new VulkanOptions(device, allowed, tuning, timeoutNanos);
    }

    /** The device times its work. */
    public VulkanOptions timed() {
        return allowing(allowances.timed());
    }

    /** Kernels are cut like this, whatever suits the device. */
    public VulkanOptions tuned(KernelTuning forced) {
        return new VulkanOptions(device, allowances, capabilities -> forced, timeoutNanos);
    }

    /** Pictures are deblocked in this form; opening fails where the device has not the subgroups for {@link DeblockForm#CHASE}. */
    public VulkanOptions deblocking(DeblockForm form) {
        return new VulkanOptions(device, allowances, capabilities -> tuning(capabilities, form), timeoutNanos);
    }

    /** The CPU waits this long. */
    public VulkanOptions waiting(long nanos) {
        return new VulkanOptions(device, allowances, tuning, capabilities -> nanos);
    }

    private static KernelTuning tuning(DeviceCapabilities device, DeblockForm form) {
        KernelTuning tuning = KernelTuning.of(device, form);
        if (tuning.deblockForm() != form) {
            throw new DeviceException(
                    DeviceFailure.LIMIT_EXCEEDED,
                    "it has subgroups of " + device.subgroupSize()
                            + " invocations, and rows that chase one another need a multiple of 4; take another form");
        }
        return tuning;
    }
}
