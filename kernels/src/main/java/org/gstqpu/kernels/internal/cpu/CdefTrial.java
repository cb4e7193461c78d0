/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import java.util.Random;

/**
 * Owns a CDEF kernel and a tile to time it on; the tile is flat but for noise. Belongs to the thread that runs the
 * trial.
 */
final class CdefTrial implements Runnable {
    static final int BIT_DEPTH = 8;

    private static final int DAMPING = 5;
    private static final int PRIMARY = 2;
    private static final int SECONDARY = 2;

    private final CdefKernel kernel;
    private final CdefTile tile = new CdefTile();

    private CdefTrial(CdefKernel kernel) {
        this.kernel = kernel;
        Random random = new Random(1);
        for (int i = 0; i < tile.in.length; i++) {
            tile.in[i] = (short) (100 + random.nextInt(16));
        }
    }

    /** Makes a trial of {@code kernel}, which must be for samples of {@link #BIT_DEPTH} bits. */
    static CdefTrial of(CdefKernel kernel) {
        return new CdefTrial(kernel);
    }

    /** Makes a trial of the plain kernel. */
    static CdefTrial plain() {
        CdefConstraints constraints = new CdefConstraints(BIT_DEPTH);
        constraints.prepare(PRIMARY, DAMPING);
        constraints.prepare(SECONDARY, DAMPING);
        return new CdefTrial(new PlainCdefKernel(constraints, BIT_DEPTH));
    }

    /** Filters the whole tile once. */
    @Override
    public void run() {
        kernel.begin(tile, 64, 64);
        for (int y = 0; y < 64; y += 8) {
            for (int x = 0; x < 64; x += 8) {
                int index = CdefTile.ORIGIN + y * CdefTile.STRIDE + x;
                kernel.filter(tile, index, 8, 1, PRIMARY, SECONDARY, kernel.search(x, y), DAMPING);
            }
        }
    }
}
