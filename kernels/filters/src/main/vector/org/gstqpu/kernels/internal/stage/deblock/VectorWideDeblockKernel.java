/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutLong;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Deblocks samples of two bytes in vectors. Macroblocks that the picture's border cuts are left to the plain kernel.
 * Belongs to one worker.
 *
 * <p>Rows of the picture are rows of taps as they are. For vertical edges, words of two samples move one by one from
 * rows to columns and back, and shifts separate the samples of a word. Memory is little-endian, as on every platform
 * that the kernels support.
 *
 * <p>For a JVM whose compiler is told to compile the methods of this class on their own: see {@link CompiledAlone}.
 */
public final class VectorWideDeblockKernel implements DeblockKernel {
    private static final int LINES = VectorEdgeFilter.LINES;
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;
    private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_128;

    /** Rows above a macroblock that its upper edge reads: of luma, and of chroma. */
    private static final int LUMA_ABOVE = VectorEdgeFilter.LUMA_BEFORE;

    private static final int CHROMA_ABOVE = 2;

    /** Columns of words left of a macroblock, but for planar chroma, which has one. */
    private static final int LEFT = 2;

    /** Length of a row of {@link #rows}: sixteen samples, four a {@code long}. */
    private static final int ROW = 4;

    private final DeblockKernel plain;
    private final VectorEdgeFilter edges;
    private final short[] taps;

    /** Zero bits below a sample's significant bits. */
    private final int shift;

    /** The bits of four samples that remain once these zero bits are gone. */
    private final long significant;

    /**
     * Words of two samples, column after column. The first columns of sixteen words, {@link #LEFT} or one, lie left of
     * the macroblock.
     */
    private final int[] words = new int[10 * LINES];

    /** Four samples a {@code long}, row after row: the rows above the macroblock, then the macroblock's. */
    private final long[] rows = new long[(LUMA_ABOVE + 16) * ROW];

    /** Makes a kernel for the samples of {@code format}, which must be of more than 8 bit. */
    public VectorWideDeblockKernel(PixelFormat format) {
        plain = new PlainDeblockKernel(format);
        edges = new VectorEdgeFilter(format.bitDepth());
        taps = edges.taps;
        shift = format.sampleShift();
        significant = (0xffff >>> shift) * 0x0001000100010001L;
    }

    @Override
    public void follow(H264EdgeMap map, int column, int row) {
        throw new UnsupportedOperationException("edge maps are for samples of 8 bit");
    }

    @Override
    public void configure(H264DeblockParameters parameters) {
        plain.configure(parameters);
        edges.configure(parameters);
    }

    @Override
    public void luma(
            int component, long address, long strideBytes, int columns, int lumaRows, boolean left, boolean top) {
        if (columns < 16 || lumaRows < 16) {
            plain.luma(component, address, strideBytes, columns, lumaRows, left, top);
            return;
        }
        if (!edges.changesLuma(component)) {
            return;
        }
        if (left) {
            readLeft(address, strideBytes, 16);
        }
        readColumns(address, strideBytes, 16);
        unpack(10);
        edges.luma(component, left);
        pack(10);
        if (left) {
            writeLeft(address, strideBytes, 16);
        }
        turn(LUMA_ABOVE, 16);
        if (top) {
            readAbove(address, strideBytes, LUMA_ABOVE);
        }
        unpackRows(top ? 0 : LUMA_ABOVE, LUMA_ABOVE + 16);
        edges.luma(component, top);
        // No filter changes the topmost of the rows above, so it is not written back: another worker may be writing it
        // by now.
        int first = top ? 1 : LUMA_ABOVE;
        packRows(first, LUMA_ABOVE + 16);
        writeRows(address, strideBytes, first, LUMA_ABOVE, 16);
    }

