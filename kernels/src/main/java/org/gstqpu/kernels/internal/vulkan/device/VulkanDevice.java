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
import static org.lwjgl.vulkan.KHRPerformanceQuery.VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME;
import static org.lwjgl.vulkan.KHRTimelineSemaphore.VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME;
import static org.lwjgl.vulkan.VK12.*;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.lwjgl.vulkan.VkPhysicalDeviceHostQueryResetFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDevicePerformanceQueryFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceTimelineSemaphoreFeatures;
import org.lwjgl.vulkan.VkQueue;

/**
 * Owns the VkDevice of one context and its queue, or more where more were asked for, and remembers whether it failed. Belongs to the context's thread.
 */
public final class VulkanDevice implements AutoCloseable {
    private final VulkanInstance instance;
    private final DeviceCapabilities capabilities;
    private final DeviceAllowances allowances;
    private final VkDevice handle;
    private final List<VkQueue> queues = new ArrayList<>();
    private final Optional<PerformanceCounters> performanceCounters;
    private final int[] memoryTypeFlags;
    private final PipelineCache pipelineCache;
    private final VulkanCounters counters = new VulkanCounters();
    private DeviceException failure;
    private boolean hung;
    private boolean closed;

    /** Takes over {@code instance}, also when it throws. */
    public static VulkanDevice open(
            VulkanInstance instance, DeviceCapabilities capabilities, DeviceAllowances allowances)
            throws SubstrateUnavailableException {
        try {
            return new VulkanDevice(instance, capabilities, allowances);
        } catch (DeviceException e) {
            instance.close();
            throw new SubstrateUnavailableException(
                    "the device " + capabilities.summary() + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private VulkanDevice(VulkanInstance instance, DeviceCapabilities capabilities, DeviceAllowances allowances) {
        this.instance = instance;
        this.capabilities = allowances.profile().limit(capabilities);
        this.allowances = allowances;
        VkPhysicalDevice physical = instance.physicalDevices().get(capabilities.index());
        try (MemoryStack stack = stackPush()) {
            boolean vulkan12 = physical.getCapabilities().Vulkan12 && isVulkan12(physical, stack);
            int queueCount = Math.min(allowances.queues(), this.capabilities.computeQueues());
            FloatBuffer priorities = stack.mallocFloat(queueCount);
            for (int i = 0; i < queueCount; i++) {
                priorities.put(i, 1);
            }
            VkDeviceQueueCreateInfo.Buffer queueInfo = VkDeviceQueueCreateInfo.calloc(1, stack)
                    .sType$Default()
                    .queueFamilyIndex(capabilities.computeQueueFamily())
                    .pQueuePriorities(priorities);
            List<String> extensions = extensions(vulkan12);
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
            if (canUseTimelines()) {
                info.pNext(VkPhysicalDeviceTimelineSemaphoreFeatures.calloc(stack)
                        .sType$Default()
                        .timelineSemaphore(true));
            }
            if (canCountPerformance()) {
                info.pNext(VkPhysicalDevicePerformanceQueryFeaturesKHR.calloc(stack)
                                .sType$Default()
                                .performanceCounterQueryPools(true))
                        .pNext(VkPhysicalDeviceHostQueryResetFeatures.calloc(stack)
                                .sType$Default()
                                .hostQueryReset(true));
            }
            PointerBuffer pointer = stack.mallocPointer(1);
            VulkanResult.check(vkCreateDevice(physical, info, null, pointer), "vkCreateDevice");
            counters.countCreated();
            handle = new VkDevice(pointer.get(0), physical, info);
            for (int i = 0; i < queueCount; i++) {
                vkGetDeviceQueue(handle, capabilities.computeQueueFamily(), i, pointer);
                queues.add(new VkQueue(pointer.get(0), handle));
            }

            performanceCounters = canCountPerformance() ? Optional.of(lockCounters()) : Optional.empty();
            VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.malloc(stack);
            vkGetPhysicalDeviceMemoryProperties(physical, memory);
            memoryTypeFlags = new int[memory.memoryTypeCount()];
            for (int i = 0; i < memoryTypeFlags.length; i++) {
                memoryTypeFlags[i] = memory.memoryTypes(i).propertyFlags();
            }
            counters.countCreated();
            pipelineCache = new PipelineCache(
                    handle,
                    allowances.pipelineCache()
                            ? CacheFile.folder(System.getenv())
                                    .map(folder -> new PipelineCacheFile(folder, PipelineCache.maker(physical)))
                            : Optional.empty());
        }
    }

    private PerformanceCounters lockCounters() {
        try {
            return new PerformanceCounters(
                    handle, capabilities.computeQueueFamily(), capabilities.performanceCounters());
        } catch (DeviceException e) {
            vkDestroyDevice(handle, null);
            throw e;
        }
    }

    private static boolean isVulkan12(VkPhysicalDevice physical, MemoryStack stack) {
        VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.malloc(stack);
        vkGetPhysicalDeviceProperties(physical, properties);
        return properties.apiVersion() >= VK_API_VERSION_1_2;
    }

    /** What is used beyond the device's Vulkan version; the probe has seen that it is there. */
    private List<String> extensions(boolean vulkan12) {
        List<String> extensions = new ArrayList<>();
        if (canImportHostPointers()) {
            extensions.add(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
        }
        if (canImportDmabufs()) {
            extensions.add(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
            extensions.add(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME);
        }
        if (canOwnForeign()) {
            extensions.add(VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);
        }
        if (canUseTimelines() && !vulkan12) {
            extensions.add(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
        }
        if (capabilities.syncFdImport() || capabilities.syncFdExport() || capabilities.opaqueFdSemaphores()) {
            extensions.add(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
        }
        if (canCountPerformance()) {
            extensions.add(VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME);
        }
        return extensions;
    }

    public VkDevice handle() {
        return handle;
    }

    /** The first queue. */
    public VkQueue queue() {
        return queues.get(0);
    }

    /** All queues that were opened, the first one first; of one family. */
    public List<VkQueue> queues() {
        return List.copyOf(queues);
    }

    /** What every pipeline of this device is made through. */
    public PipelineCache pipelineCache() {
        return pipelineCache;
    }

    /** What the device can do and the profile, if there is one, has. */
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    public VulkanCounters counters() {
        return counters;
    }

    /** Whether kernels may exchange values by subgroup operations, and store 16 bits at a time. */
    public boolean canExchangeInSubgroups() {
        return capabilities.subgroupExchange() && capabilities.storage16Bit() && allowances.subgroupExchange();
    }

    /**
     * Whether kernels may see buffers as texels, too, 32-bit words: on a CPU in disguise, whose shader compiler gathers texels
     * with one instruction and loads what lies in a storage buffer lane by lane. Its views are as long as its storage buffers.
     */
    public boolean viewsWords() {
        return !capabilities.type().isGpu() && capabilities.texelsReachAllWords();
    }

    /** Whether there are timeline semaphores, and may be used. */
    public boolean canUseTimelines() {
        return capabilities.timelineSemaphores() && allowances.timelineSemaphores();
    }

    /** Whether the device writes timestamps, and is to. */
    public boolean canTime() {
        return capabilities.timestamps() && allowances.measurement() == GpuMeasurement.TIMESTAMPS;
    }

    private boolean canCountPerformance() {
        return capabilities.performanceCounters() > 0
                && allowances.measurement() == GpuMeasurement.PERFORMANCE_COUNTERS;
    }

    /** The counters that the device counts with; empty where it has none, or is not to. */
    public Optional<PerformanceCounters> performanceCounters() {
        return performanceCounters;
    }

    /** Whether the end of work is told by timeline semaphores. */
    public boolean completesByTimeline() {
        return canUseTimelines() && allowances.timelineCompletion();
    }

    public boolean canImportHostPointers() {
        return capabilities.hostPointerImport() && allowances.hostPointerImport();
    }

    public boolean canImportDmabufs() {
        return capabilities.dmabufImport() && allowances.dmabufImport();
    }

    /** Whether work can wait for fences of other drivers. */
    public boolean canImportSyncFds() {
        return capabilities.syncFdImport() && allowances.syncFds();
    }

    /** Whether other drivers can wait for work. */
    public boolean canExportSyncFds() {
        return capabilities.syncFdExport() && allowances.syncFds();
    }

    /** Whether buffers can be taken over from, and given to, drivers of other devices. */
    public boolean canOwnForeign() {
        return capabilities.foreignQueueFamily();
    }

    /**
     * The best memory type for a kind among those of {@code typeBits}.
     *
     * @throws DeviceException where none will do
     */
    public int memoryType(int typeBits, MemoryKind kind) {
        int type = findMemoryType(typeBits, kind);
        if (type < 0) {
            throw new DeviceException("the device " + capabilities.summary() + " has no memory type for " + kind
                    + " buffers (types " + Integer.toBinaryString(typeBits) + "); use substrate=cpu");
        }
        return type;
    }

    /** The same, -1 where none will do. */
    public int findMemoryType(int typeBits, MemoryKind kind) {
        int best = -1;
        int bestScore = -1;
        for (int i = 0; i < memoryTypeFlags.length; i++) {
            int score = (typeBits & (1 << i)) == 0 ? -1 : kind.score(memoryTypeFlags[i]);
            if (score > bestScore) {
                best = i;
                bestScore = score;
            }
        }
        return best;
    }

    /** Remembers the first failure and returns what the caller throws. */
    public DeviceException fail(DeviceException cause) {
        if (failure == null) {
            failure = cause;
        }
        return cause;
    }

    /** Throws when the device failed before. */
    public void checkAlive() {
        if (failure != null) {
            throw new DeviceException("the device failed before: " + failure.getMessage(), failure);
        }
    }

    /**
     * Says that work never came back. What it may still use is then left to the end of the process, since freeing it could
     * make the driver write to memory of others.
     */
    public void declareHung() {
        hung = true;
    }

    /** Whether objects may be destroyed. */
    public boolean mayDestroy() {
        return !hung;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (mayDestroy()) {
            pipelineCache.close();
            performanceCounters.ifPresent(PerformanceCounters::close);
            vkDestroyDevice(handle, null);
            instance.close();
        }
    }
}
