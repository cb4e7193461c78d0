/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntSupplier;

/**
 * A plane of samples in a kernel's buffer, and what it should be afterwards; every byte is compared. Words of 16 bit have random bits
 * above their samples, which kernels must not read.
 */
final class TestPlane implements AutoCloseable {
    final KernelBuffer buffer;
    final int strideBytes;
    final int sampleBytes;
    private final Random random;
    private final int most;
    private final byte[] expected;

    TestPlane(BlockContext context, Random random, int columns, int rows, int bitDepth) {
        this.random = random;
        this.most = (1 << bitDepth) - 1;
        this.sampleBytes = bitDepth > 8 ? 2 : 1;
        this.strideBytes = columns * sampleBytes + 4 * random.nextInt(9);
        this.buffer = context.newBuffer((long) rows * strideBytes);
        this.expected = new byte[(int) buffer.sizeBytes()];
        random.nextBytes(expected);
        memory().put(expected);
    }

    private ByteBuffer memory() {
        return memByteBuffer(buffer.address(), expected.length);
    }

    int offset(int x, int y) {
        return y * strideBytes + x * sampleBytes;
    }

    /** The expected sample. */
    int get(int x, int y) {
        int offset = offset(x, y);
        return ((expected[offset] & 255) | (sampleBytes == 2 ? (expected[offset + 1] & 255) << 8 : 0)) & most;
    }

    /** Sets the expected sample. */
    void set(int x, int y, int value) {
        int offset = offset(x, y);
        expected[offset] = (byte) value;
        if (sampleBytes == 2) {
            expected[offset + 1] = (byte) (value >> 8);
        }
    }

    /** Fills a rectangle of samples, here and in the buffer. */
    void fill(int x0, int y0, int columns, int rows, IntSupplier values) {
        ByteBuffer memory = memory();
        for (int y = y0; y < y0 + rows; y++) {
            for (int x = x0; x < x0 + columns; x++) {
                int above = sampleBytes == 2 ? random.nextInt() & ~most : 0;
                set(x, y, values.getAsInt() | above);
            }
            memory.put(offset(x0, y), expected, offset(x0, y), columns * sampleBytes);
        }
    }

    void check(String where) {
        byte[] found = new byte[expected.length];
        memory().get(found);
        int differs = Arrays.mismatch(expected, found);
        if (differs >= 0) {
            assertEquals(
                    expected[differs] & 255,
                    found[differs] & 255,
                    where + ": byte in column " + differs % strideBytes + " row " + differs / strideBytes);
        }
    }

    @Override
    public void close() {
        buffer.close();
    }

    /** Samples of one of the kinds that filters treat differently, near both ends of the range more often than not. */
    static IntSupplier content(Random random, int bitDepth) {
        int max = (1 << bitDepth) - 1;
        int base = switch (random.nextInt(4)) {
            case 0 -> random.nextInt(8);
            case 1 -> max - random.nextInt(8);
            default -> random.nextInt(max + 1);
        };
        int spread = 1
                + random.nextInt(
                        switch (random.nextInt(5)) {
                            case 0 -> 2;
                            case 1 -> 4;
                            case 2 -> 24;
                            default -> max;
                        });
        int other = random.nextBoolean() ? base : ReferenceBlocks.clip(0, max, base + random.nextInt(65) - 32);
        int run = 1 << random.nextInt(7);
        boolean extremes = random.nextInt(8) == 0;
        int[] count = {0};
        return () -> {
            if (extremes) {
                return random.nextBoolean() ? max : 0;
            }
            int level = (count[0]++ / run & 1) == 0 ? base : other;
            return ReferenceBlocks.clip(0, max, level + random.nextInt(spread) - spread / 2);
        };
    }
}
