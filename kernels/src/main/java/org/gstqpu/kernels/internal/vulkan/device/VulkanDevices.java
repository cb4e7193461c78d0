/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.vulkan.VkPhysicalDevice;

/** Tells which Vulkan devices there are; holds nothing, any thread. */
public final class VulkanDevices {
    private VulkanDevices() {}

    /**
     * Every device that Vulkan drivers offer, also those that the kernels cannot use; empty where drivers find none.
     *
     * @throws SubstrateUnavailableException where there is no Vulkan loader, or the validation layer was asked for and is
     *     missing
     */
    public static List<DeviceCapabilities> list() throws SubstrateUnavailableException {
        try (VulkanInstance instance = VulkanInstance.open()) {
            return probeAll(instance);
        }
    }

    public static List<DeviceCapabilities> probeAll(VulkanInstance instance) {
        List<VkPhysicalDevice> devices = instance.physicalDevices();
        List<DeviceCapabilities> found = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            found.add(DeviceProbe.probe(i, devices.get(i)));
        }
        return found;
    }
}
