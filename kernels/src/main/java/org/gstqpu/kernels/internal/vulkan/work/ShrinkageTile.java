/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

/**
 * The tile of a workgroup of shrinkage: a torus of 8x8 blocks, of which one column and one row are computed for nothing
 * (see shrinkage/filter.glsl). Immutable.
 *
 * @param invocations invocations of the workgroup
 * @param blockColumns blocks in a row of the torus, 3 or more
 * @param blockRows rows of blocks, 2 or more
 */
public record ShrinkageTile(int invocations, int blockColumns, int blockRows) {
    private static final int LEAST_COLUMNS = 4;
    private static final int MOST_COLUMNS = 16;
    private static final int LEAST_ROWS = 2;
    private static final int MOST_ROWS = 16;

    /**
     * The tile that wastes least among those whose shared memory is small enough.
     *
     * @param components components of a plane whose samples alternate
     * @param sampleBytes bytes of a sample
     * @param shifts 4, 8 or 16
     */
    public static ShrinkageTile of(KernelTuning tuning, int components, int sampleBytes, int shifts) {
        int bestColumns = LEAST_COLUMNS;
        int bestRows = LEAST_ROWS;
        for (int columns = LEAST_COLUMNS; columns <= MOST_COLUMNS; columns *= 2) {
            for (int rows = LEAST_ROWS; rows <= MOST_ROWS; rows++) {
                boolean fits = bytes(columns, rows, components, sampleBytes, shifts) <= tuning.shrinkageBytes();
                boolean better = (columns - 1) * (rows - 1) * bestColumns * bestRows
                        > (bestColumns - 1) * (bestRows - 1) * columns * rows;
                if (fits && better) {
                    bestColumns = columns;
                    bestRows = rows;
                }
            }
        }
        int blocks = bestColumns * bestRows * components;
        int together = tuning.lockstep() != 0 ? tuning.lockstep() : Math.min(blocks, tuning.shrinkageInvocations());
        return new ShrinkageTile(together, bestColumns, bestRows);
    }

    /** Bytes of shared memory: the samples with their border, and the sums. */
    private static int bytes(int columns, int rows, int components, int sampleBytes, int shifts) {
        int staged = components * (8 * rows + 8) * (8 * columns + 8) * sampleBytes;
        int sumWords = sampleBytes == 2 || shifts == 16 ? 2 : 1;
        return staged + components * columns * rows * 64 * 4 * sumWords;
    }
}
