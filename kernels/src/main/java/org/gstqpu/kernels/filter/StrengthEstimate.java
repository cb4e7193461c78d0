/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What pictures showed of how they were coded, and what follows.
 *
 * @param comb whether the coefficients of the 8x8 grid stand on a comb, as intra pictures of MJPEG, MPEG-1, MPEG-2 and MPEG-4
 *     part 2 leave them
 * @param drawing whether they are drawings, titles or a screen: flat, but for hard edges
 * @param step how far apart: the size, in sample values, up to which coefficients of low frequency were lost. About the
 *     quantiser step where there is a comb, less elsewhere, about 1 where nothing was lost
 * @param texture how much texture they have that a filter would take for ringing: of the coefficients of a middle frequency off
 *     the grid, how many thousandths are of 4 to 12 sample values, less a third of those of 1 to 4; 0 to 1000
 * @param tier index into {@link StrengthTier#ALL} of the last picture
 * @param gridColumn column, 0 to 7, in which the first whole block of 8x8 begins
 * @param gridRow the same of rows
 */
public record StrengthEstimate(
        boolean comb, boolean drawing, double step, int texture, int tier, int gridColumn, int gridRow) {
    private static final int TIER_BITS = 8;
    private static final int STEP_BITS = 11;
    private static final int TEXTURE_BITS = 11;
    private static final int DRAWING = 1 << 30;

    /** An estimate but for the grid as one word, which a device writes and the CPU reads at any time. */
    public static int pack(boolean comb, boolean drawing, int step, int texture, int tier) {
        return tier
                | Math.min(step, (1 << STEP_BITS) - 1) << TIER_BITS
                | Math.min(texture, (1 << TEXTURE_BITS) - 1) << (TIER_BITS + STEP_BITS)
                | (drawing ? DRAWING : 0)
                | (comb ? Integer.MIN_VALUE : 0);
    }

    /**
     * A place in a grid of 8x8 blocks as one number.
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

    /** The estimate in such a word and an offset, column | row &lt;&lt; 3. */
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
