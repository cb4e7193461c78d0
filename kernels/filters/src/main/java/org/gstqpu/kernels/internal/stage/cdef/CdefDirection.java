/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

/**
 * Finds the direction and variance of an 8x8 luma block (AV1 specification, 7.15.2). Owns the variance that the last
 * search found. Belongs to one worker.
 *
 * <p>The sums along lines are formed four at a time, in the 16-bit lanes of a long. The specification subtracts 128
 * from each sample first. Here, samples keep the 128, so that no lane is ever negative and a sum of 8 x 255 fits. The
 * 128 of each sample is subtracted from a line's sum before the sum is squared.
 */
public final class CdefDirection {
    private static final long PAIRS = 0x0000ffff0000ffffL;

    /**
     * 840 divided by the 1 to 8 samples on a line. The weight makes the sums over lines of different lengths
     * comparable.
     */
    private static final int WEIGHT_1 = 840;

    private static final int WEIGHT_2 = 420;
    private static final int WEIGHT_3 = 280;
    private static final int WEIGHT_4 = 210;
    private static final int WEIGHT_5 = 168;
    private static final int WEIGHT_6 = 140;
    private static final int WEIGHT_7 = 120;
    private static final int WEIGHT_8 = 105;

    /** The cost of each direction of the last block. */
    private final int[] costs = new int[8];

    private int variance;

    /**
     * Searches one block.
     *
     * @param samples 8x8 samples, beginning at {@code offset}, with {@code stride} samples a row
     * @param shift bit depth less 8
     * @return the direction, 0..7; {@link #variance} then returns the block's variance
     */
    public int search(short[] samples, int offset, int stride, int shift) {
        // In direction 0, row i adds to lanes i to i + 7: 15 lanes, in four longs. Direction 4 does so with the rows
        // from bottom to top, directions 1 and 3 with sums of two columns, directions 5 and 7 with sums of two rows.
        long d0a = 0;
        long d0b = 0;
        long d0c = 0;
        long d0d = 0;
        long d4a = 0;
        long d4b = 0;
        long d4c = 0;
        long d4d = 0;
        long d1a = 0;
        long d1b = 0;
        long d1c = 0;
        long d3a = 0;
        long d3b = 0;
        long d3c = 0;
        long d5a = 0;
        long d5b = 0;
        long d5c = 0;
        long d7a = 0;
        long d7b = 0;
        long d7c = 0;
        long columnsLow = 0;
        long columnsHigh = 0;
        int cost2 = 0;
        long aboveLow = 0;
        long aboveHigh = 0;
        for (int i = 0; i < 8; i++) {
            long low = pack(samples, offset + i * stride, shift);
            long high = pack(samples, offset + i * stride + 4, shift);
            columnsLow += low;
            columnsHigh += high;
            // The top 16 bits of the product are the sum of all four lanes.
            int rowSum = (int) (((low + high) * 0x0001000100010001L) >>> 48) - 8 * 128;
            cost2 += rowSum * rowSum;

            int up = 16 * (i & 3);
            long first = low << up;
            long second = high << up | spill(low, up);
            long third = spill(high, up);
            int down = 16 * ((7 - i) & 3);
            long first4 = low << down;
            long second4 = high << down | spill(low, down);
            long third4 = spill(high, down);
            long pairs = pairSums(low) | pairSums(high) << 32;
            if (i < 4) {
                d0a += first;
                d0b += second;
                d0c += third;
                d4b += first4;
                d4c += second4;
                d4d += third4;
                d1a += pairs << up;
                d1b += spill(pairs, up);
                d3b += pairs << down;
                d3c += spill(pairs, down);
            } else {
                d0b += first;
                d0c += second;
                d0d += third;
                d4a += first4;
                d4b += second4;
                d4c += third4;
                d1b += pairs << up;
                d1c += spill(pairs, up);
                d3a += pairs << down;
                d3b += spill(pairs, down);
            }
            if ((i & 1) == 0) {
                aboveLow = low;
                aboveHigh = high;
            } else {
                long rowsLow = aboveLow + low;
                long rowsHigh = aboveHigh + high;
                int half = 16 * (i >> 1);
                d7a += rowsLow << half;
                d7b += rowsHigh << half | spill(rowsLow, half);
                d7c += spill(rowsHigh, half);
                int rest = 48 - half;
                d5a += rowsLow << rest;
                d5b += rowsHigh << rest | spill(rowsLow, rest);
                d5c += spill(rowsHigh, rest);
            }
        }
        costs[0] = diagonalCost(d0a, d0b, d0c, d0d);
        costs[1] = slantedCost(d1a, d1b, d1c);
        costs[2] = cost2 * WEIGHT_8;
        costs[3] = slantedCost(d3a, d3b, d3c);
        costs[4] = diagonalCost(d4a, d4b, d4c, d4d);
        costs[5] = slantedCost(d5a, d5b, d5c);
        costs[6] = (squares8(columnsLow) + squares8(columnsHigh)) * WEIGHT_8;
        costs[7] = slantedCost(d7a, d7b, d7c);
        int best = 0;
        for (int direction = 1; direction < costs.length; direction++) {
            if (costs[direction] > costs[best]) {
                best = direction;
            }
        }
        variance = (costs[best] - costs[(best + 4) & 7]) >> 10;
        return best;
    }

