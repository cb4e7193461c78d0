/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import org.gstqpu.kernels.picture.PixelFormat;

/** What is fused: a component of a picture and what its references predict. Owned by the stage; workers read it, and write their own rows of it. */
final class TimeFusion {
    /** References of a picture at most. */
    static final int MOST_REFERENCES = 4;

    /** Corners of blocks across and down a square, of which is judged whether its mean drifts. */
    static final int SQUARE = 8;

    /** How many references there may be. */
    final int references;

    final TimeLimits limits;

    /** The component of the picture at hand, and what becomes of it. */
    TimePlane source;

    TimePlane result;

    /** What each reference predicts, less the picture. */
    final TimePlane[] differences = new TimePlane[MOST_REFERENCES];

    /** For each reference and block: whether the prediction may be used. */
    final boolean[][] kept = new boolean[MOST_REFERENCES][];

    /** For each reference and square: whether the prediction is brighter or darker there as a whole. */
    final boolean[][] drifts = new boolean[MOST_REFERENCES][];

    /** Which references are used. */
    final boolean[] used = new boolean[MOST_REFERENCES];

    /** The least and the largest sample. */
    final int low;

    final int high;

    TimeFusion(TimeLimits limits, int references, PixelFormat format, int component, int width, int height) {
        this.limits = limits;
        this.references = references;
        high = (1 << (format.bitDepth() - 1)) - 1;
        low = -1 - high;
        for (int i = 0; i < references; i++) {
            differences[i] = TimePlane.of(format, component, width, height);
            kept[i] = new boolean[differences[i].columns * differences[i].rows];
            drifts[i] = new boolean[squares(differences[i].columns) * squares(differences[i].rows)];
        }
    }

    /** Squares across or down, of so many blocks. */
    static int squares(int blocks) {
        return blocks / SQUARE + 1;
    }

    /** True if a reference may be used in the block in which this sample lies; the nearest block counts beyond the border. */
    boolean keeps(int reference, int x, int y) {
        TimePlane plane = differences[reference];
        int column = Math.max(0, Math.min(x >> 3, plane.columns - 1));
        int row = Math.max(0, Math.min(y >> 3, plane.rows - 1));
        return used[reference] && kept[reference][row * plane.columns + column];
    }

    /** True if nothing of the mean of a block counts, in the block in which this sample lies. */
    boolean drifts(int reference, int x, int y) {
        TimePlane plane = differences[reference];
        int column = Math.max(0, Math.min(x >> 3, plane.columns - 1)) / SQUARE;
        int row = Math.max(0, Math.min(y >> 3, plane.rows - 1)) / SQUARE;
        return drifts[reference][row * squares(plane.columns) + column];
    }
}
