/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

/** Applies the CDEF filter to one block of a plane (AV1 specification, 7.15.3). Any thread may call it. */
public final class CdefBlockFilter {
    private static final int[] DIRECTION_Y1 = {-1, 0, 0, 0, 1, 1, 1, 1};
    private static final int[] DIRECTION_X1 = {1, 1, 1, 1, 1, 0, 0, 0};
    private static final int[] DIRECTION_Y2 = {-2, -1, 0, 1, 2, 2, 2, 2};
    private static final int[] DIRECTION_X2 = {2, 2, 2, 2, 2, 1, 0, -1};

    private final CdefConstraints constraints;
    private final int coefficientShift;

    /**
     * Makes a filter for samples of {@code bitDepth} bits. The owner of {@code constraints} prepares the tables of all
     * strengths that it filters with.
     */
    public CdefBlockFilter(CdefConstraints constraints, int bitDepth) {
        this.constraints = constraints;
        this.coefficientShift = bitDepth - 8;
    }

    /**
     * Adjusts luma's primary strength by the block's variance (AV1 specification, 7.15.1).
     *
     * @param primary scaled to the bit depth
     */
    public static int adjustedPrimary(int primary, int variance) {
        if (variance == 0) {
            return 0;
        }
        int v = variance >> 6;
        int log = v == 0 ? 0 : Math.min(floorLog2(v), 12);
        return (primary * (4 + log) + 8) >> 4;
    }

    /**
     * Filters one block. At least one of the two strengths must not be 0. A block may hold two components whose samples
     * alternate; both components then share direction and strengths.
     *
     * @param in the block, beginning at {@code inOffset}, with {@code inStride} samples a row, and a border of two
     *     samples around it; a sample that does not exist is {@link CdefConstraints#UNAVAILABLE}
     * @param out receives the result, beginning at {@code outOffset}
     * @param columns samples a row, of all components: 8 or 4
     * @param rows 8 or 4
     * @param pixelStep distance between neighbouring samples of one component: 1 or 2
     * @param primary primary strength, scaled to the bit depth; for luma, already adjusted by the variance
     * @param secondary secondary strength, scaled to the bit depth
     * @param direction 0..7
     * @param damping scaled to the bit depth; for chroma, one less than for luma
     */
    public void filter(
            short[] in,
            int inOffset,
            int inStride,
            short[] out,
            int outOffset,
            int outStride,
            int columns,
            int rows,
            int pixelStep,
            int primary,
            int secondary,
            int direction,
            int damping) {
        byte[] primaryTable = constraints.table(primary, damping);
        byte[] secondaryTable = constraints.table(secondary, damping);
        boolean odd = (primary >> coefficientShift & 1) != 0;
        int tap1 = odd ? 3 : 4;
        int tap2 = odd ? 3 : 2;
        int p1 = offset1(direction, inStride, pixelStep);
        int p2 = offset2(direction, inStride, pixelStep);
        int s1 = offset1(direction + 2, inStride, pixelStep);
        int s2 = offset2(direction + 2, inStride, pixelStep);
        int t1 = offset1(direction - 2, inStride, pixelStep);
        int t2 = offset2(direction - 2, inStride, pixelStep);
        if (secondary == 0) {
            for (int row = 0; row < rows; row++) {
                int i = inOffset + row * inStride;
                int o = outOffset + row * outStride;
                for (int column = 0; column < columns; column++, i++, o++) {
                    int x = in[i];
                    out[o] = (short) (x + rounded(primarySum(in, i, x, p1, p2, primaryTable, tap1, tap2)));
                }
            }
        } else if (primary == 0) {
            for (int row = 0; row < rows; row++) {
                int i = inOffset + row * inStride;
                int o = outOffset + row * outStride;
                for (int column = 0; column < columns; column++, i++, o++) {
                    int x = in[i];
                    out[o] = (short) (x + rounded(secondarySum(in, i, x, s1, s2, t1, t2, secondaryTable)));
                }
            }
        } else {
            long unclipped = 0;
            long bit = 1;
            for (int row = 0; row < rows; row++) {
                int i = inOffset + row * inStride;
                int o = outOffset + row * outStride;
                for (int column = 0; column < columns; column++, i++, o++) {
                    int x = in[i];
                    int change = rounded(primarySum(in, i, x, p1, p2, primaryTable, tap1, tap2)
                            + secondarySum(in, i, x, s1, s2, t1, t2, secondaryTable));
                    out[o] = (short) (x + change);
                    if (change < -1 || change > 1) {
                        unclipped |= bit;
                    }
                    bit <<= 1;
                }
            }
            int log = columns == 8 ? 3 : 2;
            while (unclipped != 0) {
                int n = Long.numberOfTrailingZeros(unclipped);
                unclipped &= unclipped - 1;
                int row = n >> log;
                int column = n & (columns - 1);
                int i = inOffset + row * inStride + column;
                int o = outOffset + row * outStride + column;
                int max = max(in, i, p1, p2, s1, s2, t1, t2);
                int min = min(in, i, p1, p2, s1, s2, t1, t2);
                out[o] = (short) Math.max(min, Math.min(max, out[o]));
            }
        }
    }

