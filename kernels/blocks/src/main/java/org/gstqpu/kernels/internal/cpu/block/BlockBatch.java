/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

/** Runs the records of one block call. Several workers run it at once, each on records of its own. */
interface BlockBatch {
    /**
     * Runs the records from {@code first} up to, but without, {@code end}.
     *
     * @param worker number of the calling worker, from 0; it chooses the worker's scratch memory
     */
    void run(int first, int end, int worker);

    /**
     * Limits a record's byte offset to {@code last}, so that the block lies inside its buffer, and rounds it down to a
     * whole word of 4 bytes.
     */
    static long wordOffset(int offset, long last) {
        return Math.min(Integer.toUnsignedLong(offset), last) & -4;
    }

    /**
     * Limits a record's byte offset to the range {@code first} to {@code last}, for kernels that also read before the
     * offset, and rounds it down to a whole word of 4 bytes.
     */
    static long wordOffset(int offset, long first, long last) {
        return Math.max(first, Math.min(Integer.toUnsignedLong(offset), last)) & -4;
    }
}
