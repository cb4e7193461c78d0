/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import org.gstqpu.kernels.picture.PictureLayout;

/**
 * The constants of PSNR-HVS: an orthonormal 8-point DCT, and the weight of an error of each frequency.
 *
 * <p>A transform is computed in two halves: the even vertical frequencies 0, 2, 4, 6 and the odd ones 1, 3, 5, 7. Each
 * half needs only four values of a column: sums of mirrored samples for the even half, their differences for the odd
 * half.
 */
public final class HvsWeights {
    /** Samples in a row of a block, and rows of a block. */
    public static final int BLOCK = 8;

    /** Vertical frequencies in a half. */
    public static final int HALF = 4;

    /**
     * Quantiser steps of luma of ITU-T T.81, table K.1. The eye's sensitivity falls as the steps rise. Each row belongs
     * to one vertical frequency.
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

    /** The number of samples of a row or column that lie in whole blocks. */
    public static int inBlocks(int samples) {
        return samples / BLOCK * BLOCK;
    }

    /** The number of luma samples that lie in whole blocks. */
    public static long inBlocks(PictureLayout layout) {
        return (long) inBlocks(layout.width()) * inBlocks(layout.height());
    }

    /** The basis of the DCT. Index: half, then one of the first four rows, then frequency of the half. */
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
     * The weight of the square of a coefficient's error. Index: half, then horizontal frequency, then vertical
     * frequency of the half. The average weight is 1, so that white noise counts as in PSNR.
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
