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
 * Owns a prepared call over a batch of made-up blocks, with its buffers. The same kernel, batch and seed make the same
 * contents in every context. Belongs to its context's thread; closed before the context.
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
     * @param call makes buffers in the workload that it is given, fills them, and says what to run on them
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

    /** Blocks or edges of the batch. */
    public int blocks() {
        return blocks;
    }

    /** What it runs. */
    public BlockCall call() {
        return prepared.call();
    }

    /** Draws the contents. */
    SplittableRandom random() {
        return random;
    }

    /** A new zeroed buffer that the workload owns. */
    KernelBuffer newBuffer(long sizeBytes) {
        KernelBuffer buffer = context.newBuffer(sizeBytes);
        buffers.add(buffer);
        return buffer;
    }

    /** A new plane that the workload owns, filled. */
    KernelBuffer newPlane(BlockGrid grid) {
        KernelBuffer plane = newBuffer(grid.sizeBytes());
        grid.fill(plane, random);
        return plane;
    }

    /** A new schedule for edges of the batch that the workload owns. */
    EdgeSchedule newSchedule(EdgeSchedule.Codec codec, PictureLayout layout) {
        schedule = new EdgeSchedule(context, codec, layout, blocks);
        return schedule;
    }

    /** The buffer that the call writes. */
    void writes(KernelBuffer buffer) {
        output = buffer;
    }

    /** Puts into the written buffer what was there before any run. */
    public void reset() {
        bytes().put(untouchedOutput.duplicate());
    }

    /** Runs the call over the whole batch. */
    public void run() {
        prepared.run(blocks);
    }

    /** What the last run wrote, and around it what was there before. */
    public ByteBuffer copyOfOutput() {
        ByteBuffer copy = ByteBuffer.allocateDirect(bytes().remaining());
        copy.put(bytes());
        return copy.flip().asReadOnlyBuffer();
    }

    /** The first byte in which what the last run wrote is not {@code expected}. */
    public OptionalLong mismatch(ByteBuffer expected) {
        int index = copyOfOutput().mismatch(expected);
        return index < 0 ? OptionalLong.empty() : OptionalLong.of(index);
    }

    /** Whether a run has changed anything. */
    public boolean changedOutput() {
        return mismatch(untouchedOutput).isPresent();
    }

    private ByteBuffer bytes() {
        return memByteBuffer(output.address(), Math.toIntExact(output.sizeBytes()));
    }

    /** Releases call and buffers; a second call does nothing. */
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
