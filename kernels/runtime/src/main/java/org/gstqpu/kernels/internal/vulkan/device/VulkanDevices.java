/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.vulkan.VkPhysicalDevice;

/** Lists the Vulkan devices of the machine. Has no state. Any thread. */
public final class VulkanDevices {
    private VulkanDevices() {}

    /**
     * Returns all devices, also those that the kernels cannot use, in the loader's order. The list is empty if no driver finds
     * a device.
     *
     * @throws SubstrateUnavailableException if there is no Vulkan loader or no driver, or if the validation layer was asked for
     *     and is missing; or if the loader cannot list the devices
     */
    public static List<DeviceCapabilities> list() throws SubstrateUnavailableException {
        try (VulkanInstance instance = VulkanInstance.open()) {
            return probeAll(instance);
        }
    }

    /**
     * Returns the same list, through an instance that is open and stays the caller's.
     *
     * @throws SubstrateUnavailableException if the loader cannot list the devices
     */
    public static List<DeviceCapabilities> probeAll(VulkanInstance instance) throws SubstrateUnavailableException {
        try {
            return probeAll(instance.physicalDevices());
        } catch (DeviceException e) {
            throw new SubstrateUnavailableException(e.getMessage(), e);
        }
    }

    static List<DeviceCapabilities> probeAll(List<VkPhysicalDevice> devices) {
        List<DeviceCapabilities> found = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            found.add(DeviceProbe.probe(i, devices.get(i)));
        }
        return found;
    }
}
