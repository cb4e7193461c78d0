/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.Arrays;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** The sums of the additive detail metric over the four scales of a picture, in integers, and the figures that follow. */
public final class AdmSums {
    /** Sums of a scale: visible detail of three bands, the same with a gain limit of 1, detail of the reference. */
    public static final int VISIBLE = 0;

    public static final int LIMITED = AdmScale.BANDS;
    public static final int REFERENCE = 2 * AdmScale.BANDS;
    public static final int COUNT = 3 * AdmScale.BANDS;

    private static final QualityFeature[] PLAIN_SCALES = {
        QualityFeature.INTEGER_ADM_SCALE0,
        QualityFeature.INTEGER_ADM_SCALE1,
        QualityFeature.INTEGER_ADM_SCALE2,
        QualityFeature.INTEGER_ADM_SCALE3
    };
    private static final QualityFeature[] LIMITED_SCALES = {
        QualityFeature.INTEGER_ADM_SCALE0_EGL_1,
        QualityFeature.INTEGER_ADM_SCALE1_EGL_1,
        QualityFeature.INTEGER_ADM_SCALE2_EGL_1,
        QualityFeature.INTEGER_ADM_SCALE3_EGL_1
    };

    private final AdmScale[] scales;
    private final double leastThatCounts;
    private final long[][] sums = new long[AdmScale.SCALES][COUNT];

    public AdmSums(int bitDepth, int width, int height) {
        scales = new AdmScale[AdmScale.SCALES];
        for (int scale = 0; scale < scales.length; scale++) {
            scales[scale] = new AdmScale(scale, bitDepth, width, height);
        }
        leastThatCounts = 1e-10 * (width * height) / (1920.0 * 1080.0);
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
     * @param which {@link #VISIBLE}, {@link #LIMITED} or {@link #REFERENCE} plus the band
     */
    public void addRow(int scale, int which, long cubes) {
        int shift = which < REFERENCE ? scales[scale].rowSumShift() : scales[scale].referenceRowSumShift();
        sums[scale][which] += shift == 0 ? cubes : (cubes + (1L << (shift - 1))) >> shift;
    }

    /** Sets the figures of a picture, without a gain limit, with a limit of 1, or both. */
    public void put(boolean plain, boolean limited, QualityFigures figures) {
        if (plain) {
            put(VISIBLE, QualityFeature.INTEGER_ADM2, PLAIN_SCALES, figures);
        }
        if (limited) {
            put(LIMITED, QualityFeature.INTEGER_ADM2_EGL_1, LIMITED_SCALES, figures);
        }
    }

    private void put(int from, QualityFeature whole, QualityFeature[] features, QualityFigures figures) {
        double part = 0;
        double all = 0;
        for (int scale = 0; scale < scales.length; scale++) {
            long[] own = sums[scale];
            float visible = scales[scale].visible(own[from], own[from + 1], own[from + 2]);
            float reference = scales[scale].reference(own[REFERENCE], own[REFERENCE + 1], own[REFERENCE + 2]);
            part += visible;
            all += reference;
            figures.set(features[scale], (double) visible / reference);
        }
        part = part < leastThatCounts ? 0 : part;
        all = all < leastThatCounts ? 0 : all;
        figures.set(whole, all == 0 ? 1 : part / all);
    }
}
