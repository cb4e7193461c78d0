/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutLong;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.util.Arrays;

/**
 * Owns the samples of one 64x64 tile, before and after CDEF, with those around it that CDEF reads; belongs to one
 * worker. It holds luma or a component of 4:4:4 chroma, or both components of other chroma sample by sample: their blocks have
 * direction and strengths in common, and a row of two blocks of four is as long as one of an 8x8 block. Memory is little-endian, as on every platform served here.
 */
final class CdefTile {
    /** Pixels around the tile that taps may reach. */
    private static final int BORDER = 2;

    /** Samples in a row of the tile: 64, both borders, and what keeps rows at multiples of 8. */
    static final int STRIDE = 80;

    /** Index of the tile's first sample. */
    static final int ORIGIN = BORDER * STRIDE + 8;

    /** The samples as read, borders included; {@link CdefConstraints#UNAVAILABLE} outside the picture. */
    final short[] in = new short[(64 + 2 * BORDER) * STRIDE];

    /** The result, same indexes. */
    final short[] out = new short[(64 + 2 * BORDER) * STRIDE];

    /**
     * Reads the tile and its borders from a plane.
     *
     * @param address of the plane's first sample
     * @param strideBytes bytes a row
     * @param sampleBytes 1 or 2
     * @param sampleShift zero bits below a sample's significant ones
     * @param pixelStep samples a pixel: 1, or 2 for interleaved chroma
     * @param planeWidth pixels a row
     * @param planeHeight rows
     * @param left column of the tile's first pixel
     * @param top row of the tile's first pixel
     * @param columns columns of pixels of the tile that lie in the picture
     * @param rows rows of the tile that lie in the picture
     */
    void read(
            long address,
            long strideBytes,
            int sampleBytes,
            int sampleShift,
            int pixelStep,
            int planeWidth,
            int planeHeight,
            int left,
            int top,
            int columns,
            int rows) {
        int from = Math.max(-BORDER, -left) * pixelStep;
        int to = Math.min(columns + BORDER, planeWidth - left) * pixelStep;
        for (int y = -BORDER; y < rows + BORDER; y++) {
            int line = ORIGIN + y * STRIDE;
            if (markUnavailable(line, top + y, planeHeight, from, to, columns, pixelStep)) {
                continue;
            }
            long row = address + (top + y) * strideBytes + ((long) left * pixelStep + from) * sampleBytes;
            if (sampleBytes == 2) {
                readRow16(row, sampleShift, line + from, to - from, 1);
            } else {
                readRow8(row, line + from, to - from);
            }
        }
    }

    /** Reads the tile and its borders from two planes, {@code first} and {@code second}; parameters as of {@link #read}. */
    void readPair(
            long first,
            long firstStrideBytes,
            long second,
            long secondStrideBytes,
            int sampleBytes,
            int sampleShift,
            int planeWidth,
            int planeHeight,
            int left,
            int top,
            int columns,
            int rows) {
        int from = Math.max(-BORDER, -left);
        int to = Math.min(columns + BORDER, planeWidth - left);
        long firstByte = (long) (left + from) * sampleBytes;
        for (int y = -BORDER; y < rows + BORDER; y++) {
            int line = ORIGIN + y * STRIDE;
            if (markUnavailable(line, top + y, planeHeight, 2 * from, 2 * to, columns, 2)) {
                continue;
            }
            long a = first + (top + y) * firstStrideBytes + firstByte;
            long b = second + (top + y) * secondStrideBytes + firstByte;
            if (sampleBytes == 2) {
                readRow16(a, sampleShift, line + 2 * from, to - from, 2);
                readRow16(b, sampleShift, line + 2 * from + 1, to - from, 2);
            } else {
                readPairsOfRow8(a, b, line + 2 * from, to - from);
            }
        }
    }

    /** Marks what lies outside the picture; {@code from} and {@code to} bound what does not. Whether the whole row does. */
    private boolean markUnavailable(int line, int row, int planeHeight, int from, int to, int columns, int pixelStep) {
        int begin = line - BORDER * pixelStep;
        int end = line + (columns + BORDER) * pixelStep;
        if (row < 0 || row >= planeHeight) {
            Arrays.fill(in, begin, end, CdefConstraints.UNAVAILABLE);
            return true;
        }
        Arrays.fill(in, begin, line + from, CdefConstraints.UNAVAILABLE);
        Arrays.fill(in, line + to, end, CdefConstraints.UNAVAILABLE);
        return false;
    }

