/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.Arrays;
import java.util.Set;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/** The sums of the additive detail metric over the four scales of a picture in one view, in integers, and the figures that follow. */
public final class AdmSums {
    /** Sums of a scale, of three bands each: the two of the view, detail of the reference. */
    public static final int FIRST = 0;

    public static final int SECOND = AdmScale.BANDS;
    public static final int REFERENCE = 2 * AdmScale.BANDS;
    public static final int COUNT = 3 * AdmScale.BANDS;

    private static final QualityFeature[] LIMITED = {
        QualityFeature.INTEGER_ADM2_EGL_1,
        QualityFeature.INTEGER_ADM_SCALE0_EGL_1,
        QualityFeature.INTEGER_ADM_SCALE1_EGL_1,
        QualityFeature.INTEGER_ADM_SCALE2_EGL_1,
        QualityFeature.INTEGER_ADM_SCALE3_EGL_1
    };

    private final AdmView view;
    private final boolean first;
    private final boolean second;
    private final AdmScale[] scales;
    private final double leastThatCounts;
    private final long[][] sums = new long[AdmScale.SCALES][COUNT];

    /**
     * Sums of pictures.
     *
     * @param metrics those that are wanted
     */
    public AdmSums(AdmView view, Set<QualityMetric> metrics, int bitDepth, int width, int height) {
        this.view = view;
        first = view.hasFirst(metrics);
        second = view.hasSecond(metrics);
        scales = new AdmScale[AdmScale.SCALES];
        for (int scale = 0; scale < scales.length; scale++) {
            scales[scale] = new AdmScale(scale, bitDepth, width, height);
        }
        leastThatCounts = 1e-10 * (width * height) / (1920.0 * 1080.0);
    }

    /** The view. */
    public AdmView view() {
        return view;
    }

    /** True if the first sums are wanted. */
    public boolean hasFirst() {
        return first;
    }

    /** True if the second sums are wanted. */
    public boolean hasSecond() {
        return second;
    }

    public AdmScale scale(int scale) {
        return scales[scale];
    }

    /** Sets all sums to 0. */
    public void clear() {
        for (long[] ofScale : sums) {
            Arrays.fill(ofScale, 0);
        }
    }

    /**
     * Adds the sum of cubes of a row.
     *
     * @param which {@link #FIRST}, {@link #SECOND} or {@link #REFERENCE} plus the band
     */
    public void addRow(int scale, int which, long cubes) {
        int shift = which < REFERENCE ? scales[scale].rowSumShift() : scales[scale].referenceRowSumShift();
        sums[scale][which] += shift == 0 ? cubes : (cubes + (1L << (shift - 1))) >> shift;
    }

    /** Sets the figures of a picture that are wanted. */
    public void put(QualityFigures figures) {
        if (first) {
            put(FIRST, view.features(), figures);
        }
        if (second && !view.hasImpairments()) {
            put(SECOND, LIMITED, figures);
        }
    }

    private void put(int from, QualityFeature[] features, QualityFigures figures) {
        double part = 0;
        double all = 0;
        for (int scale = 0; scale < scales.length; scale++) {
            long[] own = sums[scale];
            float visible = scales[scale].visible(view.noise(), own[from], own[from + 1], own[from + 2]);
            float reference = scales[scale].reference(view, own[REFERENCE], own[REFERENCE + 1], own[REFERENCE + 2]);
            part += visible;
            all += reference;
            figures.set(features[1 + scale], (double) visible / reference);
        }
        part = part < leastThatCounts ? 0 : part;
        all = all < leastThatCounts ? 0 : all;
        double whole = all == 0 ? 1 : part / all;
        figures.set(features[0], whole);
        if (view.hasImpairments()) {
            double impairments = all == 0 ? 0 : impairments() / all;
            figures.set(features[1 + AdmScale.SCALES], impairments);
            figures.set(
                    features[2 + AdmScale.SCALES],
                    Math.max(
                            whole * AdmView.DETAIL_WEIGHT + (1 - impairments) * (1 - AdmView.DETAIL_WEIGHT),
                            AdmView.LEAST));
        }
    }

    private double impairments() {
        double sum = 0;
        for (int scale = 0; scale < scales.length; scale++) {
            long[] own = sums[scale];
            sum += scales[scale].visible(0, own[SECOND], own[SECOND + 1], own[SECOND + 2]);
        }
        return sum;
    }
}
