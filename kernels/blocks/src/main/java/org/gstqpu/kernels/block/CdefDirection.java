/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutInt;

/**
 * Direction search of AV1 CDEF in 8x8 luma blocks (AV1 specification, 7.15.2). Immutable.
 *
 * <p>Record, {@value #RECORD_BYTES} bytes: u32 offset of the block's first sample in {@code picture}, a multiple of 4.
 * Result, {@value #RESULT_BYTES} bytes a record: u32 direction 0..7, u32 variance.
 *
 * @param records one for each block
 * @param capacity most blocks of one run
 * @param picture luma plane; only read
 * @param strideBytes bytes from one row of the picture to the next, a multiple of 4
 * @param bitDepth 8 or 10
 * @param results receives the result of record i as result i
 */
public record CdefDirection(
        KernelBuffer records, int capacity, KernelBuffer picture, int strideBytes, int bitDepth, KernelBuffer results)
        implements BlockCall {
    /** Bytes of a record. */
    public static final int RECORD_BYTES = 4;

    /** Bytes of a result. */
    public static final int RESULT_BYTES = 8;

    /**
     * @throws IllegalArgumentException when a buffer is too small, when the stride or the bit depth is out of range, or when the
     *     results share a buffer with records or picture
     */
    public CdefDirection {
        Checks.capacity(capacity);
        Checks.bitDepth(bitDepth);
        int rowBytes = bitDepth > 8 ? 16 : 8;
        Checks.stride("strideBytes", strideBytes, rowBytes);
        Checks.size("records", records, (long) capacity * RECORD_BYTES);
        Checks.size("picture", picture, 7L * strideBytes + rowBytes);
        Checks.size("results", results, (long) capacity * RESULT_BYTES);
        Checks.distinct("results", results, "picture", picture);
        Checks.distinct("results", results, "records", records);
    }

    /**
     * Writes record {@code index}.
     *
     * @param offset byte offset of the block's first sample in the picture, a multiple of 4
     */
    public static void putRecord(KernelBuffer records, int index, int offset) {
        memPutInt(Checks.record(records, index, RECORD_BYTES), offset);
    }

    /**
     * Writes result {@code index}, for a {@link CdefFilter} call whose directions do not come from this search.
     *
     * @param direction 0..7
     * @param variance 0 or more
     */
    public static void putResult(KernelBuffer results, int index, int direction, int variance) {
        Checks.range("direction", direction, 0, 7);
        Checks.range("variance", variance, 0, Integer.MAX_VALUE);
        long address = Checks.record(results, index, RESULT_BYTES);
        memPutInt(address, direction);
        memPutInt(address + 4, variance);
    }

    /** Reads the direction of result {@code index}, 0..7. */
    public static int direction(KernelBuffer results, int index) {
        return memGetInt(Checks.record(results, index, RESULT_BYTES));
    }

    /** Reads the variance of result {@code index}. */
    public static int variance(KernelBuffer results, int index) {
        return memGetInt(Checks.record(results, index, RESULT_BYTES) + 4);
    }

    @Override
    public String kernelName() {
        return "av1_cdef_direction8x8_" + bitDepth + "bit";
    }

    @Override
    public void checkRecords(int count) {
        Checks.count(this, count);
        long endBytes = 7L * strideBytes + (bitDepth > 8 ? 16 : 8);
        for (int i = 0; i < count; i++) {
            int offset = Checks.word(Checks.record(records, i, RECORD_BYTES), 0);
            Checks.offset(i, "offset", offset, 4, 0, endBytes, picture);
        }
    }
}
