/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import static org.lwjgl.system.MemoryUtil.memCopy;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutLong;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Copies samples of one format into a picture that a filter makes. Bits of a word that belong to no sample, above or below it, become 0:
 * no filter reads them, and results have none. Immutable; any thread may call it.
 */
public final class SampleCopy {
    /** Two, because only samples of two bytes have such bits. */
    private static final int SAMPLE_BYTES = 2;

    private final boolean whole;

    /** The bits of a sample, in each of the words of 16 bit of a long. */
    private final long sampleBits;

    public SampleCopy(PixelFormat format) {
        whole = format.sampleBytes() == 1;
        sampleBits = ((long) format.peak() << format.sampleShift()) * 0x0001000100010001L;
    }

    /** Copies samples that lie side by side. */
    public void copy(long from, long to, long bytes) {
        if (whole) {
            memCopy(from, to, bytes);
            return;
        }
        int length = (int) bytes;
        int at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            memPutLong(to + at, memGetLong(from + at) & sampleBits);
        }
        for (; at < length; at += SAMPLE_BYTES) {
            memPutShort(to + at, (short) (memGetShort(from + at) & sampleBits));
        }
    }
}
