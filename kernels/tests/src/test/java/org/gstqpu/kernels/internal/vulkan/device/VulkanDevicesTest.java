/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.vulkan.VK11.VK_ERROR_OUT_OF_HOST_MEMORY;

import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.ChildJvm;
import org.gstqpu.kernels.internal.vulkan.FaultLayer;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.Test;
import org.lwjgl.vulkan.VkPhysicalDevice;

class VulkanDevicesTest {
    @Test
    void theListIsTheContextsChoice() throws Exception {
        List<DeviceCapabilities> devices = VulkanDevices.list();
        assertFalse(devices.isEmpty(), "these tests need a Vulkan device: apt install mesa-vulkan-drivers");
        try (VulkanFilterContext context = VulkanTestContexts.usual()) {
            assertTrue(
                    devices.contains(context.capabilities()),
                    context.capabilities().toString());
            assertEquals(context.deviceName(), context.capabilities().name());
        }
        for (DeviceCapabilities device : devices) {
            assertTrue(device.uuid().matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), device.uuid());
            assertTrue(device.apiVersion().matches("\\d+\\.\\d+\\.\\d+"), device.apiVersion());
            assertTrue(device.maxStorageBufferRangeBytes() >= 1 << 27, device.toString());
            assertEquals(device.hostPointerImport(), device.hostPointerAlignmentBytes() > 0);
            assertEquals(device, devices.get(device.index()));
        }
    }

    @Test
    void aDriverThatFailsDoesNotHideTheOthers() throws Exception {
        try (FaultLayer layer = FaultLayer.open();
                VulkanInstance instance = VulkanInstance.open()) {
            VkPhysicalDevice device = instance.physicalDevices().get(0);
            layer.failNext("vkEnumerateDeviceExtensionProperties", VK_ERROR_OUT_OF_HOST_MEMORY);
            List<DeviceCapabilities> found = VulkanDevices.probeAll(List.of(device, device));
            assertTrue(
                    found.get(0)
                            .unusable()
                            .orElseThrow()
                            .startsWith("vkEnumerateDeviceExtensionProperties failed: VK_ERROR_OUT_OF_HOST_MEMORY"),
                    found.get(0).toString());
            assertEquals(found.get(1).name(), found.get(0).name());
            assertEquals(
                    1, DeviceChoice.choose(found, Optional.empty()).device().index());
        }
    }

    @Test
    void aDeviceThatHasGoneIsAFailureOfTheDevice() throws Exception {
        try (VulkanInstance instance = VulkanInstance.open()) {
            DeviceException failure = assertThrows(DeviceException.class, () -> instance.physicalDevice(1000));
            assertTrue(failure.getMessage().startsWith("vkEnumeratePhysicalDevices failed"), failure.getMessage());
        }
    }

    @Test
    void aDeviceOpensByIndexUuidAndName() throws Exception {
        DeviceCapabilities device = VulkanTestContexts.capabilities();
        for (String name : List.of(String.valueOf(device.index()), device.uuid(), device.name())) {
            try (VulkanFilterContext context = VulkanFilterContext.open(VulkanOptions.of(Optional.of(name)))) {
                assertEquals(device, context.capabilities());
                assertTrue(context.reason().contains(name), context.reason());
            }
        }
    }

    @Test
    void theInstanceIsSharedAndComesBackAfterTheLastUser() throws Exception {
        try (VulkanInstance first = VulkanInstance.open();
                VulkanInstance second = VulkanInstance.open()) {
            assertEquals(first, second);
        }
        try (VulkanInstance again = VulkanInstance.open()) {
            assertFalse(again.physicalDevices().isEmpty());
        }
    }

    /** In a process of its own, since this one has its loader. */
    @Test
    void aMissingLoaderIsAnErrorThatNamesTheCure() throws Exception {
        ChildJvm child = ChildJvm.run(ListDevices.class, "-Dorg.lwjgl.vulkan.libname=libvulkan-that-is-not-there.so");
        String output = child.output();
        assertTrue(
                output.contains("unavailable: no Vulkan loader: apt install libvulkan1 mesa-vulkan-drivers"), output);
        assertTrue(output.contains("and again: no Vulkan loader"), output);
        assertEquals(0, child.exitValue(), output);
    }

    /** What that process runs. */
    static final class ListDevices {
        private ListDevices() {}

        public static void main(String[] arguments) {
            System.out.println("unavailable: " + message());
            System.out.println("and again: " + message());
        }

        private static String message() {
            try {
                return "not so, there is " + VulkanDevices.list();
            } catch (SubstrateUnavailableException e) {
                return e.getMessage();
            }
        }
    }
}
