/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * How strongly to filter footage of which no more is known than what its decoded pictures show: a table that was fitted to
 * real footage, coded by five codecs at several strengths, so that PSNR and SSIM of luma fall nowhere. Holds nothing; any
 * thread. {@code kernels/PERFORMANCE.md} tells how the table came about.
 *
 * <p>Rows are how much {@linkplain StrengthEstimate#texture texture} the picture has: the more of it survived, the more a filter
 * would take away with the ringing. Columns are what the coding left: the {@linkplain StrengthEstimate#step step}.
 */
public final class StrengthRule {
    /** Steps are counted in sixteenths of a sample value. */
    public static final int UNIT = 16;

    /** Texture is counted in thousandths of the coefficients. */
    private static final int[] TEXTURES = {1, 30, 120, 200};

    /** Where the coefficients of the 8x8 grid stand on a comb: an intra picture of MJPEG, MPEG-1, MPEG-2, MPEG-4 was seen. */
    private static final int[] COMB_STEPS = {96, 144, 203, 272, 336, 416, 640};

    /** A row for each texture, and the last for drawings. */
    private static final int[][] COMB_TIERS = {
        {9, 9, 11, 12, 13, 14, 15, 15},
        {5, 10, 11, 12, 13, 13, 15, 15},
        {3, 3, 6, 6, 10, 12, 13, 13},
        {1, 3, 5, 5, 0, 0, 10, 10},
        {0, 0, 0, 0, 0, 0, 8, 8},
        {0, 5, 5, 9, 11, 12, 13, 4}
    };

    /** All else: prediction blurs the comb, and shows a smaller step than the coder's. */
    private static final int[] OTHER_STEPS = {20, 26, 32, 40, 48, 61, 77};

    private static final int[][] OTHER_TIERS = {
        {0, 1, 1, 6, 6, 11, 12, 13},
        {0, 0, 0, 3, 6, 10, 11, 12},
        {0, 0, 0, 1, 1, 10, 10, 10},
        {0, 0, 0, 0, 0, 1, 2, 2},
        {0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 5, 7, 12, 13}
    };

    private StrengthRule() {}

    /**
     * The tier for footage like this.
     *
     * @param comb whether the coefficients stand on a comb
     * @param drawing whether it is drawn, not filmed
     * @param step in {@linkplain #UNIT units}
     * @param texture in thousandths
     */
    public static int tier(boolean comb, boolean drawing, int step, int texture) {
        int row = drawing ? TEXTURES.length + 1 : reached(TEXTURES, texture);
        return comb ? COMB_TIERS[row][reached(COMB_STEPS, step)] : OTHER_TIERS[row][reached(OTHER_STEPS, step)];
    }

    private static int reached(int[] thresholds, int value) {
        int count = 0;
        while (count < thresholds.length && value >= thresholds[count]) {
            count++;
        }
        return count;
    }

    /**
     * The rule as strength/decide.comp reads it: the numbers of textures and of both kinds of steps, these thresholds, then
     * for each texture and for drawings a row of tiers, first of a comb, then of all else.
     */
    public static List<Integer> words() {
        List<Integer> words = new ArrayList<>(List.of(TEXTURES.length, COMB_STEPS.length, OTHER_STEPS.length));
        add(words, TEXTURES);
        add(words, COMB_STEPS);
        add(words, OTHER_STEPS);
        for (int[] row : COMB_TIERS) {
            add(words, row);
        }
        for (int[] row : OTHER_TIERS) {
            add(words, row);
        }
        return List.copyOf(words);
    }

    private static void add(List<Integer> words, int[] values) {
        for (int value : values) {
            words.add(value);
        }
    }
}
