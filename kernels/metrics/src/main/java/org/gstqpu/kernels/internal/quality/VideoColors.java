/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * How samples of video become linear R, G and B: the matrix of ITU-R BT.709, limited range, then the curve of sRGB. In between lie values
 * of 16 bits. They are computed in integers, so that all substrates have the same ones: flat parts of a picture show the last bit to
 * SSIMULACRA 2.
 */
public final class VideoColors {
    /** Greatest value of 16 bits, that of white. */
    public static final int GREATEST = 65535;

    /** Bits behind the point of the {@link #terms}. */
    public static final int FRACTION_BITS = 29;

    /** Tables of terms, one after the other: of Y in all, of Cr in R, of Cb in G, of Cr in G, of Cb in B. */
    public static final int Y = 0;

    public static final int CR_IN_RED = 1;
    public static final int CB_IN_GREEN = 2;
    public static final int CR_IN_GREEN = 3;
    public static final int CB_IN_BLUE = 4;

    /** Number of the tables. */
    public static final int TABLES = 5;

    private static final long ONE = 1L << FRACTION_BITS;

    private static final double RED = 0.2126;
    private static final double BLUE = 0.0722;
    private static final double GREEN = 1 - RED - BLUE;

    // The curve of sRGB as a quotient of polynomials, highest power first.
    private static final float[] ABOVE = {0.8210153f, 0.7961565f, 0.16248204f, 0.010436376f, 0.00022002483f};
    private static final float[] BELOW = {0.006521209f, -0.055124983f, 0.49875283f, 1.0769765f, 0.2631847f};
    private static final float LINEAR_END = 0.04045f;
    private static final float LINEAR_SLOPE = 12.92f;

    private VideoColors() {}

    /**
     * What each value of a sample adds to a value of 16 bits, with {@link #FRACTION_BITS} bits behind the point. The terms of Y round:
     * the sum of the terms of a colour, shifted right and clipped to 0 to {@link #GREATEST}, is its value.
     *
     * @return for each of the tables as many terms as a sample has values
     */
    public static long[] terms(int bitDepth) {
        int values = 1 << bitDepth;
        int unit = values / 256;
        double[] factors = {
            1, 2 * (1 - RED), -2 * (1 - BLUE) * BLUE / GREEN, -2 * (1 - RED) * RED / GREEN, 2 * (1 - BLUE)
        };
        long[] terms = new long[TABLES * values];
        for (int table = 0; table < TABLES; table++) {
            int zero = (table == Y ? 16 : 128) * unit;
            double range = (table == Y ? 219 : 224) * unit;
            for (int value = 0; value < values; value++) {
                double term = (value - zero) / range * factors[table] * GREATEST;
                terms[table * values + value] = Math.round(term * ONE) + (table == Y ? rounding(term) : 0);
            }
        }
        return terms;
    }

    /** A half. It is a bit less where a grey of this luma lies between two values and the lower one is even. */
    private static long rounding(double term) {
        boolean between = term - Math.floor(term) == 0.5;
        return between && Math.rint(term) < term ? ONE / 2 - 1 : ONE / 2;
    }

    /** Linear light of each value of 16 bits (IEC 61966-2-1), as libjxl approximates it: to 5e-7. */
    public static float[] linear() {
        float[] linear = new float[GREATEST + 1];
        for (int i = 0; i < linear.length; i++) {
            float value = i * (1f / GREATEST);
            float above = ABOVE[0];
            float below = BELOW[0];
            for (int power = 1; power < ABOVE.length; power++) {
                above = Math.fma(above, value, ABOVE[power]);
                below = Math.fma(below, value, BELOW[power]);
            }
            linear[i] = value > LINEAR_END ? above / below : value * (1 / LINEAR_SLOPE);
        }
        return linear;
    }
}
