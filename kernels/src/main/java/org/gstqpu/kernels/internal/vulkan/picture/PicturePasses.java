/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

/** Which passes a picture takes, as bits of a number: what a recording is known by. Holds nothing. */
final class PicturePasses {
    /** Deblocking. */
    static final int DEBLOCK = 1;

    /** CDEF. */
    static final int CDEF = 1 << 1;

    /** Automatic strength, before the filters. */
    static final int MEASURE = 1 << 2;

    /** A part of the picture is put back, after the filters. */
    static final int KEEP_LEFT = 1 << 3;

    /** Each edge is deblocked with a strength of its own. */
    static final int BY_EDGE = 1 << 4;

    /** CDEF has a map of blocks. */
    static final int BLOCK_MAP = 1 << 5;

    /** The source belongs to other drivers as well. */
    static final int FOREIGN_SOURCE = 1 << 6;

    /** The destination belongs to other drivers as well. */
    static final int FOREIGN_DESTINATION = 1 << 7;

    /** Of a grid offset, column | row &lt;&lt; 3. */
    private static final int OFFSET_BITS = 6;

    private static final int MEASURED_AT = 8;
    private static final int DEBLOCKED_AT = MEASURED_AT + OFFSET_BITS;

    private PicturePasses() {}

    /** The bits for looking at blocks that begin at this offset. */
    static int measuringFrom(int offset) {
        return offset << MEASURED_AT;
    }

    /** The bits for deblocking macroblocks that begin at this offset. */
    static int deblockingFrom(int offset) {
        return offset << DEBLOCKED_AT;
    }

    /** Whether a bit is set. */
    static boolean has(int passes, int bit) {
        return (passes & bit) != 0;
    }

    /** The offset of {@link #measuringFrom}. */
    static int measuredOffset(int passes) {
        return passes >> MEASURED_AT & (1 << OFFSET_BITS) - 1;
    }

    /** The offset of {@link #deblockingFrom}. */
    static int deblockedOffset(int passes) {
        return passes >> DEBLOCKED_AT & (1 << OFFSET_BITS) - 1;
    }
}
