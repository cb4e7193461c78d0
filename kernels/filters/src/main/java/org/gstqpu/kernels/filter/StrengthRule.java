/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * How strongly to filter video of which nothing is known but its decoded pictures. Gives the level of a {@link StrengthTier}. Fitted to
 * real footage, coded by four codecs at several strengths, so that PSNR and SSIM of luma hardly ever fall; {@code
 * docs/notebook/STRENGTH.md} has the method. Holds nothing; any thread.
 *
 * <p>Where shrinkage filters footage, the level is a weighted sum of logarithms of what was measured, with other weights for each
 * {@link Coding}. Elsewhere there are tables: rows stand for {@linkplain StrengthEstimate#texture texture}, columns for the
 * {@linkplain StrengthEstimate#step step} that the coder left. Between rows and columns the level is interpolated, so that it has no
 * cliffs, and it never falls while the step rises. Drawings have tables without rows; off combs they get what steps at block edges ask
 * for, if that is more. Shrinkage spares texture, the other two filters do not. So ladders without shrinkage have tables of their own.
 */
public final class StrengthRule {
    /** Units of a step in one sample value: steps are counted in sixteenths. */
    public static final int UNIT = 16;

    /** Units of a {@linkplain #position position} in one level. */
    public static final int POSITIONS = 16;

    /** Units between two rows, and between two columns. */
    private static final int FRACTIONS = 64;

    /** Texture of each row, in thousandths of the coefficients. */
    private static final int[] TEXTURES = {0, 60, 150, 250, 400};

    /** Step of each column, if the coefficients stand on a comb: MJPEG, MPEG-1, MPEG-2 or MPEG-4 part 2. */
    private static final int[] COMB_STEPS = {40, 58, 90, 150, 235, 335, 385, 490, 700};

    /** Step of each column, if there is no comb. Prediction blurs the comb, and the step seems smaller than it was. */
    private static final int[] OTHER_STEPS = {20, 24, 30, 36, 60, 80, 128, 256};

    /** How pictures were coded, as far as it can be seen in them. */
    public enum Coding {
        /** Every picture has the comb of a quantiser: MJPEG, or intra pictures alone. */
        INTRA(0),
        /** Some picture had the comb of a quantiser with a matrix, others were predicted from it: MPEG-1 and MPEG-2. */
        PREDICTED(1),
        /** The same of a flat quantiser: MPEG-4 part 2. */
        PREDICTED_FLAT(2),
        /** Steps at the edges of 8x8 blocks, but no comb: pictures that were coded again. */
        BLOCKS_8(3),
        /** Steps at the edges of 4x4 blocks: H.264 without its loop filter. */
        BLOCKS_4(4),
        /** Steps at some of the edges, and hardly anything lost in 8x8 blocks: pictures that were made twice as large after they were coded. */
        SCALED(5),
        /** Wide steps on a grid of another pitch than 8 samples: pictures that were made larger by any factor after they were coded. */
        ENLARGED(6),
        /** The steps of {@link #BLOCKS_8}, many, on a grid that begins elsewhere than blocks are measured: pictures that were cropped a moment ago. */
        CROPPED(7);

        private final int index;

        Coding(int index) {
            this.index = index;
        }
    }

    /**
     * For each {@link Coding}, in 1/{@link #POSITIONS} of a level: the constant; for each octave of each {@link Measure}; and for each 100
     * thousandths of texture.
     */
    private static final int[][] WEIGHTS = {
        {-136, 0, 0, 0, 80, 0, 0, 0, 0, -10},
        {-468, 7, 5, 13, 0, 11, 84, 7, 0, -27},
        {-410, 35, -6, 5, 8, 49, 53, -1, 0, -68},
        {-550, 93, -3, 55, 3, 14, 0, 0, 0, -42},
        {-371, 66, -41, 18, 0, 13, 0, 0, 76, -17},
        {489, 15, -36, 8, 0, 0, 0, 0, 0, -6},
        {161, 0, 0, 41, 0, 0, 0, 0, 0, -6},
        {-1161, 55, 11, 142, 32, 0, 0, 0, 0, -20}
    };

    /** What is measured in pictures. */
    public enum Measure {
        /** Size of the steps that a coder has added at block edges, in sixteenths of a sample value. */
        EDGE(0),
        /** Size of the steps elsewhere, in sixteenths of a sample value. */
        NATURAL(1),
        /** How many more steps there are at block edges than elsewhere, in 1/64 of those elsewhere. */
        EXCESS(2),
        /** Size up to which coefficients of low frequency were lost in 8x8 blocks, in {@linkplain #UNIT units}. */
        LOST_8(3),
        /** The same in 4x4 blocks. */
        LOST_4(4),
        /** Size up to which coefficients of a middle frequency were lost where there was a comb, in units. */
        COMB(5),
        /** The same of low frequency. Beside {@link #COMB} it tells a quantiser with a matrix from a flat one. */
        COMB_8(6),
        /** The most of {@link #LOST_4} that one picture lost since the last cut: mostly its intra picture. */
        MOST_4(7);

        private final int index;

        Measure(int index) {
            this.index = index;
        }

        /** The measure's place among all. */
        public int index() {
            return index;
        }
    }

    /** Less of an excess is taken for so much. */
    private static final int LEAST_EXCESS = 4;

    /** Units of a logarithm in one octave. */
    private static final int OCTAVE = 16;

    /** Thresholds of shrinkage that do best for drawings if there is a comb, in sixteenths; 0 for nothing. */
    private static final int[] COMB_SHRINKAGE_DRAWN = {48, 64, 88, 112, 160, 240, 288, 390, 560};

    /** The same without a comb. */
    private static final int[] OTHER_SHRINKAGE_DRAWN = {0, 8, 9, 10, 11, 13, 60, 150};

    /** Levels that do best without shrinkage if there is a comb. */
    private static final int[][] COMB_ALONE = {
        {2, 3, 12, 21, 26, 30, 32, 34, 38},
        {1, 3, 9, 18, 23, 26, 28, 31, 35},
        {1, 2, 5, 11, 15, 18, 20, 24, 29},
        {1, 1, 1, 2, 4, 6, 8, 13, 19},
        {1, 1, 1, 1, 1, 1, 2, 4, 8}
    };

    private static final int[] COMB_ALONE_DRAWN = {4, 6, 9, 12, 15, 18, 20, 24, 30};

    /** The same without a comb. */
    private static final int[][] OTHER_ALONE = {
        {0, 2, 6, 14, 24, 29, 34, 38},
        {0, 1, 4, 11, 20, 25, 29, 33},
        {0, 0, 1, 4, 10, 14, 19, 23},
        {0, 0, 0, 1, 3, 5, 8, 11},
        {0, 0, 0, 0, 1, 1, 2, 4}
    };

    private static final int[] OTHER_ALONE_DRAWN = {0, 1, 2, 3, 4, 5, 9, 20};

    /** The first table without shrinkage. */
    private static final int ALONE = 2;

    /**
     * Tables of positions, row by row. For drawings with shrinkage: with a comb, without. Without shrinkage: with a comb, drawn with a
     * comb, without a comb, drawn without.
     */
    private static final int[][] POSITIONS_OF = {
        positions(true, COMB_SHRINKAGE_DRAWN),
        positions(true, OTHER_SHRINKAGE_DRAWN),
        positions(false, COMB_ALONE),
        positions(false, COMB_ALONE_DRAWN),
        positions(false, OTHER_ALONE),
        positions(false, OTHER_ALONE_DRAWN)
    };

    private StrengthRule() {}

    private static int[] positions(boolean thresholds, int[]... rows) {
        int[] positions = new int[rows.length * rows[0].length];
        int at = 0;
        for (int[] row : rows) {
            for (int value : row) {
                double level = !thresholds ? value : value == 0 ? 0 : StrengthTier.level(value);
                // The middle of a level, so that small changes of what is measured change nothing.
                positions[at] = level <= 0 ? 0 : (int) Math.round(POSITIONS * level) + POSITIONS / 2;
                at++;
            }
        }
        return positions;
    }

    /**
     * The level for footage that shrinkage filters, in units of 1/{@link #POSITIONS} of a level. May be less than 0 or more than all
     * levels have.
     *
     * @param measures one for each {@link Measure}
     * @param texture in thousandths
     */
    public static int position(Coding coding, int[] measures, int texture) {
        int[] weights = WEIGHTS[coding.index];
        int octaves = 0;
        for (int measure = 0; measure < measures.length; measure++) {
            int least = measure == Measure.EXCESS.index ? LEAST_EXCESS : 1;
            octaves += weights[1 + measure] * logarithm(Math.max(measures[measure], least));
        }
        return weights[0] + octaves / OCTAVE + weights[1 + measures.length] * texture / 100;
    }

    /**
     * How much weaker texture makes the strength of footage that shrinkage filters, in units of 1/{@link #POSITIONS} of a level. Where every
     * picture has a comb it is less.
     *
     * @param comb true if a picture had a comb
     * @param texture in thousandths
     */
    public static int heldBack(boolean comb, int texture) {
        int[] weights = WEIGHTS[(comb ? Coding.PREDICTED : Coding.BLOCKS_8).index];
        return -weights[weights.length - 1] * texture / 100;
    }

    /** The logarithm to base 2 in {@link #OCTAVE}ths, by a straight line from each power of 2 to the next. */
    private static int logarithm(int value) {
        int octave = 31 - Integer.numberOfLeadingZeros(value);
        return OCTAVE * (octave - 1) + ((OCTAVE * value) >> octave);
    }

    /**
     * The level for drawings, or for pictures that shrinkage does not filter, in units of 1/{@link #POSITIONS} of a level.
     *
     * @param shrinks true if shrinkage runs; then pictures are drawn
     * @param comb true if the coefficients stand on a comb
     * @param drawing true if the pictures are drawn, not filmed
     * @param step in sixteenths of a sample value ({@link #UNIT})
     * @param texture in thousandths
     */
    public static int position(boolean shrinks, boolean comb, boolean drawing, int step, int texture) {
        int[] table = POSITIONS_OF[shrinks ? (comb ? 0 : 1) : ALONE + (comb ? 0 : 2) + (drawing ? 1 : 0)];
        int[] steps = comb ? COMB_STEPS : OTHER_STEPS;
        int column = before(steps, step);
        int across = fraction(steps, column, step);
        if (drawing || shrinks) {
            return between(table, column, across) / FRACTIONS;
        }
        int row = before(TEXTURES, texture);
        int down = fraction(TEXTURES, row, texture);
        int at = row * steps.length + column;
        return (between(table, at, across) * (FRACTIONS - down) + between(table, at + steps.length, across) * down)
                / (FRACTIONS * FRACTIONS);
    }

    /** The last but one index, or the index of the last value that is not larger. */
    private static int before(int[] values, int value) {
        int index = 0;
        while (index < values.length - 2 && value >= values[index + 1]) {
            index++;
        }
        return index;
    }

    /** How far a value lies from the one at {@code index} to the next, 0 to {@link #FRACTIONS}. */
    private static int fraction(int[] values, int index, int value) {
        int inside = Math.max(0, Math.min(value, values[index + 1]) - values[index]);
        return FRACTIONS * inside / (values[index + 1] - values[index]);
    }

    private static int between(int[] table, int at, int fraction) {
        return table[at] * (FRACTIONS - fraction) + table[at + 1] * fraction;
    }

    /**
     * The rule as strength/decide.comp reads it: the number of textures, of steps with a comb and of steps without; the weights; the
     * textures and steps; the positions of the six tables, those with shrinkage first.
     */
    public static List<Integer> words() {
        List<Integer> words = new ArrayList<>(List.of(TEXTURES.length, COMB_STEPS.length, OTHER_STEPS.length));
        for (int[] weights : WEIGHTS) {
            add(words, weights);
        }
        add(words, TEXTURES);
        add(words, COMB_STEPS);
        add(words, OTHER_STEPS);
        for (int[] table : POSITIONS_OF) {
            add(words, table);
        }
        return List.copyOf(words);
    }

    private static void add(List<Integer> words, int[] values) {
        for (int value : values) {
            words.add(value);
        }
    }
}
