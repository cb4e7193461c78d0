/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.List;

/**
 * The raw objects of a dispatch that is kept ready, for whoever makes it by other means than Java. They stay the dispatch's
 * and end with it; none may be in use when it is dispatched.
 *
 * @param device VkDevice
 * @param queue VkQueue
 * @param commandBuffer VkCommandBuffer, recorded
 * @param fence VkFence, unsignalled between dispatches
 * @param inputAddresses where the CPU writes each input
 * @param destinationAddress where the CPU finds the destination, 0 where it is imported
 */
public record DispatchHandles(
        long device, long queue, long commandBuffer, long fence, List<Long> inputAddresses, long destinationAddress) {
    public DispatchHandles {
        inputAddresses = List.copyOf(inputAddresses);
    }
}
