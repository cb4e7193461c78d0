/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

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
import org.gstqpu.kernels.internal.stage.CpuPlace;
import org.gstqpu.kernels.picture.PixelFormat;

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

    private final PixelFormat format;
    private final int width;
    private final int height;

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
     * Makes a tile for pictures of one format and size.
     *
     * @param width luma samples a row
     * @param height luma rows
     */
    CdefTile(PixelFormat format, int width, int height) {
        this.format = format;
        this.width = width;
        this.height = height;
    }

    /** Samples of the tile for a pixel: 2 where both components of chroma alternate. */
    private int pixelStep(int plane) {
        return plane == 0 || format.chroma() == PixelFormat.Chroma.FULL ? 1 : 2;
    }

    /** True if a pixel's samples lie in this plane and in the next one. */
    private boolean isPair(int plane) {
        return pixelStep(plane) != format.planeRowSamples(plane, 1);
    }

    /** Address of a pixel. */
    private long address(CpuPlace picture, int plane, int column, int row) {
        return picture.row(plane, row) + (long) column * format.planeRowSamples(plane, 1) * format.sampleBytes();
    }

    /**
     * Reads the tile and its border from a picture.
     *
     * @param kernel turns bytes into samples
     * @param plane the plane to read; 1 for both components of subsampled chroma, also where these have a plane each
     * @param left column of the tile's first pixel
     * @param top row of the tile's first pixel
     * @param columns columns of pixels of the tile that lie in the picture
     * @param rows rows of the tile that lie in the picture
     */
    void read(CdefKernel kernel, CpuPlace picture, int plane, int left, int top, int columns, int rows) {
        int step = pixelStep(plane);
        boolean pair = isPair(plane);
        int planeHeight = format.planeRows(plane, height);
        int from = Math.max(-BORDER, -left);
        int to = Math.min(columns + BORDER, (plane == 0 ? width : format.chromaWidth(width)) - left);
        for (int y = -BORDER; y < rows + BORDER; y++) {
            if (top + y < 0 || top + y >= planeHeight) {
                continue;
            }
            int index = ORIGIN + y * STRIDE + from * step;
            long row = address(picture, plane, left + from, top + y);
            if (!pair) {
                readSamples(row, index, (to - from) * step);
            } else {
                readPairs(row, address(picture, plane + 1, left + from, top + y), index, to - from);
            }
        }
        if (format.sampleBytes() == 1) {
            kernel.widen(bytes, in, (rows + 2 * BORDER) * STRIDE);
        }
        for (int y = -BORDER; y < rows + BORDER; y++) {
            markUnavailable(ORIGIN + y * STRIDE, top + y, planeHeight, from * step, to * step, columns, step);
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

    private void readSamples(long row, int index, int samples) {
        if (format.sampleBytes() == 2) {
            readWords(row, index, samples, 1);
            return;
        }
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

    private void readPairs(long first, long second, int index, int pairs) {
        if (format.sampleBytes() == 2) {
            readWords(first, index, pairs, 2);
            readWords(second, index + 1, pairs, 2);
            return;
        }
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

    /** Reads samples of 16 bits, each of which goes {@code step} samples beyond the one before. */
    private void readWords(long row, int index, int samples, int step) {
        int shift = format.sampleShift();
        for (int i = 0; i < samples; i++) {
            // No index of a table of the filter may come from bits that belong to no sample.
            in[index + i * step] = (short) (memGetShort(row + 2L * i) >> shift & MOST_OF_10_BIT);
        }
    }

    /** Writes the tile's result into a picture. The parameters are those of {@link #read}. */
    void write(CdefKernel kernel, CpuPlace picture, int plane, int left, int top, int columns, int rows) {
        int step = pixelStep(plane);
        boolean pair = isPair(plane);
        if (format.sampleBytes() == 1) {
            kernel.narrow(out, packed, ORIGIN, ORIGIN + rows * STRIDE);
        }
        for (int y = 0; y < rows; y++) {
            int index = ORIGIN + y * STRIDE;
            long row = address(picture, plane, left, top + y);
            if (!pair) {
                writeSamples(row, index, columns * step);
            } else {
                writePairs(row, address(picture, plane + 1, left, top + y), index, columns);
            }
        }
    }

    private void writeWords(long row, int index, int samples, int step) {
        int shift = format.sampleShift();
        for (int i = 0; i < samples; i++) {
            memPutShort(row + 2L * i, (short) (out[index + i * step] << shift));
        }
    }

    private void writeSamples(long row, int index, int samples) {
        if (format.sampleBytes() == 2) {
            writeWords(row, index, samples, 1);
            return;
        }
        long[] from = packed;
        int first = index >> 3;
        int i = 0;
        for (; i <= samples - 8; i += 8) {
            memPutLong(row + i, from[first + (i >> 3)]);
        }
        for (; i < samples; i++) {
            memPutByte(row + i, (byte) (from[first + (i >> 3)] >>> (8 * i)));
        }
    }

    private void writePairs(long first, long second, int index, int pairs) {
        if (format.sampleBytes() == 2) {
            writeWords(first, index, pairs, 2);
            writeWords(second, index + 1, pairs, 2);
            return;
        }
        long[] from = packed;
        int begin = index >> 3;
        int i = 0;
        for (; i <= pairs - 4; i += 4) {
            long samples = from[begin + (i >> 2)];
            memPutInt(first + i, together(samples));
            memPutInt(second + i, together(samples >>> 8));
        }
        for (; i < pairs; i++) {
            long pair = from[begin + (i >> 2)] >>> (16 * i);
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
