package org.gstqpu.kernels.cpu;

import java.util.Arrays;

/**
 * Finds the direction of an 8x8 luma block and its variance (AV1 specification, 7.15.2). Owns the sums of one search;
 * belongs to one worker.
 */
final class CdefDirection {
    /** 840 divided by the number of samples on a line, so that sums over lines of different lengths compare. */
    private static final int[] DIV_TABLE = {0, 840, 420, 280, 210, 168, 140, 120, 105};

    private final int[][] partial = new int[8][15];
    private final int[] cost = new int[8];
    private int variance;

    /**
     * Searches one block.
     *
     * @param samples 8x8 samples from {@code offset}, {@code stride} a row
     * @param shift bit depth less 8
     * @return the direction, 0..7; {@link #variance} holds the variance
     */
    int search(short[] samples, int offset, int stride, int shift) {
        for (int[] sums : partial) {
            Arrays.fill(sums, 0);
        }
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 8; j++) {
                int x = (samples[offset + i * stride + j] >> shift) - 128;
                partial[0][i + j] += x;
                partial[1][i + j / 2] += x;
                partial[2][i] += x;
                partial[3][3 + i - j / 2] += x;
                partial[4][7 + i - j] += x;
                partial[5][3 - i / 2 + j] += x;
                partial[6][j] += x;
                partial[7][i / 2 + j] += x;
            }
        }
        Arrays.fill(cost, 0);
        for (int i = 0; i < 8; i++) {
            cost[2] += square(2, i);
            cost[6] += square(6, i);
        }
        cost[2] *= DIV_TABLE[8];
        cost[6] *= DIV_TABLE[8];
        for (int i = 0; i < 7; i++) {
            cost[0] += (square(0, i) + square(0, 14 - i)) * DIV_TABLE[i + 1];
            cost[4] += (square(4, i) + square(4, 14 - i)) * DIV_TABLE[i + 1];
        }
        cost[0] += square(0, 7) * DIV_TABLE[8];
        cost[4] += square(4, 7) * DIV_TABLE[8];
        for (int direction = 1; direction < 8; direction += 2) {
            for (int j = 0; j < 5; j++) {
                cost[direction] += square(direction, 3 + j);
            }
            cost[direction] *= DIV_TABLE[8];
            for (int j = 0; j < 3; j++) {
                cost[direction] += (square(direction, j) + square(direction, 10 - j)) * DIV_TABLE[2 * j + 2];
            }
        }
        int best = 0;
        for (int direction = 1; direction < 8; direction++) {
            if (cost[direction] > cost[best]) {
                best = direction;
            }
        }
        variance = (cost[best] - cost[(best + 4) & 7]) >> 10;
        return best;
    }

    private int square(int direction, int line) {
        return partial[direction][line] * partial[direction][line];
    }

    /** Variance of the block that was searched last. */
    int variance() {
        return variance;
    }
}
