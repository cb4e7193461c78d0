/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.block.Shrinkage;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.internal.cache.LwjglLibrary;
import org.gstqpu.kernels.internal.cpu.work.WorkerPool;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateChoice;

/** Owns the threads that run block calls on the CPU. Belongs to one thread at a time, which is also worker 0. */
public final class CpuBlockContext implements BlockContext {
    private final WorkerPool pool;
    private final String reason;

    /**
     * Starts the threads.
     *
     * @param threads threads that work on a call, the caller's included; 0 for one thread per processor
     * @param reason one line that says why the CPU was chosen
     */
    public CpuBlockContext(int threads, String reason) {
        LwjglLibrary.prepare();
        pool = WorkerPool.of(threads);
        this.reason = reason;
    }

    /** {@code "CPU, N threads"}. */
    public String deviceName() {
        return pool.name();
    }

    @Override
    public KernelBuffer newBuffer(long sizeBytes) {
        return new CpuKernelBuffer(sizeBytes);
    }

    @Override
    public PreparedCall prepare(BlockCall call) {
        return new CpuPreparedCall(pool, call, batch(call), new SubstrateChoice(Substrate.CPU, reason));
    }

    private BlockBatch batch(BlockCall call) {
        int workers = pool.threads();
        if (call instanceof Vp9IdctAdd idct) {
            return new Vp9IdctBatch(idct, workers);
        }
        if (call instanceof Vp9LoopFilter edges) {
            return new Vp9LoopFilterBatch(edges.records(), edges.picture(), edges.strideBytes());
        }
        if (call instanceof Vp9MotionCompensation motion) {
            return new Vp9MotionBatch(motion, workers);
        }
        if (call instanceof CdefDirection direction) {
            return new CdefDirectionBatch(direction, workers);
        }
        if (call instanceof CdefFilter filter) {
            return new CdefFilterBatch(filter, workers);
        }
        if (call instanceof Shrinkage shrinkage) {
            return new ShrinkageBatch(shrinkage, workers);
        }
        if (call instanceof H264Edge edges) {
            return new H264EdgeBatch(edges.records(), edges.picture(), edges.chroma(), edges.strideBytes());
        }
        if (call instanceof ScheduledEdges scheduled) {
            return batch(scheduled);
        }
        throw new IllegalArgumentException("not a call of this library: " + call);
    }

    private static BlockBatch batch(ScheduledEdges scheduled) {
        EdgeSchedule schedule = scheduled.schedule();
        PictureLayout layout = schedule.layout();
        int[] strideBytes = new int[layout.format().planes()];
        for (int plane = 0; plane < strideBytes.length; plane++) {
            strideBytes[plane] = layout.strideBytes(plane);
        }
        return switch (schedule.codec()) {
            case VP9 -> new Vp9LoopFilterBatch(schedule.records(), scheduled.picture(), strideBytes);
            case H264 -> new H264EdgeBatch(schedule.records(), scheduled.picture(), false, strideBytes);
        };
    }

    @Override
    public long submits() {
        return 0;
    }

    @Override
    public void close() {
        pool.close();
    }
}
