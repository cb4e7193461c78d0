/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.EXTExternalMemoryDmaBuf.*;
import static org.lwjgl.vulkan.EXTExternalMemoryHost.*;
import static org.lwjgl.vulkan.EXTQueueFamilyForeign.VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME;
import static org.lwjgl.vulkan.KHRDriverProperties.*;
import static org.lwjgl.vulkan.KHRExternalMemoryFd.*;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.*;
import static org.lwjgl.vulkan.VK12.*;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkExtensionProperties;
import org.lwjgl.vulkan.VkExternalBufferProperties;
import org.lwjgl.vulkan.VkExternalMemoryProperties;
import org.lwjgl.vulkan.VkExternalSemaphoreProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDevice16BitStorageFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceDriverProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalBufferInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalMemoryHostPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalSemaphoreInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceIDProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceLimits;
import org.lwjgl.vulkan.VkPhysicalDeviceMaintenance3Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderFloat16Int8Features;
import org.lwjgl.vulkan.VkPhysicalDeviceSubgroupProperties;
import org.lwjgl.vulkan.VkQueueFamilyProperties;

/** Asks a physical device what it can do. Has no state. Any thread. */
final class DeviceProbe {
    /**
     * The invocations of a workgroup that the kernels use. The Raspberry Pi 5, the smallest device that the kernels are written
     * for, has no more.
     */
    static final int INVOCATIONS = 256;

    private DeviceProbe() {}

    /**
     * Returns what the device can do, also of a device that the kernels cannot use. If its driver fails when asked, the device
     * cannot be used for that reason; the other devices of the machine can.
     *
     * @param index its place in the loader's list
     */
    static DeviceCapabilities probe(int index, VkPhysicalDevice device) {
        try (MemoryStack stack = stackPush()) {
            VkPhysicalDeviceProperties basic = VkPhysicalDeviceProperties.malloc(stack);
            vkGetPhysicalDeviceProperties(device, basic);
            if (basic.apiVersion() < VK_API_VERSION_1_1) {
                return unusable(index, basic, "the kernels need Vulkan 1.1, it has " + version(basic.apiVersion()));
            }
            try {
                return probe(index, device, basic.apiVersion() >= VK_API_VERSION_1_2);
            } catch (DeviceException e) {
                return unusable(index, basic, e.getMessage());
            }
        }
    }

