/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.shrinkage;

import org.gstqpu.kernels.internal.stage.ShrinkageLimits;

/**
 * The arithmetic of shrinkage over the bands of a strip, from top to bottom. All implementations give the same samples.
 * Belongs to one worker.
 */
interface ShrinkageKernel {
    /** Begins a strip. The tile, the limits and the shifts must not change before the strip ends. */
    void begin(ShrinkageTile tile, ShrinkageLimits limits, ShrinkageShifts shifts);

    /**
     * Transforms the blocks of all shifts that begin in a band, and replaces the band's samples by the result. Reads the other
     * band too, which must hold the rows below. The result is right if the call before was for the band above.
     *
     * @param band 0 or 1: where in the tile the band lies
     */
    void shrink(int band);

    /**
     * Bounds the change of a band's samples against {@link ShrinkageTile#decoded}, in the blocks of the codec's grid that lie
     * wholly in the plane. The band's rows must all lie in the plane.
     *
     * @param band 0 or 1: where in the tile the band lies
     */
    void bound(int band);
}
