/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.device.DeviceProfile;
import org.gstqpu.kernels.internal.vulkan.device.GpuMeasurement;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import picocli.CommandLine.Option;

/** The options that say which Vulkan device a command uses, and what it may use of it. Lives on the main thread. */
public final class DeviceOptions {
    @Option(names = "--device", description = "Vulkan device: its index, its UUID or a part of its name")
    private Optional<String> device;

    @Option(
            names = "--profile",
            paramLabel = "none|v3d",
            defaultValue = "none",
            description = "hold the device to the limits of another: v3d, that of a Raspberry Pi 5"
                    + " (default: ${DEFAULT-VALUE})")
    private DeviceProfile profile;

    /** Whether an option was given that has no meaning without a Vulkan device. */
    public boolean given() {
        return device.isPresent() || profile != DeviceProfile.NONE;
    }

    /** Opens the device; the caller closes it. */
    public VulkanFilterContext open() throws SubstrateUnavailableException {
        return VulkanFilterContext.open(device, profile);
    }

    /**
     * Opens the device to have it take timestamps; the caller closes it.
     *
     * @param form how to deblock; empty for what suits the device
     */
    public VulkanFilterContext openTimed(Optional<DeblockForm> form) throws SubstrateUnavailableException {
        return form.isPresent()
                ? VulkanFilterContext.open(device, profile, GpuMeasurement.TIMESTAMPS, form.get())
                : VulkanFilterContext.open(device, profile, GpuMeasurement.TIMESTAMPS);
    }
}
