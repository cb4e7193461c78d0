/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.shrinkage;

/**
 * The shifts at which shrinkage transforms a plane, sorted by row. A shift is the column and the row in which blocks of
 * 8x8 samples begin, both modulo 8. Belongs to one {@link ShrinkagePicture}.
 */
final class ShrinkageShifts {
    /**
     * Columns of the shifts, counted from the plane's border. The first eight are those of eight shifts, and every
     * other one of those are the four shifts.
     */
    private static final int[] COLUMNS = {0, 5, 2, 7, 4, 1, 6, 3, 4, 1, 6, 3, 0, 5, 2, 7};

    private static final int[] ROWS = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};

    private final int[] columns = new int[COLUMNS.length];
    private final int[] rows = new int[COLUMNS.length];
    private int count;

    /**
     * Sets the shifts, relative to a block grid.
     *
     * @param count 4, 8 or 16
     * @param gridColumn column of the plane in which a block of the grid begins, 0 to 7
     * @param gridRow row of the plane in which a block of the grid begins, 0 to 7
     */
    void set(int count, int gridColumn, int gridRow) {
        int step = count == 4 ? 2 : 1;
        this.count = 0;
        for (int row = 0; row < 8; row++) {
            for (int shift = 0; shift < count * step; shift += step) {
                if ((ROWS[shift] - gridRow & 7) == row) {
                    columns[this.count] = COLUMNS[shift] - gridColumn & 7;
                    rows[this.count++] = row;
                }
            }
        }
    }

    /** How many shifts there are. */
    int count() {
        return count;
    }

    /** Column of a shift, relative to the block grid, 0 to 7. */
    int column(int shift) {
        return columns[shift];
    }

    /** Row of a shift, relative to the block grid, 0 to 7. Not lower than that of the shift before. */
    int row(int shift) {
        return rows[shift];
    }
}
