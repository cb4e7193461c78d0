/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutLong;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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

    private static final int MOST_OF_10_BIT = 1023;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The samples of 8 bit before CDEF, at the indexes of {@link #in}, and what {@link CdefKernel#widen} needs after them. */
    private final byte[] bytes = new byte[(64 + 2 * BORDER) * STRIDE + CdefKernel.WIDENED_BEYOND];

    /** The samples of 8 bit after CDEF, eight an element. Index: that of {@link #out}, divided by eight. */
    private final long[] packed = new long[(64 + 2 * BORDER) * STRIDE / 8];

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
     * @param kernel turns bytes into samples
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
            CdefKernel kernel,
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
            if (top + y >= 0 && top + y < planeHeight) {
                long row = address + (top + y) * strideBytes + ((long) left * pixelStep + from) * sampleBytes;
                if (sampleBytes == 2) {
                    readRow16(row, sampleShift, line + from, to - from, 1);
                } else {
                    readBytes(row, line + from, to - from);
                }
            }
        }
        if (sampleBytes == 1) {
            kernel.widen(bytes, in, (rows + 2 * BORDER) * STRIDE);
        }
        for (int y = -BORDER; y < rows + BORDER; y++) {
            markUnavailable(ORIGIN + y * STRIDE, top + y, planeHeight, from, to, columns, pixelStep);
        }
    }

    /**
     * Reads the tile and its border from two planes, {@code first} and {@code second}. The other parameters are those
     * of {@link #read}.
     */
    void readPair(
            CdefKernel kernel,
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
            if (top + y < 0 || top + y >= planeHeight) {
                continue;
            }
            long a = first + (top + y) * firstStrideBytes + firstByte;
            long b = second + (top + y) * secondStrideBytes + firstByte;
            if (sampleBytes == 2) {
                readRow16(a, sampleShift, line + 2 * from, to - from, 2);
                readRow16(b, sampleShift, line + 2 * from + 1, to - from, 2);
            } else {
                readPairsOfBytes(a, b, line + 2 * from, to - from);
            }
        }
        if (sampleBytes == 1) {
            kernel.widen(bytes, in, (rows + 2 * BORDER) * STRIDE);
        }
        for (int y = -BORDER; y < rows + BORDER; y++) {
            markUnavailable(ORIGIN + y * STRIDE, top + y, planeHeight, 2 * from, 2 * to, columns, 2);
        }
    }

    /**
     * Marks the samples of a line outside the picture as unavailable. The samples from {@code from} to {@code to} lie
     * in the picture if the row does.
     */
    private void markUnavailable(int line, int row, int planeHeight, int from, int to, int columns, int pixelStep) {
        int begin = line - BORDER * pixelStep;
        int end = line + (columns + BORDER) * pixelStep;
        if (row < 0 || row >= planeHeight) {
            Arrays.fill(in, begin, end, CdefConstraints.UNAVAILABLE);
        } else {
            Arrays.fill(in, begin, line + from, CdefConstraints.UNAVAILABLE);
            Arrays.fill(in, line + to, end, CdefConstraints.UNAVAILABLE);
        }
    }

    private void readBytes(long row, int index, int samples) {
        byte[] to = bytes;
        if (samples < 8) {
            for (int i = 0; i < samples; i++) {
                to[index + i] = memGetByte(row + i);
            }
            return;
        }
        for (int i = 0; i < samples - 8; i += 8) {
            LONGS.set(to, index + i, memGetLong(row + i));
        }
        LONGS.set(to, index + samples - 8, memGetLong(row + samples - 8));
    }

    private void readPairsOfBytes(long first, long second, int index, int pairs) {
        byte[] to = bytes;
        if (pairs < 4) {
            for (int i = 0; i < pairs; i++) {
                to[index + 2 * i] = memGetByte(first + i);
                to[index + 2 * i + 1] = memGetByte(second + i);
            }
            return;
        }
        for (int i = 0; i < pairs - 4; i += 4) {
            LONGS.set(to, index + 2 * i, apart(memGetInt(first + i)) | apart(memGetInt(second + i)) << 8);
        }
        int last = pairs - 4;
        LONGS.set(to, index + 2 * last, apart(memGetInt(first + last)) | apart(memGetInt(second + last)) << 8);
    }

    /** Puts a zero byte after each byte of a word. */
    private static long apart(int word) {
        long halves = word & 0xffffffffL;
        halves = (halves | halves << 16) & 0x0000ffff0000ffffL;
        return (halves | halves << 8) & 0x00ff00ff00ff00ffL;
    }

    private void readRow16(long row, int shift, int index, int samples, int step) {
        for (int i = 0; i < samples; i++) {
            // No index of a table of the filter may come from bits that belong to no sample.
            in[index + i * step] = (short) (memGetShort(row + 2L * i) >> shift & MOST_OF_10_BIT);
        }
    }

    /** Writes the tile's result into a plane. The parameters are those of {@link #read}. */
    void write(
            CdefKernel kernel,
            long address,
            long strideBytes,
            int sampleBytes,
            int sampleShift,
            int pixelStep,
            int left,
            int top,
            int columns,
            int rows) {
        if (sampleBytes == 1) {
            kernel.narrow(out, packed, ORIGIN, ORIGIN + rows * STRIDE);
        }
        for (int y = 0; y < rows; y++) {
            int line = ORIGIN + y * STRIDE;
            long row = address + (top + y) * strideBytes + (long) left * pixelStep * sampleBytes;
            if (sampleBytes == 2) {
                writeRow16(row, sampleShift, line, columns * pixelStep, 1);
            } else {
                writeBytes(row, line / 8, columns * pixelStep);
            }
        }
    }

    /** Writes the tile's result into two planes. The parameters are those of {@link #readPair}. */
    void writePair(
            CdefKernel kernel,
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
        if (sampleBytes == 1) {
            kernel.narrow(out, packed, ORIGIN, ORIGIN + rows * STRIDE);
        }
        for (int y = 0; y < rows; y++) {
            int line = ORIGIN + y * STRIDE;
            long a = first + (top + y) * firstStrideBytes + (long) left * sampleBytes;
            long b = second + (top + y) * secondStrideBytes + (long) left * sampleBytes;
            if (sampleBytes == 2) {
                writeRow16(a, sampleShift, line, columns, 2);
                writeRow16(b, sampleShift, line + 1, columns, 2);
            } else {
                writePairsOfBytes(a, b, line / 8, columns);
            }
        }
    }

    private void writeRow16(long row, int shift, int index, int samples, int step) {
        for (int i = 0; i < samples; i++) {
            memPutShort(row + 2L * i, (short) (out[index + i * step] << shift));
        }
    }

    private void writeBytes(long row, int index, int samples) {
        long[] from = packed;
        int i = 0;
        for (; i <= samples - 8; i += 8) {
            memPutLong(row + i, from[index + (i >> 3)]);
        }
        for (; i < samples; i++) {
            memPutByte(row + i, (byte) (from[index + (i >> 3)] >>> (8 * i)));
        }
    }

    private void writePairsOfBytes(long first, long second, int index, int pairs) {
        long[] from = packed;
        int i = 0;
        for (; i <= pairs - 4; i += 4) {
            long samples = from[index + (i >> 2)];
            memPutInt(first + i, together(samples));
            memPutInt(second + i, together(samples >>> 8));
        }
        for (; i < pairs; i++) {
            long pair = from[index + (i >> 2)] >>> (16 * i);
            memPutByte(first + i, (byte) pair);
            memPutByte(second + i, (byte) (pair >>> 8));
        }
    }

    /** Every other byte, from the lowest on. */
    private static int together(long samples) {
        long halves = samples & 0x00ff00ff00ff00ffL;
        halves = (halves | halves >>> 8) & 0x0000ffff0000ffffL;
        return (int) (halves | halves >>> 16);
    }

    /** Copies an unfiltered block, of eight samples a row, into the result. */
    void keep(int index, int rows) {
        for (int row = 0; row < rows; row++) {
            System.arraycopy(in, index + row * STRIDE, out, index + row * STRIDE, 8);
        }
    }
}
