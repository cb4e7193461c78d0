/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * SpEED of chroma: how much the entropy of the blocks of a picture differs from that of its reference, each weighted by its variance.
 * Owns its working memory, and that of the samples that it is computed from. Belongs to one thread at a time.
 */
public final class SpeedFigures {
    /** The eye's own noise. */
    static final float NOISE = 0.19f;

    /** A share of that noise below which nothing is seen. */
    private static final float UNSEEN_SHARE = 0.1f;

    private static final float GREATEST = 45;

    /** Planes of a pair: of Cb the reference and the picture, then of Cr. */
    public static final int PLANES = 4;

    private final SpeedShape shape;
    private final QualityFeature cb;
    private final QualityFeature cr;
    private final QualityFeature both;
    private final float[][] planes = new float[PLANES][];
    private final float[] contrast;
    private final SpeedBlocks reference;
    private final SpeedBlocks picture;
    private final float unseen;
    private float difference;

    /**
     * SpEED of pictures.
     *
     * @param metric one of the three of SpEED
     */
    public SpeedFigures(QualityMetric metric, PixelFormat format, int width, int height) {
        shape = new SpeedShape(metric, format, width, height);
        cb = metric.features().get(0);
        cr = metric.features().get(1);
        both = metric.features().get(2);
        int samples = shape.width() * shape.height();
        for (int i = 0; i < PLANES; i++) {
            planes[i] = new float[samples];
        }
        contrast = new float[samples];
        reference = new SpeedBlocks(shape.width(), shape.height());
        picture = new SpeedBlocks(shape.width(), shape.height());
        unseen = (float)
                (SpeedBlocks.SAMPLES * (SpeedBlocks.log2((1 + UNSEEN_SHARE) * NOISE) + SpeedBlocks.GAUSSIAN_ENTROPY));
    }

    /** Which samples are kept. */
    public SpeedShape shape() {
        return shape;
    }

    /** Where the samples go that are kept of a plane, by its number. */
    public float[] plane(int number) {
        return planes[number];
    }

    /** Sets the figures of a pair from the planes. Where one component is so flat that it tells nothing, the other one counts for both. */
    public void put(QualityFigures figures) {
        boolean cbTells = compare(planes[0], planes[1]);
        float ofCb = difference;
        boolean crTells = compare(planes[2], planes[3]);
        float ofCr = difference;
        float ofBoth = cbTells == crTells ? (float) ((ofCb + ofCr) / 2.0) : cbTells ? ofCb : ofCr;
        figures.set(cb, Math.min(ofCb, GREATEST));
        figures.set(cr, Math.min(ofCr, GREATEST));
        figures.set(both, Math.min(ofBoth, GREATEST));
    }

    /** Sets the difference of a component; returns false if it tells nothing. */
    private boolean compare(float[] before, float[] after) {
        boolean referenceTells = reference.measure(before, contrast);
        boolean pictureTells = picture.measure(after, contrast);
        difference = referenceTells == pictureTells ? difference() : 0;
        return referenceTells && pictureTells;
    }

    private float difference() {
        float sum = 0;
        int blocks = reference.entropies.length;
        for (int i = 0; i < blocks; i++) {
            if (reference.entropies[i] >= unseen || picture.entropies[i] >= unseen) {
                float variance = reference.variances[i];
                double mixed = 0.75 * variance + 0.25 * picture.variances[i];
                float before = (float) (reference.entropies[i] * SpeedBlocks.log2(1 + variance));
                float after = (float) (picture.entropies[i] * SpeedBlocks.log2(1 + mixed));
                sum += Math.abs(before - after);
            }
        }
        return sum / blocks;
    }
}
