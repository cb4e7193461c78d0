/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAllocLong;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkFenceCreateInfo;

/**
 * Owns the fence that tells one slot that its work is done. A timeline semaphore would do, too, but Mesa's V3D driver (25.0) only
 * emulates those, and on lavapipe both cost about 20 µs a submission. No method allocates. Belongs to the context's thread.
 */
final class SlotFence implements AutoCloseable {
    private final VulkanDevice device;
    private final LongBuffer fence = memAllocLong(1);

    /**
     * Makes the fence.
     *
     * @throws DeviceException if the device is out of memory; nothing is left behind
     */
    SlotFence(VulkanDevice device) {
        this.device = device;
        try (MemoryStack stack = stackPush()) {
            VkFenceCreateInfo info = VkFenceCreateInfo.calloc(stack).sType$Default();
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(vkCreateFence(device.handle(), info, null, fence), "vkCreateFence");
        } catch (DeviceException e) {
            memFree(fence);
            throw e;
        }
    }

    /** Prepares for one submission; no other may be pending. Returns VK_SUCCESS or an error. */
    int reset() {
        return nvkResetFences(device.handle(), 1, memAddress(fence));
    }

    /** The VkFence, which stays this object's. */
    long handle() {
        return fence.get(0);
    }

    /** Waits for the submission. Returns VK_SUCCESS, VK_TIMEOUT or an error. */
    int await(long timeoutNanos) {
        return nvkWaitForFences(device.handle(), 1, memAddress(fence), VK_TRUE, timeoutNanos);
    }

    /** Asks for the state of the submission. Returns VK_SUCCESS if it is done, VK_NOT_READY or an error. */
    int status() {
        return vkGetFenceStatus(device.handle(), handle());
    }

    @Override
    public void close() {
        vkDestroyFence(device.handle(), handle(), null);
        memFree(fence);
    }
}
