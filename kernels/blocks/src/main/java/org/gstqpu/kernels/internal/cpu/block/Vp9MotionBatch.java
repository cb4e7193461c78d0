/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetInt;

import org.gstqpu.kernels.block.Vp9MotionCompensation;

/** Runs the records of a {@link Vp9MotionCompensation} call. Belongs to its prepared call, whose workers run it. */
final class Vp9MotionBatch implements BlockBatch {
    private final Vp9MotionCompensation call;
    private final long firstSource;
    private final long lastSource;
    private final long lastDestination;
    private final Vp9MotionBlock[] workers;

    Vp9MotionBatch(Vp9MotionCompensation call, int workers) {
        this.call = call;
        this.firstSource = 3L * call.sourceStrideBytes() + 3;
        this.lastSource = call.source().sizeBytes() - 11L * call.sourceStrideBytes() - 12;
        this.lastDestination = call.destination().sizeBytes() - 7L * call.destinationStrideBytes() - 8;
        this.workers = new Vp9MotionBlock[workers];
        for (int i = 0; i < workers; i++) {
            this.workers[i] = new Vp9MotionBlock();
        }
    }

    @Override
    public void run(int first, int end, int worker) {
        long record = call.records().address() + (long) first * Vp9MotionCompensation.RECORD_BYTES;
        for (int i = first; i < end; i++, record += Vp9MotionCompensation.RECORD_BYTES) {
            int parameters = memGetInt(record + 8);
            long source = Math.min(Integer.toUnsignedLong(memGetInt(record)), lastSource);
            workers[worker].compensate(
                    call.source().address() + Math.max(firstSource, source),
                    call.sourceStrideBytes(),
                    call.destination().address() + BlockBatch.wordOffset(memGetInt(record + 4), lastDestination),
                    call.destinationStrideBytes(),
                    parameters & 3,
                    (parameters >> 8) & 15,
                    (parameters >> 16) & 15,
                    parameters >> 24 != 0);
        }
    }
}