    @Override
    public void chroma(
            long cb,
            long cbStrideBytes,
            long cr,
            long crStrideBytes,
            int pixelStep,
            int columns,
            int chromaRows,
            boolean left,
            boolean top) {
        if (columns < 8 || chromaRows % 8 != 0) {
            plain.chroma(cb, cbStrideBytes, cr, crStrideBytes, pixelStep, columns, chromaRows, left, top);
        } else if (edges.changesChroma()) {
            // The halves can be filtered one after the other: of all horizontal edges, only the edge between the halves
            // reads rows of one half that edges of the other half change.
            for (int row = 0; row < chromaRows; row += 8) {
                long cbHalf = cb + row * cbStrideBytes;
                long crHalf = cr + row * crStrideBytes;
                if (pixelStep == 1) {
                    planar(cbHalf, cbStrideBytes, crHalf, crStrideBytes, left, row > 0 || top, row > 0);
                } else {
                    interleaved(Math.min(cbHalf, crHalf), cbStrideBytes, cb < cr, left, row > 0 || top, row > 0);
                }
            }
        }
    }

    /**
     * Filters eight rows of planar chroma. {@code inside} says that the edge above these rows lies inside the
     * macroblock.
     */
    private void planar(
            long cb, long cbStrideBytes, long cr, long crStrideBytes, boolean left, boolean top, boolean inside) {
        readHalfColumns(cb, cbStrideBytes, 0, left);
        readHalfColumns(cr, crStrideBytes, 8, left);
        unpack(5);
        edges.chroma(2, VectorEdgeFilter.Order.ALTERNATING, true, left, false);
        pack(5);
        if (left) {
            writeHalfLeft(cb, cbStrideBytes, 0);
            writeHalfLeft(cr, crStrideBytes, 8);
        }
        turnHalves();
        if (top) {
            readHalfAbove(cb, cbStrideBytes, 0);
            readHalfAbove(cr, crStrideBytes, 2);
        }
        unpackRows(top ? 0 : CHROMA_ABOVE, CHROMA_ABOVE + 8);
        edges.chroma(CHROMA_ABOVE, VectorEdgeFilter.Order.HALVES, true, top, inside);
        int first = top ? 1 : CHROMA_ABOVE;
        packRows(first, CHROMA_ABOVE + 8);
        writeHalfRows(cb, cbStrideBytes, first, 0);
        writeHalfRows(cr, crStrideBytes, first, 2);
    }

    /**
     * Filters eight rows of interleaved chroma. A word is a pixel, and its two samples are lines of their own.
     * {@code inside} says that the edge above these rows lies inside the macroblock.
     */
    private void interleaved(
            long address, long strideBytes, boolean cbFirst, boolean left, boolean top, boolean inside) {
        if (left) {
            readLeft(address, strideBytes, 8);
        }
        readColumns(address, strideBytes, 8);
        unpackPixels(10);
        edges.chroma(2, VectorEdgeFilter.Order.ALTERNATING, cbFirst, left, false);
        packPixels(10);
        if (left) {
            writeLeft(address, strideBytes, 8);
        }
        turn(CHROMA_ABOVE, 8);
        if (top) {
            readAbove(address, strideBytes, CHROMA_ABOVE);
        }
        unpackRows(top ? 0 : CHROMA_ABOVE, CHROMA_ABOVE + 8);
        edges.chroma(CHROMA_ABOVE, VectorEdgeFilter.Order.ALTERNATING, cbFirst, top, inside);
        int first = top ? 1 : CHROMA_ABOVE;
        packRows(first, CHROMA_ABOVE + 8);
        writeRows(address, strideBytes, first, CHROMA_ABOVE, 8);
    }

    /** Reads four samples of each row left of the macroblock. */
    private void readLeft(long address, long strideBytes, int count) {
        int[] to = words;
        for (int row = 0; row < count; row++) {
            long samples = memGetLong(address + row * strideBytes - 8) >>> shift & significant;
            to[row] = (int) samples;
            to[LINES + row] = (int) (samples >>> 32);
        }
    }

    private void writeLeft(long address, long strideBytes, int count) {
        int[] from = words;
        for (int row = 0; row < count; row++) {
            long samples = from[row] & 0xffffffffL | (long) from[LINES + row] << 32;
            memPutLong(address + row * strideBytes - 8, samples << shift);
        }
    }

