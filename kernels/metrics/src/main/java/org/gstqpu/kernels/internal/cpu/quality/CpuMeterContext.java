/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Set;
import org.gstqpu.kernels.internal.cache.LwjglLibrary;
import org.gstqpu.kernels.internal.cpu.work.WorkerPool;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.Substrate;

/** Owns the threads that measure pictures on the CPU. Belongs to one thread at a time, which is also worker 0. */
public final class CpuMeterContext implements MeterContext {
    private final WorkerPool pool;

    /**
     * Starts the threads.
     *
     * @param threads threads that work on a picture, the caller's included; 0 for one thread per processor
     */
    public CpuMeterContext(int threads) {
        LwjglLibrary.prepare();
        pool = WorkerPool.of(threads);
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
    public QualityMeter newMeter(
            PixelFormat format, int width, int height, Set<QualityMetric> metrics, MetricOptions options) {
        return new CpuQualityMeter(pool, format, width, height, metrics, options);
    }

    @Override
    public void close() {
        pool.close();
    }
}
