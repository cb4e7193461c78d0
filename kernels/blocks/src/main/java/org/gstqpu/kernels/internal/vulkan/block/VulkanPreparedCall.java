/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.List;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.internal.vulkan.block.layout.EdgeCall;
import org.gstqpu.kernels.internal.vulkan.block.layout.RunCount;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.SubmitRing;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.substrate.SubstrateChoice;

/**
 * Owns the command buffers of one call of the block library, and the parameters that they read. Belongs to the
 * context's thread.
 *
 * <p>All command buffers are recorded at the start, so that no count of records needs another recording. An ordinary
 * call has one for each power of two of workgroups. A run uses the smallest that suffices; the workgroups beyond the
 * count end at once. This avoids indirect dispatches, each of which costs a job of its own on a V3D. A call with a
 * schedule has one command buffer for each number of segments; its dispatches take their counts from the schedule's
 * table.
 */
public final class VulkanPreparedCall implements PreparedCall {
    /**
     * Size of the parameters' buffer. Vulkan lets no implementation ask for a larger alignment of a uniform buffer
     * (minUniformBufferOffsetAlignment is at most 256).
     */
    private static final int PARAMETER_BYTES = 256;

    private final VulkanDevice device;
    private final BufferPool pool;
    private final BlockCall call;
    private final int recordsPerGroup;
    private final long timeoutNanos;
    private final SubstrateChoice choice;
    private final DeviceBuffer parameters;
    private final SubmitRing ring;
    private SubmitSlot inFlight;
    private boolean closed;

    public VulkanPreparedCall(
            DeviceRuntime runtime, BlockCall call, BlockWork work, BufferRange weights, SubstrateChoice choice) {
        device = runtime.device();
        pool = runtime.pool();
        timeoutNanos = runtime.timeoutNanos();
        KernelPipelines pipelines = runtime.pipelines();
        this.call = call;
        this.recordsPerGroup = work.recordsPerGroup();
        this.choice = choice;
        int variants = call instanceof ScheduledEdges
                ? EdgeSchedule.SEGMENTS
                : 1 + ceilingLog2(Commands.groups(call.capacity(), recordsPerGroup));
        this.parameters = pool.acquire(MemoryKind.UPLOAD, PARAMETER_BYTES);
        SubmitRing made = null;
        try {
            made = new SubmitRing(device, pipelines.setLayout(), variants, 1);
            List<BufferRange> ranges = ranges(work, weights);
            long pipeline = pipelines.pipeline(work.kernel(), work.constants());
            for (int variant = 0; variant < variants; variant++) {
                SubmitSlot slot = made.slot(variant);
                slot.writeDescriptors(0, ranges);
                Commands commands = slot.record(pipelines.layout());
                commands.bindPipeline(pipeline);
                commands.bindDescriptorSet(slot.descriptorSet(0));
                commands.push(work.push());
                // Earlier work may have written what this call reads, or may still read what this call writes.
                commands.barrier();
                if (call instanceof ScheduledEdges scheduled) {
                    recordSegments(commands, scheduled.schedule().table(), variant + 1);
                } else {
                    commands.dispatch(1 << variant, 1, 1);
                }
                slot.recorded(commands);
            }
        } catch (RuntimeException e) {
            if (made != null) {
                made.close();
            }
            pool.release(parameters);
            throw e;
        }
        this.ring = made;
    }

    private List<BufferRange> ranges(BlockWork work, BufferRange weights) {
        BufferRange records = range(work.records());
        BufferRange table = work.table() instanceof BlockWork.Table.Of own
                ? range(own.buffer())
                : work.table() instanceof BlockWork.Table.Weights ? weights : records;
        return List.of(
                range(work.source()),
                range(work.destination()),
                new BufferRange(parameters.handle(), 0, PARAMETER_BYTES),
                records,
                table,
                records);
    }

    private static BufferRange range(KernelBuffer buffer) {
        return ((VulkanKernelBuffer) buffer).range();
    }

    private static void recordSegments(Commands commands, KernelBuffer table, int segments) {
        for (int segment = 0; segment < segments; segment++) {
            if (segment > 0) {
                commands.barrier();
            }
            commands.push(EdgeCall.SEGMENT, segment);
            commands.dispatchIndirect(range(table).buffer(), (long) segment * EdgeSchedule.SEGMENT_BYTES);
        }
    }

    private static int ceilingLog2(int value) {
        return 32 - Integer.numberOfLeadingZeros(value - 1);
    }

    @Override
    public BlockCall call() {
        return call;
    }

    @Override
    public SubstrateChoice choice(int count) {
        return choice;
    }

    @Override
    public void submit(int count) {
        if (closed) {
            throw new IllegalStateException("the prepared call is closed");
        }
        if (inFlight != null) {
            throw new IllegalStateException(
                    call.kernelName() + " is in flight; await() comes before the next submit()");
        }
        device.checkAlive();
        SubmitSlot slot = slotFor(count);
        if (slot == null) {
            return;
        }
        memPutInt(parameters.address() + RunCount.COUNT, count);
        slot.submit();
        inFlight = slot;
    }

    /** The slot whose command buffer suffices for a count. Null if the count is 0. */
    private SubmitSlot slotFor(int count) {
        if (call instanceof ScheduledEdges scheduled) {
            scheduled.checkRecords(count);
            return count == 0 ? null : ring.slot(scheduled.schedule().segments() - 1);
        }
        if (count < 0 || count > call.capacity()) {
            throw new IllegalArgumentException(
                    call.kernelName() + " runs 0 to " + call.capacity() + " records, given " + count);
        }
        return count == 0 ? null : ring.slot(ceilingLog2(Commands.groups(count, recordsPerGroup)));
    }

    @Override
    public void await() {
        if (inFlight == null) {
            return;
        }
        inFlight.await(timeoutNanos);
        inFlight = null;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        ring.settle(timeoutNanos);
        ring.close();
        pool.release(parameters);
    }
}