    /** Variance of the block of the last search. */
    public int variance() {
        return variance;
    }

    private static long pack(short[] samples, int i, int shift) {
        return samples[i] >> shift
                | samples[i + 1] >> shift << 16
                | (long) (samples[i + 2] >> shift) << 32
                | (long) (samples[i + 3] >> shift) << 48;
    }

    /** The lanes that {@code lanes << bits} shifts out, as the low lanes of the next long. {@code bits} may be 0. */
    private static long spill(long lanes, int bits) {
        return lanes >>> 1 >>> (63 - bits);
    }

    /** Puts lane 0 + lane 1 into lane 0, and lane 2 + lane 3 into lane 1. */
    private static long pairSums(long lanes) {
        long sums = (lanes & PAIRS) + (lanes >>> 16 & PAIRS);
        return (sums | sums >>> 16) & 0xffffffffL;
    }

    /** The cost of a diagonal direction, whose 15 lines have 1 to 8 and then 7 to 1 samples. */
    private static int diagonalCost(long a, long b, long c, long d) {
        return square(a, 0, 1) * WEIGHT_1
                + square(a, 16, 2) * WEIGHT_2
                + square(a, 32, 3) * WEIGHT_3
                + square(a, 48, 4) * WEIGHT_4
                + square(b, 0, 5) * WEIGHT_5
                + square(b, 16, 6) * WEIGHT_6
                + square(b, 32, 7) * WEIGHT_7
                + square(b, 48, 8) * WEIGHT_8
                + square(c, 0, 7) * WEIGHT_7
                + square(c, 16, 6) * WEIGHT_6
                + square(c, 32, 5) * WEIGHT_5
                + square(c, 48, 4) * WEIGHT_4
                + square(d, 0, 3) * WEIGHT_3
                + square(d, 16, 2) * WEIGHT_2
                + square(d, 32, 1) * WEIGHT_1;
    }

    /** The cost of a slanted direction, whose 11 lines have 2, 4, 6, five times 8, 6, 4 and 2 samples. */
    private static int slantedCost(long a, long b, long c) {
        return (square(a, 0, 2) + square(c, 32, 2)) * WEIGHT_2
                + (square(a, 16, 4) + square(c, 16, 4)) * WEIGHT_4
                + (square(a, 32, 6) + square(c, 0, 6)) * WEIGHT_6
                + (square(a, 48, 8) + squares8(b)) * WEIGHT_8;
    }

    private static int squares8(long lanes) {
        return square(lanes, 0, 8) + square(lanes, 16, 8) + square(lanes, 32, 8) + square(lanes, 48, 8);
    }

    private static int square(long lanes, int bit, int samples) {
        int sum = (int) (lanes >>> bit & 0xffff) - 128 * samples;
        return sum * sum;
    }
}
