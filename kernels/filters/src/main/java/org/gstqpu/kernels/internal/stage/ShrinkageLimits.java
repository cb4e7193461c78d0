/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

/**
 * The numbers of shrinkage for one threshold and bit depth, by coefficient. A coefficient's index is 8 times its row
 * plus its column. Belongs to its maker's thread.
 */
public final class ShrinkageLimits {
    /** Weight of a block by the number of its coefficients above the threshold, the first of them not counted. */
    public static final int[] WEIGHTS = weights();

    /** 65536 divided by the sum of the weights at a sample. The sum is at most 16 times 64; 0 for no weights. */
    public static final int[] RECIPROCALS = reciprocals();

    /**
     * Factors that bring a coefficient back to the scale of the inverse transform, in 64ths. They are 64 * 32 divided by the
     * squared norms of the transform's rows.
     */
    public static final int[] SCALES = byClass(32, 28, 51, 25, 45, 82);

    /** Norms of the coefficients, times 256: how large a coefficient is for a difference of one sample value. */
    public static final int[] NORMS = byClass(2048, 2176, 1619, 2312, 1720, 1280);

    /** What is added before a sample that is not flat is rounded, in 1/2^21. */
    public static final int HALF = 1 << 20;

    /** The largest excess over the bound that is taken away at once, in an 8-bit picture. */
    private static final int LARGEST_EXCESS = 390;

    /** A coefficient as large as this, or larger, stays as it is. */
    public final int[] thresholds = new int[64];

    /** How far a coefficient may move from the decoded picture. */
    public final int[] bounds = new int[64];

    /** The largest excess over a bound that is taken away. */
    public final int largestExcess;

    private final int coefficientShift;
    private int threshold;
    private boolean bounding;

    /** Limits for samples of this many bits; {@link #set} comes before their first use. */
    public ShrinkageLimits(int bitDepth) {
        coefficientShift = bitDepth - 8;
        largestExcess = LARGEST_EXCESS << coefficientShift;
    }

    /**
     * Sets the limits.
     *
     * @param threshold sixteenths of an 8-bit sample value
     * @param bound percent of the threshold, or 0 for none
     */
    public void set(int threshold, int bound) {
        this.threshold = threshold;
        bounding = bound > 0;
        int scaled = threshold << coefficientShift;
        for (int k = 0; k < 64; k++) {
            thresholds[k] = (scaled * NORMS[k] + 2048) >> 12;
        }
        setBounds((scaled * bound + 50) / 100);
    }

    /**
     * Sets the bounds alone.
     *
     * @param base sixteenths of a sample value of the pictures' own bit depth
     */
    public void setBounds(int base) {
        for (int k = 0; k < 64; k++) {
            bounds[k] = (base * (16 + (k >> 3) + (k & 7)) / 16 * NORMS[k] + 2048) >> 12;
        }
    }

    /** The sum of the weights at a sample that only flat blocks cover: those with no coefficient above the threshold but their mean. */
    public static int flatTotal(int shifts) {
        return WEIGHTS[0] * shifts;
    }

    /**
     * What is added before a flat sample of luma is rounded, in 1/2^21: four values take turns in 2x2 samples. One half alone would
     * make steps of one sample value, wide enough to be seen, where a picture slowly becomes brighter. The eye does not see them in chroma.
     *
     * @param column of the plane; may be negative
     * @param row of the plane; may be negative
     */
    public static int flatRounding(int column, int row) {
        int eighths = 1 + 4 * (column & 1);
        return ((row & 1) == 0 ? eighths : 8 - eighths) << 18;
    }

    /** True if the samples change at all. */
    public boolean isShrinking() {
        return threshold > 0;
    }

    /** True if the change is bounded. */
    public boolean isBounding() {
        return bounding;
    }

    /** A number for each coefficient, by the classes of its row and its column: 0 and 4, odd ones, 2 and 6. */
    private static int[] byClass(int n00, int n01, int n02, int n11, int n12, int n22) {
        int[][] classes = {{n00, n01, n02}, {n01, n11, n12}, {n02, n12, n22}};
        int[] numbers = new int[64];
        for (int k = 0; k < 64; k++) {
            numbers[k] = classes[classOf(k >> 3)][classOf(k & 7)];
        }
        return numbers;
    }

    private static int classOf(int index) {
        return (index & 1) != 0 ? 1 : (index & 3) == 0 ? 0 : 2;
    }

    private static int[] weights() {
        int[] weights = new int[64];
        for (int n = 0; n < weights.length; n++) {
            weights[n] = Math.max(1, (64 + (1 + n) / 2) / (1 + n));
        }
        return weights;
    }

    private static int[] reciprocals() {
        int[] reciprocals = new int[16 * 64 + 1];
        for (int sum = 1; sum < reciprocals.length; sum++) {
            reciprocals[sum] = 65536 / sum;
        }
        return reciprocals;
    }
}
