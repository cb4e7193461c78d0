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
import static org.lwjgl.vulkan.VK12.*;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDevice16BitStorageFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo;

/**
 * Owns the VkDevice of one context, with its queue and its pipeline cache. Remembers the first
 * failure of the device. Belongs to the context's thread; any thread may read the {@linkplain #counters counters} and {@linkplain #hurry
 * hurry}.
 */
public final class VulkanDevice implements AutoCloseable {
    /** How often a call is made that asks whether a queue is idle, while it fails for want of memory. */
    private static final int MEMORY_TRIES = 3;
    /** The pause between two of them. */
    private static final long MEMORY_PAUSE_NANOS = 10_000_000;

    private final VulkanInstance instance;
    private final DeviceCapabilities capabilities;
    private final DeviceAllowances allowances;
    private final VkDevice handle;
    private final VkQueue queue;
    /** The property flags of each memory type. */
    private final int[] memoryTypeFlags;

    private final PipelineCache pipelineCache;
    private final VulkanCounters counters = new VulkanCounters();
    /** The first failure; null while the device works. */
    private DeviceException failure;
    /** True if work never came back, see {@link #declareHung}. */
    private boolean hung;
    /** See {@link #hurry}; any thread. */
    private volatile boolean hurried;

    private final Patience patience = new Patience(this);

    private boolean closed;

