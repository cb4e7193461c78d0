package org.gstqpu.kernels.vulkan;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAllocLong;
import static org.lwjgl.system.MemoryUtil.memAllocPointer;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import java.util.List;
import org.gstqpu.kernels.DeviceException;
import org.gstqpu.kernels.DeviceFailure;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/**
 * One place of a {@link SubmitRing}: a command buffer, its descriptor sets and the fence that says when it is done. Made
 * once; submitting and waiting make nothing. Belongs to the context's thread.
 */
final class SubmitSlot implements AutoCloseable {
    private final VulkanDevice device;
    private final VkCommandBuffer commandBuffer;
    private final long[] sets;
    private final LongBuffer fence = memAllocLong(1);
    private final PointerBuffer commandBuffers = memAllocPointer(1);
    private final VkSubmitInfo submit = VkSubmitInfo.calloc();
    private final WorkKey key = new WorkKey();
    private boolean recorded;
    private boolean everRecorded;
    private boolean pending;
    private long lastUse;

    SubmitSlot(VulkanDevice device, VkCommandBuffer commandBuffer, long[] sets) {
        this.device = device;
        this.commandBuffer = commandBuffer;
        this.sets = sets;
        commandBuffers.put(0, commandBuffer.address());
        submit.sType$Default().pCommandBuffers(commandBuffers);
        fence.put(0, VK_NULL_HANDLE);
    }

    /** Makes the fence; apart from the constructor, so that a failure leaves something to close. */
    void createFence() {
        try (MemoryStack stack = stackPush()) {
            VkFenceCreateInfo info = VkFenceCreateInfo.calloc(stack).sType$Default();
            device.counters().countCreated();
            VulkanResult.check(vkCreateFence(device.handle(), info, null, fence), "vkCreateFence");
        }
    }

    boolean holds(WorkKey wanted) {
        return recorded && key.matches(wanted);
    }

    boolean pending() {
        return pending;
    }

    long lastUse() {
        return lastUse;
    }

    void use(long time) {
        lastUse = time;
    }

    long descriptorSet(int index) {
        return sets[index];
    }

    /** Points a descriptor set at buffers, one a binding. */
    void writeDescriptors(int index, List<BufferRange> ranges) {
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
            device.counters().countDescriptorWrite();
            vkUpdateDescriptorSets(device.handle(), writes, null);
        }
    }

    private void checkAlignment(int binding, BufferRange range) {
        int alignmentBytes = device.capabilities().storageBufferAlignmentBytes();
        if (range.offsetBytes() % alignmentBytes != 0) {
            throw new DeviceException(
                    DeviceFailure.LIMIT_EXCEEDED,
                    "binding " + binding + " begins at byte " + range.offsetBytes() + " of its buffer, "
                            + device.capabilities().name() + " wants multiples of " + alignmentBytes);
        }
    }

    /** Begins to record the work that {@code wanted} names; {@link #recorded} ends it. */
    Commands record(WorkKey wanted, long pipelineLayout) {
        recorded = false;
        if (everRecorded) {
            device.counters().countReRecord();
        }
        everRecorded = true;
        key.set(wanted);
        return new Commands(commandBuffer, pipelineLayout);
    }

    /** Begins to record work that is only ever asked for by its slot; {@link #recorded} ends it. */
    Commands record(long pipelineLayout) {
        return new Commands(commandBuffer, pipelineLayout);
    }

    void recorded(Commands commands) {
        commands.end();
        recorded = true;
    }

    /**
     * Hands the recorded work to the device.
     *
     * @throws org.gstqpu.kernels.DeviceException when the device does not take it
     */
    void submit() {
        int result = nvkResetFences(device.handle(), 1, memAddress(fence));
        if (result == VK_SUCCESS) {
            result = device.takeForcedResult("vkQueueSubmit");
        }
        if (result == VK_SUCCESS) {
            result = nvkQueueSubmit(device.queue(), 1, submit.address(), fence.get(0));
        }
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkQueueSubmit"));
        }
        device.counters().countSubmit();
        pending = true;
    }

    /**
     * Waits until the submitted work is done; returns at once where none is.
     *
     * @throws org.gstqpu.kernels.DeviceException when the device was lost, or did not finish within the time
     */
    void await(long timeoutNanos) {
        if (!pending) {
            return;
        }
        device.counters().countWait();
        int result = nvkWaitForFences(device.handle(), 1, memAddress(fence), VK_TRUE, timeoutNanos);
        if (result == VK_SUCCESS) {
            result = device.takeForcedResult("vkWaitForFences");
        }
        if (result != VK_TIMEOUT) {
            pending = false;
        }
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkWaitForFences"));
        }
    }

    /** Frees what the ring's pools do not hold; no work may be pending. */
    @Override
    public void close() {
        if (device.mayDestroy()) {
            vkDestroyFence(device.handle(), fence.get(0), null);
            memFree(fence);
            memFree(commandBuffers);
            submit.free();
        }
    }
}
