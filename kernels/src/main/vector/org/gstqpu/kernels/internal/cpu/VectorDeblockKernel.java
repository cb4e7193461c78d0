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
import org.gstqpu.kernels.block.H264Tables;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Deblocks 8-bit samples in vectors: all sixteen lines across an edge at once. The lines are sixteen of luma, or eight
 * of each chroma component. Macroblocks that the picture's border cuts are left to the plain kernel. Belongs to one
 * worker.
 *
 * <p>In {@link #taps}, a row is one tap (p3 to q3 of an edge, for all lines) and a column is one line across the edge.
 * A line across a vertical edge is a row of the picture, so a macroblock is transposed before its vertical edges are
 * filtered, and back afterwards. The transposition has two parts: words of four samples move one by one between
 * {@link #words} and {@link #rows}, and shifts separate the samples of a word.
 *
 * <p>The kernel uses no vector masks, because the compiler of JDK 17 makes slow code of them. Instead, a condition is a
 * number that is negative where the condition holds. {@code and} joins conditions. The sign, spread over its lane by a
 * shift, selects. The rules of {@link VectorCdefKernel} for loops and for the size of vectors hold here, too. Memory is
 * little-endian, as on every platform that the kernels support.
 */
final class VectorDeblockKernel implements DeblockKernel {
    private static final int LINES = 16;
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;

    /** Words in a row of a macroblock. */
    private static final int ROW = 4;

    /** Number of luma rows above a macroblock that its upper edge reads. */
    private static final int LUMA_ABOVE = 4;

    /** Number of chroma rows above a macroblock that its upper edge reads. */
    private static final int CHROMA_ABOVE = 2;

    private final DeblockKernel plain;

    /**
     * Words of four samples, column after column. The first column of sixteen words lies left of the macroblock, the
     * other four in it.
     */
    private final int[] words = new int[5 * LINES];

    /** Words of four samples, row after row: the rows above the macroblock, then the macroblock's. */
    private final int[] rows = new int[(LUMA_ABOVE + 16) * ROW];

    private final short[] taps = new short[(LUMA_ABOVE + 16) * LINES];

    private int innerBs;
    private int macroblockBs;
    private int lumaStep;

    /** Thresholds of luma; in 4:4:4 video also of Cb and Cr, which are filtered like luma. */
    private final Levels[] luma = {new Levels(), new Levels(), new Levels()};

    private final ChromaLevels chroma = new ChromaLevels();

    /** Thresholds of interleaved chroma whose first sample is Cr. */
    private final ChromaLevels swappedChroma = new ChromaLevels();

    /** Strengths of each edge. Null if all edges have the configured strengths. */
    private H264EdgeMap map;

    private int mapAt;

    /** Thresholds of the current edge of {@link #map}. */
    private final Levels mapped = new Levels();

    // An edge has four parts, each with its own bS. These say to which part each line belongs, for each order of the
    // lines.
    private final int[] partsAcross = new int[LINES];
    private final int[] partsDown = new int[LINES];
    private final int[] alternatingParts = new int[LINES];
    private final int[] quarterParts = new int[LINES];
    private final int[] halfParts = new int[LINES];

    /** Makes a kernel for the samples of {@code format}, which must be of 8 bit. */
    VectorDeblockKernel(PixelFormat format) {
        plain = new PlainDeblockKernel(format);
        for (int line = 0; line < LINES; line++) {
            partsAcross[line] = ((line >> 1) + (line & 1) * LINES / 2) / 4;
            partsDown[line] = (line & 7) >> 1;
            alternatingParts[line] = line >> 2;
            quarterParts[line] = 2 * (line >> 1 & 1) + (line & 1);
            halfParts[line] = (line & 7) >> 1;
        }
    }

    @Override
    public void follow(H264EdgeMap map, int column, int row) {
        plain.follow(map, column, row);
        this.map = map;
        mapAt = map.at(column, row);
    }

    @Override
    public void configure(H264DeblockParameters parameters) {
        plain.configure(parameters);
        map = null;
        macroblockBs = parameters.macroblockEdgeBs();
        innerBs = parameters.innerEdgeBs();
        lumaStep = parameters.transform8x8() ? 8 : 4;
        for (int line = 0; line < LINES; line++) {
            for (int component = 0; component < luma.length; component++) {
                luma[component].set(line, parameters, parameters.indexA(component), parameters.indexB(component));
            }
            chroma.set(line, parameters, true);
            swappedChroma.set(line, parameters, false);
        }
    }

    @Override
    public void luma(int component, long address, long strideBytes, int columns, int rows, boolean left, boolean top) {
        Levels levels = luma[component];
        if (columns < 16 || rows < 16) {
            plain.luma(component, address, strideBytes, columns, rows, left, top);
            return;
        }
        if (map == null && !levels.effective) {
            return;
        }
        int step = map == null ? lumaStep : 4;
        readWords(address, strideBytes, 16, left);
        unpackWords(5);
        for (int x = left ? 0 : step; x < 16; x += step) {
            lumaEdge(EdgeDirection.VERTICAL, x, levels);
        }
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
        for (int y = top ? 0 : step; y < 16; y += step) {
            lumaEdge(EdgeDirection.HORIZONTAL, y, levels);
        }
        // No filter changes the topmost of the rows above, so it is not written back: another worker may be writing it
        // by now.
        first = top ? 1 : LUMA_ABOVE;
        packRows(first, LUMA_ABOVE + 16);
        writeRows(address, strideBytes, first, LUMA_ABOVE, 16);
    }

    private void lumaEdge(EdgeDirection direction, int edge, Levels levels) {
        int q0 = (LUMA_ABOVE + edge) * LINES;
        if (map != null) {
            int at = mapAt + map.edgeAt(0, direction, edge / 4);
            int[] parts = direction == EdgeDirection.VERTICAL ? partsAcross : partsDown;
            mapped.read(map.words(), at, at, parts, 0);
            if (!mapped.effective) {
                return;
            }
            if ((map.words()[at] & H264EdgeMap.STRONG) != 0) {
                lumaStrong(taps, q0, mapped.alpha, mapped.beta);
            } else {
                lumaNormal(taps, q0, mapped.alpha, mapped.beta, mapped.innerTc0);
            }
            return;
        }
        int bS = edge == 0 ? macroblockBs : innerBs;
        if (bS == 4) {
            lumaStrong(taps, q0, levels.alpha, levels.beta);
        } else if (bS > 0) {
            lumaNormal(taps, q0, levels.alpha, levels.beta, edge == 0 ? levels.macroblockTc0 : levels.innerTc0);
        }
    }

    @Override
    public void chroma(
            long cb,
            long cbStrideBytes,
            long cr,
            long crStrideBytes,
            int pixelStep,
            int columns,
            int rows,
            boolean left,
            boolean top) {
        if (columns < 8 || rows % 8 != 0) {
            plain.chroma(cb, cbStrideBytes, cr, crStrideBytes, pixelStep, columns, rows, left, top);
        } else if (map != null || chroma.alternating.effective) {
            // The halves can be filtered one after the other: of all horizontal edges, only the edge between the halves
            // reads rows of one half that edges of the other half change.
            for (int row = 0; row < rows; row += 8) {
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
        if (left) {
            acrossChroma(4 * LINES, chroma.alternating, true, true);
        }
        acrossChroma(8 * LINES, chroma.alternating, true, false);
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
        if (top) {
            downChroma(CHROMA_ABOVE * LINES, chroma.quarters, quarterParts, 4, true, !inside);
        }
        downChroma((CHROMA_ABOVE + 4) * LINES, chroma.quarters, quarterParts, 4, true, false);
        packRows(first, CHROMA_ABOVE + 8);
        first = top ? 1 : CHROMA_ABOVE;
        writeHalfRows(cb, cbStrideBytes, first, 0);
        writeHalfRows(cr, crStrideBytes, first, 2);
    }

    /**
     * Filters eight rows of interleaved chroma. {@code inside} says that the edge above these rows lies inside the
     * macroblock.
     */
    private void interleaved(
            long address, long strideBytes, boolean cbFirst, boolean left, boolean top, boolean inside) {
        ChromaLevels levels = cbFirst ? chroma : swappedChroma;
        readWords(address, strideBytes, 8, left);
        unpackPairs(5);
        if (left) {
            acrossChroma(2 * LINES, levels.alternating, cbFirst, true);
        }
        acrossChroma(6 * LINES, levels.alternating, cbFirst, false);
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
        if (top) {
            downChroma(CHROMA_ABOVE * LINES, levels.halves, halfParts, LINES / 2, cbFirst, !inside);
        }
        downChroma((CHROMA_ABOVE + 4) * LINES, levels.halves, halfParts, LINES / 2, cbFirst, false);
        packRows(first, CHROMA_ABOVE + 8);
        writeRows(address, strideBytes, top ? 1 : CHROMA_ABOVE, CHROMA_ABOVE, 8);
    }

    /** Filters a vertical chroma edge. {@code cbFirst} says that the lines of Cb come first. */
    private void acrossChroma(int q0, Levels levels, boolean cbFirst, boolean macroblockEdge) {
        if (map == null) {
            chromaEdge(q0, levels, macroblockEdge);
        } else {
            mappedChroma(q0, EdgeDirection.VERTICAL, alternatingParts, 1, cbFirst, macroblockEdge);
        }
    }

    /**
     * Filters a horizontal chroma edge. {@code turn} lines of one component alternate with {@code turn} lines of the
     * other.
     */
    private void downChroma(int q0, Levels levels, int[] parts, int turn, boolean cbFirst, boolean macroblockEdge) {
        if (map == null) {
            chromaEdge(q0, levels, macroblockEdge);
        } else {
            mappedChroma(q0, EdgeDirection.HORIZONTAL, parts, turn, cbFirst, macroblockEdge);
        }
    }

    private void mappedChroma(
            int q0, EdgeDirection direction, int[] parts, int turn, boolean cbFirst, boolean macroblockEdge) {
        int edge = macroblockEdge ? 0 : 1;
        int first = mapAt + map.edgeAt(cbFirst ? 1 : 2, direction, edge);
        int second = mapAt + map.edgeAt(cbFirst ? 2 : 1, direction, edge);
        mapped.read(map.words(), first, second, parts, turn);
        if (!mapped.effective) {
            return;
        }
        if ((map.words()[first] & H264EdgeMap.STRONG) != 0) {
            chromaStrong(taps, q0, mapped.alpha, mapped.beta);
        } else {
            chromaNormal(taps, q0, mapped.alpha, mapped.beta, mapped.innerTc0);
        }
    }

    private void chromaEdge(int q0, Levels levels, boolean macroblockEdge) {
        int bS = macroblockEdge ? macroblockBs : innerBs;
        if (bS == 4) {
            chromaStrong(taps, q0, levels.alpha, levels.beta);
        } else if (bS > 0) {
            chromaNormal(taps, q0, levels.alpha, levels.beta, macroblockEdge ? levels.macroblockTc0 : levels.innerTc0);
        }
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
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
                IntVector a = IntVector.fromArray(INTS, words, group * LINES + half);
                IntVector b = IntVector.fromArray(INTS, words, group * LINES + LINES / 2 + half);
                int to = 4 * group * LINES + 2 * half;
                a.and(0xff)
                        .or(b.and(0xff).lanewise(VectorOperators.LSHL, 16))
                        .reinterpretAsShorts()
                        .intoArray(taps, to);
                a.lanewise(VectorOperators.LSHR, 8)
                        .and(0xff)
                        .or(b.lanewise(VectorOperators.LSHL, 8).and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + LINES);
                a.lanewise(VectorOperators.LSHR, 16)
                        .and(0xff)
                        .or(b.and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + 2 * LINES);
                a.lanewise(VectorOperators.LSHR, 24)
                        .or(b.lanewise(VectorOperators.LSHR, 8).and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + 3 * LINES);
            }
        }
    }

    private void packWords(int groups) {
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
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
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
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
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
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
            samples.lanewise(VectorOperators.LSHR, 8)
                    .and(0xff00ff)
                    .reinterpretAsShorts()
                    .intoArray(taps, 4 * word + LINES / 2);
        }
    }

    private void packRows(int first, int end) {
        for (int word = first * ROW; word < end * ROW; word += INTS.length()) {
            ShortVector even = ShortVector.fromArray(SHORTS, taps, 4 * word);
            ShortVector odd = ShortVector.fromArray(SHORTS, taps, 4 * word + LINES / 2);
            odd.lanewise(VectorOperators.LSHL, 8).or(even).reinterpretAsInts().intoArray(rows, word);
        }
    }

    /** Filters an edge with bS less than 4. {@code q} is the index of the first line's q0. */
    private static void lumaNormal(short[] taps, int q, short[] alpha, short[] beta, short[] tc0) {
        for (int line = 0; line < LINES; line += SHORTS.length()) {
            ShortVector p2 = ShortVector.fromArray(SHORTS, taps, q - 3 * LINES + line);
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, q - 2 * LINES + line);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, q - LINES + line);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, q + line);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, q + LINES + line);
            ShortVector q2 = ShortVector.fromArray(SHORTS, taps, q + 2 * LINES + line);
            ShortVector limit = ShortVector.fromArray(SHORTS, beta, line);
            ShortVector step = q0.sub(p0);
            ShortVector filtered = step.abs()
                    .sub(ShortVector.fromArray(SHORTS, alpha, line))
                    .and(p1.sub(p0).abs().sub(limit))
                    .and(q1.sub(q0).abs().sub(limit))
                    .lanewise(VectorOperators.ASHR, 15);
            ShortVector flatP = p2.sub(p0)
                    .abs()
                    .sub(limit)
                    .lanewise(VectorOperators.ASHR, 15)
                    .and(filtered);
            ShortVector flatQ = q2.sub(q0)
                    .abs()
                    .sub(limit)
                    .lanewise(VectorOperators.ASHR, 15)
                    .and(filtered);
            ShortVector most = ShortVector.fromArray(SHORTS, tc0, line);
            ShortVector middle = p0.add(q0).add((short) 1).lanewise(VectorOperators.ASHR, 1);
            ShortVector mostP = most.and(flatP);
            p2.add(middle)
                    .sub(p1)
                    .sub(p1)
                    .lanewise(VectorOperators.ASHR, 1)
                    .min(mostP)
                    .max(mostP.neg())
                    .add(p1)
                    .intoArray(taps, q - 2 * LINES + line);
            ShortVector mostQ = most.and(flatQ);
            q2.add(middle)
                    .sub(q1)
                    .sub(q1)
                    .lanewise(VectorOperators.ASHR, 1)
                    .min(mostQ)
                    .max(mostQ.neg())
                    .add(q1)
                    .intoArray(taps, q + LINES + line);
            // Each flat side raises tC by 1. A condition that holds is -1, so it is subtracted.
            most = most.and(filtered).sub(flatP).sub(flatQ);
            ShortVector delta = step.lanewise(VectorOperators.LSHL, 2)
                    .add(p1)
                    .sub(q1)
                    .add((short) 4)
                    .lanewise(VectorOperators.ASHR, 3)
                    .min(most)
                    .max(most.neg());
            p0.add(delta).max((short) 0).min((short) 255).intoArray(taps, q - LINES + line);
            q0.sub(delta).max((short) 0).min((short) 255).intoArray(taps, q + line);
        }
    }

    /** Filters an edge with bS 4. The parameters are those of {@link #lumaNormal}. */
    private static void lumaStrong(short[] taps, int q, short[] alpha, short[] beta) {
        for (int line = 0; line < LINES; line += SHORTS.length()) {
            ShortVector p2 = ShortVector.fromArray(SHORTS, taps, q - 3 * LINES + line);
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, q - 2 * LINES + line);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, q - LINES + line);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, q + line);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, q + LINES + line);
            ShortVector q2 = ShortVector.fromArray(SHORTS, taps, q + 2 * LINES + line);
            ShortVector limit = ShortVector.fromArray(SHORTS, beta, line);
            ShortVector largest = ShortVector.fromArray(SHORTS, alpha, line);
            ShortVector step = p0.sub(q0).abs();
            ShortVector filtered = step.sub(largest)
                    .and(p1.sub(p0).abs().sub(limit))
                    .and(q1.sub(q0).abs().sub(limit))
                    .lanewise(VectorOperators.ASHR, 15);
            ShortVector small = step.sub(
                            largest.lanewise(VectorOperators.ASHR, 2).add((short) 2))
                    .lanewise(VectorOperators.ASHR, 15)
                    .and(filtered);
            ShortVector flatP = p2.sub(p0)
                    .abs()
                    .sub(limit)
                    .lanewise(VectorOperators.ASHR, 15)
                    .and(small);
            ShortVector flatQ = q2.sub(q0)
                    .abs()
                    .sub(limit)
                    .lanewise(VectorOperators.ASHR, 15)
                    .and(small);
            ShortVector both = p0.add(q0).add((short) 2);

            ShortVector four = both.add(p1).add(p2);
            ShortVector weak = p1.add(p1).add(p0).add(q1).add((short) 2).lanewise(VectorOperators.ASHR, 2);
            ShortVector strong = four.add(both).add(p1).add(q1).lanewise(VectorOperators.ASHR, 3);
            weak.lanewise(VectorOperators.XOR, strong)
                    .and(flatP)
                    .lanewise(VectorOperators.XOR, weak)
                    .lanewise(VectorOperators.XOR, p0)
                    .and(filtered)
                    .lanewise(VectorOperators.XOR, p0)
                    .intoArray(taps, q - LINES + line);
            four.lanewise(VectorOperators.ASHR, 2).sub(p1).and(flatP).add(p1).intoArray(taps, q - 2 * LINES + line);
            ShortVector p3 = ShortVector.fromArray(SHORTS, taps, q - 4 * LINES + line);
            p3.add(p2)
                    .lanewise(VectorOperators.LSHL, 1)
                    .add(four)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 3)
                    .sub(p2)
                    .and(flatP)
                    .add(p2)
                    .intoArray(taps, q - 3 * LINES + line);

            four = both.add(q1).add(q2);
            weak = q1.add(q1).add(q0).add(p1).add((short) 2).lanewise(VectorOperators.ASHR, 2);
            strong = four.add(both).add(q1).add(p1).lanewise(VectorOperators.ASHR, 3);
            weak.lanewise(VectorOperators.XOR, strong)
                    .and(flatQ)
                    .lanewise(VectorOperators.XOR, weak)
                    .lanewise(VectorOperators.XOR, q0)
                    .and(filtered)
                    .lanewise(VectorOperators.XOR, q0)
                    .intoArray(taps, q + line);
            four.lanewise(VectorOperators.ASHR, 2).sub(q1).and(flatQ).add(q1).intoArray(taps, q + LINES + line);
            ShortVector q3 = ShortVector.fromArray(SHORTS, taps, q + 3 * LINES + line);
            q3.add(q2)
                    .lanewise(VectorOperators.LSHL, 1)
                    .add(four)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 3)
                    .sub(q2)
                    .and(flatQ)
                    .add(q2)
                    .intoArray(taps, q + 2 * LINES + line);
        }
    }

    /** Filters a chroma edge with bS less than 4. The parameters are those of {@link #lumaNormal}. */
    private static void chromaNormal(short[] taps, int q, short[] alpha, short[] beta, short[] tc0) {
        for (int line = 0; line < LINES; line += SHORTS.length()) {
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, q - 2 * LINES + line);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, q - LINES + line);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, q + line);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, q + LINES + line);
            ShortVector limit = ShortVector.fromArray(SHORTS, beta, line);
            ShortVector step = q0.sub(p0);
            ShortVector filtered = step.abs()
                    .sub(ShortVector.fromArray(SHORTS, alpha, line))
                    .and(p1.sub(p0).abs().sub(limit))
                    .and(q1.sub(q0).abs().sub(limit))
                    .lanewise(VectorOperators.ASHR, 15);
            ShortVector most =
                    ShortVector.fromArray(SHORTS, tc0, line).add((short) 1).and(filtered);
            ShortVector delta = step.lanewise(VectorOperators.LSHL, 2)
                    .add(p1)
                    .sub(q1)
                    .add((short) 4)
                    .lanewise(VectorOperators.ASHR, 3)
                    .min(most)
                    .max(most.neg());
            p0.add(delta).max((short) 0).min((short) 255).intoArray(taps, q - LINES + line);
            q0.sub(delta).max((short) 0).min((short) 255).intoArray(taps, q + line);
        }
    }

    /** Filters a chroma edge with bS 4. The parameters are those of {@link #lumaNormal}. */
    private static void chromaStrong(short[] taps, int q, short[] alpha, short[] beta) {
        for (int line = 0; line < LINES; line += SHORTS.length()) {
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, q - 2 * LINES + line);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, q - LINES + line);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, q + line);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, q + LINES + line);
            ShortVector limit = ShortVector.fromArray(SHORTS, beta, line);
            ShortVector filtered = p0.sub(q0)
                    .abs()
                    .sub(ShortVector.fromArray(SHORTS, alpha, line))
                    .and(p1.sub(p0).abs().sub(limit))
                    .and(q1.sub(q0).abs().sub(limit))
                    .lanewise(VectorOperators.ASHR, 15);
            p1.add(p1)
                    .add(p0)
                    .add(q1)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 2)
                    .sub(p0)
                    .and(filtered)
                    .add(p0)
                    .intoArray(taps, q - LINES + line);
            q1.add(q1)
                    .add(q0)
                    .add(p1)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 2)
                    .sub(q0)
                    .and(filtered)
                    .add(q0)
                    .intoArray(taps, q + line);
        }
    }

    /** Thresholds of both chroma components, for each order in which lines of the two components alternate. */
    private static final class ChromaLevels {
        /** One line of each component in turn: words of both components share a lane. */
        final Levels alternating = new Levels();

        /** Four lines of each component in turn: rows of both components lie side by side. */
        final Levels quarters = new Levels();

        /** Eight lines of each component: rows of interleaved samples. */
        final Levels halves = new Levels();

        void set(int line, H264DeblockParameters parameters, boolean cbFirst) {
            set(alternating, line, parameters, (line & 1) == 0 == cbFirst);
            set(quarters, line, parameters, (line & 4) == 0 == cbFirst);
            set(halves, line, parameters, line < LINES / 2 == cbFirst);
        }

        private static void set(Levels levels, int line, H264DeblockParameters parameters, boolean cb) {
            levels.set(
                    line,
                    parameters,
                    cb ? parameters.cbIndexA() : parameters.crIndexA(),
                    cb ? parameters.cbIndexB() : parameters.crIndexB());
        }
    }

    /** Thresholds of each line. */
    private static final class Levels {
        final short[] alpha = new short[LINES];
        final short[] beta = new short[LINES];

        /** tC0 of edges between macroblocks. 0 if bS is 4, which has no tC0. */
        final short[] macroblockTc0 = new short[LINES];

        final short[] innerTc0 = new short[LINES];

        /** True if these thresholds let the filter change a sample of any line. */
        boolean effective;

        void set(int line, H264DeblockParameters parameters, int indexA, int indexB) {
            alpha[line] = (short) H264Tables.alpha(indexA);
            beta[line] = (short) H264Tables.beta(indexB);
            macroblockTc0[line] = tc0(parameters.macroblockEdgeBs(), indexA);
            innerTc0[line] = tc0(parameters.innerEdgeBs(), indexA);
            effective = (line > 0 && effective) || (alpha[line] != 0 && beta[line] != 0);
        }

        /**
         * Reads the thresholds of an edge from a map; tC0 goes to {@link #innerTc0}.
         *
         * @param words of the map
         * @param first index in {@code words} of the first component's edge
         * @param second index in {@code words} of the second component's edge
         * @param parts part of the edge to which each line belongs
         * @param turn the bit that is set in the numbers of the second component's lines, 0 if there is only one
         *     component
         */
        void read(int[] words, int first, int second, int[] parts, int turn) {
            effective = isEffective(words, first) || isEffective(words, second);
            if (!effective) {
                return;
            }
            for (int line = 0; line < LINES; line++) {
                int at = (line & turn) == 0 ? first : second;
                int levels = words[at];
                int tc0And1 = words[at + 1] >>> 8 * parts[line] & 255;
                // A difference is never less than an alpha of 0, so alpha 0 leaves the line as it is.
                alpha[line] = (short) (tc0And1 == 0 ? 0 : levels & 255);
                beta[line] = (short) (levels >> 8 & 255);
                innerTc0[line] = (short) Math.max(0, tc0And1 - 1);
            }
        }

        private static boolean isEffective(int[] words, int at) {
            return (words[at] & 255) != 0 && words[at + 1] != 0;
        }

        private static short tc0(int bS, int indexA) {
            return bS == 0 || bS == 4 ? 0 : (short) H264Tables.tc0(bS, indexA);
        }
    }
}
