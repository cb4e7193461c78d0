/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;

/** Reads and writes single samples in memory, as numbers from 0 up. Any thread may call it. */
sealed interface SampleAccess {
    /** Samples of 8 bit, a byte each. */
    SampleAccess BYTES = new Bytes();

    /**
     * Access to samples of {@code sampleBytes} bytes.
     *
     * @param sampleBytes 1 or 2
     * @param shift zero bits below a sample's significant bits
     */
    static SampleAccess of(int sampleBytes, int shift) {
        return sampleBytes == 1 ? BYTES : new Shorts(shift);
    }

    /** Reads the sample that begins at this address. */
    int get(long address);

    /** Writes a sample, which must be in the range of its bit depth. */
    void put(long address, int sample);

    /** Samples of one byte. */
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

    /** Samples of two bytes. */
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
