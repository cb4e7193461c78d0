/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

/** CDEF in plain Java, one sample at a time, with tables of the constraint function. Belongs to one worker. */
final class PlainCdefKernel implements CdefKernel {
    private final CdefBlockFilter filter;
    private final int coefficientShift;
    private final CdefDirection direction = new CdefDirection();
    private final short[] cutBlock = new short[64];

    private CdefTile tile;
    private int columns;
    private int rows;

    /**
     * Makes a kernel for samples of {@code bitDepth} bits. The owner of {@code constraints} prepares the tables of all
     * strengths that the kernel filters with.
     */
    PlainCdefKernel(CdefConstraints constraints, int bitDepth) {
        this.filter = new CdefBlockFilter(constraints, bitDepth);
        this.coefficientShift = bitDepth - 8;
    }

    @Override
    public void begin(CdefTile tile, int columns, int rows) {
        this.tile = tile;
        this.columns = columns;
        this.rows = rows;
    }

    @Override
    public int search(int x, int y) {
        int block = CdefTile.ORIGIN + y * CdefTile.STRIDE + x;
        if (columns - x >= 8 && rows - y >= 8) {
            return direction.search(tile.in, block, CdefTile.STRIDE, coefficientShift);
        }
        for (int row = 0; row < 8; row++) {
            for (int column = 0; column < 8; column++) {
                int inside = Math.min(row, rows - y - 1) * CdefTile.STRIDE + Math.min(column, columns - x - 1);
                cutBlock[8 * row + column] = tile.in[block + inside];
            }
        }
        return direction.search(cutBlock, 0, 8, coefficientShift);
    }

    @Override
    public int variance() {
        return direction.variance();
    }

    @Override
    public void filter(
            CdefTile tile, int index, int rows, int pixelStep, int primary, int secondary, int direction, int damping) {
        filter.filter(
                tile.in,
                index,
                CdefTile.STRIDE,
                tile.out,
                index,
                CdefTile.STRIDE,
                8,
                rows,
                pixelStep,
                primary,
                secondary,
                direction,
                damping);
    }

    @Override
    public void widen(byte[] from, short[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = (short) (from[i] & 255);
        }
    }

    @Override
    public void narrow(short[] from, long[] to, int first, int end) {
        for (int at = first; at < end; at += 8) {
            to[at >> 3] = from[at]
                    | from[at + 1] << 8
                    | from[at + 2] << 16
                    | (long) from[at + 3] << 24
                    | (long) from[at + 4] << 32
                    | (long) from[at + 5] << 40
                    | (long) from[at + 6] << 48
                    | (long) from[at + 7] << 56;
        }
    }
}
