/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

/**
 * The strip of a workgroup of shrinkage, which passes down it in steps (see shrinkage/filter.comp). It transforms rows of 8x8 blocks. One
 * column and one row of them are transformed for nothing, because the neighbouring strips transform them too. Immutable.
 *
 * @param invocations invocations of the workgroup; they divide the blocks of a step
 * @param blockColumns blocks across, a power of two of at least 4
 * @param stepRows rows of blocks of a step, at least 1
 * @param steps the steps of a strip, at least 1
 */
public record ShrinkageStrip(int invocations, int blockColumns, int stepRows, int steps) {
    private static final int LEAST_COLUMNS = 4;
    private static final int MOST_COLUMNS = 16;
    private static final int MOST_STEP_ROWS = 16;

    /** Bytes that an invocation parks. */
    private static final int PARKED_BYTES = 6 * 16;

    /**
     * The strip that wastes least among those whose shared memory and number of blocks are small enough.
     *
     * @param components components of a plane whose samples alternate
     * @param sampleBytes bytes of a sample
     * @param shifts 4, 8 or 16
     * @param bands rows of blocks in the plane
     */
    public static ShrinkageStrip of(KernelTuning tuning, int components, int sampleBytes, int shifts, int bands) {
        int together = tuning.lockstep() != 0 ? tuning.lockstep() : 1;
        int columns = LEAST_COLUMNS;
        int rows = Math.max(1, together / (LEAST_COLUMNS * components));
        for (int c = LEAST_COLUMNS; c <= MOST_COLUMNS; c *= 2) {
            for (int r = 1; r <= MOST_STEP_ROWS; r++) {
                int blocks = components * c * r;
                if (blocks <= tuning.shrinkageBlocks()
                        && blocks % together == 0
                        && bytes(tuning, c, r, components, sampleBytes, shifts) <= tuning.shrinkageBytes()) {
                    columns = c;
                    rows = r;
                }
            }
        }
        int strips = (bands + tuning.shrinkageRows() - 2) / (tuning.shrinkageRows() - 1);
        int stripBands = (bands + strips - 1) / strips;
        return new ShrinkageStrip(
                tuning.lockstep() != 0 ? tuning.lockstep() : components * columns * rows,
                columns,
                rows,
                (stripBands + 1 + rows - 1) / rows);
    }

    /** Rows of the codec's blocks that the strip finishes. */
    public int bands() {
        return steps * stepRows - 1;
    }

    /** Bytes of shared memory: samples, sums and blocks' weights of the rows of a step and of one more, and what invocations park. */
    private static int bytes(KernelTuning tuning, int columns, int rows, int components, int sampleBytes, int shifts) {
        int bands = (rows + 1) * components;
        int weights = sampleBytes * shifts == 16 || shifts == 16 ? bands * columns * shifts : 4;
        int parked = tuning.shrinkageParks() ? PARKED_BYTES * components * columns * rows : 16;
        return bands * 64 * ((columns + 1) * sampleBytes + columns * 4) + weights + parked;
    }
}
