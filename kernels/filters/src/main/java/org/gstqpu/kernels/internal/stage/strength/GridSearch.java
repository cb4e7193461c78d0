/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

/**
 * Owns the search for the column and row in which the grid of 8x8 blocks begins: steps between samples occur more often
 * on the grid than elsewhere. Mutable; allocates nothing. Belongs to one thread. strength/decide.comp computes the same
 * on the device, with the same integers.
 */
final class GridSearch {
    /** The sums are of about this many pictures, since each picture lowers what older ones added. */
    private static final int PICTURES = 8;

    /** Fewer steps than this say nothing about the grid. */
    private static final int LEAST_STEPS = 64;

    private final int[] sums = new int[2 * StrengthHistograms.PHASES];
    private int offset;

    /**
     * Adds a picture and returns the offset found, column | row &lt;&lt; 3. A column or row stays as it was before if
     * no other stands out.
     */
    int next(StrengthHistograms picture) {
        for (int phase = 0; phase < sums.length; phase++) {
            sums[phase] += picture.steps(phase) - sums[phase] / PICTURES;
        }
        offset = find(0, offset & 7) | find(StrengthHistograms.PHASES, offset >> 3) << 3;
        return offset;
    }

    /**
     * Finds the phase with the most steps.
     *
     * @param first index of phase 0 in {@link #sums}
     * @param before the phase to return if none stands out
     */
    private int find(int first, int before) {
        int best = 0;
        int all = 0;
        for (int phase = 0; phase < StrengthHistograms.PHASES; phase++) {
            int sum = sums[first + phase];
            all += sum;
            best = sum > sums[first + best] ? phase : best;
        }
        int most = sums[first + best];
        int second = 0;
        for (int phase = 0; phase < StrengthHistograms.PHASES; phase++) {
            second = phase == best ? second : Math.max(second, sums[first + phase]);
        }
        // The best phase must have 1.8 times the mean of the others, and 4/3 of each other.
        boolean clear = most >= LEAST_STEPS && 35 * most >= 9 * (all - most) && 3 * most >= 4 * second;
        return clear ? best : before;
    }
}
