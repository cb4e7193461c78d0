/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;
import org.gstqpu.kernels.internal.cpu.work.WorkerPool;
import org.gstqpu.kernels.internal.memory.PictureKind;
import org.gstqpu.kernels.internal.quality.ClassicFigures;
import org.gstqpu.kernels.internal.quality.MetricChoice;
import org.gstqpu.kernels.internal.quality.MetricFamily;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * Measures pictures on the pool's workers, which take extractors and strips in turns. Belongs to its caller's thread, one
 * thread at a time; {@link #work} runs on all workers at once.
 */
final class CpuQualityMeter implements QualityMeter, PictureJob {
    private final WorkerPool pool;
    private final Set<QualityMetric> metrics;
    private final PictureKind kind;
    private final QualityStrips strips;
    private final CpuExtractor[] extractors;
    private final PairSamples pair;
    private final AtomicInteger next = new AtomicInteger();
    private QualityFigures figures;
    private boolean closed;

    CpuQualityMeter(
            WorkerPool pool,
            PixelFormat format,
            int width,
            int height,
            Set<QualityMetric> metrics,
            MetricOptions options) {
        this.pool = pool;
        this.metrics = MetricChoice.checked(metrics, options, format, width, height);
        kind = new PictureKind("meter", format, width, height);
        strips = new QualityStrips(
                pool.threads(),
                format,
                width,
                height,
                metrics.contains(QualityMetric.PSNR) || metrics.contains(QualityMetric.SSIM),
                metrics.contains(QualityMetric.PSNR_HVS));
        List<CpuExtractor> made = CpuExtractors.of(metrics, options, format, width, height);
        extractors = made.toArray(CpuExtractor[]::new);
        pair = made.isEmpty()
                ? null
                : new PairSamples(
                        format,
                        width,
                        height,
                        MetricFamily.of(metrics).keySet().stream().anyMatch(MetricFamily::readsChroma));
    }

    @Override
    public Set<QualityMetric> metrics() {
        return metrics;
    }

    @Override
    public void measure(Picture reference, Picture measured, QualityFigures figures) {
        if (closed) {
            throw new IllegalStateException("the quality meter is closed");
        }
        long referenceAddress = kind.address("reference", reference.memory(), reference.layout());
        long address = kind.address("measured", measured.memory(), measured.layout());
        this.figures = figures;
        figures.clear();
        strips.set(referenceAddress, reference.layout(), address, measured.layout());
        if (pair != null) {
            pair.load(referenceAddress, reference.layout(), address, measured.layout());
        }
        next.set(0);
        pool.run(this);
        strips.addTo(figures.sums());
        ClassicFigures.put(metrics, figures);
    }

    @Override
    public void work(int worker) {
        int count = extractors.length + strips.count();
        for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            if (i < extractors.length) {
                extractors[i].extract(pair, figures);
            } else {
                strips.measure(worker, i - extractors.length);
            }
        }
    }

    @Override
    public void restart() {
        if (pair != null) {
            pair.restart();
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
