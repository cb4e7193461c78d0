/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * The numbers of PSNR-HVS: an orthonormal 8-point DCT, and what an error of each frequency counts. Transforms go by halves, the
 * even vertical frequencies 0, 2, 4, 6 and the odd ones 1, 3, 5, 7, since each half needs but four rows, sums or differences of
 * the eight. Holds nothing else.
 */
public final class HvsWeights {
    /** Samples of a block's row, rows of a block. */
    public static final int BLOCK = 8;

    /** Vertical frequencies of a half. */
    public static final int HALF = 4;

    /**
     * The eye's sensitivity falls as the steps of this table rise: ITU-T T.81, table K.1, the quantiser of luma. A row is of one
     * vertical frequency.
     */
    private static final int[] STEPS = {
        16, 11, 10, 16, 24, 40, 51, 61,
        12, 12, 14, 19, 26, 58, 60, 55,
        14, 13, 16, 24, 40, 57, 69, 56,
        14, 17, 22, 29, 51, 87, 80, 62,
        18, 22, 37, 56, 68, 109, 103, 77,
        24, 35, 55, 64, 81, 104, 113, 92,
        49, 64, 78, 87, 103, 121, 120, 101,
        72, 92, 95, 98, 112, 100, 103, 99
    };

    private HvsWeights() {}

    /** Those of a row's or column's samples that lie in whole blocks. */
    public static int inBlocks(int samples) {
        return samples / BLOCK * BLOCK;
    }

    /** The DCT's basis: of each half, of each of the first four rows, at each frequency of the half. */
    public static float[] basis() {
        float[] basis = new float[2 * HALF * HALF];
        for (int half = 0; half < 2; half++) {
            for (int row = 0; row < HALF; row++) {
                for (int i = 0; i < HALF; i++) {
                    int frequency = 2 * i + half;
                    basis[(half * HALF + row) * HALF + i] = (float) ((frequency == 0 ? Math.sqrt(0.125) : 0.5)
                            * Math.cos((2 * row + 1) * frequency * Math.PI / 16));
                }
            }
        }
        return basis;
    }

    /**
     * Of each half, of each horizontal frequency, at each vertical one: what the square of a coefficient's error counts. 1 on
     * average, so that white noise counts as in PSNR.
     */
    public static float[] weights() {
        double sum = 0;
        for (int step : STEPS) {
            sum += 1.0 / (step * step);
        }
        float[] weights = new float[BLOCK * BLOCK];
        for (int half = 0; half < 2; half++) {
            for (int horizontal = 0; horizontal < BLOCK; horizontal++) {
                for (int i = 0; i < HALF; i++) {
                    int step = STEPS[(2 * i + half) * BLOCK + horizontal];
                    weights[(half * BLOCK + horizontal) * HALF + i] = (float) (BLOCK * BLOCK / (sum * step * step));
                }
            }
        }
        return weights;
    }
}
