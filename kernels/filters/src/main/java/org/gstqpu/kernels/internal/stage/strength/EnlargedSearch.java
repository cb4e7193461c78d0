/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

/**
 * Owns the search for grids of blocks in pictures that were made larger after they were coded. Scaling smears the steps at block edges
 * over two samples and more, and gives the grid another {@linkplain GridPitch pitch}, which may differ across and down. Mutable; allocates
 * nothing. Belongs to one thread. strength/decide.comp computes the same on the device, with the same integers.
 */
final class EnlargedSearch {
    /** So many steps more or less on one grid are chance. */
    private static final int CHANCE = 72;

    /** The excess that a grid across and one down must have each. */
    private static final int LEAST_EXCESS = 4;

    private static final int MOST_EXCESS = 1024;

    private final int[] steps = new int[2];
    private final int[] onGrids = new int[2 * GridPitch.COUNT];
    private int excess;

    /**
     * Adds a picture.
     *
     * @param age pictures since the last cut, at most 2
     */
    void next(StrengthHistograms picture, int age) {
        for (int direction = 0; direction < 2; direction++) {
            steps[direction] = GridSearch.follow(age, steps[direction], picture.wideSteps(direction));
        }
        for (int grid = 0; grid < onGrids.length; grid++) {
            onGrids[grid] = GridSearch.follow(age, onGrids[grid], picture.onGrid(grid));
        }
        int across = find(0);
        int down = find(1);
        boolean found = excess(0, across) >= LEAST_EXCESS
                && excess(1, down) >= LEAST_EXCESS
                && (across != GridPitch.UNSCALED || down != GridPitch.UNSCALED);
        int more = onGrids[across] + onGrids[GridPitch.COUNT + down];
        int expected = GridPitch.expected(across, steps[0]) + GridPitch.expected(down, steps[1]);
        excess = found ? Math.max(0, Math.min(excess(more, expected, 2 * CHANCE), MOST_EXCESS)) : 0;
    }

    /**
     * How many more steps there are on the grid that was found than half way between its edges, in 1/64 of those that chance would put
     * there; 0 if none was found, or if it is one of blocks that were not scaled.
     */
    int excess() {
        return excess;
    }

    /** The number of wide steps in the pictures that count. */
    int steps() {
        return steps[0] + steps[1];
    }

    /** The pitch that stands out. Steps on a grid are also on each third edge of finer ones, so a larger pitch must be the clearer one. */
    private int find(int direction) {
        int best = 0;
        int most = 0;
        for (int pitch = 0; pitch < GridPitch.COUNT; pitch++) {
            int here = excess(direction, pitch);
            if (4 * here > 5 * most) {
                best = pitch;
                most = here;
            }
        }
        return best;
    }

    private int excess(int direction, int pitch) {
        return excess(
                onGrids[direction * GridPitch.COUNT + pitch], GridPitch.expected(pitch, steps[direction]), CHANCE);
    }

    private static int excess(int more, int expected, int chance) {
        return 64 * (more - chance) / (expected + chance);
    }
}
