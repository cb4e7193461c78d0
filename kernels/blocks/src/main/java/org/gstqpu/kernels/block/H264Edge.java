/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import org.gstqpu.kernels.filter.EdgeDirection;

/**
 * H.264 deblocking of edges, 8 bit (ITU-T H.264, 8.7.2). A luma edge is 16 samples long, a chroma edge of 4:2:0 is 8. Immutable.
 *
 * <p>Record, {@value #RECORD_BYTES} bytes:
 *
 * <ul>
 *   <li>0: u32 offset in {@code picture} of the edge's first sample on its far side (right of a vertical edge, below a
 *       horizontal one), a multiple of 4;
 *   <li>4: u8 alpha;
 *   <li>5: u8 beta; an edge with alpha 0 or beta 0 stays as it is;
 *   <li>6: u8 zero;
 *   <li>7: u8 mode: 1 for bS 4 on the whole edge (intra), plus 128 for a horizontal edge;
 *   <li>8: i8[4] tC0 of each quarter of the edge for bS 1 to 3, or -1 for bS 0, with which the quarter stays as it is. The kernel
 *       adds 1 for chroma. Not used with bS 4.
 * </ul>
 *
 * <p>A kernel writes whole 32-bit words. So two vertical edges whose changed samples share a word must not be in one run.
 *
 * @param records one for each edge; edges of the same direction run fastest next to each other
 * @param capacity most edges of one run
 * @param picture filtered in place
 * @param strideBytes bytes from one row of the picture to the next, a multiple of 4
 * @param chroma true if these are chroma edges
 */
public record H264Edge(KernelBuffer records, int capacity, KernelBuffer picture, int strideBytes, boolean chroma)
        implements BlockCall {
    /** Bytes of a record. */
    public static final int RECORD_BYTES = 12;

    /**
     * @throws IllegalArgumentException when a buffer is too small or the stride is out of range
     */
    public H264Edge {
        Checks.capacity(capacity);
        Checks.stride("strideBytes", strideBytes, chroma ? 8 : 16);
        Checks.size("records", records, (long) capacity * RECORD_BYTES);
        Checks.size("picture", picture, (chroma ? 8L : 16L) * strideBytes);
    }

    /**
     * Writes the record of an edge with bS 0 to 3.
     *
     * @param offset byte offset in the picture of the first sample on the far side, a multiple of 4
     * @param alpha 0..255
     * @param beta 0..255
     * @param tc0 tC0 of the first quarter of the edge, -1..127
     * @param tc1 tC0 of the second quarter
     * @param tc2 tC0 of the third quarter
     * @param tc3 tC0 of the fourth quarter
     */
    public static void putRecord(
            KernelBuffer records,
            int index,
            int offset,
            EdgeDirection direction,
            int alpha,
            int beta,
            int tc0,
            int tc1,
            int tc2,
            int tc3) {
        long address = Checks.record(records, index, RECORD_BYTES);
        memPutInt(address, offset);
        memPutInt(address + 4, parameters(direction, false, alpha, beta));
        memPutInt(address + 8, tc(tc0, tc1, tc2, tc3));
    }

    /** Writes the record of an edge with bS 4. Parameters are those of {@link #putRecord}. */
    public static void putStrongRecord(
            KernelBuffer records, int index, int offset, EdgeDirection direction, int alpha, int beta) {
        long address = Checks.record(records, index, RECORD_BYTES);
        memPutInt(address, offset);
        memPutInt(address + 4, parameters(direction, true, alpha, beta));
        memPutInt(address + 8, 0);
    }

    /** The second word of a record. */
    static int parameters(EdgeDirection direction, boolean strong, int alpha, int beta) {
        Checks.range("alpha", alpha, 0, 255);
        Checks.range("beta", beta, 0, 255);
        return alpha | (beta << 8) | (strong ? 1 << 24 : 0) | (direction.code() << 31);
    }

    /** The third word of a record. */
    static int tc(int tc0, int tc1, int tc2, int tc3) {
        Checks.range("tC0", tc0, -1, 127);
        Checks.range("tC0", tc1, -1, 127);
        Checks.range("tC0", tc2, -1, 127);
        Checks.range("tC0", tc3, -1, 127);
        return (tc0 & 255) | ((tc1 & 255) << 8) | ((tc2 & 255) << 16) | (tc3 << 24);
    }

    @Override
    public String kernelName() {
        return chroma ? "h264_deblock_chroma_8bit" : "h264_deblock_luma_8bit";
    }

    @Override
    public void checkRecords(int count) {
        Checks.count(this, count);
        for (int i = 0; i < count; i++) {
            checkRecord(Checks.record(records, i, RECORD_BYTES), i, chroma, picture, strideBytes);
        }
    }

    static void checkRecord(long address, int index, boolean chroma, KernelBuffer picture, int strideBytes) {
        boolean horizontal = Checks.word(address, 1) < 0;
        int reach = chroma ? 2 : 4;
        int length = chroma ? 8 : 16;
        // Vertical edges are read in words of four samples, also where chroma needs two.
        Checks.offset(
                index,
                "offset",
                Checks.word(address, 0),
                4,
                horizontal ? (long) reach * strideBytes : 4,
                horizontal ? (reach - 1L) * strideBytes + length : (length - 1L) * strideBytes + 4,
                picture);
    }
}
