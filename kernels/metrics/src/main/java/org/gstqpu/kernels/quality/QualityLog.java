/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The figures of the pictures of a sequence, in their order: 8 bytes for each feature of a picture. It has the figures that depend on
 * other pictures, too: those of the first and the last pictures change once others follow. Belongs to one thread at a time.
 */
public final class QualityLog {
    private static final int FIRST_CAPACITY = 1024;

    private final Set<QualityFeature> features = EnumSet.noneOf(QualityFeature.class);
    private final Map<QualityFeature, double[]> columns = new EnumMap<>(QualityFeature.class);
    private final QualityFeature[] stored;
    private final int every;
    private int capacity = FIRST_CAPACITY;
    private int pictures;

    /**
     * A log of all features of some metrics.
     *
     * @param metrics those that the meter measures
     */
    public QualityLog(Collection<QualityMetric> metrics) {
        this(metrics, 1);
    }

    /**
     * A log of pictures of which one of so many is measured, from the first one on. The others have no figures that count.
     *
     * @param metrics those that the {@link SparseMeter} measures
     * @param every of so many pictures one is measured, from 1
     */
    public QualityLog(Collection<QualityMetric> metrics, int every) {
        this.every = every;
        for (QualityMetric metric : metrics) {
            features.addAll(metric.features());
        }
        stored = features.stream().filter(feature -> feature.base() == null).toArray(QualityFeature[]::new);
        for (QualityFeature feature : stored) {
            columns.put(feature, new double[capacity]);
        }
    }

    /** Adds the figures of the next picture. Allocates only when the log grows to double its capacity. */
    public void add(QualityFigures figures) {
        if (pictures == capacity) {
            capacity *= 2;
            for (QualityFeature feature : stored) {
                columns.put(feature, Arrays.copyOf(columns.get(feature), capacity));
            }
        }
        for (QualityFeature feature : stored) {
            columns.get(feature)[pictures] = figures.get(feature);
        }
        pictures++;
    }

    /** Number of pictures. */
    public int pictures() {
        return pictures;
    }

    /** Number of pictures that were measured. */
    public int measured() {
        return (pictures + every - 1) / every;
    }

    /** True if a picture was measured, by its number. */
    public boolean isMeasured(int picture) {
        return picture % every == 0;
    }

    /** The numbers of the pictures that were measured. */
    public IntStream numbers() {
        return IntStream.range(0, pictures).filter(this::isMeasured);
    }

    /** The features of which this log has figures, in the order of {@link QualityFeature}. */
    public Set<QualityFeature> features() {
        return EnumSet.copyOf(features);
    }

    /** True if this log has figures of a feature. */
    public boolean has(QualityFeature feature) {
        return features.contains(feature);
    }

    /**
     * A figure of a picture; NaN if that was not measured and no other picture's figures depend on it. Nothing is allocated.
     *
     * @param picture its number, from 0
     * @throws IndexOutOfBoundsException when there is no such picture
     * @throws IllegalArgumentException when the log does not have this feature
     */
    public double get(int picture, QualityFeature feature) {
        if (picture < 0 || picture >= pictures) {
            throw new IndexOutOfBoundsException("the log has " + pictures + " pictures, asked for number " + picture);
        }
        if (!features.contains(feature)) {
            throw new IllegalArgumentException(
                    feature.label() + " was not measured; the meter needs the metric " + feature.metric());
        }
        if (feature.base() == null) {
            return columns.get(feature)[picture];
        }
        return feature.ofSequence(columns.get(feature.base()), pictures, picture);
    }

    /**
     * The figures of all pictures that were measured, pooled.
     *
     * @throws IllegalArgumentException when the log does not have this feature, or has no picture
     */
    public PooledFigures pool(QualityFeature feature) {
        double[] values =
                numbers().mapToDouble(picture -> get(picture, feature)).toArray();
        return switch (feature.metric()) {
            case XPSNR, XPSNR_HFR -> new PooledFigures(values, Xpsnr.mean(this, feature));
            default -> new PooledFigures(values);
        };
    }

    /**
     * The scores of all pictures that were measured, pooled.
     *
     * @throws IllegalArgumentException when the log does not have a feature of the model, or has no picture
     */
    public PooledFigures pool(VmafModel model) {
        return new PooledFigures(
                numbers().mapToDouble(picture -> model.score(this, picture)).toArray());
    }
}
