/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.vulkan.VK11.VK_COMMAND_BUFFER_LEVEL_PRIMARY;

import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * Owns a primary command buffer with one dispatch, and the descriptor set of that dispatch. Belongs to the context's thread.
 */
final class RecordedWork implements AutoCloseable {
    private final VulkanDevice device;
    private final WorkPipeline pipeline;
    private final WorkDescriptors descriptors;
    private WorkCommands primaries;
    private boolean recorded;

    /** Makes the descriptor set and the command buffer, and records the dispatch over these buffers. */
    RecordedWork(VulkanDevice device, WorkPipeline pipeline, WorkBuffers buffers) {
        this.device = device;
        this.pipeline = pipeline;
        descriptors = new WorkDescriptors(device, pipeline);
        try {
            primaries = new WorkCommands(device, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1);
            record(buffers);
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    VkCommandBuffer primary() {
        return primaries.get(0);
    }

    /** Records the dispatch again, over other buffers. The command buffer must not be pending. */
    void record(WorkBuffers buffers) {
        if (recorded) {
            device.counters().countReRecord();
        }
        recorded = true;
        descriptors.write(buffers);
        Commands commands = new Commands(primary(), pipeline.layout());
        pipeline.record(commands, descriptors.set());
        commands.end();
    }

    @Override
    public void close() {
        if (primaries != null) {
            primaries.close();
        }
        descriptors.close();
    }
}
