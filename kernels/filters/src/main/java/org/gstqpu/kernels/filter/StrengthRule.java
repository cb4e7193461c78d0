/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * How strongly to filter video of which nothing is known but its decoded pictures: tables that give the level of a {@link
 * StrengthTier}. They were fitted to real footage, coded by four codecs at several strengths, so that PSNR and SSIM of luma hardly
 * ever fall; {@code docs/notebook/STRENGTH.md} has the method. Holds nothing; any thread.
 *
 * <p>Rows of a table stand for {@linkplain StrengthEstimate#texture texture}, columns for the {@linkplain StrengthEstimate#step step}
 * that the coder left. Between rows and columns the level is interpolated, so that it has no cliffs, and it never falls while the
 * step rises. Drawings have tables without rows. Shrinkage spares texture, the other two filters do not. So there are tables for
 * ladders with shrinkage, and others for ladders without.
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

    /** Thresholds of shrinkage that do best if there is a comb, in sixteenths; 0 for nothing. */
    private static final int[][] COMB_SHRINKAGE = {
        {36, 52, 80, 124, 184, 244, 284, 380, 520},
        {36, 52, 80, 124, 184, 244, 284, 380, 520},
        {36, 50, 76, 116, 172, 232, 270, 360, 510},
        {28, 40, 56, 80, 112, 156, 190, 270, 420},
        {10, 14, 20, 28, 40, 80, 120, 220, 400}
    };

    private static final int[] COMB_SHRINKAGE_DRAWN = {48, 64, 88, 112, 160, 240, 288, 390, 560};

    /** The same without a comb. */
    private static final int[][] OTHER_SHRINKAGE = {
        {0, 16, 50, 84, 184, 224, 288, 384},
        {0, 16, 50, 84, 184, 224, 288, 384},
        {0, 16, 46, 80, 172, 204, 270, 360},
        {0, 14, 36, 60, 110, 130, 190, 270},
        {0, 8, 11, 18, 50, 80, 160, 240}
    };

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

    private static final int TABLES = 4;

    /** Tables of positions, row by row: with a comb, drawn with a comb, without a comb, drawn without; then these without shrinkage. */
    private static final int[][] POSITIONS_OF = {
        positions(true, COMB_SHRINKAGE),
        positions(true, COMB_SHRINKAGE_DRAWN),
        positions(true, OTHER_SHRINKAGE),
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
     * The tier for such pictures: an index into {@link StrengthTier#ALL}, or into {@link StrengthTier#WITHOUT_SHRINKAGE}.
     * Parameters are those of {@link #position}.
     */
    public static int tier(boolean shrinks, boolean comb, boolean drawing, int step, int texture) {
        return StrengthTier.number(drawing, position(shrinks, comb, drawing, step, texture) / POSITIONS);
    }

    /**
     * The level for such pictures, in units of 1/{@link #POSITIONS} of a level. Parameters are those of {@link StrengthEstimate}.
     *
     * @param shrinks true if shrinkage runs
     * @param comb true if the coefficients stand on a comb
     * @param drawing true if the pictures are drawn, not filmed
     * @param step in sixteenths of a sample value ({@link #UNIT})
     * @param texture in thousandths
     */
    public static int position(boolean shrinks, boolean comb, boolean drawing, int step, int texture) {
        int[] table = POSITIONS_OF[(shrinks ? 0 : TABLES) + (comb ? 0 : 2) + (drawing ? 1 : 0)];
        int[] steps = comb ? COMB_STEPS : OTHER_STEPS;
        int column = before(steps, step);
        int across = fraction(steps, column, step);
        if (drawing) {
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
     * The tables as strength/decide.comp reads them: the number of textures, of steps with a comb and of steps without; the textures
     * and steps; the positions of the eight tables: for shrinkage with a comb, drawn with a comb, without a comb, drawn without; then
     * these four without shrinkage.
     */
    public static List<Integer> words() {
        List<Integer> words = new ArrayList<>(List.of(TEXTURES.length, COMB_STEPS.length, OTHER_STEPS.length));
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
