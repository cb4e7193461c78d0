/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

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

    private MotionScore() {}

    /**
     * Sets the figure of a picture.
     *
     * @param sum sum of the sizes of the blurred differences; 0 for the first picture of a sequence
     * @param samples luma samples of a picture
     */
    public static void put(long sum, long samples, QualityFigures figures) {
        figures.set(QualityFeature.INTEGER_MOTION, Math.min((double) sum / 256 / (double) samples, 10000));
    }
}