    private static DeviceCapabilities probe(int index, VkPhysicalDevice device, boolean vulkan12) {
        try (MemoryStack stack = stackPush()) {
            Set<String> extensions = extensions(device, stack);
            VkPhysicalDeviceIDProperties ids =
                    VkPhysicalDeviceIDProperties.calloc(stack).sType$Default();
            VkPhysicalDeviceSubgroupProperties subgroups =
                    VkPhysicalDeviceSubgroupProperties.calloc(stack).sType$Default();
            VkPhysicalDeviceMaintenance3Properties allocations =
                    VkPhysicalDeviceMaintenance3Properties.calloc(stack).sType$Default();
            VkPhysicalDeviceDriverProperties driver =
                    VkPhysicalDeviceDriverProperties.calloc(stack).sType$Default();
            VkPhysicalDeviceExternalMemoryHostPropertiesEXT host =
                    VkPhysicalDeviceExternalMemoryHostPropertiesEXT.calloc(stack)
                            .sType$Default();
            VkPhysicalDeviceProperties2 properties = VkPhysicalDeviceProperties2.calloc(stack)
                    .sType$Default()
                    .pNext(ids)
                    .pNext(subgroups)
                    .pNext(allocations);
            boolean hasDriver = vulkan12 || extensions.contains(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME);
            if (hasDriver) {
                properties.pNext(driver);
            }
            boolean hasHost = extensions.contains(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
            if (hasHost) {
                properties.pNext(host);
            }
            vkGetPhysicalDeviceProperties2(device, properties);

            VkPhysicalDevice16BitStorageFeatures storage16 =
                    VkPhysicalDevice16BitStorageFeatures.calloc(stack).sType$Default();
            VkPhysicalDeviceShaderFloat16Int8Features arithmetic =
                    VkPhysicalDeviceShaderFloat16Int8Features.calloc(stack).sType$Default();
            VkPhysicalDeviceFeatures2 features =
                    VkPhysicalDeviceFeatures2.calloc(stack).sType$Default().pNext(storage16);
            if (vulkan12 || extensions.contains("VK_KHR_shader_float16_int8")) {
                features.pNext(arithmetic);
            }
            vkGetPhysicalDeviceFeatures2(device, features);

            int queueFamily = -1;
            int timestampValidBits = 0;
            IntBuffer count = stack.mallocInt(1);
            vkGetPhysicalDeviceQueueFamilyProperties(device, count, null);
            VkQueueFamilyProperties.Buffer families = VkQueueFamilyProperties.malloc(count.get(0), stack);
            vkGetPhysicalDeviceQueueFamilyProperties(device, count, families);
            for (int i = 0; i < count.get(0) && queueFamily < 0; i++) {
                if ((families.get(i).queueFlags() & VK_QUEUE_COMPUTE_BIT) != 0) {
                    queueFamily = i;
                    timestampValidBits = families.get(i).timestampValidBits();
                }
            }

            int dmabuf = extensions.contains(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME)
                            && extensions.contains(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)
                    ? bufferFeatures(device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, stack)
                    : 0;
            boolean hostImport = hasHost
                    && (bufferFeatures(device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, stack)
                                    & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT)
                            != 0;
            int syncFd = extensions.contains(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME)
                    ? semaphoreFeatures(device, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT, stack)
                    : 0;
            VkPhysicalDeviceLimits limits = properties.properties().limits();
            return new DeviceCapabilities(
                    index,
                    properties.properties().deviceNameString(),
                    uuid(ids.deviceUUID()),
                    DeviceType.of(properties.properties().deviceType()),
                    hasDriver
                            ? (driver.driverNameString() + " " + driver.driverInfoString()).strip()
                            : "driver version " + properties.properties().driverVersion(),
                    version(properties.properties().apiVersion()),
                    unusable(queueFamily, limits),
                    queueFamily,
                    (dmabuf & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT) != 0,
                    extensions.contains(VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME),
                    hostImport,
                    hostImport ? host.minImportedHostPointerAlignment() : 0,
                    (syncFd & VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT) != 0,
                    (syncFd & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT) != 0,
                    storage16.storageBuffer16BitAccess(),
                    arithmetic.shaderInt8(),
                    features.features().shaderInt16(),
                    timestampValidBits,
                    timestampValidBits > 0 ? limits.timestampPeriod() : 0,
                    limits.maxPerStageDescriptorStorageBuffers(),
                    Integer.toUnsignedLong(limits.maxStorageBufferRange()),
                    allocations.maxMemoryAllocationSize(),
                    limits.maxPushConstantsSize(),
                    limits.maxComputeWorkGroupInvocations(),
                    limits.maxComputeSharedMemorySize(),
                    (int) limits.minStorageBufferOffsetAlignment(),
                    subgroups.subgroupSize(),
                    subgroupExchange(subgroups));
        }
    }

    private static Optional<String> unusable(int queueFamily, VkPhysicalDeviceLimits limits) {
        if (queueFamily < 0) {
            return Optional.of("it has no compute queue");
        }
        if (limits.maxComputeWorkGroupInvocations() < INVOCATIONS) {
            return Optional.of("the kernels need " + INVOCATIONS + " invocations a workgroup, it has "
                    + limits.maxComputeWorkGroupInvocations());
        }
        return Optional.empty();
    }

    private static boolean subgroupExchange(VkPhysicalDeviceSubgroupProperties subgroups) {
        int operations = VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT;
        return subgroups.subgroupSize() >= 8
                && subgroups.subgroupSize() % 8 == 0
                && (subgroups.supportedStages() & VK_SHADER_STAGE_COMPUTE_BIT) != 0
                && (subgroups.supportedOperations() & operations) == operations;
    }

    /** Returns what is known of a device that cannot be asked for more. */
    private static DeviceCapabilities unusable(int index, VkPhysicalDeviceProperties properties, String why) {
        VkPhysicalDeviceLimits limits = properties.limits();
        return new DeviceCapabilities(
                index,
                properties.deviceNameString(),
                "no UUID",
                DeviceType.of(properties.deviceType()),
                "driver version " + properties.driverVersion(),
                version(properties.apiVersion()),
                Optional.of(why),
                -1,
                false,
                false,
                false,
                0,
                false,
                false,
                false,
                false,
                false,
                0,
                0,
                limits.maxPerStageDescriptorStorageBuffers(),
                Integer.toUnsignedLong(limits.maxStorageBufferRange()),
                0,
                limits.maxPushConstantsSize(),
                limits.maxComputeWorkGroupInvocations(),
                limits.maxComputeSharedMemorySize(),
                (int) limits.minStorageBufferOffsetAlignment(),
                0,
                false);
    }

    private static Set<String> extensions(VkPhysicalDevice device, MemoryStack stack) {
        IntBuffer count = stack.mallocInt(1);
        VulkanResult.check(
                vkEnumerateDeviceExtensionProperties(device, (String) null, count, null),
                "vkEnumerateDeviceExtensionProperties");
        Set<String> names = new HashSet<>();
        try (VkExtensionProperties.Buffer properties = VkExtensionProperties.malloc(count.get(0))) {
            VulkanResult.checkList(
                    vkEnumerateDeviceExtensionProperties(device, (String) null, count, properties),
                    "vkEnumerateDeviceExtensionProperties");
            for (int i = 0; i < count.get(0); i++) {
                names.add(properties.get(i).extensionNameString());
            }
        }
        return names;
    }

    private static int bufferFeatures(VkPhysicalDevice device, int handleType, MemoryStack stack) {
        VkPhysicalDeviceExternalBufferInfo info = VkPhysicalDeviceExternalBufferInfo.calloc(stack)
                .sType$Default()
                .usage(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)
                .handleType(handleType);
        VkExternalBufferProperties properties =
                VkExternalBufferProperties.calloc(stack).sType$Default();
        vkGetPhysicalDeviceExternalBufferProperties(device, info, properties);
        VkExternalMemoryProperties memory = properties.externalMemoryProperties();
        return memory.externalMemoryFeatures();
    }

    private static int semaphoreFeatures(VkPhysicalDevice device, int handleType, MemoryStack stack) {
        VkPhysicalDeviceExternalSemaphoreInfo info = VkPhysicalDeviceExternalSemaphoreInfo.calloc(stack)
                .sType$Default()
                .handleType(handleType);
        VkExternalSemaphoreProperties properties =
                VkExternalSemaphoreProperties.calloc(stack).sType$Default();
        vkGetPhysicalDeviceExternalSemaphoreProperties(device, info, properties);
        return properties.externalSemaphoreFeatures();
    }

    private static String uuid(ByteBuffer bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < VK_UUID_SIZE; i++) {
            if (i == 4 || i == 6 || i == 8 || i == 10) {
                text.append('-');
            }
            text.append(String.format("%02x", bytes.get(i)));
        }
        return text.toString();
    }

    private static String version(int version) {
        return VK_API_VERSION_MAJOR(version) + "." + VK_API_VERSION_MINOR(version) + "."
                + VK_API_VERSION_PATCH(version);
    }
}
