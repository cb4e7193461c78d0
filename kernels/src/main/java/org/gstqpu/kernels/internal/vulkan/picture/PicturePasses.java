/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

/** The passes of a picture, as bits of a number. A recording is looked up by that number. Holds nothing. */
final class PicturePasses {
    /** The picture is deblocked. */
    static final int DEBLOCK = 1;

    /** CDEF filters the picture. */
    static final int CDEF = 1 << 1;

    /** Automatic strength measures the picture before it is filtered. */
    static final int MEASURE = 1 << 2;

    /** The left part of the unfiltered picture is put back after the filters. */
    static final int KEEP_LEFT = 1 << 3;

    /** Each edge is deblocked with strengths of its own. */
    static final int BY_EDGE = 1 << 4;

    /** CDEF has a map of blocks. */
    static final int BLOCK_MAP = 1 << 5;

    /** Drivers of other devices may use the source, too. */
    static final int FOREIGN_SOURCE = 1 << 6;

    /** Drivers of other devices may use the destination, too. */
    static final int FOREIGN_DESTINATION = 1 << 7;

    /** Bits of a grid offset, column | row &lt;&lt; 3. */
    private static final int OFFSET_BITS = 6;

    private static final int MEASURED_AT = 8;
    private static final int DEBLOCKED_AT = MEASURED_AT + OFFSET_BITS;
    private static final int SHIFTS_AT = DEBLOCKED_AT + OFFSET_BITS;

    private static final int SHIFTS_BITS = 5;

    /** The source has three samples in a word, and is unpacked first. */
    static final int UNPACK = 1 << (SHIFTS_AT + SHIFTS_BITS);

    /** The destination has three samples in a word, and is packed last. */
    static final int PACK = UNPACK << 1;

    private PicturePasses() {}

    /** Bits of a pass that measures blocks from this grid offset on. */
    static int measuringFrom(int offset) {
        return offset << MEASURED_AT;
    }

    /** Bits of a pass that deblocks macroblocks, and bounds blocks, from this grid offset on. */
    static int deblockingFrom(int offset) {
        return offset << DEBLOCKED_AT;
    }

    /** Bits of shrinkage with this number of shifts, 0 to 31; 0 if shrinkage does not run. */
    static int shrinking(int shifts) {
        return shifts << SHIFTS_AT;
    }

    /** True if a bit is set. */
    static boolean has(int passes, int bit) {
        return (passes & bit) != 0;
    }

    /** The grid offset that was given to {@link #measuringFrom}. */
    static int measuredOffset(int passes) {
        return passes >> MEASURED_AT & (1 << OFFSET_BITS) - 1;
    }

    /** The grid offset that was given to {@link #deblockingFrom}. */
    static int deblockedOffset(int passes) {
        return passes >> DEBLOCKED_AT & (1 << OFFSET_BITS) - 1;
    }

    /** How many shifts shrinkage averages; 0 if shrinkage does not run. */
    static int shifts(int passes) {
        return passes >> SHIFTS_AT & (1 << SHIFTS_BITS) - 1;
    }
}
