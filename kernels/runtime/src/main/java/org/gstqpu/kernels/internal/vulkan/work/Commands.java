/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.EXTQueueFamilyForeign.VK_QUEUE_FAMILY_FOREIGN_EXT;
import static org.lwjgl.vulkan.VK11.*;

import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferMemoryBarrier;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkMemoryBarrier;

/** Records compute work into one command buffer, which the caller owns. Belongs to the context's thread. */
public final class Commands {
    final VkCommandBuffer buffer;
    private final long layout;
    private int dispatches;

    /**
     * Begins a recording that may be submitted any number of times, one submission after the other.
     *
     * @param layout the pipelines' layout
     */
    public Commands(VkCommandBuffer buffer, long layout) {
        this.buffer = buffer;
        this.layout = layout;
        try (MemoryStack stack = stackPush()) {
            VkCommandBufferBeginInfo info =
                    VkCommandBufferBeginInfo.calloc(stack).sType$Default();
            VulkanResult.check(vkBeginCommandBuffer(buffer, info), "vkBeginCommandBuffer");
        }
    }

    public void bindPipeline(long pipeline) {
        vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    }

    public void bindDescriptorSet(long set) {
        try (MemoryStack stack = stackPush()) {
            vkCmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, stack.longs(set), null);
        }
    }

    /** Sets all push constants of a kernel, which may have none. */
    public void push(PushConstants constants) {
        if (constants.bytes().hasRemaining()) {
            vkCmdPushConstants(buffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, constants.bytes());
        }
    }

    /** Sets the push constant at byte {@code at}; all others stay as they were. */
    public void push(int at, int value) {
        try (MemoryStack stack = stackPush()) {
            vkCmdPushConstants(buffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, at, stack.ints(value));
        }
    }

    /** Workgroups that it takes for so many items, of which a workgroup does {@code perGroup}. */
    public static int groups(int items, int perGroup) {
        return (items + perGroup - 1) / perGroup;
    }

    public void dispatch(int x, int y, int z) {
        dispatches++;
        vkCmdDispatch(buffer, x, y, z);
    }

    /** Dispatches the workgroups that three words of a buffer count. */
    public void dispatchIndirect(long buffer, long offsetBytes) {
        dispatches++;
        vkCmdDispatchIndirect(this.buffer, buffer, offsetBytes);
    }

    /** Number of dispatches recorded so far. */
    int dispatches() {
        return dispatches;
    }

    /**
     * Orders memory accesses: later dispatches see what earlier ones wrote, and may overwrite what earlier ones read.
     */
    public void barrier() {
        barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    }

    /**
     * Orders memory accesses as {@link #barrier} does; in addition, later indirect dispatches see what earlier
     * dispatches wrote.
     */
    public void indirectBarrier() {
        barrier(
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
    }

    /** Resets queries, so that they can be written again. */
    void resetQueries(long pool, int first, int count) {
        vkCmdResetQueryPool(buffer, pool, first, count);
    }

    /**
     * Writes a timestamp when all earlier work has passed a stage.
     *
     * @param stage one VkPipelineStageFlagBits
     */
    void timestamp(int stage, long pool, int query) {
        vkCmdWriteTimestamp(buffer, stage, pool, query);
    }

    /** Copies the results of queries into a buffer. The CPU sees them there once the work is done. */
    void copyQueries(long pool, int first, int count, long to, long offsetBytes, long strideBytes, int flags) {
        vkCmdCopyQueryPoolResults(buffer, pool, first, count, to, offsetBytes, strideBytes, flags);
        barrier(
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
    }

    /** Acquires a picture's buffers from drivers of other devices. Must come before any other use of them. */
    public void takeFromForeign(PicturePlace place, int queueFamily) {
        for (int plane = 0; plane < place.layout().format().planes(); plane++) {
            if (isFirstIn(place, plane)) {
                changeOwner(
                        place.range(plane),
                        VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                        0,
                        VK_QUEUE_FAMILY_FOREIGN_EXT,
                        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                        queueFamily);
            }
        }
    }

    /** Releases a picture's buffers to drivers of other devices, which then see what was written to them. */
    public void giveToForeign(PicturePlace place, int queueFamily) {
        for (int plane = 0; plane < place.layout().format().planes(); plane++) {
            if (isFirstIn(place, plane)) {
                changeOwner(
                        place.range(plane),
                        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                        VK_ACCESS_SHADER_WRITE_BIT,
                        queueFamily,
                        VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                        0,
                        VK_QUEUE_FAMILY_FOREIGN_EXT);
            }
        }
    }

    /** True if no earlier plane lies in the same buffer. */
    private static boolean isFirstIn(PicturePlace place, int plane) {
        for (int before = 0; before < plane; before++) {
            if (place.range(before).equals(place.range(plane))) {
                return false;
            }
        }
        return true;
    }

    private void changeOwner(
            BufferRange range, int fromStage, int fromAccess, int fromFamily, int toStage, int toAccess, int toFamily) {
        try (MemoryStack stack = stackPush()) {
            VkBufferMemoryBarrier.Buffer change = VkBufferMemoryBarrier.calloc(1, stack)
                    .sType$Default()
                    .srcAccessMask(fromAccess)
                    .dstAccessMask(toAccess)
                    .srcQueueFamilyIndex(fromFamily)
                    .dstQueueFamilyIndex(toFamily)
                    .buffer(range.buffer())
                    .offset(range.offsetBytes())
                    .size(range.sizeBytes());
            vkCmdPipelineBarrier(buffer, fromStage, toStage, 0, null, change, null);
        }
    }

    /** Makes everything that was written visible to the CPU, and ends the recording. */
    public void end() {
        barrier(VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        VulkanResult.check(vkEndCommandBuffer(buffer), "vkEndCommandBuffer");
    }

    private void barrier(int stage, int access) {
        barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, stage, access);
    }

    private void barrier(int fromStage, int fromAccess, int toStage, int toAccess) {
        try (MemoryStack stack = stackPush()) {
            VkMemoryBarrier.Buffer memory = VkMemoryBarrier.calloc(1, stack)
                    .sType$Default()
                    .srcAccessMask(fromAccess)
                    .dstAccessMask(toAccess);
            vkCmdPipelineBarrier(buffer, fromStage, toStage, 0, memory, null, null);
        }
    }
}
