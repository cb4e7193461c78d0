package org.gstqpu.kernels;

import java.util.ArrayList;
import java.util.List;

/**
 * How strongly to filter footage of which no more is known than what its decoded pictures show: a table that was fitted to
 * real footage, coded by five codecs at several strengths, so that PSNR and SSIM of luma fall nowhere. Holds nothing; any
 * thread. {@code kernels/PERFORMANCE.md} tells how the table came about.
 *
 * <p>Rows are what the coding left: the {@linkplain StrengthEstimate#step step}. Columns are how much fine texture the
 * picture has: the finer the texture that survived, the more a filter would take away with the ringing.
 */
public final class StrengthRule {
    /** Steps and textures are counted in sixteenths of a sample value. */
    public static final int UNIT = 16;

    private static final int[] TEXTURES = {24, 56, 144};

    /** Where the coefficients of the 8x8 grid stand on a comb: an intra picture of MJPEG, MPEG-1, MPEG-2, MPEG-4 was seen. */
    private static final int[] COMB_STEPS = {96, 144, 203, 272, 336, 416};

    private static final int[][] COMB_TIERS = {
        {4, 9, 10, 11, 13, 14, 15}, {0, 1, 2, 2, 3, 7, 8}, {0, 0, 0, 0, 0, 0, 6}, {1, 1, 1, 1, 16, 17, 18}
    };

    /** All else: prediction blurs the comb, and shows a smaller step than the coder's. */
    private static final int[] OTHER_STEPS = {20, 26, 32, 40, 48, 61, 77};

    private static final int[][] OTHER_TIERS = {
        {0, 1, 1, 4, 5, 10, 11, 12}, {0, 0, 0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 1}
    };

    private StrengthRule() {}

    /**
     * The tier for footage like this.
     *
     * @param comb whether the coefficients stand on a comb
     * @param step in units
     * @param texture in units
     */
    public static int tier(boolean comb, int step, int texture) {
        int column = reached(TEXTURES, texture);
        return comb ? COMB_TIERS[column][reached(COMB_STEPS, step)] : OTHER_TIERS[column][reached(OTHER_STEPS, step)];
    }

    private static int reached(int[] thresholds, int value) {
        int count = 0;
        while (count < thresholds.length && value >= thresholds[count]) {
            count++;
        }
        return count;
    }

    /**
     * The rule as strength_decide.comp reads it: the numbers of textures and of both kinds of steps, these thresholds, then
     * for each texture a row of tiers, first of a comb, then of all else.
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
