/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * The figures of one picture, as a {@link QualityMeter} measured them. Mutable, so that measuring a picture allocates nothing: one
 * object serves a whole sequence. Belongs to one thread at a time.
 */
public final class QualityFigures {
    private static final QualityFeature[] FEATURES = QualityFeature.values();

    /** One element for each feature. */
    private final Map<QualityFeature, double[]> figures = new EnumMap<>(QualityFeature.class);

    private final QualitySums sums = new QualitySums();

    /** Figures of no picture. */
    public QualityFigures() {
        for (QualityFeature feature : FEATURES) {
            figures.put(feature, new double[] {Double.NaN});
        }
    }

    /**
     * A figure of the picture; NaN if the meter does not measure it, or the picture has none.
     *
     * @throws IllegalArgumentException for a figure that depends on other pictures, which a {@link QualityLog} has
     */
    public double get(QualityFeature feature) {
        if (feature.base() != null) {
            throw new IllegalArgumentException(
                    feature.label() + " depends on other pictures; add the figures to a QualityLog and read it there");
        }
        return figures.get(feature)[0];
    }

    /** The sums behind PSNR, SSIM and PSNR-HVS of this picture, to be added to those of other pictures. */
    public QualitySums sums() {
        return sums;
    }

    /** Forgets all figures. */
    public void clear() {
        for (QualityFeature feature : FEATURES) {
            figures.get(feature)[0] = Double.NaN;
        }
        sums.clear();
    }

    /** Takes the figures of some metrics, and the sums, from others of the same picture. */
    void addAll(QualityFigures others, Set<QualityMetric> metrics) {
        for (QualityFeature feature : FEATURES) {
            if (feature.base() == null && metrics.contains(feature.metric())) {
                set(feature, others.get(feature));
            }
        }
        sums.add(others.sums);
    }

    /** Sets a figure; {@link QualityMeter}s call this. */
    public void set(QualityFeature feature, double value) {
        figures.get(feature)[0] = value;
    }
}
