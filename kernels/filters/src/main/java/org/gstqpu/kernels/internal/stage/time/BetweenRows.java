/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

/**
 * Samples between those of a plane, of as many rows as vectors of some rows of blocks reach. All of a picture would be 15 times the
 * picture. Rows take turns: the next ones replace those that no block needs any more. Owned by the stage; workers write different
 * rows.
 */
final class BetweenRows {
    /** Places of a sample, down and across; the first is that of whole samples, which the plane itself has. */
    static final int PHASES = 16;

    /** Rows of blocks that are looked at from the same rows. */
    static final int BLOCK_ROWS = 8;

    /** Rows above and below the first row of a block that its windows reach, at the end of the longest vector. */
    private static final int ABOVE = 4 + 32;

    private static final int BELOW = 11 + 31;

    /** Rows above and below of which one between is made. */
    private static final int BEFORE = 3;

    private static final int AFTER = 4;

    private static final int ROWS = 8 * BLOCK_ROWS + ABOVE + BELOW + BEFORE + AFTER;

    /** The first rows stand behind the last ones a second time, so that all windows are in one piece. */
    private static final int AGAIN = 16;

    /** Samples at both ends of a row of which none between is computed: as many as no vector reaches. */
    private static final int END = 8;

    /** Samples from one row to the next, as in the plane. */
    private final int stride;

    /** Of the plane: the row after the last one that is there, with what lies between its samples, and between rows. */
    private int across;

    private int down;

    // Those to be made.
    private int acrossEnd;
    private int downEnd;

    final short[][] samples = new short[PHASES][];

    BetweenRows(TimePlane plane) {
        stride = plane.stride;
        for (int phase = 1; phase < PHASES; phase++) {
            samples[phase] = new short[(ROWS + AGAIN) * stride];
        }
    }

    long bytes() {
        return (PHASES - 1L) * Short.BYTES * samples[1].length;
    }

    /** Where a row of the plane lies, the margins counted. */
    int line(int row) {
        return row % ROWS * stride;
    }

    /**
     * What is made next is for rows of blocks from {@code first} on.
     *
     * @param rows rows of blocks of the plane
     */
    void ask(int first, int rows) {
        int last = Math.min(first + BLOCK_ROWS, rows) - 1;
        if (first == 0) {
            down = TimePlane.MARGIN - ABOVE;
            across = down - BEFORE;
        } else {
            down = downEnd;
            across = acrossEnd;
        }
        downEnd = TimePlane.MARGIN + 8 * last + BELOW + 1;
        acrossEnd = downEnd + AFTER;
    }

    /** How many parts of 8 rows there are to be made. */
    int parts() {
        return (acrossEnd - across + 7) / 8;
    }

    /** Makes what lies between the samples of rows. Parts may be made in any order. */
    void across(TimeKernel kernel, TimePlane plane, int part, int high) {
        int end = Math.min(across + 8 * part + 8, acrossEnd);
        for (int row = across + 8 * part; row < end; row++) {
            filter(kernel, plane.samples, row * stride, 1, 1, 1, row, high);
        }
    }

    /** Makes what lies between rows, once all of {@link #across} is made. */
    void down(TimeKernel kernel, TimePlane plane, int part, int high) {
        int end = Math.min(down + 8 * part + 8, downEnd);
        for (int row = down + 8 * part; row < end; row++) {
            filter(kernel, plane.samples, row * stride, stride, 4, 4, row, high);
            int at = line(row - BEFORE) + BEFORE * stride;
            for (int phase = 1; phase < 4; phase++) {
                filter(kernel, samples[phase], at, stride, phase + 4, 4, row, high);
            }
        }
    }

    /** Makes a row of three phases, which are so many apart. */
    private void filter(TimeKernel kernel, short[] in, int at, int step, int firstPhase, int apart, int row, int high) {
        int to = line(row);
        kernel.filterAll(
                in,
                at + END,
                step,
                samples[firstPhase],
                samples[firstPhase + apart],
                samples[firstPhase + 2 * apart],
                to + END,
                stride - 2 * END,
                high);
        if (to < AGAIN * stride) {
            for (int phase = firstPhase; phase <= firstPhase + 2 * apart; phase += apart) {
                System.arraycopy(samples[phase], to, samples[phase], to + ROWS * stride, stride);
            }
        }
    }
}
