/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutLong;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.gstqpu.kernels.block.EdgeDirection;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Deblocks 8-bit samples in vectors. Macroblocks that the picture's border cuts are left to the plain kernel. Belongs to
 * one worker.
 *
 * <p>A line across a vertical edge is a row of the picture, so a macroblock is transposed before its vertical edges are
 * filtered, and back afterwards. The transposition has two parts: words of four samples move one by one between
 * {@link #words} and {@link #rows}, and shifts separate the samples of a word. Memory is little-endian, as on every
 * platform that the kernels support.
 */
final class VectorDeblockKernel implements DeblockKernel {
    private static final int LINES = VectorEdgeFilter.LINES;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;

    /** Rows above a macroblock that its upper edge reads: of luma, and of chroma. */
    private static final int LUMA_ABOVE = VectorEdgeFilter.LUMA_BEFORE;

    private static final int CHROMA_ABOVE = 2;

    /** Words in a row of a macroblock. */
    private static final int ROW = 4;

    private static final int[] LUMA_ACROSS = new int[LINES];
    private static final int[] CHROMA_ACROSS = new int[LINES];
    private static final int[] QUARTERS_DOWN = new int[LINES];
    private static final int[] DOWN = new int[LINES];

    static {
        for (int line = 0; line < LINES; line++) {
            LUMA_ACROSS[line] = ((line >> 1) + (line & 1) * LINES / 2) / 4;
            CHROMA_ACROSS[line] = line >> 2;
            QUARTERS_DOWN[line] = 2 * (line >> 1 & 1) + (line & 1);
            DOWN[line] = (line & 7) >> 1;
        }
    }

    private final DeblockKernel plain;
    private final VectorEdgeFilter edges = new VectorEdgeFilter(8);
    private final short[] taps = edges.taps;

    /**
     * Words of four samples, column after column. The first column of sixteen words lies left of the macroblock, the
     * other four in it.
     */
    private final int[] words = new int[5 * LINES];

    /** Words of four samples, row after row: the rows above the macroblock, then the macroblock's. */
    private final int[] rows = new int[(LUMA_ABOVE + 16) * ROW];

    /** Makes a kernel for the samples of {@code format}, which must be of 8 bit. */
    VectorDeblockKernel(PixelFormat format) {
        plain = new PlainDeblockKernel(format);
    }

    @Override
    public void follow(H264EdgeMap map, int column, int row) {
        plain.follow(map, column, row);
        edges.follow(map, column, row);
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
        readWords(address, strideBytes, 16, left);
        unpackWords(5);
        edges.luma(component, EdgeDirection.VERTICAL, left, LUMA_ACROSS);
        packWords(5);
        turn(16, LUMA_ABOVE);
        if (left) {
            writeLeft(address, strideBytes, 16);
        }
        int first = LUMA_ABOVE;
        if (top) {
            first = 0;
            readAbove(address, strideBytes, LUMA_ABOVE);
        }
        unpackRows(first, LUMA_ABOVE + 16);
        edges.luma(component, EdgeDirection.HORIZONTAL, top, DOWN);
        // No filter changes the topmost of the rows above, so it is not written back: another worker may be writing it
        // by now.
        first = top ? 1 : LUMA_ABOVE;
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
        readHalfWords(cb, cbStrideBytes, 0, left);
        readHalfWords(cr, crStrideBytes, 8, left);
        unpackWords(3);
        edges.chroma(4, VectorEdgeFilter.Order.ALTERNATING, EdgeDirection.VERTICAL, CHROMA_ACROSS, true, left, false);
        packWords(3);
        turnHalves();
        if (left) {
            writeLeftHalf(cb, cbStrideBytes, 0);
            writeLeftHalf(cr, crStrideBytes, 8);
        }
        int first = CHROMA_ABOVE;
        if (top) {
            first = 0;
            readHalfAbove(cb, cbStrideBytes, 0);
            readHalfAbove(cr, crStrideBytes, 2);
        }
        unpackRows(first, CHROMA_ABOVE + 8);
        edges.chroma(
                CHROMA_ABOVE,
                VectorEdgeFilter.Order.QUARTERS,
                EdgeDirection.HORIZONTAL,
                QUARTERS_DOWN,
                true,
                top,
                inside);
        first = top ? 1 : CHROMA_ABOVE;
        packRows(first, CHROMA_ABOVE + 8);
        writeHalfRows(cb, cbStrideBytes, first, 0);
        writeHalfRows(cr, crStrideBytes, first, 2);
    }

    /**
     * Filters eight rows of interleaved chroma. {@code inside} says that the edge above these rows lies inside the
     * macroblock.
     */
    private void interleaved(
            long address, long strideBytes, boolean cbFirst, boolean left, boolean top, boolean inside) {
        readWords(address, strideBytes, 8, left);
        unpackPairs(5);
        edges.chroma(
                2, VectorEdgeFilter.Order.ALTERNATING, EdgeDirection.VERTICAL, CHROMA_ACROSS, cbFirst, left, false);
        packPairs(5);
        turn(8, CHROMA_ABOVE);
        if (left) {
            writeLeft(address, strideBytes, 8);
        }
        int first = CHROMA_ABOVE;
        if (top) {
            first = 0;
            readAbove(address, strideBytes, CHROMA_ABOVE);
        }
        unpackRows(first, CHROMA_ABOVE + 8);
        edges.chroma(CHROMA_ABOVE, VectorEdgeFilter.Order.HALVES, EdgeDirection.HORIZONTAL, DOWN, cbFirst, top, inside);
        first = top ? 1 : CHROMA_ABOVE;
        packRows(first, CHROMA_ABOVE + 8);
        writeRows(address, strideBytes, first, CHROMA_ABOVE, 8);
    }

    private void readWords(long address, long strideBytes, int count, boolean left) {
        int[] to = words;
        for (int row = 0; row < count; row++) {
            long at = address + row * strideBytes;
            if (left) {
                to[row] = memGetInt(at - 4);
            }
            long low = memGetLong(at);
            long high = memGetLong(at + 8);
            to[LINES + row] = (int) low;
            to[2 * LINES + row] = (int) (low >>> 32);
            to[3 * LINES + row] = (int) high;
            to[4 * LINES + row] = (int) (high >>> 32);
        }
    }

    private void readHalfWords(long address, long strideBytes, int firstLine, boolean left) {
        int[] to = words;
        for (int row = 0; row < 8; row++) {
            long at = address + row * strideBytes;
            if (left) {
                to[firstLine + row] = memGetInt(at - 4);
            }
            long samples = memGetLong(at);
            to[LINES + firstLine + row] = (int) samples;
            to[2 * LINES + firstLine + row] = (int) (samples >>> 32);
        }
    }

    private void writeLeft(long address, long strideBytes, int count) {
        for (int row = 0; row < count; row++) {
            memPutInt(address + row * strideBytes - 4, words[row]);
        }
    }

    private void writeLeftHalf(long address, long strideBytes, int firstLine) {
        for (int row = 0; row < 8; row++) {
            memPutInt(address + row * strideBytes - 4, words[firstLine + row]);
        }
    }

    /** Copies the macroblock's words from {@link #words} to {@link #rows}. */
    private void turn(int count, int above) {
        int[] from = words;
        int[] to = rows;
        for (int row = 0; row < count; row++) {
            int at = (above + row) * ROW;
            to[at] = from[LINES + row];
            to[at + 1] = from[2 * LINES + row];
            to[at + 2] = from[3 * LINES + row];
            to[at + 3] = from[4 * LINES + row];
        }
    }

    /** Copies eight rows of planar chroma from {@link #words} to {@link #rows}, Cb and Cr side by side. */
    private void turnHalves() {
        int[] from = words;
        int[] to = rows;
        for (int row = 0; row < 8; row++) {
            int at = (CHROMA_ABOVE + row) * ROW;
            to[at] = from[LINES + row];
            to[at + 1] = from[2 * LINES + row];
            to[at + 2] = from[LINES + 8 + row];
            to[at + 3] = from[2 * LINES + 8 + row];
        }
    }

    private void readAbove(long address, long strideBytes, int above) {
        for (int row = 0; row < above; row++) {
            long at = address + (row - above) * strideBytes;
            setTwoWords(row * ROW, memGetLong(at));
            setTwoWords(row * ROW + 2, memGetLong(at + 8));
        }
    }

    private void readHalfAbove(long address, long strideBytes, int firstWord) {
        for (int row = 0; row < CHROMA_ABOVE; row++) {
            setTwoWords(row * ROW + firstWord, memGetLong(address + (row - CHROMA_ABOVE) * strideBytes));
        }
    }

    private void setTwoWords(int at, long samples) {
        rows[at] = (int) samples;
        rows[at + 1] = (int) (samples >>> 32);
    }

    private void writeRows(long address, long strideBytes, int first, int above, int count) {
        for (int row = first; row < above + count; row++) {
            long at = address + (row - above) * strideBytes;
            memPutLong(at, twoWords(row * ROW));
            memPutLong(at + 8, twoWords(row * ROW + 2));
        }
    }

    private void writeHalfRows(long address, long strideBytes, int first, int firstWord) {
        for (int row = first; row < CHROMA_ABOVE + 8; row++) {
            memPutLong(address + (row - CHROMA_ABOVE) * strideBytes, twoWords(row * ROW + firstWord));
        }
    }

    private long twoWords(int at) {
        return rows[at] & 0xffffffffL | (long) rows[at + 1] << 32;
    }

    /** Unpacks words of four samples to four taps each. Line i and line i + 8 come next to each other. */
    private void unpackWords(int groups) {
        for (int group = 0; group < groups; group++) {
            for (int half = 0; half < LINES / 2; half += INTS.length()) {
                IntVector a = IntVector.fromArray(INTS, words, group * LINES + half);
                IntVector b = IntVector.fromArray(INTS, words, group * LINES + LINES / 2 + half);
                int to = 4 * group * LINES + 2 * half;
                IntVector low = a.and(0xffff).or(b.lanewise(VectorOperators.LSHL, 16));
                IntVector high = a.lanewise(VectorOperators.LSHR, 16).or(b.and(0xffff0000));
                low.and(0xff00ff).reinterpretAsShorts().intoArray(taps, to);
                low.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 8).intoArray(taps, to + LINES);
                high.and(0xff00ff).reinterpretAsShorts().intoArray(taps, to + 2 * LINES);
                high.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 8).intoArray(taps, to + 3 * LINES);
            }
        }
    }

    private void packWords(int groups) {
        for (int group = 0; group < groups; group++) {
            for (int half = 0; half < LINES / 2; half += INTS.length()) {
                int from = 4 * group * LINES + 2 * half;
                IntVector low = ShortVector.fromArray(SHORTS, taps, from + LINES)
                        .lanewise(VectorOperators.LSHL, 8)
                        .or(ShortVector.fromArray(SHORTS, taps, from))
                        .reinterpretAsInts();
                IntVector high = ShortVector.fromArray(SHORTS, taps, from + 3 * LINES)
                        .lanewise(VectorOperators.LSHL, 8)
                        .or(ShortVector.fromArray(SHORTS, taps, from + 2 * LINES))
                        .reinterpretAsInts();
                low.and(0xffff).or(high.lanewise(VectorOperators.LSHL, 16)).intoArray(words, group * LINES + half);
                low.lanewise(VectorOperators.LSHR, 16)
                        .or(high.and(0xffff0000))
                        .intoArray(words, group * LINES + LINES / 2 + half);
            }
        }
    }

    /**
     * Unpacks words of two interleaved pixels to two taps each. The two components of a line come next to each other.
     */
    private void unpackPairs(int groups) {
        for (int group = 0; group < groups; group++) {
            for (int half = 0; half < LINES / 2; half += INTS.length()) {
                IntVector pixels = IntVector.fromArray(INTS, words, group * LINES + half);
                int to = 2 * group * LINES + 2 * half;
                pixels.and(0xff)
                        .or(pixels.lanewise(VectorOperators.LSHL, 8).and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to);
                pixels.lanewise(VectorOperators.LSHR, 16)
                        .and(0xff)
                        .or(pixels.lanewise(VectorOperators.LSHR, 8).and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + LINES);
            }
        }
    }

    private void packPairs(int groups) {
        for (int group = 0; group < groups; group++) {
            for (int half = 0; half < LINES / 2; half += INTS.length()) {
                int from = 2 * group * LINES + 2 * half;
                IntVector first = ShortVector.fromArray(SHORTS, taps, from).reinterpretAsInts();
                IntVector second =
                        ShortVector.fromArray(SHORTS, taps, from + LINES).reinterpretAsInts();
                first = first.or(first.lanewise(VectorOperators.LSHR, 8)).and(0xffff);
                second = second.or(second.lanewise(VectorOperators.LSHR, 8)).lanewise(VectorOperators.LSHL, 16);
                first.or(second).intoArray(words, group * LINES + half);
            }
        }
    }

    /** Unpacks rows to taps: first the samples in even columns, then the samples in odd columns. */
    private void unpackRows(int first, int end) {
        for (int word = first * ROW; word < end * ROW; word += INTS.length()) {
            IntVector samples = IntVector.fromArray(INTS, rows, word);
            samples.and(0xff00ff).reinterpretAsShorts().intoArray(taps, 4 * word);
            samples.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 8).intoArray(taps, 4 * word + LINES / 2);
        }
    }

    private void packRows(int first, int end) {
        for (int word = first * ROW; word < end * ROW; word += INTS.length()) {
            ShortVector even = ShortVector.fromArray(SHORTS, taps, 4 * word);
            ShortVector odd = ShortVector.fromArray(SHORTS, taps, 4 * word + LINES / 2);
            odd.lanewise(VectorOperators.LSHL, 8).or(even).reinterpretAsInts().intoArray(rows, word);
        }
    }
}