    /**
     * Makes the device.
     *
     * @param instance a share of the instance, which this method takes over, also if it throws
     * @param capabilities what the probe found, by which the device is identified too
     * @throws SubstrateUnavailableException if the driver does not make the device
     */
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
        VkPhysicalDevice physical = instance.physicalDevice(capabilities.index());
        try (MemoryStack stack = stackPush()) {
            VkDeviceQueueCreateInfo.Buffer queueInfo = VkDeviceQueueCreateInfo.calloc(1, stack)
                    .sType$Default()
                    .queueFamilyIndex(capabilities.computeQueueFamily())
                    .pQueuePriorities(stack.floats(1));
            List<String> extensions = extensions();
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
            counters.add(Counted.OBJECTS_CREATED);
            handle = new VkDevice(pointer.get(0), physical, info);
            vkGetDeviceQueue(handle, capabilities.computeQueueFamily(), 0, pointer);
            queue = new VkQueue(pointer.get(0), handle);

            VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.malloc(stack);
            vkGetPhysicalDeviceMemoryProperties(physical, memory);
            memoryTypeFlags = new int[memory.memoryTypeCount()];
            for (int i = 0; i < memoryTypeFlags.length; i++) {
                memoryTypeFlags[i] = memory.memoryTypes(i).propertyFlags();
            }
            counters.add(Counted.OBJECTS_CREATED);
            pipelineCache = new PipelineCache(
                    handle,
                    CacheFile.folder(System.getenv())
                            .map(folder -> new PipelineCacheFile(folder, PipelineCache.maker(physical))));
        }
    }

    /** Returns the extensions that the context uses. The probe has found that the device has them. */
    private List<String> extensions() {
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
        if (capabilities.syncFdImport() || capabilities.syncFdExport()) {
            extensions.add(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
        }
        return extensions;
    }

    /** Returns the VkDevice, which stays this object's. */
    public VkDevice handle() {
        return handle;
    }

    /** Returns the queue, which stays this object's. */
    public VkQueue queue() {
        return queue;
    }

    /** Returns the cache through which all pipelines of this device are made. It stays this object's. */
    public PipelineCache pipelineCache() {
        return pipelineCache;
    }

    /** Returns what the device can do, within the limits of the profile. */
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    /** Returns the counts of calls for this device. Any thread may read them. */
    public VulkanCounters counters() {
        return counters;
    }

    /** Returns true if kernels may exchange values by subgroup operations, and may store 16-bit values. */
    public boolean canExchangeInSubgroups() {
        return capabilities.subgroupExchange() && capabilities.storage16Bit() && allowances.subgroupExchange();
    }

    /** Returns true if the device can write timestamps and the context asks for them. */
    public boolean canTime() {
        return capabilities.timestamps() && allowances.timing();
    }

    /** Returns true if the device can import memory of the process and the context may do so. */
    public boolean canImportHostPointers() {
        return capabilities.hostPointerImport() && allowances.hostPointerImport();
    }

    /** Returns true if the device can import dmabufs and the context may do so. */
    public boolean canImportDmabufs() {
        return capabilities.dmabufImport() && allowances.dmabufImport();
    }

    /** Returns true if work on the device can wait for fences of other drivers. */
    public boolean canImportSyncFds() {
        return capabilities.syncFdImport() && allowances.syncFds();
    }

    /** Returns true if other drivers can wait for work on the device. */
    public boolean canExportSyncFds() {
        return capabilities.syncFdExport() && allowances.syncFds();
    }

    /** Returns true if the device passes the ownership of buffers to drivers of other devices and takes it from them. */
    public boolean canOwnForeign() {
        return capabilities.foreignQueueFamily();
    }

    /**
     * Returns the index of the best memory type for a kind.
     *
     * @param typeBits the memory types to choose from, one bit for each index
     * @throws DeviceException if none of them can serve
     */
    public int memoryType(int typeBits, MemoryKind kind) {
        int type = findMemoryType(typeBits, kind);
        if (type < 0) {
            throw new DeviceException("the device " + capabilities.summary() + " has no memory type for " + kind
                    + " buffers (types " + Integer.toBinaryString(typeBits) + "); use substrate=cpu");
        }
        return type;
    }

    /** Returns the same index as {@link #memoryType}; -1 if no memory type of {@code typeBits} can serve. */
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

    /** Remembers {@code cause} if it is the first failure. Returns {@code cause}, for the caller to throw. */
    public DeviceException fail(DeviceException cause) {
        if (failure == null) {
            failure = cause;
        }
        return cause;
    }

    /**
     * Does nothing while the device works.
     *
     * @throws DeviceException if the device failed before, of the kind of its first failure
     */
    public void checkAlive() {
        if (failure != null) {
            throw new DeviceException("the device failed before: " + failure.getMessage(), failure);
        }
    }

    /**
     * Notes that work on the device never ended. From now on nothing is destroyed until the process ends: the work may still
     * write to its buffers, and freed memory could belong to something else by then.
     */
    public void declareHung() {
        hung = true;
    }

    /** Begins a wait of so many nanoseconds, and returns its time, which stays this object's. */
    public Patience patience(long nanos) {
        patience.begin(nanos);
        return patience;
    }

    /** Lets waits take a small part of their time only, those under way included, or their whole time again. Any thread. */
    public void hurry(boolean hurried) {
        this.hurried = hurried;
    }

    /**
     * Waits until the queue has done what was submitted, as vkQueueWaitIdle does, but for {@link Patience#USUAL_NANOS} at most. A
     * queue finishes in order: it is idle when it signals the fence of an empty submission. A call that fails for want of memory is
     * tried again. Returns at once if the device was lost, which does no work any more.
     *
     * @throws DeviceException if the device did not become idle in time, or did not say so: work may still run
     */
    public void awaitIdle() {
        patience(Patience.USUAL_NANOS);
        try (MemoryStack stack = stackPush()) {
            LongBuffer fence = stack.mallocLong(1);
            VkFenceCreateInfo info = VkFenceCreateInfo.calloc(stack).sType$Default();
            counters.add(Counted.OBJECTS_CREATED);
            int result = triedForMemory(() -> vkCreateFence(handle, info, null, fence));
            if (result == VK_ERROR_DEVICE_LOST) {
                return;
            }
            VulkanResult.check(result, "vkCreateFence");
            result = triedForMemory(() -> vkQueueSubmit(queue, (VkSubmitInfo.Buffer) null, fence.get(0)));
            if (result == VK_SUCCESS) {
                awaitIdle(fence);
            }
            vkDestroyFence(handle, fence.get(0), null);
            if (result != VK_ERROR_DEVICE_LOST) {
                VulkanResult.check(result, "vkQueueSubmit");
            }
        }
    }

    /** Throws if the queue may still signal the fence, which the caller then does not destroy. */
    private void awaitIdle(LongBuffer fence) {
        int result = triedForMemory(() -> {
            long partNanos;
            int waited;
            do {
                partNanos = patience.nextPart();
                waited = vkWaitForFences(handle, fence, true, partNanos);
            } while (waited == VK_TIMEOUT && partNanos > 0);
            return waited;
        });
        if (result != VK_ERROR_DEVICE_LOST) {
            VulkanResult.check(result, "vkWaitForFences");
        }
    }

    /** Makes a call some times, until it does not fail for want of memory. Returns its last result. */
    private static int triedForMemory(IntSupplier call) {
        int result = call.getAsInt();
        for (int tries = 1; tries < MEMORY_TRIES && VulkanResult.isOutOfMemory(result); tries++) {
            LockSupport.parkNanos(MEMORY_PAUSE_NANOS);
            result = call.getAsInt();
        }
        return result;
    }

    /** Returns true while waits are to be short. Any thread. */
    public boolean isHurried() {
        return hurried;
    }

    /** Returns true if objects of the device may be destroyed, false after {@link #declareHung}. */
    public boolean mayDestroy() {
        return !hung;
    }

    /**
     * Destroys the device and gives the share of the instance back; does neither after {@link #declareHung}. All that was made
     * from the device is closed before. Later calls do nothing.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (mayDestroy()) {
            pipelineCache.close();
            vkDestroyDevice(handle, null);
            instance.close();
        }
    }
}
