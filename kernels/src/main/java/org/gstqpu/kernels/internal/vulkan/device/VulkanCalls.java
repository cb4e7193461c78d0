/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/**
 * How many calls of each kind were made to Vulkan up to some moment.
 *
 * @param creates vkCreate*
 * @param allocations vkAllocate*
 * @param descriptorWrites vkUpdateDescriptorSets
 * @param submits vkQueueSubmit
 * @param waits vkWaitForFences and vkWaitSemaphores
 * @param reRecords command buffers recorded again
 */
public record VulkanCalls(
        long creates, long allocations, long descriptorWrites, long submits, long waits, long reRecords) {
    /** Those that were made after {@code earlier}. */
    public VulkanCalls since(VulkanCalls earlier) {
        return new VulkanCalls(
                creates - earlier.creates,
                allocations - earlier.allocations,
                descriptorWrites - earlier.descriptorWrites,
                submits - earlier.submits,
                waits - earlier.waits,
                reRecords - earlier.reRecords);
    }

    /** These and {@code others} together. */
    public VulkanCalls plus(VulkanCalls others) {
        return new VulkanCalls(
                creates + others.creates,
                allocations + others.allocations,
                descriptorWrites + others.descriptorWrites,
                submits + others.submits,
                waits + others.waits,
                reRecords + others.reRecords);
    }
}
