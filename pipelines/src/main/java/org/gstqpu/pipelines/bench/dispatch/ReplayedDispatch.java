/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;

/**
 * A dispatch that owns a recorded command buffer with its descriptor set. It submits that again as long as the pool returns the
 * same buffers, and records anew for others. Belongs to the context's thread.
 */
final class ReplayedDispatch implements StagedDispatch {
    private final VulkanDevice device;
    private final BufferPool pool;
    private final long destinationAddress;
    private final WorkPipeline pipeline;
    private RecordedWork recorded;
    private List<BufferRange> recordedFor = List.of();

    ReplayedDispatch(VulkanDevice device, DispatchWork work, BufferPool pool, long destinationAddress) {
        this.device = device;
        this.pool = pool;
        this.destinationAddress = destinationAddress;
        pipeline = new WorkPipeline(device, work);
    }

    @Override
    public void dispatch(long[] inputAddresses) {
        try (WorkBuffers buffers = WorkBuffers.acquire(pool, pipeline.work());
                WorkFence fence = new WorkFence(device)) {
            buffers.upload(inputAddresses, destinationAddress);
            recordUnlessFor(buffers);
            fence.run(recorded.primary());
            buffers.download(destinationAddress);
        }
    }

    private void recordUnlessFor(WorkBuffers buffers) {
        List<BufferRange> ranges = buffers.ranges();
        if (recorded == null) {
            recorded = new RecordedWork(device, pipeline, buffers);
        } else if (!ranges.equals(recordedFor)) {
            recorded.record(buffers);
        }
        recordedFor = ranges;
    }

    @Override
    public void close() {
        if (recorded != null) {
            recorded.close();
            recorded = null;
        }
        pipeline.close();
    }
}
