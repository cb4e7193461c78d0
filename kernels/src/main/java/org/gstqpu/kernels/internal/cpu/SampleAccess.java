/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;

/** Reads and writes single samples in memory, as numbers from 0 up; on any thread. */
sealed interface SampleAccess {
    /** Samples of 8 bit, a byte each. */
    SampleAccess BYTES = new Bytes();

    /**
     * Access to samples of so many bytes.
     *
     * @param sampleBytes 1 or 2
     * @param shift zero bits below a sample's significant ones
     */
    static SampleAccess of(int sampleBytes, int shift) {
        return sampleBytes == 1 ? BYTES : new Shorts(shift);
    }

    /** The sample that begins at this address. */
    int get(long address);

    /** Writes a sample that is in its range. */
    void put(long address, int sample);

    /** Samples in bytes. */
    final class Bytes implements SampleAccess {
        private Bytes() {}

        @Override
        public int get(long address) {
            return memGetByte(address) & 255;
        }

        @Override
        public void put(long address, int sample) {
            memPutByte(address, (byte) sample);
        }
    }

    /** Samples in 16 bits. */
    final class Shorts implements SampleAccess {
        private final int shift;

        private Shorts(int shift) {
            this.shift = shift;
        }

        @Override
        public int get(long address) {
            return (memGetShort(address) & 0xffff) >>> shift;
        }

        @Override
        public void put(long address, int sample) {
            memPutShort(address, (short) (sample << shift));
        }
    }
}
