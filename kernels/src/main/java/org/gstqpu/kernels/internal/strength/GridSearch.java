/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.strength;

/**
 * Finds in which column and row of the pictures a grid of 8x8 blocks begins, by where steps occur more often than elsewhere.
 * Mutable, allocates nothing; belongs to one thread. strength/decide.comp does the same on the device, in the same integers.
 */
final class GridSearch {
    /** Older pictures fade: the sums are of about this many. */
    private static final int PICTURES = 8;

    /** Fewer steps than that say nothing. */
    private static final int LEAST_STEPS = 64;

    private final int[] sums = new int[2 * StrengthHistograms.PHASES];
    private int offset;

    /** Takes in the next picture and returns the offset found, column | row &lt;&lt; 3, as it was before where none is clear. */
    int next(StrengthHistograms picture) {
        for (int phase = 0; phase < sums.length; phase++) {
            sums[phase] += picture.steps(phase) - sums[phase] / PICTURES;
        }
        offset = find(0, offset & 7) | find(StrengthHistograms.PHASES, offset >> 3) << 3;
        return offset;
    }

    /** The phase, counted from {@code first}, that stands out. */
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
        // 1.8 times the mean of the others, and 4/3 of each.
        boolean clear = most >= LEAST_STEPS && 35 * most >= 9 * (all - most) && 3 * most >= 4 * second;
        return clear ? best : before;
    }
}