    private static int rounded(int sum) {
        return (8 + sum + (sum >> 31)) >> 4;
    }

    private static int primarySum(short[] in, int i, int x, int o1, int o2, byte[] table, int tap1, int tap2) {
        int mask = table.length - 1;
        return tap1 * (table[(in[i + o1] - x) & mask] + table[(in[i - o1] - x) & mask])
                + tap2 * (table[(in[i + o2] - x) & mask] + table[(in[i - o2] - x) & mask]);
    }

    private static int secondarySum(short[] in, int i, int x, int s1, int s2, int t1, int t2, byte[] table) {
        int mask = table.length - 1;
        return 2
                        * (table[(in[i + s1] - x) & mask]
                                + table[(in[i - s1] - x) & mask]
                                + table[(in[i + t1] - x) & mask]
                                + table[(in[i - t1] - x) & mask])
                + table[(in[i + s2] - x) & mask]
                + table[(in[i - s2] - x) & mask]
                + table[(in[i + t2] - x) & mask]
                + table[(in[i - t2] - x) & mask];
    }

    /**
     * The largest of sample x and its taps. As a signed number, {@link CdefConstraints#UNAVAILABLE} is less than any
     * sample.
     */
    private static int max(short[] in, int i, int p1, int p2, int s1, int s2, int t1, int t2) {
        int p = Math.max(Math.max(in[i + p1], in[i - p1]), Math.max(in[i + p2], in[i - p2]));
        int s = Math.max(Math.max(in[i + s1], in[i - s1]), Math.max(in[i + s2], in[i - s2]));
        int t = Math.max(Math.max(in[i + t1], in[i - t1]), Math.max(in[i + t2], in[i - t2]));
        return Math.max(in[i], Math.max(p, Math.max(s, t)));
    }

    /**
     * The smallest of sample x and its taps. As an unsigned number, {@link CdefConstraints#UNAVAILABLE} is more than
     * any sample.
     */
    private static int min(short[] in, int i, int p1, int p2, int s1, int s2, int t1, int t2) {
        int p = Math.min(
                Math.min(in[i + p1] & 0xffff, in[i - p1] & 0xffff), Math.min(in[i + p2] & 0xffff, in[i - p2] & 0xffff));
        int s = Math.min(
                Math.min(in[i + s1] & 0xffff, in[i - s1] & 0xffff), Math.min(in[i + s2] & 0xffff, in[i - s2] & 0xffff));
        int t = Math.min(
                Math.min(in[i + t1] & 0xffff, in[i - t1] & 0xffff), Math.min(in[i + t2] & 0xffff, in[i - t2] & 0xffff));
        return Math.min(in[i], Math.min(p, Math.min(s, t)));
    }

    /**
     * Index distance from a sample to its nearer tap along {@code direction}, taken modulo 8. The opposite tap lies at
     * the negated distance.
     */
    static int offset1(int direction, int stride, int pixelStep) {
        return DIRECTION_Y1[direction & 7] * stride + DIRECTION_X1[direction & 7] * pixelStep;
    }

    /**
     * Index distance from a sample to its farther tap along {@code direction}, taken modulo 8. The opposite tap lies at
     * the negated distance.
     */
    static int offset2(int direction, int stride, int pixelStep) {
        return DIRECTION_Y2[direction & 7] * stride + DIRECTION_X2[direction & 7] * pixelStep;
    }

    private static int floorLog2(int value) {
        return 31 - Integer.numberOfLeadingZeros(value);
    }
}
