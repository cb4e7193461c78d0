/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.Arrays;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Arranges the edges that a decoder filters one after the other, so that as many as possible run at the same time and the result
 * stays the same. Owns the buffers that hold the arranged edges. The caller owns the schedule and closes it after the {@link
 * PreparedCall} that uses it. Belongs to its context's thread.
 *
 * <p>For each picture: {@link #clear}, then {@link #addVp9} or {@link #addH264} for each edge in decoding order, then {@link
 * #arrange}, then run a {@link ScheduledEdges} call. Nothing is allocated.
 *
 * <p><b>Levels.</b> Each plane is divided into cells of 4x4 samples. The level of an edge is one more than the highest level of the
 * earlier edges that touch one of its cells. So the edges of one level have no cell in common, and run in any order. Levels run one
 * after the other. Two edges that share a sample are in different levels, in the order in which they were added; therefore the
 * result is that of decoding order.
 *
 * <p><b>Buffers.</b> {@link #records} holds the edges, level by level, as {@link Vp9LoopFilter} or {@link H264Edge} records. The
 * number of the plane stands in bits 0 and 1 of byte 7 (VP9) or in byte 6 (H.264). {@link #table} holds {@link #SEGMENTS} segments of
 * {@link #SEGMENT_BYTES} bytes, then the first record of each level as u32, then the number of records as u32. A segment is: u32
 * groups, u32 1, u32 1 (the counts of an indirect dispatch), u32 first level, u32 number of levels, u32[3] zero. A wide level is a
 * segment of many workgroups. Consecutive narrow levels are one segment of one workgroup, which has a barrier after each level.
 * Unused segments have 0 groups.
 */
public final class EdgeSchedule implements AutoCloseable {
    /** Codec whose edges are scheduled. */
    public enum Codec {
        /** {@link Vp9LoopFilter} edges, 8 samples long. */
        VP9,
        /** {@link H264Edge} edges, 16 samples long in luma and 8 in chroma. */
        H264;

        /** Bytes of a record. */
        public int recordBytes() {
            return this == VP9 ? Vp9LoopFilter.RECORD_BYTES : H264Edge.RECORD_BYTES;
        }

        /** Edges that a workgroup of 256 invocations filters at a time. */
        public int edgesPerGroup() {
            return this == VP9 ? 32 : 64;
        }
    }

    /** Number of segments in a table. */
    public static final int SEGMENTS = 16;

    /** Size of a segment in bytes. */
    public static final int SEGMENT_BYTES = 32;

    /** Byte of the table at which the first records of the levels begin. */
    public static final int LEVELS_BYTE = SEGMENTS * SEGMENT_BYTES;

    /** Fewest workgroups of a level for which a dispatch of its own pays. */
    private static final int WIDE_GROUPS = 8;

    private static final int MAX_PLANES = 3;
    private static final int KINDS = 16;

    private final Codec codec;
    private final PictureLayout layout;
    private final int capacity;
    private final KernelBuffer records;
    private final KernelBuffer table;

    private final int[] offset;
    private final int[] parameters;
    private final int[] tc;
    private final int[] level;
    private final byte[] kind;
    private final int[] byKind;
    private final int[] order;
    private final int[] kindStart = new int[KINDS + 1];
    private final int[] levelStart;
    private final int[] cursor;
    private final int[][] cellLevel = new int[MAX_PLANES][];
    private final int[] cellColumns = new int[MAX_PLANES];

    private int count;
    private int levels;
    private int segments;
    private boolean arranged;

    /**
     * Makes the buffers for pictures of one layout.
     *
     * @param context makes the buffers and runs the calls; it stays the caller's
     * @param layout I420, YV12 or GRAY8, with offsets and strides that are multiples of 4
     * @param capacity most edges of a picture, 1 to 2<sup>24</sup>
     * @throws IllegalArgumentException when the layout or the capacity is out of range
     */
    public EdgeSchedule(BlockContext context, Codec codec, PictureLayout layout, int capacity) {
        Checks.range("capacity", capacity, 1, 1 << 24);
        PixelFormat format = layout.format();
        if (format != PixelFormat.I420 && format != PixelFormat.YV12 && format != PixelFormat.GRAY8) {
            throw new IllegalArgumentException("edges are scheduled in I420, YV12 and GRAY8, given " + format);
        }
        if (layout.sizeBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a picture has less than 2^31 bytes, given " + layout.sizeBytes());
        }
        for (int plane = 0; plane < format.planes(); plane++) {
            if (layout.offsetBytes(plane) % 4 != 0 || layout.strideBytes(plane) % 4 != 0) {
                throw new IllegalArgumentException("plane " + plane + " has offset " + layout.offsetBytes(plane)
                        + " and stride " + layout.strideBytes(plane) + ", which must be multiples of 4");
            }
            cellColumns[plane] = (layout.rowBytes(plane) + 3) / 4;
            cellLevel[plane] = new int[cellColumns[plane] * ((layout.rows(plane) + 3) / 4)];
        }
        this.codec = codec;
        this.layout = layout;
        this.capacity = capacity;
        this.offset = new int[capacity];
        this.parameters = new int[capacity];
        this.tc = new int[codec == Codec.H264 ? capacity : 0];
        this.level = new int[capacity];
        this.kind = new byte[capacity];
        this.byKind = new int[capacity];
        this.order = new int[capacity];
        this.levelStart = new int[capacity + 1];
        this.cursor = new int[capacity + 1];
        this.records = context.newBuffer((long) capacity * codec.recordBytes());
        this.table = newTable(context);
    }

    private KernelBuffer newTable(BlockContext context) {
        try {
            return context.newBuffer(LEVELS_BYTE + 4L * (capacity + 1));
        } catch (RuntimeException e) {
            records.close();
            throw e;
        }
    }

    /** Removes all edges. */
    public void clear() {
        for (int[] cells : cellLevel) {
            if (cells != null) {
                Arrays.fill(cells, 0);
            }
        }
        count = 0;
        levels = 0;
        arranged = false;
    }

    /**
     * Adds the next VP9 edge. (x, y) is the first sample on its far side: right of a vertical edge, below a horizontal one.
     *
     * @param plane as the layout numbers it
     * @param wd 4, 8 or 16
     * @param e edge limit, 0..255
     * @param i interior limit, 0..255
     * @param h high-variance threshold, 0..255
     * @param x column, a multiple of 4
     * @param y row
     * @throws IllegalArgumentException when a number is out of range or the edge leaves the plane
     * @throws IllegalStateException when the schedule is full, is arranged, or is for H.264
     */
    public void addVp9(int plane, EdgeDirection direction, int wd, int e, int i, int h, int x, int y) {
        checkCodec(Codec.VP9);
        int word = Vp9LoopFilter.parameters(direction, wd, e, i, h);
        add(plane, direction, x, y, wd == 16 ? 8 : 4, 8);
        parameters[count] = word | (plane << 24);
        // 4, 8, 16 as 1, 2, 4
        kind[count] = (byte) ((wd >> 2) | (direction.code() << 3));
        count++;
    }

    /**
     * Adds the next H.264 edge with bS 0 to 3. (x, y) is the first sample on its far side: right of a vertical edge, below a
     * horizontal one.
     *
     * <p>Plane 0 is luma.
     *
     * @param plane as the layout numbers it
     * @param alpha 0..255
     * @param beta 0..255
     * @param tc0 tC0 of the first quarter of the edge, -1 (unfiltered) to 127. The kernel adds 1 for chroma
     * @param tc1 tC0 of the second quarter
     * @param tc2 tC0 of the third quarter
     * @param tc3 tC0 of the fourth quarter
     * @param x column, a multiple of 4
     * @param y row
     * @throws IllegalArgumentException when a number is out of range or the edge leaves the plane
     * @throws IllegalStateException when the schedule is full, is arranged, or is for VP9
     */
    public void addH264(
            int plane, EdgeDirection direction, int alpha, int beta, int tc0, int tc1, int tc2, int tc3, int x, int y) {
        addH264(
                plane,
                direction,
                H264Edge.parameters(direction, false, alpha, beta),
                H264Edge.tc(tc0, tc1, tc2, tc3),
                x,
                y);
    }

    /** Adds the next H.264 edge with bS 4. Parameters and exceptions are those of {@link #addH264}. */
    public void addH264Strong(int plane, EdgeDirection direction, int alpha, int beta, int x, int y) {
        addH264(plane, direction, H264Edge.parameters(direction, true, alpha, beta), 0, x, y);
    }

    private void addH264(int plane, EdgeDirection direction, int parameterWord, int tcWord, int x, int y) {
        checkCodec(Codec.H264);
        // Chroma needs two samples on each side, but vertical edges are read in words of four samples.
        add(plane, direction, x, y, plane == 0 || direction == EdgeDirection.VERTICAL ? 4 : 2, plane == 0 ? 16 : 8);
        parameters[count] = parameterWord | (plane << 16);
        tc[count] = tcWord;
        kind[count] = (byte) (((parameterWord >> 24) & 1) | (direction.code() << 1) | (plane == 0 ? 0 : 4));
        count++;
    }

    private void checkCodec(Codec needed) {
        if (codec != needed) {
            throw new IllegalStateException("this schedules " + codec + " edges");
        }
        if (arranged) {
            throw new IllegalStateException("the edges are arranged already; clear() comes before the next picture");
        }
        if (count == capacity) {
            throw new IllegalStateException("there is room for " + capacity + " edges");
        }
    }

    private void add(int plane, EdgeDirection direction, int x, int y, int reach, int length) {
        if (plane < 0 || plane >= layout.format().planes()) {
            throw new IllegalArgumentException(layout.format() + " has no plane " + plane);
        }
        boolean vertical = direction == EdgeDirection.VERTICAL;
        int left = vertical ? x - reach : x;
        int top = vertical ? y : y - reach;
        int right = vertical ? x + reach : x + length;
        int bottom = vertical ? y + length : y + reach;
        if (x % 4 != 0 || left < 0 || top < 0 || right > layout.rowBytes(plane) || bottom > layout.rows(plane)) {
            throw new IllegalArgumentException("edge " + count + " at (" + x + ", " + y + ") touches columns " + left
                    + " to " + right + " and rows " + top + " to " + bottom + " of plane " + plane + ", which has "
                    + layout.rowBytes(plane) + " columns and " + layout.rows(plane)
                    + " rows; its column is a multiple of 4");
        }
        offset[count] = Math.toIntExact(layout.offsetBytes(plane) + (long) y * layout.strideBytes(plane) + x);
        int found = 1 + highestLevel(plane, left, top, right, bottom);
        setLevel(plane, left, top, right, bottom, found);
        level[count] = found;
        levels = Math.max(levels, found);
    }

    private int highestLevel(int plane, int left, int top, int right, int bottom) {
        int[] cells = cellLevel[plane];
        int highest = 0;
        for (int row = top >> 2; row <= (bottom - 1) >> 2; row++) {
            for (int column = left >> 2; column <= (right - 1) >> 2; column++) {
                highest = Math.max(highest, cells[row * cellColumns[plane] + column]);
            }
        }
        return highest;
    }

    private void setLevel(int plane, int left, int top, int right, int bottom, int value) {
        int[] cells = cellLevel[plane];
        for (int row = top >> 2; row <= (bottom - 1) >> 2; row++) {
            for (int column = left >> 2; column <= (right - 1) >> 2; column++) {
                cells[row * cellColumns[plane] + column] = value;
            }
        }
    }

    /** Sorts the edges by level and writes the buffers. No call that uses the buffers may be in flight. */
    public void arrange() {
        sortByKind();
        sortByLevel();
        writeRecords();
        writeTable();
        arranged = true;
    }

    private void sortByKind() {
        Arrays.fill(kindStart, 0);
        for (int i = 0; i < count; i++) {
            kindStart[kind[i] + 1]++;
        }
        for (int k = 0; k < KINDS; k++) {
            kindStart[k + 1] += kindStart[k];
        }
        for (int i = 0; i < count; i++) {
            byKind[kindStart[kind[i]]++] = i;
        }
    }

    private void sortByLevel() {
        Arrays.fill(levelStart, 0, levels + 1, 0);
        for (int i = 0; i < count; i++) {
            levelStart[level[i]]++;
        }
        for (int l = 0; l < levels; l++) {
            levelStart[l + 1] += levelStart[l];
        }
        System.arraycopy(levelStart, 0, cursor, 0, levels + 1);
        for (int i = 0; i < count; i++) {
            int edge = byKind[i];
            order[cursor[level[edge] - 1]++] = edge;
        }
    }

    private void writeRecords() {
        int recordBytes = codec.recordBytes();
        long address = records.address();
        for (int i = 0; i < count; i++, address += recordBytes) {
            int edge = order[i];
            memPutInt(address, offset[edge]);
            memPutInt(address + 4, parameters[edge]);
            if (codec == Codec.H264) {
                memPutInt(address + 8, tc[edge]);
            }
        }
    }

    private void writeTable() {
        segments = 0;
        int first = 0;
        for (int l = 0; l < levels; l++) {
            int groups = (levelStart[l + 1] - levelStart[l] + codec.edgesPerGroup() - 1) / codec.edgesPerGroup();
            // One segment stays free for the narrow levels before this level, and one for those after it.
            if (groups >= WIDE_GROUPS && segments <= SEGMENTS - 3) {
                putNarrow(first, l);
                putSegment(groups, l, 1);
                first = l + 1;
            }
        }
        putNarrow(first, levels);
        for (int s = segments; s < SEGMENTS; s++) {
            writeSegment(s, 0, 0, 0);
        }
        long address = table.address() + LEVELS_BYTE;
        for (int l = 0; l <= levels; l++) {
            memPutInt(address + 4L * l, levelStart[l]);
        }
    }

    private void putNarrow(int first, int end) {
        if (first < end) {
            putSegment(1, first, end - first);
        }
    }

    private void putSegment(int groups, int firstLevel, int levelCount) {
        writeSegment(segments++, groups, firstLevel, levelCount);
    }

    private void writeSegment(int segment, int groups, int firstLevel, int levelCount) {
        long address = table.address() + (long) segment * SEGMENT_BYTES;
        memPutInt(address, groups);
        memPutInt(address + 4, 1);
        memPutInt(address + 8, 1);
        memPutInt(address + 12, firstLevel);
        memPutInt(address + 16, levelCount);
    }

    /** Codec whose edges these are. */
    public Codec codec() {
        return codec;
    }

    /** Where the planes of the picture lie. */
    public PictureLayout layout() {
        return layout;
    }

    /** Most edges of a picture. */
    public int capacity() {
        return capacity;
    }

    /** Number of edges added since {@link #clear}. */
    public int count() {
        return count;
    }

    /** True if {@link #arrange} was called after the last edge was added. */
    public boolean isArranged() {
        return arranged;
    }

    /** Number of levels of the edges added so far. */
    public int levels() {
        return levels;
    }

    /** Number of segments that the arranged picture uses, at most {@link #SEGMENTS}. */
    public int segments() {
        return segments;
    }

    /** First record of a level, which counts from 0; for {@link #levels}, the number of records. */
    public int levelStart(int level) {
        return levelStart[level];
    }

    /** Buffer of the edges, level by level. Owned by this schedule. */
    public KernelBuffer records() {
        return records;
    }

    /** Buffer of the segments and of the first records of levels. Owned by this schedule. */
    public KernelBuffer table() {
        return table;
    }

    /** Releases the buffers. A second call does nothing. */
    @Override
    public void close() {
        records.close();
        table.close();
    }
}
