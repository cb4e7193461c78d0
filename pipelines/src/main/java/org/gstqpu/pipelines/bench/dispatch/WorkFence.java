/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAllocLong;
import static org.lwjgl.system.MemoryUtil.memAllocPointer;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.lwjgl.vulkan.VkSubmitInfo;

/**
 * Owns a fence. Submits one command buffer at a time and waits for it with the fence, without allocating. Belongs to the context's
 * thread.
 */
final class WorkFence implements AutoCloseable {
    private static final long TIMEOUT_NANOS = 60_000_000_000L;

    private final VulkanDevice device;
    private final LongBuffer fence = memAllocLong(1);
    private final PointerBuffer commandBuffers = memAllocPointer(1);
    private final VkSubmitInfo submit = VkSubmitInfo.calloc();
    private boolean closed;

    /**
     * @throws DeviceException when the device has not enough memory; nothing is leaked
     */
    WorkFence(VulkanDevice device) {
        this.device = device;
        submit.sType$Default().pCommandBuffers(commandBuffers);
        fence.put(0, VK_NULL_HANDLE);
        try (MemoryStack stack = stackPush()) {
            VkFenceCreateInfo info = VkFenceCreateInfo.calloc(stack).sType$Default();
            device.counters().countCreated();
            VulkanResult.check(vkCreateFence(device.handle(), info, null, fence), "vkCreateFence");
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    long handle() {
        return fence.get(0);
    }

    /**
     * Submits a command buffer and waits until it is done.
     *
     * @throws DeviceException when the device is lost, or does not finish within 60 seconds
     */
    void run(VkCommandBuffer commands) {
        commandBuffers.put(0, commands.address());
        int result = nvkQueueSubmit(device.queue(), 1, submit.address(), fence.get(0));
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkQueueSubmit"));
        }
        device.counters().countSubmit();
        device.counters().countWait();
        result = nvkWaitForFences(device.handle(), 1, memAddress(fence), VK_TRUE, TIMEOUT_NANOS);
        if (result == VK_TIMEOUT) {
            device.declareHung();
        }
        if (result == VK_SUCCESS) {
            result = nvkResetFences(device.handle(), 1, memAddress(fence));
        }
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkWaitForFences"));
        }
    }

    @Override
    public void close() {
        if (closed || !device.mayDestroy()) {
            return;
        }
        closed = true;
        vkDestroyFence(device.handle(), fence.get(0), null);
        memFree(fence);
        memFree(commandBuffers);
        submit.free();
    }
}
