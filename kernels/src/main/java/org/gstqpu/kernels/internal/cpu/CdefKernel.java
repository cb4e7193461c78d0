/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

/**
 * The arithmetic of CDEF over the blocks of a tile (AV1 specification, 7.15.2 and 7.15.3). All kernels give the same
 * samples. Belongs to one worker.
 */
interface CdefKernel {
    /**
     * Takes up a luma tile, so that {@link #search} may be asked for its blocks.
     *
     * @param tile read, left as it is until the last search
     * @param columns of the tile that lie in the picture
     * @param rows of the tile that lie in the picture
     */
    void begin(CdefTile tile, int columns, int rows);

    /**
     * Finds the direction of an 8x8 block of the tile; samples beyond the picture are those at its border.
     *
     * @param x column of the block's first sample, in the picture
     * @param y row of the block's first sample, in the picture
     * @return 0..7; {@link #variance} holds the variance
     */
    int search(int x, int y);

    /** Variance of the block that was searched last. */
    int variance();

    /**
     * Filters a block of a tile, from its samples as read into its result; at least one of the strengths is not 0.
     *
     * @param tile luma, one chroma component or both, sample by sample
     * @param index of the block's first sample
     * @param rows of eight samples each, 8, or 4 for chroma of 4:2:0 video
     * @param pixelStep samples from one to the next of the same component, 2 where there are both of chroma
     * @param primary strength, scaled to the bit depth, luma's adjusted
     * @param secondary strength, scaled to the bit depth
     * @param direction 0..7
     * @param damping scaled to the bit depth, chroma's one less than luma's
     */
    void filter(
            CdefTile tile, int index, int rows, int pixelStep, int primary, int secondary, int direction, int damping);
}
