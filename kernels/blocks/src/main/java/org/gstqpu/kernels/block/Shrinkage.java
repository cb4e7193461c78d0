/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutInt;

/**
 * Shrinkage of blocks of 8x8 samples or residuals: H.264's forward transform, small coefficients that are taken away, and the inverse
 * transform. The result is what is to be taken away from each block, and how much the block counts where several overlap. Immutable.
 *
 * <p>The pictures' filter of that name ({@code org.gstqpu.kernels.filter.ShrinkageParameters}) does this with blocks at several
 * shifts: it takes away from each sample the mean of {@code removed / 32} of the blocks that cover it, weighted by {@code weights}.
 * A denoiser or decoder may choose the blocks by itself, each with its own threshold.
 *
 * <p>Of a coefficient c with the threshold t, c is taken away if it is small, t - |c| (with the sign of c) where that is less, and
 * nothing if |c| is t or larger. Nothing is taken away of the mean.
 *
 * <p>Record, {@value #RECORD_BYTES} bytes: u32 threshold in sixteenths of a sample value, 0 to {@value #LARGEST_THRESHOLD}. For
 * video of 10 bits it is four times the threshold of 8 bits.
 *
 * @param blocks i16[64] for each block, {@value #BLOCK_BYTES} bytes: 8 rows of 8 numbers from -{@value #LARGEST_SAMPLE} to
 *     {@value #LARGEST_SAMPLE}. The block of record i begins at byte {@value #BLOCK_BYTES}·i. Only read
 * @param records one for each block
 * @param capacity most blocks of one run
 * @param removed receives i16[64] for each block, in the same order: 32 times what is to be taken away
 * @param weights receives u32 for each block, {@value #WEIGHT_BYTES} bytes: (64 + (1 + n) / 2) / (1 + n), rounded down, where n is the
 *     number of coefficients larger than their threshold, less one, and at least 0; so 1 to 64
 */
public record Shrinkage(
        KernelBuffer blocks, KernelBuffer records, int capacity, KernelBuffer removed, KernelBuffer weights)
        implements BlockCall {
    /** Bytes of a record. */
    public static final int RECORD_BYTES = 4;

    /** Bytes of the numbers of a block. */
    public static final int BLOCK_BYTES = 128;

    /** Bytes of the weight of a block. */
    public static final int WEIGHT_BYTES = 4;

    /** The largest threshold: 192 sample values, or 48 in 8 bits. */
    public static final int LARGEST_THRESHOLD = 3072;

    /** The largest number of a block, which is the largest sample of 10 bits. */
    public static final int LARGEST_SAMPLE = 1023;

    /**
     * @throws IllegalArgumentException when a buffer is too small, or one that is written is given twice
     */
    public Shrinkage {
        Checks.capacity(capacity);
        Checks.size("blocks", blocks, (long) capacity * BLOCK_BYTES);
        Checks.size("records", records, (long) capacity * RECORD_BYTES);
        Checks.size("removed", removed, (long) capacity * BLOCK_BYTES);
        Checks.size("weights", weights, (long) capacity * WEIGHT_BYTES);
        Checks.distinct("blocks", blocks, "removed", removed);
        Checks.distinct("records", records, "removed", removed);
        Checks.distinct("blocks", blocks, "weights", weights);
        Checks.distinct("records", records, "weights", weights);
        Checks.distinct("removed", removed, "weights", weights);
    }

    /**
     * Writes record {@code index}.
     *
     * @param threshold in sixteenths of a sample value, 0 to {@value #LARGEST_THRESHOLD}
     */
    public static void putRecord(KernelBuffer records, int index, int threshold) {
        Checks.range("threshold", threshold, 0, LARGEST_THRESHOLD);
        memPutInt(Checks.record(records, index, RECORD_BYTES), threshold);
    }

    /** Reads the weight of block {@code index}, 1 to 64. */
    public static int weight(KernelBuffer weights, int index) {
        return memGetInt(Checks.record(weights, index, WEIGHT_BYTES));
    }

    @Override
    public String kernelName() {
        return "shrinkage8x8";
    }

    @Override
    public void checkRecords(int count) {
        Checks.count(this, count);
        for (int i = 0; i < count; i++) {
            int threshold = Checks.word(Checks.record(records, i, RECORD_BYTES), 0);
            Checks.range("record " + i + ": threshold", threshold, 0, LARGEST_THRESHOLD);
            long block = Checks.record(blocks, i, BLOCK_BYTES);
            for (int k = 0; k < 64; k++) {
                int sample = memGetShort(block + 2L * k);
                Checks.range(
                        "record " + i + ": number " + k + " of its block", sample, -LARGEST_SAMPLE, LARGEST_SAMPLE);
            }
        }
    }
}
