/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.Optional;

/**
 * AV1 CDEF filter of square blocks (AV1 specification, 7.15.3), from one picture into another. Immutable.
 *
 * <p>Record, {@value #RECORD_BYTES} bytes:
 *
 * <ul>
 *   <li>0: u32 offset of the block's first sample in {@code source}, a multiple of 4;
 *   <li>4: u32 offset of the block's first sample in {@code destination}, a multiple of 4;
 *   <li>8: u16 primary strength, scaled to the bit depth ({@code << (bitDepth - 8)}), at most 15 in 8 bit and
 *       63 in 10 bit;
 *   <li>10: u16 secondary strength, scaled to the bit depth, at most 4 in 8 bit and 16 in 10 bit;
 *   <li>12: u8 edges beyond which samples may be read: 1 left, 2 right, 4 top, 8 bottom, or a sum of them. Samples beyond the
 *       other edges count as unavailable, and so does a corner if either of its edges is missing;
 *   <li>13: u8 direction, 0..7;
 *   <li>14: u8 damping, 2..6 scaled to the bit depth ({@code + bitDepth - 8}), one less for chroma than for luma;
 *   <li>15: u8 zero.
 * </ul>
 *
 * <p>With {@code directions}, the direction in the record does not count: record i has the direction and variance of result i of a
 * {@link CdefDirection} call, or direction 0 if the primary strength of the record is 0 (7.15.1). With {@code adjustPrimary}, the
 * variance also adjusts the primary strength, as CDEF does for luma.
 *
 * @param records one for each block
 * @param capacity most blocks of one run
 * @param source plane to filter; only read
 * @param sourceStrideBytes bytes from one row of the source to the next, a multiple of 4
 * @param destination plane that receives the filtered blocks
 * @param destinationStrideBytes bytes from one row of the destination to the next, a multiple of 4
 * @param blockSize samples a side, 8 (luma) or 4 (chroma of 4:2:0)
 * @param bitDepth 8 or 10
 * @param directions results of a direction search; empty to use the directions in the records
 * @param adjustPrimary true if the variance adjusts the primary strength, which needs {@code directions}
 */
