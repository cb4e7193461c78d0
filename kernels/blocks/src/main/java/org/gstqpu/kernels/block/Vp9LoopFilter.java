/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import org.gstqpu.kernels.filter.EdgeDirection;

/**
 * VP9 loop filter of edges, 8 bit (VP9 specification, 8.8). An edge is 8 samples long. Immutable.
 *
 * <p>Record, {@value #RECORD_BYTES} bytes:
 *
 * <ul>
 *   <li>0: u32 offset in {@code picture} of the edge's first sample on its far side (right of a vertical edge, below a
 *       horizontal one), a multiple of 4;
 *   <li>4: u8 E, limit of the edge sum;
 *   <li>5: u8 I, limit of neighbouring differences;
 *   <li>6: u8 H, high-variance threshold;
 *   <li>7: u8 wd, 4, 8 or 16, plus 128 for a horizontal edge. A filter of wd 4 or 8 reads 4 samples on each side, one of wd 16
 *       reads 8.
 * </ul>
 *
 * <p>A kernel writes whole 32-bit words. So two vertical edges whose changed samples share a word must not be in one run.
 *
 * @param records one for each edge; edges of the same wd and direction run fastest next to each other
 * @param capacity most edges of one run
 * @param picture filtered in place
 * @param strideBytes bytes from one row of the picture to the next, a multiple of 4
 */
public record Vp9LoopFilter(KernelBuffer records, int capacity, KernelBuffer picture, int strideBytes)
        implements BlockCall {
    /** Bytes of a record. */
    public static final int RECORD_BYTES = 8;

    /**
     * @throws IllegalArgumentException when a buffer is too small or the stride is out of range
     */
    public Vp9LoopFilter {
        Checks.capacity(capacity);
        Checks.stride("strideBytes", strideBytes, 16);
        Checks.size("records", records, (long) capacity * RECORD_BYTES);
        Checks.size("picture", picture, 16L * strideBytes);
    }

    /**
     * Writes record {@code index}.
     *
     * @param offset byte offset in the picture of the first sample on the far side, a multiple of 4
     * @param wd 4, 8 or 16
     * @param e edge limit, 0..255
     * @param i interior limit, 0..255
     * @param h high-variance threshold, 0..255
     */
    public static void putRecord(
            KernelBuffer records, int index, int offset, EdgeDirection direction, int wd, int e, int i, int h) {
        long address = Checks.record(records, index, RECORD_BYTES);
        memPutInt(address, offset);
        memPutInt(address + 4, parameters(direction, wd, e, i, h));
    }

    /** The second word of a record. */
    static int parameters(EdgeDirection direction, int wd, int e, int i, int h) {
        checkWidth(wd);
        Checks.range("E", e, 0, 255);
        Checks.range("I", i, 0, 255);
        Checks.range("H", h, 0, 255);
        return e | (i << 8) | (h << 16) | (wd << 24) | (direction.code() << 31);
    }

    private static void checkWidth(int wd) {
        if (wd != 4 && wd != 8 && wd != 16) {
            throw new IllegalArgumentException("wd is 4, 8 or 16, given " + wd);
        }
    }

    @Override
    public String kernelName() {
        return "vp9_lpf_8bit";
    }

    @Override
    public void checkRecords(int count) {
        Checks.count(this, count);
        for (int i = 0; i < count; i++) {
            checkRecord(Checks.record(records, i, RECORD_BYTES), i, picture, strideBytes);
        }
    }

    static void checkRecord(long address, int index, KernelBuffer picture, int strideBytes) {
        int mode = Checks.u8(Checks.word(address, 1), 3);
        checkWidth(mode & 127);
        int reach = (mode & 127) == 16 ? 8 : 4;
        boolean horizontal = mode >= 128;
        Checks.offset(
                index,
                "offset",
                Checks.word(address, 0),
                4,
                horizontal ? (long) reach * strideBytes : reach,
                horizontal ? (reach - 1L) * strideBytes + 8 : 7L * strideBytes + reach,
                picture);
    }
}
