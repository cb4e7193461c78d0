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
 * Owns the samples of one 64x64 tile before and after CDEF, and the border of samples that CDEF reads around it.
 * Belongs to one worker.
 *
 * <p>A tile holds luma, one component of 4:4:4 chroma, or both components of subsampled chroma with alternating
 * samples. Both components share directions and strengths, so two 4-sample rows, one of each, are filtered like one
 * 8-sample row of luma. Memory is little-endian, as on every platform that the kernels support.
 */
final class CdefTile {
    /** Width of the border around the tile that filter taps may reach, in pixels. */
    private static final int BORDER = 2;

    /** Samples a row: 64, two borders of up to 4 samples, and padding that keeps rows at multiples of 8. */
    static final int STRIDE = 80;

    /** Index of the tile's first sample in {@link #in} and {@link #out}. */
    static final int ORIGIN = BORDER * STRIDE + 8;

    /**
     * The samples before CDEF, border included. {@link CdefConstraints#UNAVAILABLE} stands for samples outside the
     * picture.
     */
    final short[] in = new short[(64 + 2 * BORDER) * STRIDE];

    /** The samples after CDEF, at the indexes of {@link #in}. */
    final short[] out = new short[(64 + 2 * BORDER) * STRIDE];

    /**
     * Reads the tile and its border from a plane.
     *
     * @param address of the plane's first sample
     * @param strideBytes bytes a row
     * @param sampleBytes 1 or 2
     * @param sampleShift zero bits below a sample's significant bits
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

    /**
     * Reads the tile and its border from two planes, {@code first} and {@code second}. The other parameters are those
     * of {@link #read}.
     */
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

    /**
     * Marks the samples of a line outside the picture as unavailable. The samples from {@code from} to {@code to} lie
     * in the picture if the row does. Returns true if the whole row lies outside the picture.
     */
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

    /** Writes the tile's result into a plane. The parameters are those of {@link #read}. */
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

    /** Writes the tile's result into two planes. The parameters are those of {@link #readPair}. */
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

    /** Copies an unfiltered block, of eight samples a row, into the result. */
    void keep(int index, int rows) {
        for (int row = 0; row < rows; row++) {
            System.arraycopy(in, index + row * STRIDE, out, index + row * STRIDE, 8);
        }
    }
}
