/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.VK11.*;

import java.lang.System.Logger;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolSize;
import org.lwjgl.vulkan.VkDescriptorSetAllocateInfo;

/**
 * Owns a fixed number of {@link SubmitSlot}s, made at the start, and thereby the recorded work of one filter. A slot
 * keeps its recording until another pair of buffers needs the slot. Belongs to the context's thread.
 */
public final class SubmitRing implements AutoCloseable {
    private static final Logger LOG = System.getLogger(SubmitRing.class.getName());

    private final VulkanDevice device;
    private final List<SubmitSlot> slots = new ArrayList<>();
    /** Null if submissions are not timed. */
    private GpuTimer timer;

    private long commandPool;
    private long descriptorPool;
    private long time;
    private boolean closed;

    /**
     * Makes a ring on the device's queue.
     *
     * @param setLayout layout of every descriptor set
     * @param setsPerSlot descriptor sets of each slot
     */
    public SubmitRing(VulkanDevice device, long setLayout, int slotCount, int setsPerSlot) {
        this(device, setLayout, slotCount, setsPerSlot, (slot, nanos) -> {});
    }

    /**
     * Makes a ring on the device's queue.
     *
     * @param setLayout layout of every descriptor set
     * @param setsPerSlot descriptor sets of each slot
     * @param times receives the nanoseconds that each submission took on the device, if timestamps are taken
     */
    public SubmitRing(VulkanDevice device, long setLayout, int slotCount, int setsPerSlot, SlotTimes times) {
        this.device = device;
        try (MemoryStack stack = stackPush()) {
            timer = device.canTime() ? new GpuTimer(device, slotCount, times) : null;
            LongBuffer result = stack.mallocLong(1);
            VkCommandPoolCreateInfo poolInfo = VkCommandPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .flags(VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT)
                    .queueFamilyIndex(device.capabilities().computeQueueFamily());
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(vkCreateCommandPool(device.handle(), poolInfo, null, result), "vkCreateCommandPool");
            commandPool = result.get(0);
            VkCommandBufferAllocateInfo bufferInfo = VkCommandBufferAllocateInfo.calloc(stack)
                    .sType$Default()
                    .commandPool(commandPool)
                    .level(VK_COMMAND_BUFFER_LEVEL_PRIMARY)
                    .commandBufferCount(slotCount);
            PointerBuffer buffers = stack.mallocPointer(slotCount);
            device.counters().add(Counted.ALLOCATIONS);
            VulkanResult.check(
                    vkAllocateCommandBuffers(device.handle(), bufferInfo, buffers), "vkAllocateCommandBuffers");

            int setCount = slotCount * setsPerSlot;
            VkDescriptorPoolSize.Buffer sizes = VkDescriptorPoolSize.calloc(1, stack)
                    .type(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                    .descriptorCount(setCount * KernelPipelines.BINDINGS);
            VkDescriptorPoolCreateInfo descriptorInfo = VkDescriptorPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .maxSets(setCount)
                    .pPoolSizes(sizes);
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(
                    vkCreateDescriptorPool(device.handle(), descriptorInfo, null, result), "vkCreateDescriptorPool");
            descriptorPool = result.get(0);
            LongBuffer layouts = stack.mallocLong(setCount);
            for (int i = 0; i < setCount; i++) {
                layouts.put(i, setLayout);
            }
            VkDescriptorSetAllocateInfo setInfo = VkDescriptorSetAllocateInfo.calloc(stack)
                    .sType$Default()
                    .descriptorPool(descriptorPool)
                    .pSetLayouts(layouts);
            LongBuffer sets = stack.mallocLong(setCount);
            device.counters().add(Counted.ALLOCATIONS);
            VulkanResult.check(vkAllocateDescriptorSets(device.handle(), setInfo, sets), "vkAllocateDescriptorSets");
            for (int i = 0; i < slotCount; i++) {
                long[] own = new long[setsPerSlot];
                for (int j = 0; j < setsPerSlot; j++) {
                    own[j] = sets.get(i * setsPerSlot + j);
                }
                VkCommandBuffer commandBuffer = new VkCommandBuffer(buffers.get(i), device.handle());
                slots.add(new SubmitSlot(device, commandBuffer, own, new SlotFence(device), timer, i));
            }
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    /**
     * Returns the slot that holds this work, or else the slot that was unused longest, which the caller then records.
     * Waits for the device only if all slots are busy, or if the returned slot's work still runs.
     */
    public SubmitSlot acquire(WorkKey wanted, long timeoutNanos) {
        SubmitSlot chosen = null;
        for (int i = 0; i < slots.size(); i++) {
            SubmitSlot slot = slots.get(i);
            if (slot.holds(wanted)) {
                chosen = slot;
                break;
            }
            if (chosen == null || betterThan(chosen, slot)) {
                chosen = slot;
            }
        }
        chosen.await(timeoutNanos);
        chosen.use(++time);
        return chosen;
    }

    private static boolean betterThan(SubmitSlot chosen, SubmitSlot slot) {
        boolean idle = slot.poll();
        return idle == chosen.poll() ? slot.lastUse() < chosen.lastUse() : idle;
    }

    /** The slot of this number, for callers that give each slot work of its own. */
    public SubmitSlot slot(int index) {
        return slots.get(index);
    }

    /**
     * Waits until all submitted work is done. A failure does not keep this method from waiting for the other work.
     *
     * @throws DeviceException if the device was lost, or did not finish all within the time; it is declared hung then
     */
    public void drain(long timeoutNanos) {
        long begin = System.nanoTime();
        DeviceException failure = null;
        for (int i = 0; i < slots.size(); i++) {
            try {
                slots.get(i).await(Math.max(0, timeoutNanos - (System.nanoTime() - begin)));
            } catch (DeviceException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Waits until all submitted work is done, before {@link #close}. Does not throw: whoever waits for the work has been
     * told of the failure, or does not wait for it any more.
     */
    public void settle(long timeoutNanos) {
        try {
            drain(timeoutNanos);
        } catch (DeviceException e) {
            LOG.log(Logger.Level.DEBUG, "work was given up", e);
        }
    }

    /** True if submitted work has not been seen to end. */
    boolean pending() {
        return slots.stream().anyMatch(SubmitSlot::pending);
    }

    /** Frees everything. If work has not been seen to end, frees nothing and declares the device hung. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (pending()) {
            device.declareHung();
        }
        slots.forEach(SubmitSlot::close);
        if (timer != null) {
            timer.close();
        }
        if (device.mayDestroy()) {
            vkDestroyDescriptorPool(device.handle(), descriptorPool, null);
            vkDestroyCommandPool(device.handle(), commandPool, null);
        }
    }
}
