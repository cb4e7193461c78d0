/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

/**
 * One call of a primitive: the buffers it works on, how many records they hold and how its pictures are laid out. All
 * records of a call run at the same time and in any order; no block may write what another reads or writes. The buffers
 * stay their owner's; their contents may be changed between runs, records too.
 */
public sealed interface BlockCall
        permits Vp9IdctAdd, Vp9LoopFilter, Vp9MotionCompensation, CdefDirection, CdefFilter, H264Edge, ScheduledEdges {

    /** Name of the kernel with block size and bit depth, for lists and measurements. */
    String kernelName();

    /** Most records of one run. */
    int capacity();

    /**
     * Reads the first {@code count} records and the ones they lead to.
     *
     * @throws IllegalArgumentException when a record is out of range; the message names the first such record
     */
    void checkRecords(int count);
}
