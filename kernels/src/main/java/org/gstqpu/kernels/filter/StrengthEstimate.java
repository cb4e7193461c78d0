/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What automatic strength has found in the pictures: how they were coded, and how strongly to filter them. Immutable.
 *
 * @param comb true if the transform coefficients of the 8x8 grid are multiples of a quantiser step, as intra pictures of MJPEG,
 *     MPEG-1, MPEG-2 and MPEG-4 part 2 leave them; their histogram is then a comb
 * @param drawing true if the pictures are drawings, titles, text or a screen: flat areas with hard edges
 * @param step size, in sample values, up to which coefficients were lost: with a comb those of a middle frequency, about the
 *     quantiser step there; otherwise those of low frequency, and less than the step. About 1 if nothing was lost
 * @param texture how much texture the pictures have that a filter would take for ringing, 0 to 1000: of the coefficients of a
 *     middle frequency off the grid, the thousandths with 4 to 12 sample values, less a third of those with 1 to 4
 * @param tier the last picture's index into {@link StrengthTier#ALL}, or into {@link StrengthTier#WITHOUT_SHRINKAGE}
 * @param gridColumn column in which the first whole 8x8 block begins, 0 to 7
 * @param gridRow row in which the first whole 8x8 block begins, 0 to 7
 */
public record StrengthEstimate(
        boolean comb, boolean drawing, double step, int texture, int tier, int gridColumn, int gridRow) {
    private static final int TIER_BITS = 8;
    private static final int STEP_BITS = 11;
    private static final int TEXTURE_BITS = 11;
    private static final int DRAWING = 1 << 30;

    /**
     * An estimate without its grid as one word, so that the CPU can read it at any time while a device writes it.
     *
     * @param step in sixteenths of a sample value ({@link StrengthRule#UNIT})
     */
    public static int pack(boolean comb, boolean drawing, int step, int texture, int tier) {
        return tier
                | Math.min(step, (1 << STEP_BITS) - 1) << TIER_BITS
                | Math.min(texture, (1 << TEXTURE_BITS) - 1) << (TIER_BITS + STEP_BITS)
                | (drawing ? DRAWING : 0)
                | (comb ? Integer.MIN_VALUE : 0);
    }

    /**
     * The place in which a grid of 8x8 blocks begins as one number, column | row &lt;&lt; 3.
     *
     * @throws IllegalArgumentException when column or row is not 0 to 7
     */
    public static int packOffset(int column, int row) {
        if (column < 0 || column > 7 || row < 0 || row > 7) {
            throw new IllegalArgumentException(
                    "a block begins in a column and a row from 0 to 7, given " + column + " and " + row);
        }
        return column | row << 3;
    }

    /** The estimate in a word of {@link #pack} and a number of {@link #packOffset}. */
    public static StrengthEstimate unpack(int word, int offset) {
        return new StrengthEstimate(
                word < 0,
                (word & DRAWING) != 0,
                (word >>> TIER_BITS & (1 << STEP_BITS) - 1) / (double) StrengthRule.UNIT,
                word >>> (TIER_BITS + STEP_BITS) & (1 << TEXTURE_BITS) - 1,
                word & (1 << TIER_BITS) - 1,
                offset & 7,
                offset >> 3);
    }
}
