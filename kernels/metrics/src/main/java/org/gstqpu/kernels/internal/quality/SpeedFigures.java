/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * SpEED of chroma: how much the entropy of the blocks of a picture differs from that of its reference, each weighted by its variance.
 * Owns the entropies and variances. Belongs to one thread at a time.
 */
public final class SpeedFigures {
    /** The eye's own noise. */
    public static final float NOISE = 0.19f;

    /** Samples of a block, each way. */
    public static final int SIDE = 5;

    public static final int SAMPLES = SIDE * SIDE;

    /** Entropy of a Gaussian of variance 1, twice. */
    public static final double GAUSSIAN_ENTROPY = log2(2 * Math.PI * Math.E);

    /** A share of that noise below which nothing is seen. */
    private static final float UNSEEN_SHARE = 0.1f;

    private static final float GREATEST = 45;

    /** Planes of a pair: of Cb the reference and the picture, then of Cr. */
    public static final int PLANES = 4;

    private final SpeedShape shape;
    private final QualityFeature cb;
    private final QualityFeature cr;
    private final QualityFeature both;
    private final float[][] entropies = new float[PLANES][];
    private final float[][] variances = new float[PLANES][];
    private final boolean[] tells = new boolean[PLANES];
    private final float unseen;

    /**
     * SpEED of pictures.
     *
     * @param metric one of the three of SpEED
     */
    public SpeedFigures(QualityMetric metric, MetricOptions options, PixelFormat format, int width, int height) {
        shape = new SpeedShape(metric, options, format, width, height);
        cb = metric.features().get(0);
        cr = metric.features().get(1);
        both = metric.features().get(2);
        int blocks = shape.width() / SIDE * (shape.height() / SIDE);
        for (int i = 0; i < PLANES; i++) {
            entropies[i] = new float[blocks];
            variances[i] = new float[blocks];
        }
        unseen = (float) (SAMPLES * (log2((1 + UNSEEN_SHARE) * NOISE) + GAUSSIAN_ENTROPY));
    }

    /** Which samples are kept. */
    public SpeedShape shape() {
        return shape;
    }

    /** Entropies of the blocks of a plane, which the caller sets. */
    public float[] entropies(int plane) {
        return entropies[plane];
    }

    /** Variances of the blocks of a plane, which the caller sets. */
    public float[] variances(int plane) {
        return variances[plane];
    }

    /** Says whether the blocks of a plane are unlike enough to tell anything. */
    public void setTells(int plane, boolean value) {
        tells[plane] = value;
    }

    public static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }

    /** Sets the figures of a pair. Where one component is so flat that it tells nothing, the other one counts for both. */
    public void put(QualityFigures figures) {
        float ofCb = difference(0);
        float ofCr = difference(2);
        boolean cbTells = tells[0] && tells[1];
        boolean crTells = tells[2] && tells[3];
        float ofBoth = cbTells == crTells ? (float) ((ofCb + ofCr) / 2.0) : cbTells ? ofCb : ofCr;
        figures.set(cb, Math.min(ofCb, GREATEST));
        figures.set(cr, Math.min(ofCr, GREATEST));
        figures.set(both, Math.min(ofBoth, GREATEST));
    }

    /** Between a plane of the reference and the next one, of the picture. */
    private float difference(int plane) {
        if (tells[plane] != tells[plane + 1]) {
            return 0;
        }
        float sum = 0;
        int blocks = entropies[plane].length;
        for (int i = 0; i < blocks; i++) {
            float before = entropies[plane][i];
            float after = entropies[plane + 1][i];
            if (before >= unseen || after >= unseen) {
                float variance = variances[plane][i];
                double mixed = 0.75 * variance + 0.25 * variances[plane + 1][i];
                sum += Math.abs((float) (before * log2(1 + variance)) - (float) (after * log2(1 + mixed)));
            }
        }
        return sum / blocks;
    }
}
