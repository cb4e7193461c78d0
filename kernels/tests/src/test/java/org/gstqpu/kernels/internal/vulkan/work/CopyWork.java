/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.util.List;
import org.gstqpu.kernels.internal.vulkan.block.CallKernel;
import org.gstqpu.kernels.internal.vulkan.block.layout.CdefBlockFilterCall;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.lwjgl.system.MemoryUtil;

/**
 * Work for tests of how submissions depend on each other: owns one slot whose work copies {@link #BYTES} bytes from one
 * buffer to another, by CDEF without strength.
 */
final class CopyWork implements AutoCloseable {
    static final int BYTES = 64;
    static final long TIMEOUT_NANOS = 600_000_000_000L;

    private static final int COUNT_BYTES = 256;
    private static final int ROW_WORDS = 2;

    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final DeviceBuffer count;
    private final DeviceBuffer record;
    private final SubmitRing ring;

    CopyWork(TestDevice test, BufferRange from, BufferRange to) {
        VulkanDevice device = test.device();
        pool = new BufferPool(device);
        pipelines = test.newPipelines();
        count = pool.acquire(MemoryKind.UPLOAD, COUNT_BYTES);
        record = pool.acquire(MemoryKind.UPLOAD, COUNT_BYTES);
        MemoryUtil.memPutInt(count.address(), 1);
        MemoryUtil.memSet(record.address(), 0, COUNT_BYTES);
        ring = new SubmitRing(device, pipelines.setLayout(), 1, 1);
        SubmitSlot slot = slot();
        slot.writeDescriptors(0, List.of(from, to, count.range(), record.range(), record.range(), record.range()));
        Commands commands = slot.record(pipelines.layout());
        commands.bindPipeline(pipelines.pipeline(CallKernel.CDEF_BLOCK_FILTER, 256, 1, 8, 0, 0));
        commands.bindDescriptorSet(slot.descriptorSet(0));
        commands.push(new PushConstants(CdefBlockFilterCall.BYTES)
                .put(CdefBlockFilterCall.SOURCE_STRIDE, ROW_WORDS)
                .put(CdefBlockFilterCall.LAST_SOURCE_OFFSET, 0)
                .put(CdefBlockFilterCall.LAST_SOURCE_WORD, BYTES / 4 - 1)
                .put(CdefBlockFilterCall.DESTINATION_STRIDE, ROW_WORDS)
                .put(CdefBlockFilterCall.LAST_DESTINATION_OFFSET, 0));
        // What ran before on the same queue wrote what this reads, or read what it writes.
        commands.barrier();
        commands.dispatch(1, 1, 1);
        slot.recorded(commands);
    }

    SubmitSlot slot() {
        return ring.slot(0);
    }

    /** Waits for the copy and frees all; the buffers are somebody else's. */
    @Override
    public void close() {
        ring.drain(TIMEOUT_NANOS);
        ring.close();
        pool.release(count);
        pool.release(record);
        pipelines.close();
        pool.close();
    }
}
