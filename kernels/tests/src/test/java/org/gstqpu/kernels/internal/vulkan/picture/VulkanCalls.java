/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;

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
record VulkanCalls(long creates, long allocations, long descriptorWrites, long submits, long waits, long reRecords) {
    /** Those of a context up to now. */
    static VulkanCalls of(VulkanFilterContext context) {
        VulkanCounters counters = context.runtime().device().counters();
        return new VulkanCalls(
                counters.get(Counted.OBJECTS_CREATED),
                counters.get(Counted.ALLOCATIONS),
                counters.get(Counted.DESCRIPTOR_WRITES),
                counters.get(Counted.SUBMITS),
                counters.get(Counted.WAITS),
                counters.get(Counted.RE_RECORDS));
    }

    /** Returns how many calls were made after {@code earlier}. */
    VulkanCalls since(VulkanCalls earlier) {
        return new VulkanCalls(
                creates - earlier.creates,
                allocations - earlier.allocations,
                descriptorWrites - earlier.descriptorWrites,
                submits - earlier.submits,
                waits - earlier.waits,
                reRecords - earlier.reRecords);
    }

    /** Returns the sums of these calls and {@code others}. */
    VulkanCalls plus(VulkanCalls others) {
        return new VulkanCalls(
                creates + others.creates,
                allocations + others.allocations,
                descriptorWrites + others.descriptorWrites,
                submits + others.submits,
                waits + others.waits,
                reRecords + others.reRecords);
    }
}
