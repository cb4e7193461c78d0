/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

/**
 * The 8x8 transform of ITU-T H.264, in place, on 64 numbers row by row, and shrinkage of such a block. All shifts are arithmetic. Any thread may call
 * it.
 */
public final class ShrinkageTransform {
    private ShrinkageTransform() {}

    /** Transforms samples into coefficients: columns first, then rows. */
    public static void forward(int[] block) {
        for (int column = 0; column < 8; column++) {
            forward(block, column, 8);
        }
        for (int row = 0; row < 8; row++) {
            forward(block, 8 * row, 1);
        }
    }

    /** Transforms coefficients into samples (H.264, 8.5.13, without the last shift): rows first, then columns. */
    public static void inverse(int[] block) {
        for (int row = 0; row < 8; row++) {
            inverse(block, 8 * row, 1);
        }
        for (int column = 0; column < 8; column++) {
            inverse(block, column, 8);
        }
    }

    /**
     * Replaces a block of samples by what is to be taken away from it: transforms it, takes small coefficients away, and transforms
     * these back.
     *
     * @param thresholds {@link ShrinkageLimits#thresholds}
     * @return the block's weight
     */
    public static int shrink(int[] block, int[] thresholds) {
        forward(block);
        int large = 0;
        for (int k = 0; k < 64; k++) {
            int coefficient = block[k];
            int size = Math.abs(coefficient);
            int below = thresholds[k] - size;
            large -= below >> 31;
            int removed = Math.min(size, Math.max(0, below));
            block[k] = ((coefficient < 0 ? -removed : removed) * ShrinkageLimits.SCALES[k] + 32) >> 6;
        }
        block[0] = 0;
        inverse(block);
        return ShrinkageLimits.WEIGHTS[Math.max(0, large - 1)];
    }

    /**
     * Replaces a block's differences from what was decoded by what of them is over the bound, times 32. Returns false if that is nothing;
     * the block then holds no differences any more.
     */
    public static boolean excess(int[] block, ShrinkageLimits limits) {
        forward(block);
        int any = 0;
        for (int k = 0; k < 64; k++) {
            int bound = limits.bounds[k];
            int excess = block[k] - Math.max(-bound, Math.min(block[k], bound));
            any |= excess;
            excess = Math.max(-limits.largestExcess, Math.min(excess, limits.largestExcess));
            block[k] = (excess * ShrinkageLimits.SCALES[k] + 32) >> 6;
        }
        if (any != 0) {
            inverse(block);
        }
        return any != 0;
    }

    private static void forward(int[] d, int at, int step) {
        int s07 = d[at] + d[at + 7 * step];
        int d07 = d[at] - d[at + 7 * step];
        int s16 = d[at + step] + d[at + 6 * step];
        int d16 = d[at + step] - d[at + 6 * step];
        int s25 = d[at + 2 * step] + d[at + 5 * step];
        int d25 = d[at + 2 * step] - d[at + 5 * step];
        int s34 = d[at + 3 * step] + d[at + 4 * step];
        int d34 = d[at + 3 * step] - d[at + 4 * step];
        int a0 = s07 + s34;
        int a1 = s16 + s25;
        int a2 = s07 - s34;
        int a3 = s16 - s25;
        int a4 = d16 + d25 + d07 + (d07 >> 1);
        int a5 = d07 - d34 - d25 - (d25 >> 1);
        int a6 = d07 + d34 - d16 - (d16 >> 1);
        int a7 = d16 - d25 + d34 + (d34 >> 1);
        d[at] = a0 + a1;
        d[at + step] = a4 + (a7 >> 2);
        d[at + 2 * step] = a2 + (a3 >> 1);
        d[at + 3 * step] = a5 + (a6 >> 2);
        d[at + 4 * step] = a0 - a1;
        d[at + 5 * step] = a6 - (a5 >> 2);
        d[at + 6 * step] = (a2 >> 1) - a3;
        d[at + 7 * step] = (a4 >> 2) - a7;
    }

    private static void inverse(int[] d, int at, int step) {
        int s1 = d[at + step];
        int s2 = d[at + 2 * step];
        int s3 = d[at + 3 * step];
        int s5 = d[at + 5 * step];
        int s6 = d[at + 6 * step];
        int s7 = d[at + 7 * step];
        int a0 = d[at] + d[at + 4 * step];
        int a2 = d[at] - d[at + 4 * step];
        int a4 = (s2 >> 1) - s6;
        int a6 = (s6 >> 1) + s2;
        int a1 = s5 - s3 - s7 - (s7 >> 1);
        int a3 = s1 + s7 - s3 - (s3 >> 1);
        int a5 = s7 - s1 + s5 + (s5 >> 1);
        int a7 = s3 + s5 + s1 + (s1 >> 1);
        int b0 = a0 + a6;
        int b1 = a1 + (a7 >> 2);
        int b2 = a2 + a4;
        int b3 = a3 + (a5 >> 2);
        int b4 = a2 - a4;
        int b5 = (a3 >> 2) - a5;
        int b6 = a0 - a6;
        int b7 = a7 - (a1 >> 2);
        d[at] = b0 + b7;
        d[at + step] = b2 + b5;
        d[at + 2 * step] = b4 + b3;
        d[at + 3 * step] = b6 + b1;
        d[at + 4 * step] = b6 - b1;
        d[at + 5 * step] = b4 - b3;
        d[at + 6 * step] = b2 - b5;
        d[at + 7 * step] = b0 - b7;
    }
}
