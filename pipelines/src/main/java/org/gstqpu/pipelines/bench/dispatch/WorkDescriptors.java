/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolSize;
import org.lwjgl.vulkan.VkDescriptorSetAllocateInfo;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/** Owns a descriptor pool and the one descriptor set in it, for a {@link WorkPipeline}. Belongs to the context's thread. */
final class WorkDescriptors implements AutoCloseable {
    private final VulkanDevice device;
    private long pool;
    private long set;

    /**
     * Makes a set without buffers; {@link #write} sets them.
     *
     * @throws DeviceException when the device has not enough memory; nothing is leaked
     */
    WorkDescriptors(VulkanDevice device, WorkPipeline pipeline) {
        this.device = device;
        try (MemoryStack stack = stackPush()) {
            LongBuffer result = stack.mallocLong(1);
            int count = pipeline.work().buffers().size();
            VkDescriptorPoolSize.Buffer sizes = VkDescriptorPoolSize.calloc(1, stack)
                    .type(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                    .descriptorCount(count);
            VkDescriptorPoolCreateInfo poolInfo = VkDescriptorPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .maxSets(1)
                    .pPoolSizes(sizes);
            device.counters().countCreated();
            VulkanResult.check(
                    vkCreateDescriptorPool(device.handle(), poolInfo, null, result), "vkCreateDescriptorPool");
            pool = result.get(0);
            VkDescriptorSetAllocateInfo setInfo = VkDescriptorSetAllocateInfo.calloc(stack)
                    .sType$Default()
                    .descriptorPool(pool)
                    .pSetLayouts(stack.longs(pipeline.setLayout()));
            device.counters().countAllocation();
            VulkanResult.check(vkAllocateDescriptorSets(device.handle(), setInfo, result), "vkAllocateDescriptorSets");
            set = result.get(0);
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    long set() {
        return set;
    }

    /** Writes the buffers into the set. This invalidates command buffers that use the set. */
    void write(WorkBuffers buffers) {
        try (MemoryStack stack = stackPush()) {
            List<BufferRange> ranges = buffers.ranges();
            VkWriteDescriptorSet.Buffer writes = VkWriteDescriptorSet.calloc(ranges.size(), stack);
            for (int i = 0; i < ranges.size(); i++) {
                BufferRange range = ranges.get(i);
                writes.get(i)
                        .sType$Default()
                        .dstSet(set)
                        .dstBinding(i)
                        .descriptorCount(1)
                        .descriptorType(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                        .pBufferInfo(VkDescriptorBufferInfo.calloc(1, stack)
                                .buffer(range.buffer())
                                .offset(range.offsetBytes())
                                .range(range.sizeBytes()));
            }
            device.counters().countDescriptorWrite();
            vkUpdateDescriptorSets(device.handle(), writes, null);
        }
    }

    @Override
    public void close() {
        if (device.mayDestroy()) {
            vkDestroyDescriptorPool(device.handle(), pool, null);
        }
        pool = 0;
        set = 0;
    }
}
