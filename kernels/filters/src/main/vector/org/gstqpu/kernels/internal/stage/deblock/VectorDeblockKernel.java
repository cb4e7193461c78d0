/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutLong;

import java.lang.invoke.VarHandle;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Deblocks 8-bit samples in vectors. Macroblocks that the picture's border cuts are left to the plain kernel. Belongs to
 * one worker.
 *
 * <p>Rows of the picture are rows of taps as they are. A line across a vertical edge is a row of the picture, so a
 * macroblock is transposed before its vertical edges are filtered, and back afterwards. The transposition has two parts:
 * words of four samples move one by one between rows and {@link #words}, and shifts separate the samples of a word. Memory
 * is little-endian, as on every platform that the kernels support.
 */
public final class VectorDeblockKernel implements DeblockKernel {
    private static final int LINES = VectorByteEdgeFilter.LINES;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;

    private static final VarHandle EIGHT = VectorByteEdgeFilter.EIGHT;

    /** Rows above a macroblock that its upper edge reads: of luma, and of chroma. */
    private static final int LUMA_ABOVE = VectorByteEdgeFilter.LUMA_BEFORE;

    private static final int CHROMA_ABOVE = 2;

    private static final VectorByteEdgeFilter.Parts LUMA_ACROSS =
            new VectorByteEdgeFilter.Parts(line -> rowOfWords(line) / 4);
    private static final VectorByteEdgeFilter.Parts PLANAR_ACROSS =
            new VectorByteEdgeFilter.Parts(line -> rowOfWords(line) % 8 / 2);
    private static final VectorByteEdgeFilter.Parts PIXELS_ACROSS =
            new VectorByteEdgeFilter.Parts(line -> rowOfPixels(line) / 2);
    private static final VectorByteEdgeFilter.Parts HALVES_DOWN = new VectorByteEdgeFilter.Parts(line -> line % 8 / 2);
    private static final VectorByteEdgeFilter.Parts QUARTERS_DOWN = new VectorByteEdgeFilter.Parts(line -> line / 4);

    private final DeblockKernel plain;
    private final VectorByteEdgeFilter edges = new VectorByteEdgeFilter();

    /** For vertical edges a column of the picture a row; for horizontal edges a row of the picture a row. */
    private final byte[] taps = edges.taps;

    /**
     * Words of four samples, column after column. The first column of sixteen words lies left of the macroblock, the
     * others in it.
     */
    private final int[] words = new int[5 * LINES];

    /** The row of the picture that {@link #unpackWords} makes this line of; rows of Cr follow those of Cb. */
    private static int rowOfWords(int line) {
        return 4 * (line % 4) + line / 4;
    }

    /** The row of the picture that {@link #unpackPixels} makes this line of. */
    private static int rowOfPixels(int line) {
        return 4 * (line / 2 % 2) + line / 4;
    }

    /** Makes a kernel for the samples of {@code format}, which must be of 8 bit. */
    public VectorDeblockKernel(PixelFormat format) {
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
        if (top) {
            readAbove(address, strideBytes, LUMA_ABOVE);
        }
        edges.luma(component, EdgeDirection.HORIZONTAL, top, QUARTERS_DOWN);
        // No filter changes the topmost of the rows above, so it is not written back: another worker may be writing it
        // by now.
        writeRows(address, strideBytes, top ? 1 : LUMA_ABOVE, LUMA_ABOVE, 16);
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
        edges.chroma(4, VectorByteEdgeFilter.Order.PAIRS, EdgeDirection.VERTICAL, PLANAR_ACROSS, true, left, false);
        packWords(3);
        if (left) {
            writeHalfLeft(cb, cbStrideBytes, 0);
            writeHalfLeft(cr, crStrideBytes, 8);
        }
        turnHalves();
        if (top) {
            readHalfAbove(cb, cbStrideBytes, 0);
            readHalfAbove(cr, crStrideBytes, 8);
        }
        edges.chroma(
                CHROMA_ABOVE,
                VectorByteEdgeFilter.Order.HALVES,
                EdgeDirection.HORIZONTAL,
                HALVES_DOWN,
                true,
                top,
                inside);
        int first = top ? 1 : CHROMA_ABOVE;
        writeHalfRows(cb, cbStrideBytes, first, 0);
        writeHalfRows(cr, crStrideBytes, first, 8);
    }

    /**
     * Filters eight rows of interleaved chroma. {@code inside} says that the edge above these rows lies inside the
     * macroblock.
     */
    private void interleaved(
            long address, long strideBytes, boolean cbFirst, boolean left, boolean top, boolean inside) {
        readWords(address, strideBytes, 8, left);
        unpackPixels();
        edges.chroma(
                2, VectorByteEdgeFilter.Order.ALTERNATING, EdgeDirection.VERTICAL, PIXELS_ACROSS, cbFirst, left, false);
        packPixels();
        if (left) {
            writeLeft(address, strideBytes, 8);
        }
        turn(8, CHROMA_ABOVE);
        if (top) {
            readAbove(address, strideBytes, CHROMA_ABOVE);
        }
        edges.chroma(
                CHROMA_ABOVE,
                VectorByteEdgeFilter.Order.ALTERNATING,
                EdgeDirection.HORIZONTAL,
                QUARTERS_DOWN,
                cbFirst,
                top,
                inside);
        writeRows(address, strideBytes, top ? 1 : CHROMA_ABOVE, CHROMA_ABOVE, 8);
    }

    private void readWords(long address, long strideBytes, int count, boolean left) {
        int[] to = words;
        if (left) {
            for (int row = 0; row < count; row++) {
                to[row] = memGetInt(address + row * strideBytes - 4);
            }
        }
        for (int row = 0; row < count; row++) {
            long at = address + row * strideBytes;
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
        int[] from = words;
        for (int row = 0; row < count; row++) {
            memPutInt(address + row * strideBytes - 4, from[row]);
        }
    }

    private void writeHalfLeft(long address, long strideBytes, int firstLine) {
        int[] from = words;
        for (int row = 0; row < 8; row++) {
            memPutInt(address + row * strideBytes - 4, from[firstLine + row]);
        }
    }

    /** Copies the macroblock's words from columns to rows of taps. */
    private void turn(int count, int above) {
        int[] from = words;
        byte[] to = taps;
        for (int row = 0; row < count; row++) {
            int at = (above + row) * LINES;
            EIGHT.set(to, at, from[LINES + row] & 0xffffffffL | (long) from[2 * LINES + row] << 32);
            EIGHT.set(to, at + 8, from[3 * LINES + row] & 0xffffffffL | (long) from[4 * LINES + row] << 32);
        }
    }

    /** Copies the words of eight rows of planar chroma from columns to rows of taps, Cb and Cr side by side. */
    private void turnHalves() {
        int[] from = words;
        byte[] to = taps;
        for (int row = 0; row < 8; row++) {
            int at = (CHROMA_ABOVE + row) * LINES;
            EIGHT.set(to, at, from[LINES + row] & 0xffffffffL | (long) from[2 * LINES + row] << 32);
            EIGHT.set(to, at + 8, from[LINES + 8 + row] & 0xffffffffL | (long) from[2 * LINES + 8 + row] << 32);
        }
    }

    private void readAbove(long address, long strideBytes, int above) {
        byte[] to = taps;
        for (int row = 0; row < above; row++) {
            long at = address + (row - above) * strideBytes;
            EIGHT.set(to, row * LINES, memGetLong(at));
            EIGHT.set(to, row * LINES + 8, memGetLong(at + 8));
        }
    }

    private void readHalfAbove(long address, long strideBytes, int firstLine) {
        byte[] to = taps;
        for (int row = 0; row < CHROMA_ABOVE; row++) {
            EIGHT.set(to, row * LINES + firstLine, memGetLong(address + (row - CHROMA_ABOVE) * strideBytes));
        }
    }

    private void writeRows(long address, long strideBytes, int first, int above, int count) {
        byte[] from = taps;
        for (int row = first; row < above + count; row++) {
            long at = address + (row - above) * strideBytes;
            memPutLong(at, (long) EIGHT.get(from, row * LINES));
            memPutLong(at + 8, (long) EIGHT.get(from, row * LINES + 8));
        }
    }

    private void writeHalfRows(long address, long strideBytes, int first, int firstLine) {
        byte[] from = taps;
        for (int row = first; row < CHROMA_ABOVE + 8; row++) {
            memPutLong(address + (row - CHROMA_ABOVE) * strideBytes, (long) EIGHT.get(from, row * LINES + firstLine));
        }
    }

    /** Unpacks columns of sixteen words of four samples to four taps each. */
    private void unpackWords(int columns) {
        int[] from = words;
        byte[] to = taps;
        for (int column = 0; column < columns; column++) {
            int word = column * LINES;
            IntVector a = IntVector.fromArray(INTS, from, word);
            IntVector b = IntVector.fromArray(INTS, from, word + 4);
            IntVector c = IntVector.fromArray(INTS, from, word + 8);
            IntVector d = IntVector.fromArray(INTS, from, word + 12);
            ShortVector even =
                    a.and(0xffff).or(c.lanewise(VectorOperators.LSHL, 16)).reinterpretAsShorts();
            ShortVector odd =
                    b.and(0xffff).or(d.lanewise(VectorOperators.LSHL, 16)).reinterpretAsShorts();
            int tap = 4 * word;
            even.and((short) 0xff)
                    .or(odd.lanewise(VectorOperators.LSHL, 8))
                    .reinterpretAsBytes()
                    .intoArray(to, tap);
            even.lanewise(VectorOperators.LSHR, 8)
                    .or(odd.and((short) 0xff00))
                    .reinterpretAsBytes()
                    .intoArray(to, tap + LINES);
            even = a.lanewise(VectorOperators.LSHR, 16).or(c.and(0xffff0000)).reinterpretAsShorts();
            odd = b.lanewise(VectorOperators.LSHR, 16).or(d.and(0xffff0000)).reinterpretAsShorts();
            even.and((short) 0xff)
                    .or(odd.lanewise(VectorOperators.LSHL, 8))
                    .reinterpretAsBytes()
                    .intoArray(to, tap + 2 * LINES);
            even.lanewise(VectorOperators.LSHR, 8)
                    .or(odd.and((short) 0xff00))
                    .reinterpretAsBytes()
                    .intoArray(to, tap + 3 * LINES);
        }
    }

    private void packWords(int columns) {
        byte[] from = taps;
        int[] to = words;
        for (int column = 0; column < columns; column++) {
            int word = column * LINES;
            int tap = 4 * word;
            ShortVector first = ByteVector.fromArray(BYTES, from, tap).reinterpretAsShorts();
            ShortVector second = ByteVector.fromArray(BYTES, from, tap + LINES).reinterpretAsShorts();
            IntVector evenLow = first.and((short) 0xff)
                    .or(second.lanewise(VectorOperators.LSHL, 8))
                    .reinterpretAsInts();
            IntVector oddLow = first.lanewise(VectorOperators.LSHR, 8)
                    .or(second.and((short) 0xff00))
                    .reinterpretAsInts();
            first = ByteVector.fromArray(BYTES, from, tap + 2 * LINES).reinterpretAsShorts();
            second = ByteVector.fromArray(BYTES, from, tap + 3 * LINES).reinterpretAsShorts();
            IntVector evenHigh = first.and((short) 0xff)
                    .or(second.lanewise(VectorOperators.LSHL, 8))
                    .reinterpretAsInts();
            IntVector oddHigh = first.lanewise(VectorOperators.LSHR, 8)
                    .or(second.and((short) 0xff00))
                    .reinterpretAsInts();
            evenLow.and(0xffff).or(evenHigh.lanewise(VectorOperators.LSHL, 16)).intoArray(to, word);
            oddLow.and(0xffff).or(oddHigh.lanewise(VectorOperators.LSHL, 16)).intoArray(to, word + 4);
            evenLow.lanewise(VectorOperators.LSHR, 16)
                    .or(evenHigh.and(0xffff0000))
                    .intoArray(to, word + 8);
            oddLow.lanewise(VectorOperators.LSHR, 16)
                    .or(oddHigh.and(0xffff0000))
                    .intoArray(to, word + 12);
        }
    }

    /** Unpacks five columns of eight words of two interleaved pixels to two taps each. */
    private void unpackPixels() {
        int[] from = words;
        byte[] to = taps;
        for (int column = 0; column < 5; column++) {
            IntVector a = IntVector.fromArray(INTS, from, column * LINES);
            IntVector b = IntVector.fromArray(INTS, from, column * LINES + 4);
            int tap = 2 * column * LINES;
            a.and(0xffff)
                    .or(b.lanewise(VectorOperators.LSHL, 16))
                    .reinterpretAsBytes()
                    .intoArray(to, tap);
            a.lanewise(VectorOperators.LSHR, 16)
                    .or(b.and(0xffff0000))
                    .reinterpretAsBytes()
                    .intoArray(to, tap + LINES);
        }
    }

    private void packPixels() {
        byte[] from = taps;
        int[] to = words;
        for (int column = 0; column < 5; column++) {
            int tap = 2 * column * LINES;
            IntVector first = ByteVector.fromArray(BYTES, from, tap).reinterpretAsInts();
            IntVector second = ByteVector.fromArray(BYTES, from, tap + LINES).reinterpretAsInts();
            first.and(0xffff).or(second.lanewise(VectorOperators.LSHL, 16)).intoArray(to, column * LINES);
            first.lanewise(VectorOperators.LSHR, 16).or(second.and(0xffff0000)).intoArray(to, column * LINES + 4);
        }
    }
}
