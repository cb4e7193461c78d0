/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * How strongly to filter video of which nothing is known but its decoded pictures: tables that give the {@link StrengthTier}. They
 * were fitted to real footage, coded by five codecs at several strengths, so that PSNR and SSIM of luma fall nowhere; {@code
 * kernels/PERFORMANCE.md} has the method. Holds nothing; any thread.
 *
 * <p>Rows of a table stand for {@linkplain StrengthEstimate#texture texture}: the more of it a picture still has, the more a filter
 * would remove along with the ringing. Columns stand for the {@linkplain StrengthEstimate#step step} that the coder left.
 */
public final class StrengthRule {
    /** Units of a step in one sample value: steps are counted in sixteenths. */
    public static final int UNIT = 16;

    /** Least texture of each row but the first, in thousandths of the coefficients. */
    private static final int[] TEXTURES = {1, 30, 120, 200};

    /** Least step of each column but the first, if the coefficients stand on a comb: MJPEG, MPEG-1, MPEG-2 or MPEG-4 part 2. */
    private static final int[] COMB_STEPS = {96, 144, 203, 272, 336, 416, 640};

    /** Tiers if there is a comb: a row for each texture, and a last row for drawings. */
    private static final int[][] COMB_TIERS = {
        {9, 9, 11, 12, 13, 14, 15, 15},
        {5, 10, 11, 12, 13, 13, 15, 15},
        {3, 3, 6, 6, 10, 12, 13, 13},
        {1, 3, 5, 5, 0, 0, 10, 10},
        {0, 0, 0, 0, 0, 0, 8, 8},
        {0, 5, 5, 9, 11, 12, 13, 4}
    };

    /** Least step of each column but the first, if there is no comb. Prediction blurs the comb, and the step seems smaller than it was. */
    private static final int[] OTHER_STEPS = {20, 26, 32, 40, 48, 61, 77};

    /** Tiers if there is no comb: a row for each texture, and a last row for drawings. */
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
     * The tier for such pictures: an index into {@link StrengthTier#ALL}. Parameters are those of {@link StrengthEstimate}.
     *
     * @param comb true if the coefficients stand on a comb
     * @param drawing true if the pictures are drawn, not filmed
     * @param step in sixteenths of a sample value ({@link #UNIT})
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
     * The tables as strength/decide.comp reads them: the number of textures, of steps with a comb and of steps without; the
     * thresholds of each; the rows of tiers with a comb; the rows of tiers without.
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
