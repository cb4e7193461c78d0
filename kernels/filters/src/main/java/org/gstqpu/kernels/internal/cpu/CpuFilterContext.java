/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.cache.LwjglLibrary;
import org.gstqpu.kernels.internal.cpu.work.WorkerPool;
import org.gstqpu.kernels.internal.picture.FieldwiseFilter;
import org.gstqpu.kernels.internal.picture.WarmingContext;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;

/**
 * Owns the threads of the CPU kernels. One thread at a time may use the context's filters; that thread is also worker
 * 0. A context of one thread starts no other.
 */
public final class CpuFilterContext implements FilterContext, WarmingContext {
    private final WorkerPool pool;
    private final WarmUp warmUp;
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

    /** Starts the threads; {@code vectors} decides when kernels use vectors. */
    public CpuFilterContext(int threads, String reason, VectorUse vectors) {
        this(threads, reason, vectors, () -> {});
    }

    private CpuFilterContext(int threads, String reason, VectorUse vectors, Runnable atClose) {
        LwjglLibrary.prepare();
        this.pool = WorkerPool.of(threads);
        this.reason = reason;
        warmUp = new WarmUp(vectors);
        this.atClose = atClose;
    }

    /** Exercises the kernels. */
    WarmUp warmUp() {
        return warmUp;
    }

    @Override
    public Substrate substrate() {
        return Substrate.CPU;
    }

    @Override
    public String deviceName() {
        return pool.name();
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public PictureFilter newPictureFilter(PixelFormat format, int width, int height) {
        return new FieldwiseFilter(
                format, width, height, rows -> new CpuPictureFilter(pool, warmUp, scratchBytes, format, width, rows));
    }

    @Override
    public void expect(PixelFormat format, PicturePlan plan) {
        warmUp.expect(format, plan);
    }

    @Override
    public void rehearse(Picture picture, PicturePlan plan) {
        warmUp.rehearse(picture, plan, pool.threads());
    }

    @Override
    public long poolBytes() {
        return scratchBytes.get();
    }

    @Override
    public long warmUpNanos() {
        return warmUp.readyNanos();
    }

    @Override
    public boolean isWarmingUp() {
        return warmUp.isWarmingUp();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            warmUp.close();
            pool.close();
        } finally {
            atClose.run();
        }
    }
}
