/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import org.gstqpu.kernels.block.Shrinkage;
import org.gstqpu.kernels.internal.stage.ShrinkageLimits;
import org.gstqpu.kernels.internal.stage.ShrinkageTransform;

/** Runs the records of a {@link Shrinkage} call. Belongs to its prepared call, whose workers run it. */
final class ShrinkageBatch implements BlockBatch {
    private final Shrinkage call;
    private final int[][] numbers;
    private final ShrinkageLimits[] limits;

    ShrinkageBatch(Shrinkage call, int workers) {
        this.call = call;
        this.numbers = new int[workers][64];
        this.limits = new ShrinkageLimits[workers];
        for (int i = 0; i < workers; i++) {
            // Records have the thresholds of their own bit depth.
            limits[i] = new ShrinkageLimits(8);
        }
    }

    @Override
    public void run(int first, int end, int worker) {
        int[] block = numbers[worker];
        int threshold = -1;
        for (int i = first; i < end; i++) {
            int wanted = threshold(i);
            if (wanted != threshold) {
                threshold = wanted;
                limits[worker].set(threshold, 0);
            }
            long from = call.blocks().address() + (long) i * Shrinkage.BLOCK_BYTES;
            for (int k = 0; k < 64; k++) {
                block[k] = memGetShort(from + 2L * k);
            }
            int weight = ShrinkageTransform.shrink(block, limits[worker].thresholds);
            long to = call.removed().address() + (long) i * Shrinkage.BLOCK_BYTES;
            for (int k = 0; k < 64; k++) {
                memPutShort(to + 2L * k, (short) block[k]);
            }
            memPutInt(call.weights().address() + (long) i * Shrinkage.WEIGHT_BYTES, weight);
        }
    }

    private int threshold(int record) {
        int threshold = memGetInt(call.records().address() + (long) record * Shrinkage.RECORD_BYTES);
        return Integer.compareUnsigned(threshold, Shrinkage.LARGEST_THRESHOLD) > 0
                ? Shrinkage.LARGEST_THRESHOLD
                : threshold;
    }
}
