/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * The constants of VIF in the pixel domain (Sheikh, Bovik, <i>Image information and visual quality</i>, 2006), as libvmaf's {@code
 * float_vif} has them. Samples are on the scale of 8 bits.
 */
public final class FloatVif {
    /** Number of scales. Each has half the samples of the one before, across and down, rounded down. */
    public static final int SCALES = 4;

    /** Least width and height of a picture: the window of each scale reaches less far than the scale's mirrored samples. */
    public static final int LEAST = 16;

    /** Variance of the noise in the eye. Windows whose reference varies less count as flat. */
    public static final float NOISE = 2;

    /** What the variance of the picture takes from the figure of a flat window. */
    public static final float FLAT_LOSS = NOISE * NOISE / (255 * 255);

    /** Limit of the gain of contrast that counts. */
    public static final float GAIN_LIMIT = 100;

    /** Keeps divisions from a division by 0. */
    public static final float LEAST_VARIANCE = 1e-10f;

    private FloatVif() {}

    /** Width or height of a scale of a picture of so many samples. */
    public static int samples(int samples, int scale) {
        return samples >> scale;
    }

    /**
     * Weights of a window of a scale, across and down: a Gaussian whose standard deviation is a fifth of its 17, 9, 5 or 3 samples. The
     * same filter makes the scale from the one before. Beyond its edges a scale is mirrored at the centres of its outermost samples.
     */
    public static float[] window(int scale) {
        int size = (1 << (SCALES - scale)) + 1;
        double deviation = size / 5.0;
        double[] weights = new double[size];
        double sum = 0;
        for (int i = 0; i < size; i++) {
            double distance = (i - size / 2) / deviation;
            weights[i] = Math.exp(-0.5 * distance * distance);
            sum += weights[i];
        }
        float[] window = new float[size];
        for (int i = 0; i < size; i++) {
            window[i] = (float) (weights[i] / sum);
        }
        return window;
    }
}
