/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * The constants of visual information fidelity in integers, as libvmaf computes it, for one of its four scales. Each scale has half of
 * the samples a row and half of the rows of the scale before.
 */
public final class VifScale {
    public static final int SCALES = 4;

    /** Distance of the outermost tap of a scale's window. */
    private static final int[] RADIUS = {8, 4, 2, 1};

    /** Taps from the outermost to the centre. With those on the other side of the centre they add up to 2^16. */
    private static final int[][] TAPS = {
        {489, 935, 1640, 2640, 3896, 5274, 6547, 7455, 7784},
        {1244, 3663, 7925, 12590, 14692},
        {3571, 16004, 26386},
        {10904, 43728}
    };

    /** Variance of the noise that the eye is said to add: 2, with 16 bits behind the point. */
    public static final int NOISE = 2 << 16;

    /** The logarithms of {@link #logarithms} have 11 bits behind the point. */
    public static final int LOG_BITS = 11;

    /** Logarithm of the noise. */
    public static final int LOG_NOISE = 17 << LOG_BITS;

    /** The greatest gain that counts, as libvmaf has it for metrics that are not limited. */
    public static final int GAIN_LIMIT = 100;

    private VifScale() {}

    /** Distance of the outermost tap. */
    public static int radius(int scale) {
        return RADIUS[scale];
    }

    /** A tap, from 0, the outermost one, to the radius, the one in the centre. */
    public static int tap(int scale, int index) {
        return TAPS[scale][index];
    }

    /** Samples of a row, or of a column, of the scale. */
    public static int size(int pictureSize, int scale) {
        return pictureSize >> scale;
    }

    /** Bits by which sums down a column are scaled down. */
    public static int columnShift(int scale, int bitDepth) {
        return scale == 0 ? bitDepth : 16;
    }

    /** Bits by which sums of products down a column are scaled down. */
    public static int productShift(int scale, int bitDepth) {
        return scale == 0 ? 2 * (bitDepth - 8) : 16;
    }

    /**
     * Binary logarithms of the numbers from 2^15 to 2^16 - 1, with {@link #LOG_BITS} bits behind the point. libvmaf rounds a logarithm to
     * single precision first; so does this.
     */
    public static char[] logarithms() {
        char[] table = new char[1 << 15];
        double two = StrictMath.log(2);
        for (int i = 0; i < table.length; i++) {
            float log = (float) (StrictMath.log((1 << 15) + i) / two);
            table[i] = (char) Math.floor((double) log * (1 << LOG_BITS) + 0.5);
        }
        return table;
    }
}
