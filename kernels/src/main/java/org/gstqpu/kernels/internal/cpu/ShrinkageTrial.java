/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import java.util.Random;
import org.gstqpu.kernels.internal.picture.ShrinkageLimits;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns a kernel of shrinkage and a tile to time it on; the tile is flat but for noise. Belongs to the thread that runs
 * the trial.
 */
final class ShrinkageTrial implements Runnable {
    private static final PixelFormat FORMAT = PixelFormat.GRAY8;
    private static final int SHIFTS = 8;
    private static final int THRESHOLD = 160;

    /** So small a bound that most blocks are over it. */
    private static final int BOUND = 10;

    private static final int BANDS = 2;

    private final ShrinkageKernel kernel;
    private final ShrinkageTile tile = new ShrinkageTile(FORMAT);
    private final ShrinkageLimits limits = new ShrinkageLimits(FORMAT.bitDepth());
    private final ShrinkageShifts shifts = new ShrinkageShifts();
    private final short[] samples = new short[tile.samples.length];

    ShrinkageTrial(ShrinkageKernel kernel) {
        this.kernel = kernel;
        limits.set(THRESHOLD, BOUND);
        shifts.set(SHIFTS, 0, 0);
        tile.place(1, 0, 8 * (ShrinkageTile.MOST_BLOCKS + 2), 8, ShrinkageTile.MOST_BLOCKS);
        Random random = new Random(1);
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (short) (100 + random.nextInt(16));
        }
        System.arraycopy(samples, 0, tile.decoded, 0, tile.decoded.length);
    }

    /** Filters some bands. */
    @Override
    public void run() {
        kernel.begin(tile, limits, shifts);
        for (int band = 0; band < BANDS; band++) {
            System.arraycopy(samples, 0, tile.samples, 0, samples.length);
            kernel.shrink(band);
            kernel.bound(band);
        }
    }
}
