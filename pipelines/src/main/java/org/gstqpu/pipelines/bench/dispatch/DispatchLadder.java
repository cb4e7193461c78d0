/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.block.BlockWork;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCalls;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.pipelines.bench.dispatch.DispatchWork.Buffer;
import org.gstqpu.pipelines.bench.dispatch.DispatchWork.Role;

/**
 * Makes dispatches in every {@link DispatchStage}, so that the cost of each stage can be measured. Uses the device and the
 * buffer pool of one context, owns nothing, and belongs to the context's thread.
 */
public final class DispatchLadder {
    /** Number of blocks in {@link #vp9Idct8x8}. */
    public static final int BLOCKS = 8;

    /** Bytes from one row to the next of the picture of {@link #vp9Idct8x8}. */
    public static final int STRIDE_BYTES = BLOCKS * 8;

    /** Bytes of the picture of {@link #vp9Idct8x8}. */
    public static final int PICTURE_BYTES = STRIDE_BYTES * 8;

    /** Bytes of that input of {@link #vp9Idct8x8} which holds the number of blocks. */
    public static final int COUNT_BYTES = 16;

    private final VulkanFilterContext context;
    private final VulkanDevice device;
    private final BufferPool pool;

    public DispatchLadder(VulkanFilterContext context) {
        this.context = context;
        device = context.device();
        pool = context.pool();
    }

    /**
     * VP9 IDCT 8x8 of {@value #BLOCKS} blocks, one beside the other. The inputs are the coefficients of {@link Vp9IdctAdd}; the
     * number of blocks as u32, padded to {@value #COUNT_BYTES} bytes; and the records of {@link Vp9IdctAdd}. The destination is
     * a picture of {@value #PICTURE_BYTES} bytes.
     */
    public DispatchWork vp9Idct8x8() {
        try (KernelBuffer coefficients = context.newBuffer(BLOCKS * Vp9IdctAdd.COEFFICIENT_BYTES);
                KernelBuffer records = context.newBuffer(BLOCKS * Vp9IdctAdd.RECORD_BYTES);
                KernelBuffer picture = context.newBuffer(PICTURE_BYTES)) {
            Vp9IdctAdd call = new Vp9IdctAdd(coefficients, records, BLOCKS, picture, STRIDE_BYTES);
            return DispatchWork.of(
                    BlockWork.of(call, context.exchange()),
                    BLOCKS,
                    List.of(
                            new Buffer(Role.INPUT, BLOCKS * Vp9IdctAdd.COEFFICIENT_BYTES),
                            new Buffer(Role.DESTINATION, PICTURE_BYTES),
                            new Buffer(Role.INPUT, COUNT_BYTES),
                            new Buffer(Role.INPUT, BLOCKS * Vp9IdctAdd.RECORD_BYTES)));
        }
    }

    /** Whether the device supports a stage. Every device supports those before {@link DispatchStage#IMPORTED_DESTINATION}. */
    public boolean offers(DispatchStage stage) {
        return stage != DispatchStage.IMPORTED_DESTINATION || device.canImportHostPointers();
    }

    /**
     * Makes the objects that a stage keeps.
     *
     * @param destinationAddress memory of the caller, {@link DispatchWork#destinationBytes} long, valid until the dispatch is
     *     closed; whole pages for {@link DispatchStage#IMPORTED_DESTINATION}
     * @throws DeviceException when the device has not enough memory, or does not import the destination
     */
    public StagedDispatch open(DispatchStage stage, DispatchWork work, long destinationAddress) {
        return switch (stage) {
            case FRESH_ALLOCATION -> new UnkeptDispatch(device, work, Optional.empty(), destinationAddress);
            case BUFFER_POOL -> new UnkeptDispatch(device, work, Optional.of(pool), destinationAddress);
            case PERSISTENT_COMMAND_BUFFER -> new ReplayedDispatch(device, work, pool, destinationAddress);
            case PREMADE_FENCE_AND_SET -> new PremadeDispatch(device, work, pool, destinationAddress, false);
            case IMPORTED_DESTINATION -> new PremadeDispatch(device, work, pool, destinationAddress, true);
        };
    }

    /**
     * Makes a replay without primary command buffers.
     *
     * @param destinationAddress memory of the caller, {@link DispatchWork#destinationBytes} long, valid until the replay is
     *     closed
     * @param executes how often a primary command buffer contains the work, 1 or more
     * @throws DeviceException when the device has not enough memory
     */
    public CommandReplay openReplay(CommandMode mode, DispatchWork work, long destinationAddress, int executes) {
        if (executes < 1) {
            throw new IllegalArgumentException("a command buffer contains the work 1 or more times, given " + executes);
        }
        return new CommandReplay(device, pool, mode, work, destinationAddress, executes);
    }

    /** Alignment of imported memory in bytes. Its size is a multiple of this, too. */
    public long importAlignmentBytes() {
        return Math.max(1, device.capabilities().hostPointerAlignmentBytes());
    }

    /** The number of Vulkan calls that the context has made so far. */
    public VulkanCalls calls() {
        VulkanCounters counters = device.counters();
        return new VulkanCalls(
                counters.objectsCreated(),
                counters.allocations(),
                counters.descriptorWrites(),
                counters.submits(),
                counters.waits(),
                counters.reRecords());
    }
}
