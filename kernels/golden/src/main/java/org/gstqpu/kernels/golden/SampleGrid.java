/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import static org.lwjgl.system.MemoryUtil.memByteBuffer;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.KernelBuffer;

/**
 * Owns a plane in which the blocks of a golden file stand in cells of 16x16 samples, {@value #COLUMNS} cells a row, and
 * the expected plane. All samples that no block sets have a pattern that no kernel may change. Belongs to one
 * verification.
 */
final class SampleGrid implements AutoCloseable {
    private static final int COLUMNS = 32;
    private static final int CELL = 16;
    private static final byte PATTERN = (byte) 0xa5;

    private final int sampleBytes;
    private final int strideBytes;
    private final KernelBuffer buffer;
    private final byte[] expected;

    SampleGrid(BlockContext context, int cells, int sampleBytes) {
        this.sampleBytes = sampleBytes;
        // With the gap after each row, the stride is no power of two.
        this.strideBytes = (COLUMNS * CELL + 4) * sampleBytes;
        this.expected = new byte[(cells + COLUMNS - 1) / COLUMNS * CELL * strideBytes];
        this.buffer = context.newBuffer(expected.length);
        Arrays.fill(expected, PATTERN);
        memory().put(expected);
    }

    private ByteBuffer memory() {
        return memByteBuffer(buffer.address(), expected.length);
    }

    KernelBuffer buffer() {
        return buffer;
    }

    int strideBytes() {
        return strideBytes;
    }

    /** Byte offset of a sample of a cell. */
    int offset(int cell, int x, int y) {
        return (cell / COLUMNS * CELL + y) * strideBytes + (cell % COLUMNS * CELL + x) * sampleBytes;
    }

    /** Puts a sample into the plane. The expected plane gets it, too, until {@link #expect} sets another. */
    void put(int cell, int x, int y, long value) {
        expect(cell, x, y, value);
        int offset = offset(cell, x, y);
        ByteBuffer memory = memory();
        for (int i = 0; i < sampleBytes; i++) {
            memory.put(offset + i, expected[offset + i]);
        }
    }

    /** Sets the sample that is expected after the run. */
    void expect(int cell, int x, int y, long value) {
        int offset = offset(cell, x, y);
        for (int i = 0; i < sampleBytes; i++) {
            expected[offset + i] = (byte) (value >> (8 * i));
        }
    }

    /** Expects this plane to become what another plane of the same shape is now. */
    void expectSame(SampleGrid other) {
        other.memory().get(expected);
    }

    /** Counts the bytes that are not as expected, those of the pattern included. */
    void compare(GoldenTally tally) {
        byte[] found = new byte[expected.length];
        memory().get(found);
        for (int i = 0; i < found.length; i++) {
            if (!tally.add(expected[i] & 255, found[i] & 255)) {
                int sample = i % strideBytes / sampleBytes;
                int row = i / strideBytes;
                tally.describe("record " + (row / CELL * COLUMNS + sample / CELL) + " cell column " + sample % CELL
                        + " row " + row % CELL);
            }
        }
    }

    @Override
    public void close() {
        buffer.close();
    }
}
