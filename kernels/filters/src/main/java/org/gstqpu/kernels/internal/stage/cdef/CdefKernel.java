/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

/**
 * The arithmetic of CDEF over the 8x8 blocks of one tile (AV1 specification, 7.15.2 and 7.15.3). All implementations
 * give the same samples. Belongs to one worker.
 */
interface CdefKernel {
    /** How many bytes are read after those that {@link #widen} makes samples of. */
    int WIDENED_BEYOND = 8;

    /**
     * Takes a luma tile, so that {@link #search} can be called for each of the tile's blocks.
     *
     * @param tile read here and by each search, so it must not change before the last search
     * @param columns columns of the tile that lie in the picture
     * @param rows rows of the tile that lie in the picture
     */
    void begin(CdefTile tile, int columns, int rows);

    /**
     * Finds the direction of an 8x8 block of the tile. Outside the picture, the nearest sample at the picture's border
     * counts.
     *
     * @param x column of the block's first sample, in the tile
     * @param y row of the block's first sample, in the tile
     * @return 0..7; {@link #variance} then returns the block's variance
     */
    int search(int x, int y);

    /** Variance of the block of the last search. */
    int variance();

    /**
     * Filters one block of a tile, from the samples that the tile has read into the tile's result. At least one of the
     * two strengths must not be 0.
     *
     * @param tile luma, one chroma component, or both chroma components with alternating samples
     * @param index of the block's first sample in the tile
     * @param rows rows of the block, each of eight samples: 8, or 4 for chroma of 4:2:0 video
     * @param pixelStep distance between neighbouring samples of one component: 1, or 2 where both chroma components
     *     alternate
     * @param primary primary strength, scaled to the bit depth; for luma, already adjusted by the variance
     * @param secondary secondary strength, scaled to the bit depth
     * @param direction 0..7
     * @param damping scaled to the bit depth; for chroma, one less than for luma
     */
    void filter(
            CdefTile tile, int index, int rows, int pixelStep, int primary, int secondary, int direction, int damping);

    /**
     * Makes samples of bytes, which are numbers from 0 up: the first {@code count}, a multiple of eight. {@code from} is longer by
     * {@link #WIDENED_BEYOND}.
     */
    void widen(byte[] from, short[] to, int count);

    /**
     * Makes bytes of samples of 8 bit, eight an element of {@code to}: the samples from {@code first} to before
     * {@code end}, both multiples of eight. The index in {@code to} is that in {@code from}, divided by eight. Where a
     * sample is none of 8 bit, its element holds anything.
     */
    void narrow(short[] from, long[] to, int first, int end);
}
