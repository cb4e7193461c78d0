/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;

/** Owns a command pool and its command buffers, all of one level. Belongs to the context's thread. */
final class WorkCommands implements AutoCloseable {
    private final VulkanDevice device;
    private final VkCommandBuffer[] buffers;
    private long pool;

    /**
     * @param level VK_COMMAND_BUFFER_LEVEL_PRIMARY or _SECONDARY
     * @param count command buffers to make, 1 or more
     * @throws DeviceException when the device has not enough memory; nothing is leaked
     */
    WorkCommands(VulkanDevice device, int level, int count) {
        this.device = device;
        buffers = new VkCommandBuffer[count];
        try (MemoryStack stack = stackPush()) {
            LongBuffer result = stack.mallocLong(1);
            VkCommandPoolCreateInfo poolInfo = VkCommandPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .flags(VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT)
                    .queueFamilyIndex(device.capabilities().computeQueueFamily());
            device.counters().countCreated();
            VulkanResult.check(vkCreateCommandPool(device.handle(), poolInfo, null, result), "vkCreateCommandPool");
            pool = result.get(0);
            VkCommandBufferAllocateInfo info = VkCommandBufferAllocateInfo.calloc(stack)
                    .sType$Default()
                    .commandPool(pool)
                    .level(level)
                    .commandBufferCount(count);
            PointerBuffer pointers = stack.mallocPointer(count);
            device.counters().countAllocation();
            VulkanResult.check(vkAllocateCommandBuffers(device.handle(), info, pointers), "vkAllocateCommandBuffers");
            for (int i = 0; i < count; i++) {
                buffers[i] = new VkCommandBuffer(pointers.get(i), device.handle());
            }
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    VkCommandBuffer get(int index) {
        return buffers[index];
    }

    @Override
    public void close() {
        if (device.mayDestroy()) {
            vkDestroyCommandPool(device.handle(), pool, null);
        }
        pool = 0;
    }
}
