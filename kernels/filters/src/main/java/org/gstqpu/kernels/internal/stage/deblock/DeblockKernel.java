/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;

/**
 * Deblocks single macroblocks of a picture of one format in place: the vertical edges from left to right, then the
 * horizontal edges from top to bottom (ITU-T H.264, 8.7). Owns its working memory. Belongs to one worker.
 */
interface DeblockKernel {
    /** Filters all following macroblocks with {@code parameters}. */
    void configure(H264DeblockParameters parameters);

    /**
     * Filters the following macroblock with the strengths that the map holds for this column and row of macroblocks.
     */
    void follow(H264EdgeMap map, int column, int row);

    /**
     * Filters luma, or a chroma component of 4:4:4 video, which the standard filters like luma. Reads and writes only
     * the macroblock, the four columns left of it if it has a left neighbour, and the four rows above it if it has an
     * upper neighbour.
     *
     * @param component 0 luma, 1 Cb, 2 Cr
     * @param address of the macroblock's first sample
     * @param strideBytes bytes a row
     * @param columns samples a row that lie in the picture, 1 to 16
     * @param rows rows that lie in the picture, 1 to 16
     * @param left whether the macroblock has a left neighbour
     * @param top whether the macroblock has an upper neighbour
     */
    void luma(int component, long address, long strideBytes, int columns, int rows, boolean left, boolean top);

    /**
     * Filters both chroma components of 4:2:0 or 4:2:2 video, which lie in two planes or alternate in one plane. Reads
     * and writes only the macroblock, the four columns left of it if it has a left neighbour, and the two rows above it
     * if it has an upper neighbour.
     *
     * @param cb address of the macroblock's first Cb sample
     * @param cbStrideBytes bytes a row
     * @param cr address of the macroblock's first Cr sample; one sample before or after {@code cb} if the components
     *     alternate
     * @param crStrideBytes bytes a row
     * @param pixelStep distance between neighbouring samples of one component: 1 or 2
     * @param columns samples of a component in a row that lie in the picture, 1 to 8
     * @param rows rows that lie in the picture, 1 to 8, or 1 to 16 in 4:2:2 video
     * @param left whether the macroblock has a left neighbour
     * @param top whether the macroblock has an upper neighbour
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
