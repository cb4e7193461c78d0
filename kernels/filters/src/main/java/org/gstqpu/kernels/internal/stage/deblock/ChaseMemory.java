/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import java.util.Collections;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.layout.ChaseCounters;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.CommonKernel;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.SubmitRing;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.internal.vulkan.work.layout.WordRange;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Owns the memory through which the workgroups of {@link DeblockForm#CHASE} follow one another: counters of their
 * progress, and the lines of samples that a workgroup hands to the next. Every picture finds the counters 0 and leaves
 * them 0. Belongs to the context's thread.
 */
final class ChaseMemory implements AutoCloseable {
    private static final int CLEAR_INVOCATIONS = 64;
    private static final int WORD_BYTES = 4;

    /** Samples of luma that a workgroup hands on for each macroblock. Chroma takes fewer. */
    private static final long HANDED_SAMPLES_PER_MACROBLOCK = 64;

    private final BufferPool pool;
    private final long countersBytes;
    private final long handedAt;
    private final long handedBytes;
    private final DeviceBuffer buffer;

    private ChaseMemory(BufferPool pool, int chasers, int columns, int sampleBytes) {
        this.pool = pool;
        this.countersBytes = ChaseCounters.PROGRESS + (long) chasers * ChaseCounters.PROGRESS_STEP;
        this.handedAt = ParameterRoom.align(countersBytes);
        this.handedBytes = HANDED_SAMPLES_PER_MACROBLOCK * sampleBytes * chasers * columns;
        this.buffer = pool.acquire(MemoryKind.DEVICE, handedAt + handedBytes);
    }

    /**
     * Makes memory whose counters are 0. A submission of its own clears the counters, and this method waits for it.
     *
     * @param chasers number of workgroups
     * @param columns macroblocks in a row
     * @param sampleBytes bytes of a sample
     * @throws DeviceException if the device is out of memory, failed, or did not finish within the time; nothing is
     *     left behind
     */
    static ChaseMemory cleared(DeviceRuntime runtime, int chasers, int columns, int sampleBytes) {
        ChaseMemory memory = new ChaseMemory(runtime.pool(), chasers, columns, sampleBytes);
        try {
            memory.clear(runtime);
        } catch (DeviceException e) {
            memory.close();
            throw e;
        }
        return memory;
    }

    BufferRange counters() {
        return new BufferRange(buffer.handle(), 0, countersBytes);
    }

    BufferRange handed() {
        return new BufferRange(buffer.handle(), handedAt, handedBytes);
    }

    private void clear(DeviceRuntime runtime) {
        VulkanDevice device = runtime.device();
        KernelPipelines pipelines = runtime.pipelines();
        try (SubmitRing ring = new SubmitRing(device, pipelines.setLayout(), 1, 1)) {
            SubmitSlot slot = ring.slot(0);
            slot.writeDescriptors(0, Collections.nCopies(KernelPipelines.BINDINGS, counters()));
            Commands commands = slot.record(pipelines.layout());
            commands.bindDescriptorSet(slot.descriptorSet(0));
            commands.bindPipeline(pipelines.pipeline(CommonKernel.CLEAR, CLEAR_INVOCATIONS));
            int counters = (int) (countersBytes / WORD_BYTES);
            commands.push(WordRange.COUNT, counters);
            commands.dispatch(Commands.groups(counters, CLEAR_INVOCATIONS), 1, 1);
            // The host waits for the fence, so work that is submitted later sees the cleared memory.
            commands.barrier();
            slot.recorded(commands);
            slot.submit();
            slot.await(runtime.timeoutNanos());
        }
    }

    @Override
    public void close() {
        pool.release(buffer);
    }
}
