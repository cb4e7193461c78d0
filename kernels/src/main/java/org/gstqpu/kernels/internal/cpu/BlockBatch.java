/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

/** Runs records of one call; several workers at once, each over records of its own. */
interface BlockBatch {
    /**
     * Runs the records from {@code first} to before {@code end}.
     *
     * @param worker number of the calling worker, from 0: whose intermediate values are used
     */
    void run(int first, int end, int worker);

    /** The offset in a record, moved to where the block lies inside its buffer: at most {@code last}, whole words. */
    static long wordOffset(int offset, long last) {
        return Math.min(Integer.toUnsignedLong(offset), last) & -4;
    }

    /** The same between {@code first} and {@code last}, for what also reads before its offset. */
    static long wordOffset(int offset, long first, long last) {
        return Math.max(first, Math.min(Integer.toUnsignedLong(offset), last)) & -4;
    }
}
