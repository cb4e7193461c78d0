/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.block.BlockCall;
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
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.cache.LwjglLibrary;
import org.gstqpu.kernels.internal.picture.FieldwiseFilter;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufCheck;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateChoice;

/**
 * Owns the threads of the CPU kernels. One thread at a time may use the context's filters; that thread is also worker
 * 0. A context of one thread starts no other.
 */
public final class CpuFilterContext implements FilterContext {
    private final WorkerPool pool;
    private final VectorUse vectors;
    private final String reason;
    private final Runnable atClose;
    private final AtomicLong scratchBytes = new AtomicLong();
    private boolean closed;

    /**
     * Starts the threads.
     *
     * @param threads threads that work on a picture, the caller's included; 0 for one thread per processor
     * @param reason one line that says why the CPU was chosen
     */
    public CpuFilterContext(int threads, String reason) {
        this(threads, reason, () -> {});
    }

    /**
     * Starts the threads, as the other constructor does.
     *
     * @param atClose what {@link #close} does last
     */
    public CpuFilterContext(int threads, String reason, Runnable atClose) {
        this(threads, reason, VectorUse.onceWarm(), atClose);
    }

    /** Starts the threads; {@code vectors} decides when kernels use vectors, and belongs to the context from now on. */
    CpuFilterContext(int threads, String reason, VectorUse vectors) {
        this(threads, reason, vectors, () -> {});
    }

    private CpuFilterContext(int threads, String reason, VectorUse vectors, Runnable atClose) {
        LwjglLibrary.prepare();
        if (threads < 0) {
            throw new IllegalArgumentException("threads is 0 (one a processor) or more, given " + threads);
        }
        this.pool = new WorkerPool(threads == 0 ? Runtime.getRuntime().availableProcessors() : threads);
        this.reason = reason;
        this.vectors = vectors;
        this.atClose = atClose;
    }

    @Override
    public Substrate substrate() {
        return Substrate.CPU;
    }

    @Override
    public String deviceName() {
        return "CPU, " + pool.threads() + (pool.threads() == 1 ? " thread" : " threads");
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public PictureFilter newPictureFilter(PixelFormat format, int width, int height) {
        return new FieldwiseFilter(
                format, width, height, rows -> new CpuPictureFilter(pool, vectors, scratchBytes, format, width, rows));
    }

    @Override
    public void expect(PixelFormat format, PicturePlan plan) {
        vectors.expect(format, plan);
    }

    @Override
    public void rehearse(Picture picture, PicturePlan plan) {
        vectors.rehearse(picture, plan, pool.threads());
    }

    @Override
    public QualityMeter newQualityMeter(PixelFormat format, int width, int height, Set<QualityMetric> metrics) {
        return new CpuQualityMeter(pool, format, width, height, metrics);
    }

    @Override
    public Optional<DeviceMemory> importHost(long address, long sizeBytes) {
        return Optional.empty();
    }

    @Override
    public boolean importsDmabufs() {
        return false;
    }

    @Override
    public DeviceMemory importDmabuf(DmabufPicture picture) throws DmabufRefusedException {
        throw new DmabufRefusedException(DmabufCheck.DEVICE, "the CPU filters mapped memory; set substrate=qpu");
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
    public long bytesCopied() {
        return 0;
    }

    @Override
    public long copies() {
        return 0;
    }

    @Override
    public long cpuWaits() {
        return 0;
    }

    @Override
    public long fencesImported() {
        return 0;
    }

    @Override
    public long fencesExported() {
        return 0;
    }

    @Override
    public boolean timesPictures() {
        return false;
    }

    @Override
    public long lastGpuNanos() {
        return 0;
    }

    @Override
    public long medianGpuNanos() {
        return 0;
    }

    @Override
    public long reRecords() {
        return 0;
    }

    @Override
    public long poolBytes() {
        return scratchBytes.get();
    }

    @Override
    public long warmUpNanos() {
        return vectors.warmUpNanos();
    }

    @Override
    public boolean isWarmingUp() {
        return vectors.isWarmingUp();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            vectors.close();
            pool.close();
        } finally {
            atClose.run();
        }
    }
}
