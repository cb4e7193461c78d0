/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.shrinkage;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutLong;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import org.gstqpu.kernels.internal.stage.ShrinkageLimits;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns the samples of a strip of a plane while shrinkage passes over it from top to bottom. Belongs to one worker.
 *
 * <p>The strip holds two bands, which are rows of 8x8 blocks of the codec's grid. A row of samples is split by column
 * modulo 8: the sample of lane l and phase p, of column 8 * l + p, lies at p * {@link #lanes} + l. So vectors that take
 * one sample of each block have these samples side by side, for blocks that begin in any column. Lane 0 lies left of
 * the strip, and the lane after its last block lies right of it; both are there for the blocks that reach into the strip.
 *
 * <p>Memory is little-endian, as on every platform that the kernels support.
 */
final class ShrinkageTile {
    /** Rows in both bands. */
    static final int ROWS = 16;

    /** The most lanes of a strip. */
    static final int MOST_LANES = 128;

    /** The most blocks of the codec's grid across a strip. */
    static final int MOST_BLOCKS = MOST_LANES - 2;

    /** Lanes that a vector may hold; the number of lanes is a multiple of it. */
    private static final int VECTOR_LANES = 8;

    /** The samples of both bands, less {@link #centre}. */
    final short[] samples = new short[ROWS * 8 * MOST_LANES];

    /** The decoded samples of one band, less {@link #centre}. */
    final short[] decoded = new short[8 * 8 * MOST_LANES];

    /** What is subtracted from each sample: half the range of 10-bit samples, so that coefficients fit in 16 bits. */
    final int centre;

    /** The least value of a sample, less {@link #centre}. */
    final int low;

    /** The greatest value of a sample, less {@link #centre}. */
    final int high;

    private final int sampleBytes;
    private final int sampleShift;
    private final int peak;
    private int pixelStep;
    private int first;
    private int width;
    private int left;
    private int top;
    private boolean chroma;
    private int blocks;
    private int lanes;

    ShrinkageTile(PixelFormat format) {
        sampleBytes = format.sampleBytes();
        sampleShift = format.sampleShift();
        peak = format.peak();
        centre = format.bitDepth() > 8 ? 1 << (format.bitDepth() - 1) : 0;
        low = -centre;
        high = peak - centre;
    }

    /**
     * Places the strip in a plane.
     *
     * @param pixelStep samples from one to the next of the component, 1 or 2
     * @param first samples before the component's first one, 0 or 1
     * @param width samples of the component a row
     * @param left column of the first block; it may be negative
     * @param top row of the first band; it may be negative
     * @param blocks blocks across, up to {@link #MOST_BLOCKS}
     * @param chroma whether the component is one of chroma
     */
    void place(int pixelStep, int first, int width, int left, int top, int blocks, boolean chroma) {
        this.pixelStep = pixelStep;
        this.first = first;
        this.width = width;
        this.left = left;
        this.top = top;
        this.chroma = chroma;
        this.blocks = blocks;
        lanes = (blocks + 2 + VECTOR_LANES - 1) / VECTOR_LANES * VECTOR_LANES;
    }

    /** Lanes in a phase. */
    int lanes() {
        return lanes;
    }

    /** What is added before flat samples of this row of a band and of this phase are rounded. */
    int flatRounding(int y, int phase) {
        return chroma ? ShrinkageLimits.HALF : ShrinkageLimits.flatRounding(left + phase, top + y);
    }

    /** Blocks across. The first lies in lane 1. */
    int blocks() {
        return blocks;
    }

    /** The first lane whose block of the codec's grid lies wholly in the plane. */
    int firstWhole() {
        return left < 0 ? 2 : 1;
    }

    /** The lane after the last one whose block of the codec's grid lies wholly in the plane. */
    int endOfWhole() {
        return left + 8 * blocks > width ? blocks : blocks + 1;
    }

    /**
     * Reads a row of the plane, with its border samples repeated to its left and right.
     *
     * @param to {@link #samples} or {@link #decoded}
     * @param toRow row there
     * @param row address of the plane's row
     */
    void read(short[] to, int toRow, long row) {
        int at = toRow * 8 * lanes;
        for (int lane = 0; lane < blocks + 2; lane++) {
            int column = left + 8 * (lane - 1);
            if (column < 0 || column + 8 > width) {
                for (int phase = 0; phase < 8; phase++) {
                    int inside = Math.max(0, Math.min(column + phase, width - 1));
                    to[at + phase * lanes + lane] = get(row, inside);
                }
            } else if (sampleBytes == 1) {
                readBytes(to, at + lane, row + (long) column * pixelStep);
            } else {
                for (int phase = 0; phase < 8; phase++) {
                    to[at + phase * lanes + lane] = get(row, column + phase);
                }
            }
        }
    }

    private short get(long row, int column) {
        int sample = column * pixelStep + first;
        int value = sampleBytes == 1 ? memGetByte(row + sample) : memGetShort(row + 2L * sample) >> sampleShift;
        return (short) ((value & peak) - centre);
    }

    private void readBytes(short[] to, int at, long pixel) {
        long bytes = memGetLong(pixel);
        if (pixelStep == 1) {
            to[at] = (short) (bytes & 255);
            to[at + lanes] = (short) (bytes >>> 8 & 255);
            to[at + 2 * lanes] = (short) (bytes >>> 16 & 255);
            to[at + 3 * lanes] = (short) (bytes >>> 24 & 255);
            to[at + 4 * lanes] = (short) (bytes >>> 32 & 255);
            to[at + 5 * lanes] = (short) (bytes >>> 40 & 255);
            to[at + 6 * lanes] = (short) (bytes >>> 48 & 255);
            to[at + 7 * lanes] = (short) (bytes >>> 56);
        } else {
            long more = memGetLong(pixel + 8) >>> (8 * first);
            bytes >>>= 8 * first;
            to[at] = (short) (bytes & 255);
            to[at + lanes] = (short) (bytes >>> 16 & 255);
            to[at + 2 * lanes] = (short) (bytes >>> 32 & 255);
            to[at + 3 * lanes] = (short) (bytes >>> 48 & 255);
            to[at + 4 * lanes] = (short) (more & 255);
            to[at + 5 * lanes] = (short) (more >>> 16 & 255);
            to[at + 6 * lanes] = (short) (more >>> 32 & 255);
            to[at + 7 * lanes] = (short) (more >>> 48 & 255);
        }
    }

    /**
     * Writes a row of {@link #samples} into the plane.
     *
     * @param fromRow row of the samples
     * @param row address of the plane's row
     */
    void write(int fromRow, long row) {
        int at = fromRow * 8 * lanes;
        for (int lane = 1; lane <= blocks; lane++) {
            int column = left + 8 * (lane - 1);
            if (sampleBytes == 1 && pixelStep == 1 && column >= 0 && column + 8 <= width) {
                writeBytes(at + lane, row + column);
            } else {
                int end = Math.min(8, width - column);
                for (int phase = Math.max(0, -column); phase < end; phase++) {
                    put(row, column + phase, samples[at + phase * lanes + lane]);
                }
            }
        }
    }

    private void put(long row, int column, int value) {
        int sample = column * pixelStep + first;
        if (sampleBytes == 1) {
            memPutByte(row + sample, (byte) value);
        } else {
            memPutShort(row + 2L * sample, (short) ((value + centre) << sampleShift));
        }
    }

    private void writeBytes(int at, long address) {
        long bytes = samples[at]
                | samples[at + lanes] << 8
                | samples[at + 2 * lanes] << 16
                | (long) samples[at + 3 * lanes] << 24
                | (long) samples[at + 4 * lanes] << 32
                | (long) samples[at + 5 * lanes] << 40
                | (long) samples[at + 6 * lanes] << 48
                | (long) samples[at + 7 * lanes] << 56;
        memPutLong(address, bytes);
    }
}
