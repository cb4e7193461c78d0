/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;

/**
 * Deblocks single macroblocks of a picture of one format in place: the vertical edges from left to right, then the horizontal
 * edges from top to bottom (ITU-T H.264, 8.7). Owns its working memory; belongs to one worker.
 */
interface DeblockKernel {
    /** Filters all following macroblocks with {@code parameters}. */
    void configure(H264DeblockParameters parameters);

    /** Filters the following macroblock as the map says of that in this column and row of macroblocks. */
    void follow(H264EdgeMap map, int column, int row);

    /**
     * Filters luma, or a chroma component of 4:4:4 video, which the standard filters in the same way. Reads and writes nothing
     * but the macroblock, the four columns left of it where it has a left neighbour, and the four rows above it where it has
     * an upper one.
     *
     * @param component 0 luma, 1 Cb, 2 Cr
     * @param address of the macroblock's first sample
     * @param strideBytes bytes a row
     * @param columns samples a row that lie in the picture, 1 to 16
     * @param rows rows that lie in the picture, 1 to 16
     * @param left whether the macroblock has a left neighbour
     * @param top whether it has an upper one
     */
    void luma(int component, long address, long strideBytes, int columns, int rows, boolean left, boolean top);

    /**
     * Filters both chroma components of 4:2:0 or 4:2:2 video, which lie in planes of their own or alternate in one. Reads and
     * writes nothing but the macroblock, the four columns left of it and the two rows above it, as of {@link #luma}.
     *
     * @param cb address of the macroblock's first Cb sample
     * @param cbStrideBytes bytes a row
     * @param cr address of the macroblock's first Cr sample, one sample from {@code cb} where they alternate
     * @param crStrideBytes bytes a row
     * @param pixelStep samples from one of a component to the next, 1 or 2
     * @param columns samples of a component in a row that lie in the picture, 1 to 8
     * @param rows rows that lie in the picture, 1 to 8, or to 16 of 4:2:2 video
     * @param left whether the macroblock has a left neighbour
     * @param top whether it has an upper one
     */
    void chroma(
            long cb,
            long cbStrideBytes,
            long cr,
            long crStrideBytes,
            int pixelStep,
            int columns,
            int rows,
            boolean left,
            boolean top);
}
