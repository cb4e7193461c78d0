/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.lwjgl.system.MemoryUtil.memGetInt;

/** Checks that the calls of this package share. Each throws an {@link IllegalArgumentException} whose message has the numbers. */
final class Checks {
    private Checks() {}

    static void capacity(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a call has room for 1 record or more, given " + capacity);
        }
    }

    static void count(BlockCall call, int count) {
        if (count < 0 || count > call.capacity()) {
            throw new IllegalArgumentException(
                    call.kernelName() + " runs 0 to " + call.capacity() + " records, given " + count);
        }
    }

    /** Checks a plane's stride: a multiple of 4 that holds {@code rowBytes}. */
    static void stride(String name, int strideBytes, int rowBytes) {
        if (strideBytes < rowBytes || strideBytes % 4 != 0) {
            throw new IllegalArgumentException(
                    name + " is a multiple of 4 and " + rowBytes + " or more, given " + strideBytes);
        }
    }

    static void size(String name, KernelBuffer buffer, long neededBytes) {
        if (buffer.sizeBytes() < neededBytes) {
            throw new IllegalArgumentException(
                    name + " needs " + neededBytes + " bytes or more, given " + buffer.sizeBytes());
        }
    }

    static void distinct(String name, KernelBuffer buffer, String otherName, KernelBuffer other) {
        if (buffer == other) {
            throw new IllegalArgumentException(name + " and " + otherName + " are the same buffer");
        }
    }

    static void range(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " is " + low + ".." + high + ", given " + value);
        }
    }

    static void bitDepth(int bitDepth) {
        if (bitDepth != 8 && bitDepth != 10) {
            throw new IllegalArgumentException("bitDepth is 8 or 10, given " + bitDepth);
        }
    }

    /** Address of record {@code index}, which must lie in its buffer. */
    static long record(KernelBuffer records, int index, int recordBytes) {
        if (index < 0 || (index + 1L) * recordBytes > records.sizeBytes()) {
            throw new IllegalArgumentException("record " + index + " of " + recordBytes
                    + " bytes lies outside its buffer of " + records.sizeBytes() + " bytes");
        }
        return records.address() + (long) index * recordBytes;
    }

    /**
     * Checks an offset of a record: it is aligned, and all that the block touches lies in the buffer.
     *
     * @param beforeBytes bytes touched before the offset
     * @param endBytes bytes from the offset to the end of the last touched byte
     */
    static void offset(
            int index, String name, int offset, int alignment, long beforeBytes, long endBytes, KernelBuffer buffer) {
        if (offset < 0 || offset % alignment != 0) {
            throw new IllegalArgumentException("record " + index + ": " + name + " is a multiple of " + alignment
                    + " below 2^31, given " + Integer.toUnsignedString(offset));
        }
        if (offset - beforeBytes < 0 || offset + endBytes > buffer.sizeBytes()) {
            throw new IllegalArgumentException("record " + index + ": " + name + " " + offset + " touches bytes "
                    + (offset - beforeBytes) + " to " + (offset + endBytes) + " of a buffer of " + buffer.sizeBytes());
        }
    }

    static int u8(int word, int byteIndex) {
        return (word >>> (8 * byteIndex)) & 255;
    }

    static int word(long recordAddress, int wordIndex) {
        return memGetInt(recordAddress + 4L * wordIndex);
    }
}
