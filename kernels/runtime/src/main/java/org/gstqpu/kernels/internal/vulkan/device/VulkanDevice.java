/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.VK12.*;

import java.nio.LongBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkFenceCreateInfo;

/**
 * The device of one context, with its limits, its counters and its first failure. Contexts may share its VkDevice, a
 * {@link DeviceHandle}. Belongs to the context's thread; any thread may read the {@linkplain #counters counters} and {@linkplain #hurry
 * hurry}.
 */
public final class VulkanDevice {
    /** How often a call is made that asks whether a queue is idle, while it fails for want of memory. */
    private static final int MEMORY_TRIES = 3;
    /** The pause between two of them. */
    private static final long MEMORY_PAUSE_NANOS = 10_000_000;

    private final DeviceHandle handle;
    private final DeviceCapabilities capabilities;
    private final DeviceAllowances allowances;
    /** The property flags of each memory type. */
    private final int[] memoryTypeFlags;

    private final VulkanCounters counters = new VulkanCounters();
    /** The first failure; null while the device works. */
    private DeviceException failure;
    /** True if work never came back, see {@link #declareHung}. */
    private boolean hung;
    /** See {@link #hurry}; any thread. */
    private volatile boolean hurried;

    private final Patience patience = new Patience(this);

    /**
     * Makes a device of a VkDevice, which stays its owner's, who closes it after all that was made from this object.
     *
     * @param capabilities what the probe found of the device
     * @param allowances those with which the handle was made
     */
    public VulkanDevice(DeviceHandle handle, DeviceCapabilities capabilities, DeviceAllowances allowances) {
        this.handle = handle;
        this.capabilities = allowances.profile().limit(capabilities);
        this.allowances = allowances;
        memoryTypeFlags = handle.memoryTypeFlags();
    }

    /** Returns the VkDevice, which stays this object's. */
    public VkDevice handle() {
        return handle.device();
    }

    /**
     * Submits work to the queue, as vkQueueSubmit does; any number of contexts may do so at a time. Allocates nothing.
     *
     * @param submits address of {@code count} VkSubmitInfo
     * @param fence VK_NULL_HANDLE, or what is signalled when the work is done
     * @return VK_SUCCESS or an error
     */
    public int submit(int count, long submits, long fence) {
        return handle.submit(count, submits, fence);
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
        return allowances.importsHostPointers(capabilities);
    }

    /** Returns true if the device can import dmabufs and the context may do so. */
    public boolean canImportDmabufs() {
        return allowances.importsDmabufs(capabilities);
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
            handle.declareUnsound();
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
        handle.declareHung();
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
            int result = triedForMemory(() -> vkCreateFence(handle(), info, null, fence));
            if (result == VK_ERROR_DEVICE_LOST) {
                return;
            }
            VulkanResult.check(result, "vkCreateFence");
            result = triedForMemory(() -> submit(0, 0, fence.get(0)));
            if (result == VK_SUCCESS) {
                awaitIdle(fence);
            }
            vkDestroyFence(handle(), fence.get(0), null);
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
                waited = vkWaitForFences(handle(), fence, true, partNanos);
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
}
