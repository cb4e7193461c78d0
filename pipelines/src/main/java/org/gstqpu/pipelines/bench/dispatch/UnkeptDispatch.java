/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.vulkan.VK11.VK_COMMAND_BUFFER_LEVEL_PRIMARY;

import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * A dispatch that owns only its pipeline, and makes all other objects each time. With a pool, it takes the buffers from there.
 * Belongs to the context's thread.
 */
final class UnkeptDispatch implements StagedDispatch {
    private final VulkanDevice device;
    private final WorkPipeline pipeline;
    private final Optional<BufferPool> pool;
    private final long destinationAddress;

    UnkeptDispatch(VulkanDevice device, DispatchWork work, Optional<BufferPool> pool, long destinationAddress) {
        this.device = device;
        this.pool = pool;
        this.destinationAddress = destinationAddress;
        pipeline = new WorkPipeline(device, work);
    }

    @Override
    public void dispatch(long[] inputAddresses) {
        try (WorkBuffers buffers = buffers();
                WorkDescriptors descriptors = new WorkDescriptors(device, pipeline);
                WorkCommands primaries = new WorkCommands(device, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1);
                WorkFence fence = new WorkFence(device)) {
            buffers.upload(inputAddresses, destinationAddress);
            descriptors.write(buffers);
            VkCommandBuffer primary = primaries.get(0);
            Commands commands = new Commands(primary, pipeline.layout());
            pipeline.record(commands, descriptors.set());
            commands.end();
            fence.run(primary);
            buffers.download(destinationAddress);
        }
    }

    private WorkBuffers buffers() {
        return pool.isPresent()
                ? WorkBuffers.acquire(pool.get(), pipeline.work())
                : WorkBuffers.allocate(device, pipeline.work());
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