    /** Reads rows of sixteen samples. */
    private void readColumns(long address, long strideBytes, int count) {
        int[] to = words;
        for (int row = 0; row < count; row++) {
            long at = address + row * strideBytes;
            int column = LEFT * LINES + row;
            long a = memGetLong(at) >>> shift & significant;
            long b = memGetLong(at + 8) >>> shift & significant;
            long c = memGetLong(at + 16) >>> shift & significant;
            long d = memGetLong(at + 24) >>> shift & significant;
            to[column] = (int) a;
            to[column + LINES] = (int) (a >>> 32);
            to[column + 2 * LINES] = (int) b;
            to[column + 3 * LINES] = (int) (b >>> 32);
            to[column + 4 * LINES] = (int) c;
            to[column + 5 * LINES] = (int) (c >>> 32);
            to[column + 6 * LINES] = (int) d;
            to[column + 7 * LINES] = (int) (d >>> 32);
        }
    }

    /** Reads two samples left of the macroblock and eight in it, of eight rows. */
    private void readHalfColumns(long address, long strideBytes, int firstLine, boolean left) {
        int[] to = words;
        for (int row = 0; row < 8; row++) {
            long at = address + row * strideBytes;
            int column = firstLine + row;
            if (left) {
                to[column] = memGetInt(at - 4) >>> shift & (int) significant;
            }
            long a = memGetLong(at) >>> shift & significant;
            long b = memGetLong(at + 8) >>> shift & significant;
            to[column + LINES] = (int) a;
            to[column + 2 * LINES] = (int) (a >>> 32);
            to[column + 3 * LINES] = (int) b;
            to[column + 4 * LINES] = (int) (b >>> 32);
        }
    }

    private void writeHalfLeft(long address, long strideBytes, int firstLine) {
        for (int row = 0; row < 8; row++) {
            memPutInt(address + row * strideBytes - 4, words[firstLine + row] << shift);
        }
    }

    /** Copies the macroblock from columns to {@link #rows}. */
    private void turn(int above, int count) {
        int[] from = words;
        long[] to = rows;
        for (int row = 0; row < count; row++) {
            int column = LEFT * LINES + row;
            int at = (above + row) * ROW;
            to[at] = from[column] & 0xffffffffL | (long) from[column + LINES] << 32;
            to[at + 1] = from[column + 2 * LINES] & 0xffffffffL | (long) from[column + 3 * LINES] << 32;
            to[at + 2] = from[column + 4 * LINES] & 0xffffffffL | (long) from[column + 5 * LINES] << 32;
            to[at + 3] = from[column + 6 * LINES] & 0xffffffffL | (long) from[column + 7 * LINES] << 32;
        }
    }

    /** Copies eight rows of planar chroma from columns to {@link #rows}, Cb and Cr side by side. */
    private void turnHalves() {
        int[] from = words;
        long[] to = rows;
        for (int row = 0; row < 8; row++) {
            int column = LINES + row;
            int at = (CHROMA_ABOVE + row) * ROW;
            to[at] = from[column] & 0xffffffffL | (long) from[column + LINES] << 32;
            to[at + 1] = from[column + 2 * LINES] & 0xffffffffL | (long) from[column + 3 * LINES] << 32;
            column += 8;
            to[at + 2] = from[column] & 0xffffffffL | (long) from[column + LINES] << 32;
            to[at + 3] = from[column + 2 * LINES] & 0xffffffffL | (long) from[column + 3 * LINES] << 32;
        }
    }

    private void readAbove(long address, long strideBytes, int above) {
        long[] to = rows;
        for (int row = 0; row < above; row++) {
            long from = address + (row - above) * strideBytes;
            int at = row * ROW;
            to[at] = memGetLong(from) >>> shift & significant;
            to[at + 1] = memGetLong(from + 8) >>> shift & significant;
            to[at + 2] = memGetLong(from + 16) >>> shift & significant;
            to[at + 3] = memGetLong(from + 24) >>> shift & significant;
        }
    }

