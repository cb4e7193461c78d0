/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.List;

/**
 * The raw Vulkan objects of a {@link StagedDispatch}, with which code outside Java can run the same dispatch. The dispatch owns
 * and destroys them. They must be idle whenever the dispatch runs.
 *
 * @param device VkDevice
 * @param queue VkQueue
 * @param commandBuffer VkCommandBuffer, already recorded
 * @param fence VkFence, unsignalled between dispatches
 * @param inputAddresses the mapped address of each input
 * @param destinationAddress the mapped address of the destination, 0 if the destination is imported
 */
public record DispatchHandles(
        long device, long queue, long commandBuffer, long fence, List<Long> inputAddresses, long destinationAddress) {
    public DispatchHandles {
        inputAddresses = List.copyOf(inputAddresses);
    }
}
