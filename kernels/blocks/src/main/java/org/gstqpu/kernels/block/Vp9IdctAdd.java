/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.lwjgl.system.MemoryUtil.memPutInt;

/**
 * VP9 inverse DCT 8x8, 8 bit (VP9 specification, 8.7.2 with DCT_DCT), added to the prediction in the picture: {@code
 * clip255(prediction + ((idct + 16) >> 5))}. Every intermediate value must fit 16 bits signed, as it does in a conforming stream.
 * Immutable.
 *
 * <p>Record, {@value #RECORD_BYTES} bytes: u32 offset of the block's first sample in {@code picture}, a multiple of 4.
 *
 * @param coefficients i16[64] for each block, {@value #COEFFICIENT_BYTES} bytes: {@code [v*8+u]} with the horizontal frequency u and
 *     the vertical frequency v. The coefficients of record i begin at byte {@value #COEFFICIENT_BYTES}·i. Only read
 * @param records one for each block
 * @param capacity most blocks of one run
 * @param picture holds the prediction before a run, and the result after it
 * @param strideBytes bytes from one row of the picture to the next, a multiple of 4
 */
public record Vp9IdctAdd(
        KernelBuffer coefficients, KernelBuffer records, int capacity, KernelBuffer picture, int strideBytes)
        implements BlockCall {
    /** Size of a record in bytes. */
    public static final int RECORD_BYTES = 4;

    /** Bytes of a block's coefficients. */
    public static final int COEFFICIENT_BYTES = 128;

    /**
     * @throws IllegalArgumentException when a buffer is too small or the stride is out of range
     */
    public Vp9IdctAdd {
        Checks.capacity(capacity);
        Checks.stride("strideBytes", strideBytes, 8);
        Checks.size("coefficients", coefficients, (long) capacity * COEFFICIENT_BYTES);
        Checks.size("records", records, (long) capacity * RECORD_BYTES);
        Checks.size("picture", picture, 7L * strideBytes + 8);
        Checks.distinct("coefficients", coefficients, "picture", picture);
    }

    /**
     * Writes record {@code index}.
     *
     * @param offset byte offset of the block's first sample in the picture, a multiple of 4
     */
    public static void putRecord(KernelBuffer records, int index, int offset) {
        memPutInt(Checks.record(records, index, RECORD_BYTES), offset);
    }

    @Override
    public String kernelName() {
        return "vp9_idct8x8_add_8bit";
    }

    @Override
    public void checkRecords(int count) {
        Checks.count(this, count);
        for (int i = 0; i < count; i++) {
            int offset = Checks.word(Checks.record(records, i, RECORD_BYTES), 0);
            Checks.offset(i, "offset", offset, 4, 0, 7L * strideBytes + 8, picture);
        }
    }
}
