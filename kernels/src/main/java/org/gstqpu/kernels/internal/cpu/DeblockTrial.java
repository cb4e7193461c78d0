/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.lwjgl.system.MemoryUtil.memCopy;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.nmemAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemFree;

import java.util.Random;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns a deblocking kernel and the samples to time it on; the samples are flat but for noise. Belongs to the thread
 * that runs the trial.
 */
final class DeblockTrial implements Runnable, AutoCloseable {
    static final PixelFormat FORMAT = PixelFormat.I420;

    private static final int MACROBLOCKS = 4;
    private static final int STRIDE_BYTES = 16 * MACROBLOCKS;
    private static final int PICTURE_BYTES = STRIDE_BYTES * STRIDE_BYTES;

    private final DeblockKernel kernel;

    /** The unfiltered samples, followed by room for a copy that is filtered. */
    private final long memory = nmemAllocChecked(2L * PICTURE_BYTES);

    DeblockTrial(DeblockKernel kernel) {
        this.kernel = kernel;
        kernel.configure(H264DeblockParameters.intra(30, 0, 0, 0, 0, false));
        Random random = new Random(1);
        for (int i = 0; i < PICTURE_BYTES; i++) {
            memPutByte(memory + i, (byte) (100 + random.nextInt(8)));
        }
    }

    /** Filters the samples as luma. Then filters some of them as planar chroma, and some as interleaved chroma. */
    @Override
    public void run() {
        long picture = memory + PICTURE_BYTES;
        memCopy(memory, picture, PICTURE_BYTES);
        for (int row = 0; row < MACROBLOCKS; row++) {
            for (int column = 0; column < MACROBLOCKS; column++) {
                long at = picture + 16L * row * STRIDE_BYTES + 16L * column;
                kernel.luma(0, at, STRIDE_BYTES, 16, 16, column > 0, row > 0);
            }
        }
        for (int column = 0; column < MACROBLOCKS; column++) {
            long cb = picture + 16L * STRIDE_BYTES + 8L * column;
            long cr = cb + STRIDE_BYTES / 2;
            kernel.chroma(cb, STRIDE_BYTES, cr, STRIDE_BYTES, 1, 8, 8, column > 0, true);
        }
        for (int column = 0; column < MACROBLOCKS; column++) {
            long cb = picture + 32L * STRIDE_BYTES + 16L * column;
            kernel.chroma(cb, STRIDE_BYTES, cb + 1, STRIDE_BYTES, 2, 8, 8, column > 0, true);
        }
    }

    @Override
    public void close() {
        nmemFree(memory);
    }
}
