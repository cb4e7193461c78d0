/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetShort;

import java.util.Arrays;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * How strongly the H.264 deblocking filter (ITU-T H.264, 8.7) works at each edge of one 8-bit picture. An edge has 16 luma or 8
 * chroma samples; it has an alpha, a beta, and a tC0 for each of its four parts. A picture of I, P and B macroblocks of any QP is
 * filtered as its decoder filters it.
 *
 * <p>{@link #derive} finds the edges from what a decoder knows of the macroblocks. {@link #add} and {@link #addAll} take them one
 * by one, in any order: the filter follows the standard's order.
 *
 * <p>One object serves all pictures of a format and size, without allocation. If the size is no multiple of 16, the picture ends
 * inside its last macroblocks. Belongs to one thread at a time.
 */
public final class H264EdgeMap {
    /** Ints of a macroblock in {@link #words}. */
    public static final int MACROBLOCK_INTS = 32;

    /**
     * Ints of an edge. The first is {@code alpha | beta << 8}, plus {@link #STRONG} if bS is 4. The second has a byte for each part
     * of the edge, from top to bottom or from left to right, the lowest byte first: tC0 + 1, or 0 if bS is 0.
     */
    public static final int EDGE_INTS = 2;

    /** Bytes of an edge in the memory that {@link #addAll} reads. */
    public static final int RECORD_BYTES = 16;

    /** Bit of an edge's first int, set if bS is 4. */
    public static final int STRONG = 1 << 16;

    private static final int LUMA_EDGES = 4;
    private static final int CHROMA_EDGES = 2;
    private static final int HORIZONTAL_LUMA_AT = LUMA_EDGES * EDGE_INTS;
    private static final int CHROMA_AT = 2 * LUMA_EDGES * EDGE_INTS;
    private static final int HORIZONTAL_CHROMA_AT = CHROMA_EDGES * EDGE_INTS;
    private static final int COMPONENT_INTS = 2 * CHROMA_EDGES * EDGE_INTS;
    private static final int PARTS = 4;
    private static final int MOST_BETA = 18;
    private static final int MOST_TC0 = 25;
    private static final int ALL_PARTS_STRONG = 0x04040404;
    private static final int ALL_PARTS_3 = 0x03030303;
    private static final int ONE_EACH = 0x01010101;

    /** tC0 + 1 by bS (0..3) and indexA; 0 for bS 0. */
    private static final byte[][] TC0_AND_1 = new byte[PARTS][52];

    /** QPc by qPI + 12; qPI is between -12 and 63. */
    private static final byte[] CHROMA_QP = new byte[76];

    static {
        for (int index = 0; index <= 51; index++) {
            for (int bS = 1; bS < PARTS; bS++) {
                TC0_AND_1[bS][index] = (byte) (H264Tables.tc0(bS, index) + 1);
            }
        }
        for (int i = 0; i < CHROMA_QP.length; i++) {
            CHROMA_QP[i] = (byte) H264Tables.chromaQp(i - 12);
        }
    }

    private final int width;
    private final int height;
    private final boolean chroma;
    private final int columns;
    private final int rows;
    private final int cbAt;
    private final int crAt;
    private final int[] words;

    /**
     * A map without any edge.
     *
     * @param format of the pictures, which must {@linkplain #fits fit}
     * @param width luma samples a row
     * @param height luma rows
     * @throws PictureParametersException when there are no edge maps for the format
     */
    public H264EdgeMap(PixelFormat format, int width, int height) {
        if (!fits(format)) {
            throw new PictureParametersException(
                    "format",
                    "edges of their own are filtered in 8-bit video that is 4:2:0 or has no chroma, and the pictures are "
                            + format);
        }
        this.width = width;
        this.height = height;
        this.chroma = format.hasChroma();
        this.columns = (width + 15) / 16;
        this.rows = (height + 15) / 16;
        boolean cbFirst = format.cbPlane() < format.crPlane() || format.cbFirstSample() < format.crFirstSample();
        cbAt = cbFirst ? CHROMA_AT : CHROMA_AT + COMPONENT_INTS;
        crAt = cbFirst ? CHROMA_AT + COMPONENT_INTS : CHROMA_AT;
        words = new int[columns * rows * MACROBLOCK_INTS];
    }

    /** True if there are edge maps for a format: samples have 8 bits, and chroma is 4:2:0 or absent. */
    public static boolean fits(PixelFormat format) {
        return format.bitDepth() == 8
                && (format.chroma() == PixelFormat.Chroma.HALF_BOTH || format.chroma() == PixelFormat.Chroma.NONE);
    }

    /** Macroblocks in a row. */
    public int columns() {
        return columns;
    }

    /** Rows of macroblocks. */
    public int rows() {
        return rows;
    }

    /**
     * All edges, {@value #MACROBLOCK_INTS} ints for each macroblock in raster order: luma's vertical edges from left to right, luma's
     * horizontal edges from top to bottom, then likewise those of the chroma component that the format stores first, then those of
     * the other. The array is this object's own: read it only, and do not keep it past the next change.
     */
    public int[] words() {
        return words;
    }

    /** Index in {@link #words} at which the edges of a macroblock begin. */
    public int at(int column, int row) {
        return (row * columns + column) * MACROBLOCK_INTS;
    }

    /**
     * Index of an edge's first int, from the beginning of its macroblock's edges.
     *
     * @param component 0 luma, 1 Cb, 2 Cr
     * @param edge number of the edge: position in the macroblock in samples of the component, divided by 4
     */
    public int edgeAt(int component, EdgeDirection direction, int edge) {
        boolean horizontal = direction == EdgeDirection.HORIZONTAL;
        if (component == 0) {
            return (horizontal ? HORIZONTAL_LUMA_AT : 0) + edge * EDGE_INTS;
        }
        return (component == 1 ? cbAt : crAt) + (horizontal ? HORIZONTAL_CHROMA_AT : 0) + edge * EDGE_INTS;
    }

    /** Removes all edges: nothing is filtered. */
    public void clear() {
        Arrays.fill(words, 0);
    }

    /**
     * Adds an edge of 16 luma or 8 chroma samples, or replaces it. Cb and Cr must agree in bS 4 at the same edge, if both have the
     * edge.
     *
     * @param component 0 luma, 1 Cb, 2 Cr
     * @param x column, in samples of the component, of the first sample on the far side (right of a vertical edge, below a
     *     horizontal one). A multiple of 4 above 0 for a vertical edge, of the edge's length for a horizontal one
     * @param y row of that sample. A multiple of the edge's length for a vertical edge, of 4 and above 0 for a horizontal one
     * @param strong true if bS is 4, as it may be between macroblocks only; the tC0 then do not count
     * @param alpha 0..255
     * @param beta 0..18
     * @param tc0 tC0 of the first part, 0..25, or -1 if bS is 0
     * @param tc1 tC0 of the second part
     * @param tc2 tC0 of the third part
     * @param tc3 tC0 of the fourth part
     * @throws PictureParametersException when a value is out of range, or the picture has no such edge
     */
    public void add(
            int component,
            EdgeDirection direction,
            int x,
            int y,
            boolean strong,
            int alpha,
            int beta,
            int tc0,
            int tc1,
            int tc2,
            int tc3) {
        if (component < 0 || component > (chroma ? 2 : 0)) {
            throw edgeFault("a component " + component, x, y);
        }
        int size = component == 0 ? 16 : 8;
        int componentWidth = component == 0 ? width : (width + 1) / 2;
        int componentHeight = component == 0 ? height : (height + 1) / 2;
        boolean vertical = direction == EdgeDirection.VERTICAL;
        int across = vertical ? x : y;
        int along = vertical ? y : x;
        if (x < 0 || y < 0 || x >= componentWidth || y >= componentHeight) {
            throw edgeFault("a place outside the picture of " + width + "x" + height, x, y);
        }
        if (across % 4 != 0 || along % size != 0 || across == 0) {
            throw edgeFault("a place where component " + component + " has no edge", x, y);
        }
        if (alpha < 0 || alpha > 255 || beta < 0 || beta > MOST_BETA || !isTc0(tc0, tc1, tc2, tc3)) {
            throw edgeFault(
                    "alpha " + alpha + ", beta " + beta + " and tC0 " + tc0 + " " + tc1 + " " + tc2 + " " + tc3
                            + " (0..255, 0.." + MOST_BETA + " and -1.." + MOST_TC0 + " they may be)",
                    x,
                    y);
        }
        if (strong && across % size != 0) {
            throw edgeFault("bS 4 inside a macroblock", x, y);
        }
        int at = at(x / size, y / size) + edgeAt(component, direction, across % size / 4);
        words[at] = alpha | (beta << 8);
        words[at + 1] = strong ? ONE_EACH : (tc0 + 1) | ((tc1 + 1) << 8) | ((tc2 + 1) << 16) | ((tc3 + 1) << 24);
        if (strong) {
            words[at] |= STRONG;
        }
        if (component != 0) {
            sameBs(at, at - (component == 1 ? cbAt : crAt) + (component == 1 ? crAt : cbAt), x, y);
        }
    }

    /**
     * Replaces all edges by those in memory.
     *
     * @param address {@value #RECORD_BYTES} bytes for each edge, little-endian: u8 component, u8 direction (0 a vertical edge, 1 a
     *     horizontal one), u8 strong, u8 alpha, u8 beta, u8 0, u16 x, u16 y, i8[4] tC0, u8[2] 0. Values are those of {@link #add}
     * @param sizeBytes size of all edges
     * @throws PictureParametersException as {@link #add} does, and when the size is no multiple of {@value #RECORD_BYTES}
     */
    public void addAll(long address, long sizeBytes) {
        if (sizeBytes % RECORD_BYTES != 0) {
            throw new PictureParametersException(
                    "the edges", "the edges have " + sizeBytes + " bytes, each has " + RECORD_BYTES);
        }
        clear();
        for (long at = address; at < address + sizeBytes; at += RECORD_BYTES) {
            int direction = memGetByte(at + 1);
            int strong = memGetByte(at + 2);
            int x = memGetShort(at + 6) & 0xffff;
            int y = memGetShort(at + 8) & 0xffff;
            if ((direction | strong) >>> 1 != 0 || (memGetByte(at + 5) | memGetShort(at + 14)) != 0) {
                throw edgeFault("a direction, strong flag or filler other than 0 or 1, 0 or 1, and 0", x, y);
            }
            add(
                    memGetByte(at) & 255,
                    direction == 0 ? EdgeDirection.VERTICAL : EdgeDirection.HORIZONTAL,
                    x,
                    y,
                    strong == 1,
                    memGetByte(at + 3) & 255,
                    memGetByte(at + 4) & 255,
                    memGetByte(at + 10),
                    memGetByte(at + 11),
                    memGetByte(at + 12),
                    memGetByte(at + 13));
        }
    }

    private static boolean isTc0(int tc0, int tc1, int tc2, int tc3) {
        return Math.min(Math.min(tc0, tc1), Math.min(tc2, tc3)) >= -1
                && Math.max(Math.max(tc0, tc1), Math.max(tc2, tc3)) <= MOST_TC0;
    }

    /** Makes both chroma components' edges agree on bS 4, which kernels look up once for both. */
    private void sameBs(int at, int otherAt, int x, int y) {
        boolean otherIsThere = words[otherAt] != 0 && (words[otherAt] & ~STRONG) != 0;
        if (!otherIsThere) {
            words[otherAt] = words[at] & STRONG;
        } else if (((words[at] ^ words[otherAt]) & STRONG) != 0) {
            throw edgeFault("bS 4 in one chroma component alone", x, y);
        }
    }

    private static PictureParametersException edgeFault(String what, int x, int y) {
        return new PictureParametersException("the edges", "the edge at column " + x + ", row " + y + " has " + what);
    }

    /**
     * Replaces all edges by those that follow from what a decoder knows of the macroblocks (8.7). The thresholds of an edge come from
     * the mean QP of both sides and from the offsets of the slice on the far side; those of chroma from QPc. Reads the maps before it
     * returns.
     *
     * @throws PictureParametersException when a map is for another size, or a value in it is out of range
     */
    public void derive(H264MacroblockMaps maps) {
        int macroblocks = columns * rows;
        maps.qpMap.checkSize(macroblocks, width, height);
        maps.bsMap.checkSize((long) macroblocks * H264MacroblockMaps.BS_BYTES, width, height);
        maps.transform8x8Map.checkSize(macroblocks, width, height);
        maps.sliceMap.checkSize((long) macroblocks * H264MacroblockMaps.SLICE_BYTES, width, height);
        checkSlices(maps);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                deriveMacroblock(maps, column, row);
            }
        }
    }

    private void checkSlices(H264MacroblockMaps maps) {
        H264MacroblockMaps.Map table = maps.sliceTable;
        if (table.isThere()
                && (table.sizeBytes < H264MacroblockMaps.TABLE_BYTES
                        || table.sizeBytes % H264MacroblockMaps.TABLE_BYTES != 0)) {
            throw new PictureParametersException(
                    table.name,
                    table.name + " has " + table.sizeBytes + " bytes, it needs " + H264MacroblockMaps.TABLE_BYTES
                            + " a slice");
        }
    }

    private static int slice(H264MacroblockMaps maps, int macroblock) {
        return maps.sliceMap.isThere()
                ? memGetShort(maps.sliceMap.address + (long) macroblock * H264MacroblockMaps.SLICE_BYTES) & 0xffff
                : 0;
    }

    private static int qp(H264MacroblockMaps maps, int macroblock) {
        return maps.qpMap.isThere() ? memGetByte(maps.qpMap.address + macroblock) & 255 : maps.qp;
    }

    private void deriveMacroblock(H264MacroblockMaps maps, int column, int row) {
        int macroblock = row * columns + column;
        int at = macroblock * MACROBLOCK_INTS;
        int qp = qp(maps, macroblock);
        if (qp > 51) {
            throw inMap(maps.qpMap, column, row, qp, "0..51");
        }
        int slice = slice(maps, macroblock);
        int alphaOffset = maps.alphaOffsetDiv2;
        int betaOffset = maps.betaOffsetDiv2;
        int idc = maps.disableDeblockingFilterIdc;
        if (maps.sliceTable.isThere()) {
            long entryAt = (long) slice * H264MacroblockMaps.TABLE_BYTES;
            if (entryAt >= maps.sliceTable.sizeBytes) {
                throw inMap(
                        maps.sliceMap,
                        column,
                        row,
                        slice,
                        "below " + maps.sliceTable.sizeBytes / H264MacroblockMaps.TABLE_BYTES + ", the slices known");
            }
            long entry = maps.sliceTable.address + entryAt;
            alphaOffset = memGetByte(entry);
            betaOffset = memGetByte(entry + 1);
            idc = memGetByte(entry + 2);
            if (Math.abs(alphaOffset) > 6 || Math.abs(betaOffset) > 6 || idc < 0 || idc > 2) {
                throw new PictureParametersException(
                        maps.sliceTable.name,
                        maps.sliceTable.name + " has " + alphaOffset + ", " + betaOffset + ", " + idc + " for slice "
                                + slice + ", these are -6..6, -6..6 and 0..2");
            }
        }
        int transform8x8 = maps.transform8x8 ? 1 : 0;
        if (maps.transform8x8Map.isThere()) {
            transform8x8 = memGetByte(maps.transform8x8Map.address + macroblock);
        }
        if (transform8x8 < 0 || transform8x8 > 1) {
            throw inMap(maps.transform8x8Map, column, row, transform8x8 & 255, "0 or 1");
        }
        if (idc == 1) {
            Arrays.fill(words, at, at + MACROBLOCK_INTS, 0);
            return;
        }
        boolean left = column > 0 && (idc == 0 || slice(maps, macroblock - 1) == slice);
        boolean top = row > 0 && (idc == 0 || slice(maps, macroblock - columns) == slice);
        for (int i = 0; i < 2 * LUMA_EDGES; i++) {
            int edge = i % LUMA_EDGES;
            boolean horizontal = i >= LUMA_EDGES;
            int bS = edge == 0 ? ALL_PARTS_STRONG : ALL_PARTS_3;
            if (maps.bsMap.isThere()) {
                bS = memGetInt(maps.bsMap.address + (long) macroblock * H264MacroblockMaps.BS_BYTES + 4L * i);
                checkBs(maps.bsMap, bS, edge == 0, column, row);
            }
            if (edge == 0 && !(horizontal ? top : left)) {
                bS = 0;
            }
            int qpBefore = qp;
            if (edge == 0 && bS != 0) {
                qpBefore = qp(maps, horizontal ? macroblock - columns : macroblock - 1);
            }
            boolean lumaEdge = transform8x8 == 0 || edge % 2 == 0;
            put(at + i * EDGE_INTS, lumaEdge ? bS : 0, (qpBefore + qp + 1) >> 1, alphaOffset, betaOffset);
            if (chroma && edge % 2 == 0) {
                int chromaAt = at + (horizontal ? HORIZONTAL_CHROMA_AT : 0) + edge / 2 * EDGE_INTS;
                int cbOffset = maps.cbQpIndexOffset;
                int crOffset = maps.crQpIndexOffset;
                put(chromaAt + cbAt, bS, chromaQp(qpBefore, qp, cbOffset), alphaOffset, betaOffset);
                put(chromaAt + crAt, bS, chromaQp(qpBefore, qp, crOffset), alphaOffset, betaOffset);
            }
        }
    }

    private static int chromaQp(int qpBefore, int qp, int offset) {
        return (CHROMA_QP[qpBefore + offset + 12] + CHROMA_QP[qp + offset + 12] + 1) >> 1;
    }

    private static void checkBs(H264MacroblockMaps.Map map, int bS, boolean betweenMacroblocks, int column, int row) {
        for (int part = 0; part < PARTS; part++) {
            int one = (bS >> (8 * part)) & 255;
            if (one > 4 || (one == 4 && !(betweenMacroblocks && bS == ALL_PARTS_STRONG))) {
                throw inMap(map, column, row, one, "0..3, or 4 in all parts of an edge between macroblocks");
            }
        }
    }

    private static PictureParametersException inMap(
            H264MacroblockMaps.Map map, int column, int row, int value, String range) {
        return new PictureParametersException(
                "values of " + map.name,
                map.name + " has " + value + " for macroblock " + column + " of row " + row + ", it may be " + range);
    }

    private void put(int at, int bS, int meanQp, int alphaOffsetDiv2, int betaOffsetDiv2) {
        int indexA = Math.max(0, Math.min(51, meanQp + 2 * alphaOffsetDiv2));
        int indexB = Math.max(0, Math.min(51, meanQp + 2 * betaOffsetDiv2));
        int alpha = H264Tables.alpha(indexA);
        int beta = H264Tables.beta(indexB);
        if (bS == ALL_PARTS_STRONG) {
            words[at] = alpha | (beta << 8) | STRONG;
            words[at + 1] = ONE_EACH;
        } else {
            words[at] = alpha | (beta << 8);
            words[at + 1] = TC0_AND_1[bS & 3][indexA]
                    | (TC0_AND_1[(bS >> 8) & 3][indexA] << 8)
                    | (TC0_AND_1[(bS >> 16) & 3][indexA] << 16)
                    | (TC0_AND_1[(bS >> 24) & 3][indexA] << 24);
        }
    }
}
