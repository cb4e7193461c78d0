/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/**
 * Numbers of calls to Vulkan up to some moment. Immutable.
 *
 * @param creates calls of vkCreate*
 * @param allocations calls of vkAllocate*
 * @param descriptorWrites calls of vkUpdateDescriptorSets
 * @param submits calls of vkQueueSubmit
 * @param waits calls of vkWaitForFences and vkWaitSemaphores
 * @param reRecords command buffers that were recorded again
 */
public record VulkanCalls(
        long creates, long allocations, long descriptorWrites, long submits, long waits, long reRecords) {
    /** Returns how many calls were made after {@code earlier}. */
    public VulkanCalls since(VulkanCalls earlier) {
        return new VulkanCalls(
                creates - earlier.creates,
                allocations - earlier.allocations,
                descriptorWrites - earlier.descriptorWrites,
                submits - earlier.submits,
                waits - earlier.waits,
                reRecords - earlier.reRecords);
    }

    /** Returns the sums of these calls and {@code others}. */
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
