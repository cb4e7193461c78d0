/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * The constants of ADM, the detail loss metric (Li, Zhang, Ma, Ngan, <i>Image quality assessment by separately evaluating detail losses
 * and additive impairments</i>, 2011), as libvmaf's {@code float_adm} has them. Samples are on the scale of 8 bits.
 */
public final class FloatAdm {
    /** Number of scales. The bands of each have half the samples of the scale before, across and down, rounded up. */
    public static final int SCALES = 4;

    /** Least width and height of a picture: bands of two samples at the last scale. */
    public static final int LEAST = 17;

    /** Bands of a scale whose details are compared: horizontal, vertical and diagonal ones. */
    public static final int BANDS = 3;

    /** Low-pass filter of the wavelet, Daubechies' second. */
    private static final float[] LOW = {0.4829629f, 0.8365163f, 0.22414386f, -0.12940952f};

    /** High-pass filter of the wavelet. */
    private static final float[] HIGH = {-0.12940952f, -0.22414386f, 0.8365163f, -0.4829629f};

    /** Square of the cosine of 1 degree: the details of both pictures may differ so much in direction. */
    public static final float SAME_DIRECTION = (float) (Math.cos(Math.PI / 180) * Math.cos(Math.PI / 180));

    /** Limit of the gain of contrast that counts. */
    public static final float GAIN_LIMIT = 100;

    /** Keeps divisions from a division by 0. */
    public static final float LEAST_DETAIL = 1e-30f;

    /** What additive detail around a sample, its own counted twice, hides there. */
    public static final float MASKING = 1f / 30;

    /** Part of a band that is left out at each edge. */
    private static final double BORDER = 0.1;

    /** Noise of the sums of a band, a sample. */
    private static final double NOISE = 1.0 / 32;

    /** Samples a degree of the view, three heights of 1080 samples away. */
    private static final double SAMPLES_A_DEGREE = 3.0 * 1080 * Math.PI / 180;

    // Thresholds of seen details of luma by frequency (Watson, Yang, Solomon, Villasenor, Visibility of wavelet
    // quantization noise, 1997, table 1 and 5).
    private static final double THRESHOLD_A = 0.495;
    private static final double THRESHOLD_K = 0.466;
    private static final double THRESHOLD_FREQUENCY = 0.401;
    private static final double[] THRESHOLD_DIRECTION = {1, 1, 0.534};
    private static final double[] AMPLITUDE_SIDE = {0.67234, 0.41317, 0.22727, 0.11792};
    private static final double[] AMPLITUDE_DIAGONAL = {0.72709, 0.49428, 0.28688, 0.15214};

    private FloatAdm() {}

    /** Low-pass filter of the wavelet. Its second sample lies at twice the index of the result. */
    public static float[] low() {
        return LOW.clone();
    }

    /** High-pass filter of the wavelet. */
    public static float[] high() {
        return HIGH.clone();
    }

    /** Width or height of the bands of a scale of a picture of so many samples. */
    public static int samples(int samples, int scale) {
        return (samples + (2 << scale) - 1) >> (scale + 1);
    }

    /** How many samples are left out at each edge of a band of so many. */
    public static int border(int samples) {
        return (int) (samples * BORDER - 0.5);
    }

    /** How much details of a band count: the eye's sensitivity. */
    public static float sensitivity(int scale, int band) {
        double amplitude = band == BANDS - 1 ? AMPLITUDE_DIAGONAL[scale] : AMPLITUDE_SIDE[scale];
        double octaves =
                Math.log10(Math.pow(2, scale + 1) * THRESHOLD_FREQUENCY * THRESHOLD_DIRECTION[band] / SAMPLES_A_DEGREE);
        return (float) (amplitude / (2 * THRESHOLD_A * Math.pow(10, THRESHOLD_K * octaves * octaves)));
    }

    /**
     * What a band adds to the figure's numerator or denominator.
     *
     * @param cubes sum of the cubes of the details
     * @param width samples of a row that were added
     * @param height rows that were added
     */
    public static double contrast(double cubes, int width, int height) {
        return Math.cbrt(cubes) + Math.cbrt((double) width * height * NOISE);
    }
}
