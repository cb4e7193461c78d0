/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.lwjgl.system.MemoryUtil.memPutInt;

/**
 * VP9 motion compensation of 8x8 blocks, 8 bit (VP9 specification, 8.5.2.3, unscaled): an eight-tap filter along rows, rounded and
 * clipped to 8 bits, then one along columns, likewise. A phase of 0 leaves out its filter. Immutable.
 *
 * <p>Record, {@value #RECORD_BYTES} bytes:
 *
 * <ul>
 *   <li>0: u32 offset in {@code source} of the sample on which the block's first sample lies, of any alignment;
 *   <li>4: u32 offset in {@code destination} of the block's first sample, a multiple of 4;
 *   <li>8: u8 filter, code of a {@link Vp9InterpolationFilter};
 *   <li>9: u8 mx, horizontal phase 0..15 in sixteenths of a sample;
 *   <li>10: u8 my, vertical phase;
 *   <li>11: u8 avg: 0 stores the result, 1 stores {@code (destination + result + 1) >> 1}.
 * </ul>
 *
 * <p>Whatever the phases are, the three rows and columns before the block and the four after it must lie in the buffer.
 *
 * @param records one for each block; blocks in which the same phases are 0 run fastest next to each other
 * @param capacity most blocks of one run
 * @param source reference plane; only read
 * @param sourceStrideBytes bytes from one row of the source to the next, a multiple of 4
 * @param destination plane that receives the blocks
 * @param destinationStrideBytes bytes from one row of the destination to the next, a multiple of 4
 */
public record Vp9MotionCompensation(
        KernelBuffer records,
        int capacity,
        KernelBuffer source,
        int sourceStrideBytes,
        KernelBuffer destination,
        int destinationStrideBytes)
        implements BlockCall {
    /** Bytes of a record. */
    public static final int RECORD_BYTES = 12;

    /**
     * @throws IllegalArgumentException when a buffer is too small, when a stride is out of range, or when both planes share a
     *     buffer
     */
    public Vp9MotionCompensation {
        Checks.capacity(capacity);
        Checks.stride("sourceStrideBytes", sourceStrideBytes, 16);
        Checks.stride("destinationStrideBytes", destinationStrideBytes, 8);
        Checks.size("records", records, (long) capacity * RECORD_BYTES);
        Checks.size("source", source, 14L * sourceStrideBytes + 16);
        Checks.size("destination", destination, 7L * destinationStrideBytes + 8);
        Checks.distinct("source", source, "destination", destination);
    }

    /**
     * Writes record {@code index}.
     *
     * @param sourceOffset byte offset in the source of the sample on which the block's first sample lies
     * @param destinationOffset byte offset of the block's first sample in the destination, a multiple of 4
     * @param mx horizontal phase, 0..15
     * @param my vertical phase, 0..15
     * @param average true to average with the samples in the destination
     */
    public static void putRecord(
            KernelBuffer records,
            int index,
            int sourceOffset,
            int destinationOffset,
            Vp9InterpolationFilter filter,
            int mx,
            int my,
            boolean average) {
        Checks.range("mx", mx, 0, 15);
        Checks.range("my", my, 0, 15);
        long address = Checks.record(records, index, RECORD_BYTES);
        memPutInt(address, sourceOffset);
        memPutInt(address + 4, destinationOffset);
        memPutInt(address + 8, filter.code() | (mx << 8) | (my << 16) | (average ? 1 << 24 : 0));
    }

    @Override
    public String kernelName() {
        return "vp9_mc8x8_8bit";
    }

    @Override
    public void checkRecords(int count) {
        Checks.count(this, count);
        for (int i = 0; i < count; i++) {
            long address = Checks.record(records, i, RECORD_BYTES);
            int parameters = Checks.word(address, 2);
            Checks.range("record " + i + ": filter", Checks.u8(parameters, 0), 0, 3);
            Checks.range("record " + i + ": mx", Checks.u8(parameters, 1), 0, 15);
            Checks.range("record " + i + ": my", Checks.u8(parameters, 2), 0, 15);
            Checks.range("record " + i + ": avg", Checks.u8(parameters, 3), 0, 1);
            Checks.offset(
                    i,
                    "source offset",
                    Checks.word(address, 0),
                    1,
                    3L * sourceStrideBytes + 3,
                    11L * sourceStrideBytes + 12,
                    source);
            Checks.offset(
                    i,
                    "destination offset",
                    Checks.word(address, 1),
                    4,
                    0,
                    7L * destinationStrideBytes + 8,
                    destination);
        }
    }
}
