/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

/**
 * Owns the search for the column and row in which the grid of 8x8 blocks begins, and what the steps on it tell: steps
 * between samples occur more often on the grid than elsewhere, and a coder's have another size. Mutable; allocates
 * nothing. Belongs to one thread. strength/decide.comp computes the same on the device, with the same integers.
 */
final class GridSearch {
    /** The sums are of this many pictures: older ones weigh less and less, and the first one stands for all before it. */
    private static final int PICTURES = 8;

    /** Fewer steps than this say nothing about the grid. */
    private static final int LEAST_STEPS = 192;

    /** So many steps more or less are chance, in counts of steps and in sums of sizes. */
    private static final int CHANCE = 72;

    /** So many steps of size 0 join those of a coder, so that a few large ones by chance do not count. */
    private static final int DOUBT = 192;

    /** Sizes of steps, in sixteenths of a sample value, beyond which they tell no more. */
    private static final int LEAST_SIZE = 16;

    private static final int MOST_SIZE = 192;

    private static final int MOST_EXCESS = 256;

    /** Phases that are neither on a grid of 8x8 nor on one of 4x4 blocks. */
    private static final int OTHER_PHASES = StrengthHistograms.PHASES - 2;

    private final int[] sums = new int[2 * StrengthHistograms.PHASES];
    private final int[] sizes = new int[2 * StrengthHistograms.PHASES];
    private int offset;
    private boolean quarters;
    private int edge;
    private int natural;
    private int excess;
    private int steps;

    /**
     * Adds a picture and returns the offset found, column | row &lt;&lt; 3. A column or row stays as it was before if
     * no other stands out.
     *
     * @param age pictures since the last cut, at most 2
     */
    int next(StrengthHistograms picture, int age) {
        for (int phase = 0; phase < sums.length; phase++) {
            sums[phase] = follow(age, sums[phase], picture.steps(phase));
            sizes[phase] = follow(age, sizes[phase], picture.sizes(phase));
        }
        offset = find(0, offset & 7) | find(StrengthHistograms.PHASES, offset >> 3) << 3;
        compare();
        return offset;
    }

    /** As {@link StrengthState} follows a step: pictures that stand still change nothing. */
    static int follow(int age, int older, int here) {
        return age == 0
                ? PICTURES * here
                : age == 1 ? older / 4 + 3 * PICTURES / 4 * here : older + here - older / PICTURES;
    }

    /** Compares the steps on the grid with those elsewhere. */
    private void compare() {
        int on8 = onGrid(sums, 0);
        int on4 = onGrid(sums, 4);
        int size8 = onGrid(sizes, 0);
        int size4 = onGrid(sizes, 4);
        steps = sum(sums);
        int off = (steps - on8 - on4) / OTHER_PHASES;
        int sizeOff = (sum(sizes) - size8 - size4) / OTHER_PHASES;
        int excess4 = on4 - off - CHANCE;
        quarters = 4 * excess4 >= on8 - off - CHANCE && 32 * excess4 >= off + CHANCE;
        int on = quarters ? (on8 + on4) / 2 : on8;
        int sizeOn = quarters ? (size8 + size4) / 2 : size8;
        edge = size(sizeOn - sizeOff, Math.max(on - off, 0) + DOUBT);
        natural = size(sizeOff + CHANCE, off + CHANCE);
        excess = Math.max(0, Math.min(64 * (on - off - CHANCE) / (off + CHANCE), MOST_EXCESS));
    }

    private int onGrid(int[] counts, int aside) {
        int last = StrengthHistograms.PHASES - 1;
        return counts[(offset & 7) + aside & last] + counts[StrengthHistograms.PHASES + ((offset >> 3) + aside & last)];
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }

    private static int size(int sizes, int steps) {
        return Math.max(LEAST_SIZE, Math.min(16 * sizes / steps, MOST_SIZE));
    }

    /** True if there are steps at the edges of 4x4 blocks, too. */
    boolean quarters() {
        return quarters;
    }

    /** The mean size of the steps that a coder has added at block edges, in sixteenths of a sample value. */
    int edge() {
        return edge;
    }

    /** The mean size of steps elsewhere, in sixteenths of a sample value. */
    int natural() {
        return natural;
    }

    /** The number of steps in the pictures that count. {@link EnlargedSearch#steps} has those of samples two apart. */
    int steps() {
        return steps;
    }

    /** How many more steps there are at block edges than elsewhere, in 1/64 of those. */
    int excess() {
        return excess;
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
