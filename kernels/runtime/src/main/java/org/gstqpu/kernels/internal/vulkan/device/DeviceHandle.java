/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.EXTExternalMemoryDmaBuf.VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME;
import static org.lwjgl.vulkan.EXTExternalMemoryHost.VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
import static org.lwjgl.vulkan.EXTQueueFamilyForeign.VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME;
import static org.lwjgl.vulkan.KHRExternalMemoryFd.VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
import static org.lwjgl.vulkan.VK11.*;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDevice16BitStorageFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkQueue;

/**
 * Owns a VkDevice, with its queue and its pipeline cache, and a share of the instance. One context uses it, or several, each on a
 * thread of its own: its methods may be called by any thread, {@link #close} when nobody uses it any more.
 */
public final class DeviceHandle implements AutoCloseable {
    private final VulkanInstance instance;
    private final VkDevice device;
    private final VkQueue queue;
    private final PipelineCache pipelineCache;
    /** The property flags of each memory type. */
    private final int[] memoryTypeFlags;

    private volatile boolean unsound;
    private volatile boolean hung;
    private boolean closed;

    /**
     * Makes the VkDevice.
     *
     * @param instance a share of the instance, which this method takes over, also if it throws
     * @param capabilities what the probe found, by which the device is identified too
     * @throws SubstrateUnavailableException if the driver does not make the device
     */
    public static DeviceHandle open(
            VulkanInstance instance, DeviceCapabilities capabilities, DeviceAllowances allowances)
            throws SubstrateUnavailableException {
        try {
            DeviceHandle handle = new DeviceHandle(instance, capabilities, allowances);
            DriverExit.deviceIsOpen();
            return handle;
        } catch (DeviceException e) {
            instance.close();
            throw new SubstrateUnavailableException(
                    "the device " + capabilities.summary() + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private DeviceHandle(VulkanInstance instance, DeviceCapabilities found, DeviceAllowances allowances) {
        this.instance = instance;
        DeviceCapabilities capabilities = allowances.profile().limit(found);
        VkPhysicalDevice physical = instance.physicalDevice(capabilities.index());
        try (MemoryStack stack = stackPush()) {
            VkDeviceQueueCreateInfo.Buffer queueInfo = VkDeviceQueueCreateInfo.calloc(1, stack)
                    .sType$Default()
                    .queueFamilyIndex(capabilities.computeQueueFamily())
                    .pQueuePriorities(stack.floats(1));
            List<String> extensions = extensions(capabilities, allowances);
            PointerBuffer extensionNames = stack.mallocPointer(extensions.size());
            for (String extension : extensions) {
                extensionNames.put(stack.UTF8(extension));
            }
            VkDeviceCreateInfo info = VkDeviceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkPhysicalDevice16BitStorageFeatures.calloc(stack)
                            .sType$Default()
                            .storageBuffer16BitAccess(capabilities.storage16Bit()))
                    .pQueueCreateInfos(queueInfo)
                    .ppEnabledExtensionNames(extensionNames.flip());
            PointerBuffer pointer = stack.mallocPointer(1);
            VulkanResult.check(vkCreateDevice(physical, info, null, pointer), "vkCreateDevice");
            device = new VkDevice(pointer.get(0), physical, info);
            vkGetDeviceQueue(device, capabilities.computeQueueFamily(), 0, pointer);
            queue = new VkQueue(pointer.get(0), device);

            VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.malloc(stack);
            vkGetPhysicalDeviceMemoryProperties(physical, memory);
            memoryTypeFlags = new int[memory.memoryTypeCount()];
            for (int i = 0; i < memoryTypeFlags.length; i++) {
                memoryTypeFlags[i] = memory.memoryTypes(i).propertyFlags();
            }
            pipelineCache = new PipelineCache(
                    device,
                    CacheFile.folder(System.getenv())
                            .map(folder -> new PipelineCacheFile(folder, PipelineCache.maker(physical))));
        }
    }

    /** Returns the extensions that a context uses. The probe has found that the device has them. */
    private static List<String> extensions(DeviceCapabilities capabilities, DeviceAllowances allowances) {
        List<String> extensions = new ArrayList<>();
        if (allowances.importsHostPointers(capabilities)) {
            extensions.add(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
        }
        if (allowances.importsDmabufs(capabilities)) {
            extensions.add(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
            extensions.add(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME);
        }
        if (capabilities.foreignQueueFamily()) {
            extensions.add(VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);
        }
        if (capabilities.syncFdImport() || capabilities.syncFdExport()) {
            extensions.add(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
        }
        return extensions;
    }

    /** Returns the VkDevice, which stays this object's. */
    public VkDevice device() {
        return device;
    }

    /** Returns the cache through which all pipelines of the device are made. It stays this object's. */
    public PipelineCache pipelineCache() {
        return pipelineCache;
    }

    /** Returns the property flags of each memory type. */
    int[] memoryTypeFlags() {
        return memoryTypeFlags.clone();
    }

    /** Calls vkQueueSubmit, which allows one thread at a time: see {@link VulkanDevice#submit}. */
    int submit(int count, long submits, long fence) {
        synchronized (queue) {
            return nvkQueueSubmit(queue, count, submits, fence);
        }
    }

    /** Returns false after a failure of any context: no other context begins to use the VkDevice then. */
    public boolean isSound() {
        return !unsound;
    }

    void declareUnsound() {
        unsound = true;
    }

    /** Notes that work of one context never ended. See {@link VulkanDevice#declareHung}. */
    void declareHung() {
        unsound = true;
        hung = true;
    }

    /** Returns true if objects that contexts share may be destroyed: false after {@link #declareHung}. */
    public boolean mayDestroy() {
        return !hung;
    }

    /** Destroys the VkDevice and gives the share of the instance back; does neither after {@link #declareHung}. Later calls do nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (mayDestroy()) {
            pipelineCache.close();
            vkDestroyDevice(device, null);
            instance.close();
        }
    }
}
