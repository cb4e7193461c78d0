/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

/**
 * One call of a primitive: its buffers, the number of records that they hold, and the strides of its pictures. {@link
 * BlockContext#prepare} makes it ready to run. Immutable; the buffers stay the caller's, who may change their contents, records
 * included, between runs.
 *
 * <p>All records of a run are executed at the same time, in any order. So no block may write what another block of the run reads or
 * writes.
 */
public sealed interface BlockCall
        permits Vp9IdctAdd,
                Vp9LoopFilter,
                Vp9MotionCompensation,
                CdefDirection,
                CdefFilter,
                Shrinkage,
                H264Edge,
                ScheduledEdges {

    /** Name of the kernel, with block size and bit depth. */
    String kernelName();

    /** Most records that one run can have. */
    int capacity();

    /**
     * Checks the first {@code count} records and all that they refer to. Reads them on the CPU: meant for tests and debugging.
     *
     * @param count 0 to {@link #capacity}
     * @throws IllegalArgumentException when a record is out of range; the message names the first one
     */
    void checkRecords(int count);
}
