/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * The constants of MS-SSIM (Wang, Simoncelli, Bovik, <i>Multi-scale structural similarity for image quality assessment</i>, 2003),
 * as libvmaf's {@code float_ms_ssim} has them. Samples are on the scale of 8 bits.
 */
public final class MultiScaleSsim {
    /** Number of scales. Each has half the samples of the one before, across and down, rounded up. */
    public static final int SCALES = 5;

    /** Least width and height of a picture: a window of the smallest scale. */
    public static final int LEAST = 176;

    /**
     * What is subtracted from samples: nothing. The weights of a window add up to a little more than 1, so that a variance depends on
     * the mean, and an offset changes it.
     */
    public static final float OFFSET = 0;

    /** Weights of a window: a Gaussian of standard deviation 1.5. */
    private static final float[] WINDOW = {
        0.001028f, 0.007599f, 0.036001f, 0.109361f, 0.213006f, 0.266012f, 0.213006f, 0.109361f, 0.036001f, 0.007599f,
        0.001028f
    };

    /** Low-pass filter before every second sample is left out, of the 9/7 wavelet. */
    private static final float[] LOW_PASS = {
        0.026727f, -0.016828f, -0.078201f, 0.266846f, 0.602914f, 0.266846f, -0.078201f, -0.016828f, 0.026727f
    };

    /** Weight of contrast and of structure of each scale. */
    private static final double[] EXPONENTS = {0.0448f, 0.2856f, 0.3001f, 0.2363f, 0.1333f};

    /** Keeps the term of the means from a division by 0. */
    public static final float C1 = 0.01f * 255 * (0.01f * 255);

    /** Keeps the term of the variances from a division by 0. */
    public static final float C2 = 0.03f * 255 * (0.03f * 255);

    /** Keeps the term of the covariance from a division by 0. */
    public static final float C3 = C2 / 2;

    private MultiScaleSsim() {}

    /** Weights of a window, across and down. */
    public static float[] window() {
        return WINDOW.clone();
    }

    /** Weights of the low-pass filter, across and down. Beyond its edges a picture repeats its outermost samples, mirrored. */
    public static float[] lowPass() {
        return LOW_PASS.clone();
    }

    /** Width or height of a scale of a picture of so many samples. */
    public static int samples(int samples, int scale) {
        return (samples + (1 << scale) - 1) >> scale;
    }

    /** Number of windows across or down a scale of a picture of so many samples. */
    public static int windows(int samples, int scale) {
        return samples(samples, scale) - WINDOW.length + 1;
    }

    /**
     * The part of the figure that one scale has. MS-SSIM is the product of all scales' parts.
     *
     * @param luminance mean of the term of the means over all windows
     * @param contrast mean of the term of the variances
     * @param structure mean of the term of the covariances. Where it is negative, as with a negative of the picture, MS-SSIM is not
     *     defined: NaN.
     */
    public static double part(int scale, double luminance, double contrast, double structure) {
        double part = Math.pow(contrast, EXPONENTS[scale]) * Math.pow(structure, EXPONENTS[scale]);
        return scale == SCALES - 1 ? part * Math.pow(luminance, EXPONENTS[scale]) : part;
    }
}
