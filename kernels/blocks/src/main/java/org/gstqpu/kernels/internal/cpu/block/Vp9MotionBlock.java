/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memPutByte;

import org.gstqpu.kernels.block.Vp9InterpolationFilter;

/**
 * Owns the rows between the two passes of VP9 motion compensation of one 8x8 block (VP9 specification, 8.5.2.3).
 * Belongs to one worker.
 */
final class Vp9MotionBlock {
    private static final int TAPS = Vp9InterpolationFilter.TAPS;
    private static final int PHASES = Vp9InterpolationFilter.PHASES;
    private static final int[] WEIGHTS = weights();

    /** Rows -3 to 11 of the block, of eight samples each. */
    private final int[] rows = new int[15 * 8];

    private static int[] weights() {
        Vp9InterpolationFilter[] filters = Vp9InterpolationFilter.values();
        int[] weights = new int[filters.length * PHASES * TAPS];
        for (Vp9InterpolationFilter filter : filters) {
            for (int i = 0; i < PHASES * TAPS; i++) {
                weights[filter.code() * PHASES * TAPS + i] = filter.tap(i / TAPS, i % TAPS);
            }
        }
        return weights;
    }

    /**
     * Compensates one block.
     *
     * @param source address of the sample that the block's first sample is predicted from, without the phase
     * @param filter code of a {@link Vp9InterpolationFilter}
     * @param mx horizontal phase in sixteenths of a sample, 0..15
     * @param my vertical phase in sixteenths of a sample, 0..15
     * @param average whether the result is averaged with the destination's samples, as the second prediction of a block
     *     is
     */
    void compensate(
            long source,
            int sourceStrideBytes,
            long destination,
            int destinationStrideBytes,
            int filter,
            int mx,
            int my,
            boolean average) {
        int firstRow = my == 0 ? 3 : 0;
        int endRow = my == 0 ? 11 : 15;
        long address = source + (firstRow - 3L) * sourceStrideBytes;
        if (mx == 0) {
            readRows(address, sourceStrideBytes, firstRow, endRow);
        } else {
            filterRows(address, sourceStrideBytes, firstRow, endRow, (filter * PHASES + mx) * TAPS);
        }
        if (my == 0) {
            store(3 * 8, destination, destinationStrideBytes, average);
        } else {
            filterColumns((filter * PHASES + my) * TAPS);
            store(0, destination, destinationStrideBytes, average);
        }
    }

    private void readRows(long source, int strideBytes, int firstRow, int endRow) {
        long address = source;
        for (int row = firstRow; row < endRow; row++, address += strideBytes) {
            for (int column = 0; column < 8; column++) {
                rows[8 * row + column] = memGetByte(address + column) & 255;
            }
        }
    }

    private void filterRows(long source, int strideBytes, int firstRow, int endRow, int weight) {
        int w0 = WEIGHTS[weight];
        int w1 = WEIGHTS[weight + 1];
        int w2 = WEIGHTS[weight + 2];
        int w3 = WEIGHTS[weight + 3];
        int w4 = WEIGHTS[weight + 4];
        int w5 = WEIGHTS[weight + 5];
        int w6 = WEIGHTS[weight + 6];
        int w7 = WEIGHTS[weight + 7];
        long address = source;
        for (int row = firstRow; row < endRow; row++, address += strideBytes) {
            int s0 = memGetByte(address - 3) & 255;
            int s1 = memGetByte(address - 2) & 255;
            int s2 = memGetByte(address - 1) & 255;
            int s3 = memGetByte(address) & 255;
            int s4 = memGetByte(address + 1) & 255;
            int s5 = memGetByte(address + 2) & 255;
            int s6 = memGetByte(address + 3) & 255;
            for (int column = 0; column < 8; column++) {
                int s7 = memGetByte(address + column + 4) & 255;
                int sum = s0 * w0 + s1 * w1 + s2 * w2 + s3 * w3 + s4 * w4 + s5 * w5 + s6 * w6 + s7 * w7;
                rows[8 * row + column] = clipSample((sum + 64) >> 7);
                s0 = s1;
                s1 = s2;
                s2 = s3;
                s3 = s4;
                s4 = s5;
                s5 = s6;
                s6 = s7;
            }
        }
    }

    /** Filters in place: output row r replaces input row r-3, which no later output row needs. */
    private void filterColumns(int weight) {
        int w0 = WEIGHTS[weight];
        int w1 = WEIGHTS[weight + 1];
        int w2 = WEIGHTS[weight + 2];
        int w3 = WEIGHTS[weight + 3];
        int w4 = WEIGHTS[weight + 4];
        int w5 = WEIGHTS[weight + 5];
        int w6 = WEIGHTS[weight + 6];
        int w7 = WEIGHTS[weight + 7];
        for (int i = 0; i < 64; i++) {
            int sum = rows[i] * w0
                    + rows[i + 8] * w1
                    + rows[i + 16] * w2
                    + rows[i + 24] * w3
                    + rows[i + 32] * w4
                    + rows[i + 40] * w5
                    + rows[i + 48] * w6
                    + rows[i + 56] * w7;
            rows[i] = clipSample((sum + 64) >> 7);
        }
    }

    private void store(int first, long destination, int strideBytes, boolean average) {
        long address = destination;
        for (int row = 0; row < 8; row++, address += strideBytes) {
            for (int column = 0; column < 8; column++) {
                int sample = rows[first + 8 * row + column];
                if (average) {
                    sample = ((memGetByte(address + column) & 255) + sample + 1) >> 1;
                }
                memPutByte(address + column, (byte) sample);
            }
        }
    }

    private static int clipSample(int value) {
        return Math.max(0, Math.min(255, value));
    }
}
