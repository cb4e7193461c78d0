/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.workload;

import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.util.SplittableRandom;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Where the blocks of a batch lie in a plane: side by side in rows of at most {@value #MAX_COLUMNS} blocks. Around all
 * blocks lies a margin that filters may read. Immutable.
 *
 * @param blocks number of blocks, 1 or more
 * @param cellWidth samples from one block to the next in a row, a multiple of 4
 * @param cellHeight rows from one block to the next
 * @param sampleBytes 1, or 2 for 10-bit samples
 */
record BlockGrid(int blocks, int cellWidth, int cellHeight, int sampleBytes) {
    private static final int MAX_COLUMNS = 128;
    private static final int MARGIN = 16;

    /** A grid of 8-bit samples. */
    BlockGrid(int blocks, int cellWidth, int cellHeight) {
        this(blocks, cellWidth, cellHeight, 1);
    }

    private int columns() {
        return Math.min(blocks, MAX_COLUMNS);
    }

    private int rows() {
        return 2 * MARGIN + (blocks + columns() - 1) / columns() * cellHeight;
    }

    int strideBytes() {
        return (2 * MARGIN + columns() * cellWidth) * sampleBytes;
    }

    /** The layout of the plane as a grey picture of 8-bit samples. */
    PictureLayout layout() {
        return PictureLayout.packed(PixelFormat.GRAY8, strideBytes(), rows(), 4);
    }

    /** Column in the plane of sample {@code x} of block {@code index}. */
    int column(int index, int x) {
        return MARGIN + index % columns() * cellWidth + x;
    }

    /** Row in the plane of sample {@code y} of block {@code index}. */
    int row(int index, int y) {
        return MARGIN + index / columns() * cellHeight + y;
    }

    long sizeBytes() {
        return (long) rows() * strideBytes();
    }

    /** Byte offset in the plane of sample ({@code x}, {@code y}) of block {@code index}. */
    int offset(int index, int x, int y) {
        return row(index, y) * strideBytes() + column(index, x) * sampleBytes;
    }

    /**
     * Fills a plane with samples that look to a filter like decoded video. Every 8x8 block has a level near that of its
     * neighbours. Some blocks are flat but for the last bit; the others have stripes and a little noise.
     */
    void fill(KernelBuffer plane, SplittableRandom random) {
        int width = strideBytes() / sampleBytes;
        int[] levels = new int[width / 8 + 1];
        boolean[] striped = new boolean[levels.length];
        for (int y = 0; y < rows(); y++) {
            if (y % 8 == 0) {
                for (int i = 0; i < levels.length; i++) {
                    levels[i] = 120 + random.nextInt(8);
                    striped[i] = random.nextBoolean();
                }
            }
            long row = plane.address() + (long) y * strideBytes();
            for (int x = 0; x < width; x++) {
                // Stripes rise and fall by 2 a sample to the right, and by 1 a sample downwards.
                int texture = striped[x / 8] ? Math.abs((2 * x + y) % 32 - 16) + random.nextInt(4) : random.nextInt(2);
                int sample = levels[x / 8] + texture;
                if (sampleBytes == 1) {
                    memPutByte(row + x, (byte) sample);
                } else {
                    memPutShort(row + 2L * x, (short) (sample << 2 | random.nextInt(4)));
                }
            }
        }
    }
}
