/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

/**
 * The pitches of grids that are looked for in pictures: those of 8x8 blocks in pictures that were scaled after they were coded, by the
 * factors that are usual from 16/15 to 4, those of blocks that were not scaled, and those of 4x4 blocks that were made larger by 4/3, 3/2
 * and 5/3. All begin at the picture's corner. Holds nothing; any thread.
 */
public final class GridPitch {
    /** Factors by which the pitch is larger than 8 samples, rising, each over the denominator beside it. */
    private static final int[][] FACTORS = {
        {2, 3},
        {3, 4},
        {5, 6},
        {1, 1},
        {16, 15},
        {427, 360},
        {6, 5},
        {5, 4},
        {4, 3},
        {64, 45},
        {3, 2},
        {8, 5},
        {5, 3},
        {16, 9},
        {15, 8},
        {2, 1},
        {9, 4},
        {5, 2},
        {8, 3},
        {3, 1},
        {4, 1}
    };

    /** How many pitches there are. */
    public static final int COUNT = FACTORS.length;

    /** The pitch of 8x8 blocks that were not scaled. */
    static final int UNSCALED = 3;

    /** Bits of a place within one pitch. */
    private static final int PLACE_BITS = 20;

    /** Places within one pitch that one sample takes, by pitch. */
    private static final int[] FREQUENCIES = new int[COUNT];

    static {
        for (int pitch = 0; pitch < COUNT; pitch++) {
            int[] factor = FACTORS[pitch];
            FREQUENCIES[pitch] = (int) Math.round((double) (1 << PLACE_BITS) * factor[1] / (8 * factor[0]));
        }
    }

    private GridPitch() {}

    /** 2<sup>20</sup> divided by the pitch, as strength/measure.comp and strength/decide.comp read it. */
    static int frequency(int pitch) {
        return FREQUENCIES[pitch];
    }

    /**
     * Where a sample lies: 1 if an edge of the grid is at most one sample from its middle, -1 if the middle between two edges is, 0
     * otherwise.
     *
     * @param at the sample's column, or row
     */
    static int side(int pitch, int at) {
        int half = 1 << (PLACE_BITS - 1);
        int place = at * FREQUENCIES[pitch] + 3 * FREQUENCIES[pitch] / 2;
        return (place & (half - 1)) > 2 * FREQUENCIES[pitch] ? 0 : (place & half) == 0 ? 1 : -1;
    }

    /** How many of so many steps lie beside edges of the grid if they lie anywhere: two samples of each pitch are beside one. */
    static int expected(int pitch, int steps) {
        // In this order all fits into an integer, and hardly any digit is lost.
        return ((steps >> 5) * (FREQUENCIES[pitch] >> 6)) >> (PLACE_BITS - 12);
    }
}