public record CdefFilter(
        KernelBuffer records,
        int capacity,
        KernelBuffer source,
        int sourceStrideBytes,
        KernelBuffer destination,
        int destinationStrideBytes,
        int blockSize,
        int bitDepth,
        Optional<KernelBuffer> directions,
        boolean adjustPrimary)
        implements BlockCall {
    /** Bytes of a record. */
    public static final int RECORD_BYTES = 16;

    /** Bit of {@code edges}: samples left of the block may be read. */
    public static final int LEFT = 1;

    /** Bit of {@code edges}: samples right of the block may be read. */
    public static final int RIGHT = 2;

    /** Bit of {@code edges}: samples above the block may be read. */
    public static final int TOP = 4;

    /** Bit of {@code edges}: samples below the block may be read. */
    public static final int BOTTOM = 8;

    /**
     * @throws IllegalArgumentException when a buffer is too small, a number is out of range or source and destination
     *     share a buffer
     */
    public CdefFilter {
        Checks.capacity(capacity);
        Checks.bitDepth(bitDepth);
        if (blockSize != 8 && blockSize != 4) {
            throw new IllegalArgumentException("blockSize is 8 or 4, given " + blockSize);
        }
        if (adjustPrimary && directions.isEmpty()) {
            throw new IllegalArgumentException(
                    "adjusting the primary strength needs the results of a direction search");
        }
        int rowBytes = bitDepth > 8 ? 2 * blockSize : blockSize;
        Checks.stride("sourceStrideBytes", sourceStrideBytes, rowBytes);
        Checks.stride("destinationStrideBytes", destinationStrideBytes, rowBytes);
        Checks.size("records", records, (long) capacity * RECORD_BYTES);
        Checks.size("source", source, (blockSize - 1L) * sourceStrideBytes + rowBytes);
        Checks.size("destination", destination, (blockSize - 1L) * destinationStrideBytes + rowBytes);
        if (directions.isPresent()) {
            Checks.size("directions", directions.get(), (long) capacity * CdefDirection.RESULT_BYTES);
        }
        Checks.distinct("source", source, "destination", destination);
    }

    /**
     * Writes record {@code index}.
     *
     * @param sourceOffset byte offset of the block's first sample in the source, a multiple of 4
     * @param destinationOffset byte offset of the block's first sample in the destination, a multiple of 4
     * @param primary primary strength, scaled to the bit depth, 0..15 in 8 bit and 0..63 in 10 bit
     * @param secondary secondary strength, scaled to the bit depth, 0..4 in 8 bit and 0..16 in 10 bit
     * @param edges edges beyond which samples may be read: a sum of {@link #LEFT}, {@link #RIGHT}, {@link #TOP}, {@link #BOTTOM}
     * @param direction 0..7
     * @param damping scaled to the bit depth, 2..6 in 8 bit and 4..8 in 10 bit
     */
    public static void putRecord(
            KernelBuffer records,
            int index,
            int sourceOffset,
            int destinationOffset,
            int primary,
            int secondary,
            int edges,
            int direction,
            int damping) {
        checkParameters("", 8, 10, primary, secondary, edges, direction, damping);
        long address = Checks.record(records, index, RECORD_BYTES);
        memPutInt(address, sourceOffset);
        memPutInt(address + 4, destinationOffset);
        memPutInt(address + 8, primary | (secondary << 16));
        memPutInt(address + 12, edges | (direction << 8) | (damping << 16));
    }

    private static void checkParameters(
            String prefix,
            int lowDepth,
            int highDepth,
            int primary,
            int secondary,
            int edges,
            int direction,
            int damping) {
        Checks.range(prefix + "primary strength", primary, 0, (16 << (highDepth - 8)) - 1);
        Checks.range(prefix + "secondary strength", secondary, 0, 4 << (highDepth - 8));
        Checks.range(prefix + "edges", edges, 0, 15);
        Checks.range(prefix + "direction", direction, 0, 7);
        Checks.range(prefix + "damping", damping, lowDepth - 6, highDepth - 2);
    }

    @Override
    public String kernelName() {
        return "av1_cdef" + blockSize + "x" + blockSize + "_" + bitDepth + "bit";
    }

    @Override
    public void checkRecords(int count) {
        Checks.count(this, count);
        int sampleBytes = bitDepth > 8 ? 2 : 1;
        for (int i = 0; i < count; i++) {
            long address = Checks.record(records, i, RECORD_BYTES);
            int strengths = Checks.word(address, 2);
            int rest = Checks.word(address, 3);
            int edges = Checks.u8(rest, 0);
            checkParameters(
                    "record " + i + ": ",
                    bitDepth,
                    bitDepth,
                    strengths & 0xffff,
                    strengths >>> 16,
                    edges,
                    Checks.u8(rest, 1),
                    Checks.u8(rest, 2));
            int left = (edges & LEFT) != 0 ? 2 : 0;
            int right = (edges & RIGHT) != 0 ? 2 : 0;
            int top = (edges & TOP) != 0 ? 2 : 0;
            int bottom = (edges & BOTTOM) != 0 ? 2 : 0;
            Checks.offset(
                    i,
                    "source offset",
                    Checks.word(address, 0),
                    4,
                    (long) top * sourceStrideBytes + (long) left * sampleBytes,
                    (blockSize - 1L + bottom) * sourceStrideBytes + (long) (blockSize + right) * sampleBytes,
                    source);
            Checks.offset(
                    i,
                    "destination offset",
                    Checks.word(address, 1),
                    4,
                    0,
                    (blockSize - 1L) * destinationStrideBytes + (long) blockSize * sampleBytes,
                    destination);
        }
    }
}
