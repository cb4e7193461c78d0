/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetInt;

import org.gstqpu.kernels.block.Vp9IdctAdd;

/** Runs the records of a {@link Vp9IdctAdd} call. Belongs to its prepared call, whose workers run it. */
final class Vp9IdctBatch implements BlockBatch {
    private final Vp9IdctAdd call;
    private final long lastOffset;
    private final Vp9Idct8[] workers;

    Vp9IdctBatch(Vp9IdctAdd call, int workers) {
        this.call = call;
        this.lastOffset = call.picture().sizeBytes() - 7L * call.strideBytes() - 8;
        this.workers = new Vp9Idct8[workers];
        for (int i = 0; i < workers; i++) {
            this.workers[i] = new Vp9Idct8();
        }
    }

    @Override
    public void run(int first, int end, int worker) {
        long records = call.records().address();
        long coefficients = call.coefficients().address();
        long picture = call.picture().address();
        for (int i = first; i < end; i++) {
            int offset = memGetInt(records + (long) i * Vp9IdctAdd.RECORD_BYTES);
            workers[worker].add(
                    coefficients + (long) i * Vp9IdctAdd.COEFFICIENT_BYTES,
                    picture + BlockBatch.wordOffset(offset, lastOffset),
                    call.strideBytes());
        }
    }
}
