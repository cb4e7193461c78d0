/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** The sums of visual information fidelity over the windows of one scale, in integers, and the figures that follow. */
public final class VifSums {
    private static final QualityFeature[] PLAIN = {
        QualityFeature.INTEGER_VIF_SCALE0,
        QualityFeature.INTEGER_VIF_SCALE1,
        QualityFeature.INTEGER_VIF_SCALE2,
        QualityFeature.INTEGER_VIF_SCALE3
    };
    private static final QualityFeature[] LIMITED = {
        QualityFeature.INTEGER_VIF_SCALE0_EGL_1,
        QualityFeature.INTEGER_VIF_SCALE1_EGL_1,
        QualityFeature.INTEGER_VIF_SCALE2_EGL_1,
        QualityFeature.INTEGER_VIF_SCALE3_EGL_1
    };

    /** Information that the picture keeps, of windows with detail: logarithms. */
    public long kept;
    /** The same with a gain limit of 1. */
    public long keptLimited;
    /** Information of the reference, of windows with detail: logarithms. */
    public long all;
    /** Variance of the picture in windows without detail. */
    public long flatVariance;
    /** Windows without detail. */
    public long flat;

    /** Sets all sums to 0. */
    public void clear() {
        kept = 0;
        keptLimited = 0;
        all = 0;
        flatVariance = 0;
        flat = 0;
    }

    /**
     * Sets the figures of a scale.
     *
     * @param plain true for the figures without a gain limit
     * @param limited true for those with a gain limit of 1
     */
    public void put(int scale, boolean plain, boolean limited, QualityFigures figures) {
        if (plain) {
            figures.set(PLAIN[scale], score(kept));
        }
        if (limited) {
            figures.set(LIMITED[scale], score(keptLimited));
        }
    }

    private double score(long logarithms) {
        double one = 1 << VifScale.LOG_BITS;
        float part = (float) (logarithms / one + (flat - flatVariance / 16384.0 / 65025.0));
        float whole = (float) (all / one + flat);
        return part / whole;
    }
}
