/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.DeviceProfile;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import picocli.CommandLine.Option;

/** The options that select a Vulkan device and limit which of its features are used. Lives on the main thread. */
public final class DeviceOptions {
    @Option(names = "--device", description = "the Vulkan device to use: its index, its UUID or a part of its name")
    private Optional<String> device;

    @Option(
            names = "--profile",
            paramLabel = "none|v3d",
            defaultValue = "none",
            description = "limit the device to the features of another one: v3d is the GPU of a Raspberry Pi 5"
                    + " (default: ${DEFAULT-VALUE})")
    private DeviceProfile profile;

    /** True if an option was given that has an effect only on a Vulkan device. */
    public boolean given() {
        return device.isPresent() || profile != DeviceProfile.NONE;
    }

    /** Opens the device; the caller closes it. */
    public VulkanFilterContext open() throws SubstrateUnavailableException {
        return VulkanFilterContext.open(options());
    }

    /** How the device is opened. */
    public VulkanOptions options() {
        return VulkanOptions.of(device).allowing(DeviceAllowances.of(profile));
    }

    /** How the device is opened for measurements with GPU timestamps. */
    public VulkanOptions timedOptions() {
        return VulkanOptions.of(device).allowing(DeviceAllowances.of(profile)).timed();
    }

    /**
     * Opens the device for measurements with GPU timestamps; the caller closes it.
     *
     * @param form the deblocking form to use; empty for the form that suits the device
     */
    public VulkanFilterContext openTimed(Optional<DeblockForm> form) throws SubstrateUnavailableException {
        VulkanOptions timed = timedOptions();
        return VulkanFilterContext.open(form.map(timed::deblocking).orElse(timed));
    }
}
