/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.shrinkage;

import java.util.Arrays;
import org.gstqpu.kernels.internal.stage.ShrinkageLimits;
import org.gstqpu.kernels.internal.stage.ShrinkageTransform;

/** Shrinkage in plain Java, one block at a time. Belongs to one worker. */
final class PlainShrinkageKernel implements ShrinkageKernel {
    private static final int SIZE = ShrinkageTile.ROWS * 8 * ShrinkageTile.MOST_LANES;

    /** What was taken away at each sample of both bands, times the weights of the blocks. */
    private final int[] sums = new int[SIZE];

    /** Sum of the weights of the blocks at each sample. */
    private final int[] totals = new int[SIZE];

    private final int[] block = new int[64];

    /** Where the samples of a block lie in the tile, for the block in lane 0. */
    private final int[] places = new int[64];

    private ShrinkageTile tile;
    private ShrinkageLimits limits;
    private ShrinkageShifts shifts;

    @Override
    public void begin(ShrinkageTile tile, ShrinkageLimits limits, ShrinkageShifts shifts) {
        this.tile = tile;
        this.limits = limits;
        this.shifts = shifts;
        Arrays.fill(sums, 0);
        Arrays.fill(totals, 0);
    }

    @Override
    public void shrink(int band) {
        int lanes = tile.lanes();
        for (int shift = 0; shift < shifts.count(); shift++) {
            find(8 * band + shifts.row(shift), shifts.column(shift), lanes);
            for (int lane = 0; lane <= tile.blocks(); lane++) {
                add(lane);
            }
        }
        for (int k = 0; k < 64; k++) {
            int from = (64 * band + k) * lanes;
            finish(from, from + lanes, tile.flatRounding(k >> 3, k & 7));
        }
    }

    /** Replaces samples of one row and phase by the result, and clears their sums. */
    private void finish(int from, int to, int flatRounding) {
        short[] samples = tile.samples;
        int flatTotal = ShrinkageLimits.flatTotal(shifts.count());
        for (int i = from; i < to; i++) {
            int rounding = totals[i] == flatTotal ? flatRounding : ShrinkageLimits.HALF;
            int change = (sums[i] * ShrinkageLimits.RECIPROCALS[totals[i]] + rounding) >> 21;
            samples[i] = (short) Math.max(tile.low, Math.min(samples[i] - change, tile.high));
            sums[i] = 0;
            totals[i] = 0;
        }
    }

    /** Finds the places of a block that begins in this row and column. */
    private void find(int firstRow, int firstColumn, int lanes) {
        for (int row = 0; row < 8; row++) {
            for (int column = firstColumn; column < firstColumn + 8; column++) {
                places[8 * row + column - firstColumn] =
                        ((firstRow + row) % ShrinkageTile.ROWS * 8 + column % 8) * lanes + column / 8;
            }
        }
    }

    private void add(int lane) {
        for (int k = 0; k < 64; k++) {
            block[k] = tile.samples[places[k] + lane] + tile.centre;
        }
        int weight = ShrinkageTransform.shrink(block, limits.thresholds);
        for (int k = 0; k < 64; k++) {
            sums[places[k] + lane] += weight * block[k];
            totals[places[k] + lane] += weight;
        }
    }

    @Override
    public void bound(int band) {
        find(8 * band, 0, tile.lanes());
        int decodedLess = 8 * band * 8 * tile.lanes();
        for (int lane = tile.firstWhole(); lane < tile.endOfWhole(); lane++) {
            for (int k = 0; k < 64; k++) {
                int place = places[k] + lane;
                block[k] = tile.samples[place] - tile.decoded[place - decodedLess];
            }
            if (ShrinkageTransform.excess(block, limits)) {
                for (int k = 0; k < 64; k++) {
                    int place = places[k] + lane;
                    int bounded = tile.samples[place] - ((block[k] + 16) >> 5);
                    tile.samples[place] = (short) Math.max(tile.low, Math.min(bounded, tile.high));
                }
            }
        }
    }
}
