/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.Set;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * Motion in integers, as libvmaf computes it: the difference of two references, blurred by five taps down the columns and along the
 * rows, and the sum of its sizes. Rows and columns are mirrored at their ends.
 */
public final class MotionScore {
    /** Distance of the outermost tap. */
    public static final int RADIUS = 2;

    /** The taps, from the centre to the outermost; they add up to 2^16. */
    public static final int TAP_0 = 26386;

    public static final int TAP_1 = 16004;
    public static final int TAP_2 = 3571;

    /** Bits by which a row's sums are scaled down. The sums of columns are scaled down by the bits of a sample. */
    public static final int ROW_SHIFT = 16;

    private static final double GREATEST = 10000;
    private static final double GREATEST_V1 = 18;

    private MotionScore() {}

    /**
     * The figure of a picture.
     *
     * @param sum sum of the sizes of the blurred differences; 0 for the first pictures of a sequence
     * @param samples luma samples of a picture
     */
    private static double motion(long sum, long samples, double greatest) {
        return Math.min((double) sum / 256 / (double) samples, greatest);
    }

    /**
     * Sets the figures of a picture that are wanted.
     *
     * @param sum of the difference from the reference before
     * @param sumOfTwo of the difference from the reference two before
     */
    public static void put(Set<QualityMetric> wanted, long sum, long sumOfTwo, long samples, QualityFigures figures) {
        if (wanted.contains(QualityMetric.MOTION)) {
            figures.set(QualityFeature.INTEGER_MOTION, motion(sum, samples, GREATEST));
        }
        if (wanted.contains(QualityMetric.MOTION_V1)) {
            figures.set(QualityFeature.INTEGER_MOTION_V1, motion(sum, samples, GREATEST_V1));
        }
        if (wanted.contains(QualityMetric.MOTION_V1_HFR)) {
            figures.set(QualityFeature.INTEGER_MOTION_V1_HFR, motion(sumOfTwo, samples, GREATEST_V1));
        }
    }

    /** True if the difference from the reference before is wanted. */
    public static boolean needsLast(Set<QualityMetric> wanted) {
        return wanted.contains(QualityMetric.MOTION) || wanted.contains(QualityMetric.MOTION_V1);
    }

    /** True if the difference from the reference two before is wanted. */
    public static boolean needsLastButOne(Set<QualityMetric> wanted) {
        return wanted.contains(QualityMetric.MOTION_V1_HFR);
    }
}