    private void readHalfAbove(long address, long strideBytes, int firstLong) {
        for (int row = 0; row < CHROMA_ABOVE; row++) {
            long from = address + (row - CHROMA_ABOVE) * strideBytes;
            int at = row * ROW + firstLong;
            rows[at] = memGetLong(from) >>> shift & significant;
            rows[at + 1] = memGetLong(from + 8) >>> shift & significant;
        }
    }

    private void writeRows(long address, long strideBytes, int first, int above, int count) {
        long[] from = rows;
        for (int row = first; row < above + count; row++) {
            long to = address + (row - above) * strideBytes;
            int at = row * ROW;
            memPutLong(to, from[at] << shift);
            memPutLong(to + 8, from[at + 1] << shift);
            memPutLong(to + 16, from[at + 2] << shift);
            memPutLong(to + 24, from[at + 3] << shift);
        }
    }

    private void writeHalfRows(long address, long strideBytes, int first, int firstLong) {
        for (int row = first; row < CHROMA_ABOVE + 8; row++) {
            long to = address + (row - CHROMA_ABOVE) * strideBytes;
            int at = row * ROW + firstLong;
            memPutLong(to, rows[at] << shift);
            memPutLong(to + 8, rows[at + 1] << shift);
        }
    }

    /** Unpacks words of two samples to two taps each. Line i and line i + 8 come next to each other. */
    private void unpack(int columns) {
        for (int column = 0; column < columns; column++) {
            for (int half = 0; half < LINES / 2; half += INTS.length()) {
                IntVector a = IntVector.fromArray(INTS, words, column * LINES + half);
                IntVector b = IntVector.fromArray(INTS, words, column * LINES + LINES / 2 + half);
                int to = 2 * (column * LINES + half);
                a.and(0xffff)
                        .or(b.lanewise(VectorOperators.LSHL, 16))
                        .reinterpretAsShorts()
                        .intoArray(taps, to);
                a.lanewise(VectorOperators.LSHR, 16)
                        .or(b.and(0xffff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + LINES);
            }
        }
    }

    private void pack(int columns) {
        for (int column = 0; column < columns; column++) {
            for (int half = 0; half < LINES / 2; half += INTS.length()) {
                int from = 2 * (column * LINES + half);
                IntVector first = ShortVector.fromArray(SHORTS, taps, from).reinterpretAsInts();
                IntVector second =
                        ShortVector.fromArray(SHORTS, taps, from + LINES).reinterpretAsInts();
                first.and(0xffff).or(second.lanewise(VectorOperators.LSHL, 16)).intoArray(words, column * LINES + half);
                first.lanewise(VectorOperators.LSHR, 16)
                        .or(second.and(0xffff0000))
                        .intoArray(words, column * LINES + LINES / 2 + half);
            }
        }
    }

    /** Copies columns of eight pixels to taps, one column a row. */
    private void unpackPixels(int columns) {
        for (int column = 0; column < columns; column++) {
            for (int half = 0; half < LINES / 2; half += INTS.length()) {
                IntVector.fromArray(INTS, words, column * LINES + half)
                        .reinterpretAsShorts()
                        .intoArray(taps, column * LINES + 2 * half);
            }
        }
    }

    private void packPixels(int columns) {
        for (int column = 0; column < columns; column++) {
            for (int half = 0; half < LINES / 2; half += INTS.length()) {
                ShortVector.fromArray(SHORTS, taps, column * LINES + 2 * half)
                        .reinterpretAsInts()
                        .intoArray(words, column * LINES + half);
            }
        }
    }

    private void unpackRows(int first, int end) {
        for (int at = first * ROW; at < end * ROW; at += LONGS.length()) {
            LongVector.fromArray(LONGS, rows, at).reinterpretAsShorts().intoArray(taps, 4 * at);
        }
    }

    private void packRows(int first, int end) {
        for (int at = first * ROW; at < end * ROW; at += LONGS.length()) {
            ShortVector.fromArray(SHORTS, taps, 4 * at).reinterpretAsLongs().intoArray(rows, at);
        }
    }
}
