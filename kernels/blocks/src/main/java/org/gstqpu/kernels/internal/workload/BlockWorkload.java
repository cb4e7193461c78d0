/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.workload;

import static org.lwjgl.system.MemoryUtil.memByteBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Owns a prepared call over a batch of made-up blocks, and the call's buffers. Equal kernel, batch and seed give equal
 * contents in every context. Belongs to its context's thread; close it before the context.
 */
public final class BlockWorkload implements AutoCloseable {
    private final BlockContext context;
    private final int blocks;
    private final SplittableRandom random;
    private final List<KernelBuffer> buffers = new ArrayList<>();
    private EdgeSchedule schedule;
    private KernelBuffer output;
    private PreparedCall prepared;
    private ByteBuffer untouchedOutput;

    private BlockWorkload(BlockContext context, int blocks, long seed) {
        this.context = context;
        this.blocks = blocks;
        random = new SplittableRandom(seed);
    }

    /**
     * Makes a workload.
     *
     * @param call makes and fills buffers in the workload that it is given, and returns the call to run on them
     */
    static BlockWorkload prepare(BlockContext context, int blocks, long seed, Function<BlockWorkload, BlockCall> call) {
        BlockWorkload workload = new BlockWorkload(context, blocks, seed);
        try {
            BlockCall made = call.apply(workload);
            made.checkRecords(blocks);
            workload.untouchedOutput = workload.copyOfOutput();
            workload.prepared = context.prepare(made);
            return workload;
        } catch (RuntimeException e) {
            workload.close();
            throw e;
        }
    }

    /** Number of blocks or edges of the batch. */
    public int blocks() {
        return blocks;
    }

    /** The call that the workload runs. */
    public BlockCall call() {
        return prepared.call();
    }

    /** The source of the made-up contents. */
    SplittableRandom random() {
        return random;
    }

    /** Makes a zeroed buffer that the workload owns. */
    KernelBuffer newBuffer(long sizeBytes) {
        KernelBuffer buffer = context.newBuffer(sizeBytes);
        buffers.add(buffer);
        return buffer;
    }

    /** Makes a plane that the workload owns, and fills it. */
    KernelBuffer newPlane(BlockGrid grid) {
        KernelBuffer plane = newBuffer(grid.sizeBytes());
        grid.fill(plane, random);
        return plane;
    }

    /** Makes a schedule for the edges of the batch; the workload owns it. */
    EdgeSchedule newSchedule(EdgeSchedule.Codec codec, PictureLayout layout) {
        schedule = new EdgeSchedule(context, codec, layout, blocks);
        return schedule;
    }

    /** Declares which buffer the call writes. */
    void writes(KernelBuffer buffer) {
        output = buffer;
    }

    /** Restores the written buffer to its contents before any run. */
    public void reset() {
        bytes().put(untouchedOutput.duplicate());
    }

    /** Runs the call over the whole batch. */
    public void run() {
        prepared.run(blocks);
    }

    /** A copy of the written buffer after the last run. */
    public ByteBuffer copyOfOutput() {
        ByteBuffer copy = ByteBuffer.allocateDirect(bytes().remaining());
        copy.put(bytes());
        return copy.flip().asReadOnlyBuffer();
    }

    /** The index of the first byte of the written buffer that differs from {@code expected}. Empty if none does. */
    public OptionalLong mismatch(ByteBuffer expected) {
        int index = copyOfOutput().mismatch(expected);
        return index < 0 ? OptionalLong.empty() : OptionalLong.of(index);
    }

    /** True if a run has changed the written buffer. */
    public boolean changedOutput() {
        return mismatch(untouchedOutput).isPresent();
    }

    private ByteBuffer bytes() {
        return memByteBuffer(output.address(), Math.toIntExact(output.sizeBytes()));
    }

    /** Releases the call and the buffers. A second call does nothing. */
    @Override
    public void close() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
        if (schedule != null) {
            schedule.close();
            schedule = null;
        }
        buffers.forEach(KernelBuffer::close);
        buffers.clear();
    }
}
