/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAllocPointer;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.VK11.*;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.gstqpu.kernels.internal.vulkan.device.Patience;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/**
 * Owns one place of a {@link SubmitRing}: a command buffer, its descriptor sets, and the means to know when its work is
 * done. Submitting and waiting allocate nothing. Belongs to the context's thread.
 */
public final class SubmitSlot implements AutoCloseable {
    /** Time between a wait that failed and the next. */
    private static final long RETRY_NANOS = 1_000_000;

    private final VulkanDevice device;
    private final VkCommandBuffer commandBuffer;
    private final long[] sets;
    private final SlotFence fence;
    /** Null if submissions are not timed. */
    private final GpuTimer timer;

    private final int index;
    private final SubmitDependencies none = new SubmitDependencies(List.of(), List.of());
    private final PointerBuffer commandBuffers = memAllocPointer(1);
    private final VkSubmitInfo submit = VkSubmitInfo.calloc();
    private final WorkKey key = new WorkKey();
    private int dispatches;
    private boolean recorded;
    private boolean everRecorded;
    private boolean pending;
    private long lastUse;
    private long submissions;

    /**
     * Makes a slot, which owns {@code fence} from now on.
     *
     * @param timer that of the ring; null if submissions are not timed
     * @param index number of the slot, by which the timer knows it
     */
    SubmitSlot(
            VulkanDevice device,
            VkCommandBuffer commandBuffer,
            long[] sets,
            SlotFence fence,
            GpuTimer timer,
            int index) {
        this.device = device;
        this.commandBuffer = commandBuffer;
        this.sets = sets;
        this.fence = fence;
        this.timer = timer;
        this.index = index;
        commandBuffers.put(0, commandBuffer.address());
        submit.sType$Default().pCommandBuffers(commandBuffers);
    }

    public boolean holds(WorkKey wanted) {
        return recorded && key.matches(wanted);
    }

    public boolean pending() {
        return pending;
    }

    long lastUse() {
        return lastUse;
    }

    void use(long time) {
        lastUse = time;
    }

    /** Number of the slot in its ring. */
    public int index() {
        return index;
    }

    /** Number of submissions so far. */
    public long submissions() {
        return submissions;
    }

    public long descriptorSet(int index) {
        return sets[index];
    }

    /** Points a descriptor set at buffers, one for each binding. */
    public void writeDescriptors(int index, List<BufferRange> ranges) {
        try (MemoryStack stack = stackPush()) {
            VkWriteDescriptorSet.Buffer writes = VkWriteDescriptorSet.calloc(ranges.size(), stack);
            for (int binding = 0; binding < ranges.size(); binding++) {
                BufferRange range = ranges.get(binding);
                checkAlignment(binding, range);
                writes.get(binding)
                        .sType$Default()
                        .dstSet(sets[index])
                        .dstBinding(binding)
                        .descriptorCount(1)
                        .descriptorType(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                        .pBufferInfo(VkDescriptorBufferInfo.calloc(1, stack)
                                .buffer(range.buffer())
                                .offset(range.offsetBytes())
                                .range(range.sizeBytes()));
            }
            device.counters().add(Counted.DESCRIPTOR_WRITES);
            vkUpdateDescriptorSets(device.handle(), writes, null);
        }
    }

    private void checkAlignment(int binding, BufferRange range) {
        int alignmentBytes = device.capabilities().storageBufferAlignmentBytes();
        if (range.offsetBytes() % alignmentBytes != 0) {
            throw new DeviceException(
                    DeviceFailure.LIMIT_EXCEEDED,
                    "binding " + binding + " begins at byte " + range.offsetBytes() + " of its buffer, "
                            + device.capabilities().name() + " wants multiples of " + alignmentBytes
                            + "; place it at one");
        }
    }

    /** Begins to record the work that {@code wanted} names; {@link #recorded} ends it. */
    public Commands record(WorkKey wanted, long pipelineLayout) {
        recorded = false;
        if (everRecorded) {
            device.counters().add(Counted.RE_RECORDS);
        }
        everRecorded = true;
        key.set(wanted);
        return begin(pipelineLayout);
    }

    /** Begins to record work that callers find by the slot's number only; {@link #recorded} ends it. */
    public Commands record(long pipelineLayout) {
        return begin(pipelineLayout);
    }

    private Commands begin(long pipelineLayout) {
        Commands commands = new Commands(commandBuffer, pipelineLayout);
        if (timer != null) {
            timer.begin(commands, index);
        }
        return commands;
    }

    public void recorded(Commands commands) {
        if (timer != null) {
            timer.end(commands, index);
        }
        commands.end();
        dispatches = commands.dispatches();
        recorded = true;
    }

    /**
     * Submits the recorded work. Earlier work of the slot must have been awaited, or polled until it was done.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device refuses it
     */
    public void submit() {
        submit(none);
    }

    /**
     * Submits the recorded work, which waits for semaphores and signals others. Earlier work of the slot must have been
     * awaited, or polled until it was done.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device refuses it
     */
    public void submit(SubmitDependencies dependencies) {
        if (pending) {
            throw new IllegalStateException(
                    "the slot's work is pending; await() or poll() comes before the next submit()");
        }
        if (timer != null) {
            timer.prepare(index);
        }
        int result = fence.reset();
        if (result == VK_SUCCESS) {
            dependencies.describe(submit);
            result = device.submit(1, submit.address(), fence.handle());
        }
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkQueueSubmit"));
        }
        device.counters().add(Counted.SUBMITS);
        device.counters().add(Counted.DISPATCHES, dispatches);
        submissions++;
        pending = true;
    }

    /**
     * Waits until the submitted work is done. Returns at once if there is none. If a wait fails for another reason than a
     * lost device, the work may still run: this method then waits again. Work that does not end within the time stays
     * pending, and the device is declared hung. A device that was declared hung before gets no more time.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device was lost, or did not finish within the time
     */
    public void await(long timeoutNanos) {
        if (!pending) {
            return;
        }
        device.counters().add(Counted.WAITS);
        int result = awaitEnd(device.mayDestroy() ? timeoutNanos : 0);
        if (!isEnd(result)) {
            device.declareHung();
            throw device.fail(VulkanResult.failure(result, "vkWaitForFences"));
        }
        pending = false;
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkWaitForFences"));
        }
        if (timer != null) {
            timer.collect(index);
        }
    }

    private int awaitEnd(long timeoutNanos) {
        Patience patience = device.patience(timeoutNanos);
        while (true) {
            long partNanos = patience.nextPart();
            int result = fence.await(partNanos);
            if (isEnd(result) || partNanos == 0) {
                return result;
            }
            if (result != VK_TIMEOUT) {
                LockSupport.parkNanos(Math.min(partNanos, RETRY_NANOS));
            }
        }
    }

    /**
     * True if the result of a wait or a poll says that the work has ended. After any failure but a lost device the work
     * may still run (Vulkan specification, "Lost Device").
     */
    private static boolean isEnd(int result) {
        return result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST;
    }

    /**
     * True if the submitted work is known to be done, or if there is none. False if the device did not answer. Never
     * waits.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device was lost
     */
    public boolean poll() {
        if (!pending) {
            return true;
        }
        int result = fence.status();
        if (!isEnd(result)) {
            return false;
        }
        pending = false;
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkGetFenceStatus"));
        }
        if (timer != null) {
            timer.collect(index);
        }
        return true;
    }

    /** Frees everything but what the ring's pools hold. No work may be pending. */
    @Override
    public void close() {
        if (device.mayDestroy()) {
            fence.close();
            none.close();
            memFree(commandBuffers);
            submit.free();
        }
    }
}