    private void readRow8(long row, int index, int samples) {
        int i = 0;
        for (; i <= samples - 8; i += 8) {
            long bytes = memGetLong(row + i);
            in[index + i] = (short) (bytes & 255);
            in[index + i + 1] = (short) (bytes >>> 8 & 255);
            in[index + i + 2] = (short) (bytes >>> 16 & 255);
            in[index + i + 3] = (short) (bytes >>> 24 & 255);
            in[index + i + 4] = (short) (bytes >>> 32 & 255);
            in[index + i + 5] = (short) (bytes >>> 40 & 255);
            in[index + i + 6] = (short) (bytes >>> 48 & 255);
            in[index + i + 7] = (short) (bytes >>> 56);
        }
        for (; i < samples; i++) {
            in[index + i] = (short) (memGetByte(row + i) & 255);
        }
    }

    private void readPairsOfRow8(long first, long second, int index, int pairs) {
        for (int i = 0; i < pairs; i++) {
            in[index + 2 * i] = (short) (memGetByte(first + i) & 255);
            in[index + 2 * i + 1] = (short) (memGetByte(second + i) & 255);
        }
    }

    private void readRow16(long row, int shift, int index, int samples, int step) {
        for (int i = 0; i < samples; i++) {
            in[index + i * step] = (short) ((memGetShort(row + 2L * i) & 0xffff) >>> shift);
        }
    }

    /** Writes the tile's result into a plane; parameters as of {@link #read}. */
    void write(
            long address,
            long strideBytes,
            int sampleBytes,
            int sampleShift,
            int pixelStep,
            int left,
            int top,
            int columns,
            int rows) {
        for (int y = 0; y < rows; y++) {
            int line = ORIGIN + y * STRIDE;
            long row = address + (top + y) * strideBytes + (long) left * pixelStep * sampleBytes;
            if (sampleBytes == 2) {
                writeRow16(row, sampleShift, line, columns * pixelStep, 1);
            } else {
                writeRow8(row, line, columns * pixelStep);
            }
        }
    }

    /** Writes the tile's result into two planes; parameters as of {@link #readPair}. */
    void writePair(
            long first,
            long firstStrideBytes,
            long second,
            long secondStrideBytes,
            int sampleBytes,
            int sampleShift,
            int left,
            int top,
            int columns,
            int rows) {
        for (int y = 0; y < rows; y++) {
            int line = ORIGIN + y * STRIDE;
            long a = first + (top + y) * firstStrideBytes + (long) left * sampleBytes;
            long b = second + (top + y) * secondStrideBytes + (long) left * sampleBytes;
            if (sampleBytes == 2) {
                writeRow16(a, sampleShift, line, columns, 2);
                writeRow16(b, sampleShift, line + 1, columns, 2);
            } else {
                for (int x = 0; x < columns; x++) {
                    memPutByte(a + x, (byte) out[line + 2 * x]);
                    memPutByte(b + x, (byte) out[line + 2 * x + 1]);
                }
            }
        }
    }

    private void writeRow16(long row, int shift, int index, int samples, int step) {
        for (int i = 0; i < samples; i++) {
            memPutShort(row + 2L * i, (short) (out[index + i * step] << shift));
        }
    }

    private void writeRow8(long row, int index, int samples) {
        int i = 0;
        for (; i <= samples - 8; i += 8) {
            long bytes = out[index + i]
                    | out[index + i + 1] << 8
                    | out[index + i + 2] << 16
                    | (long) out[index + i + 3] << 24
                    | (long) out[index + i + 4] << 32
                    | (long) out[index + i + 5] << 40
                    | (long) out[index + i + 6] << 48
                    | (long) out[index + i + 7] << 56;
            memPutLong(row + i, bytes);
        }
        for (; i < samples; i++) {
            memPutByte(row + i, (byte) out[index + i]);
        }
    }

    /** Takes a block over as it is, eight samples a row. */
    void keep(int index, int rows) {
        for (int row = 0; row < rows; row++) {
            System.arraycopy(in, index + row * STRIDE, out, index + row * STRIDE, 8);
        }
    }
}
