/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What the H.264 deblocking filter (ITU-T H.264, 8.7) does to a picture in which all macroblocks have the same strength: an intra
 * picture of constant QP, or a picture of which nothing is known. {@link #intra} computes the indexes from a QP. Samples of more
 * than 8 bits have the same indexes: alpha, beta and tC0 are scaled to the bit depth (8.7.2.2, 8.7.2.3). Immutable.
 *
 * @param lumaIndexA index into the alpha and tC0 tables for luma, 0..51 (indexA, 8.7.2.2)
 * @param lumaIndexB index into the beta table for luma, 0..51
 * @param cbIndexA indexA for Cb, 0..51
 * @param cbIndexB indexB for Cb, 0..51
 * @param crIndexA indexA for Cr, 0..51
 * @param crIndexB indexB for Cr, 0..51
 * @param macroblockEdgeBs bS of the edges between macroblocks, 0 (unfiltered) to 4
 * @param innerEdgeBs bS of the edges inside a macroblock, 0 (unfiltered) to 3
 * @param transform8x8 transform_size_8x8_flag: luma and 4:4:4 chroma have edges every 8 samples if true, every 4 if false. Chroma
 *     of 4:2:0 and 4:2:2 has edges every 4 chroma samples either way
 */
public record H264DeblockParameters(
        int lumaIndexA,
        int lumaIndexB,
        int cbIndexA,
        int cbIndexB,
        int crIndexA,
        int crIndexB,
        int macroblockEdgeBs,
        int innerEdgeBs,
        boolean transform8x8) {

    /**
     * @throws IllegalArgumentException when a value is out of range
     */
    public H264DeblockParameters {
        checkIndex("lumaIndexA", lumaIndexA);
        checkIndex("lumaIndexB", lumaIndexB);
        checkIndex("cbIndexA", cbIndexA);
        checkIndex("cbIndexB", cbIndexB);
        checkIndex("crIndexA", crIndexA);
        checkIndex("crIndexB", crIndexB);
        if (macroblockEdgeBs < 0 || macroblockEdgeBs > 4 || innerEdgeBs < 0 || innerEdgeBs > 3) {
            throw new IllegalArgumentException("bS is 0..4 at macroblock edges and 0..3 inside, given "
                    + macroblockEdgeBs + " and " + innerEdgeBs);
        }
    }

    private static void checkIndex(String name, int index) {
        if (index < 0 || index > 51) {
            throw new IllegalArgumentException(name + " is 0..51, given " + index);
        }
    }

    /**
     * The parameters of the standard for an intra picture: bS 4 at macroblock edges, 3 inside.
     *
     * @param qp luma QP of every macroblock, 0..51: QPY, without the QpBdOffsetY of samples of more than 8 bits. Such video may have
     *     a QPY below 0, which filters nothing, as 0 does
     * @param filterOffsetA FilterOffsetA, -12..12 (twice slice_alpha_c0_offset_div2)
     * @param filterOffsetB FilterOffsetB, -12..12 (twice slice_beta_offset_div2)
     * @param cbQpIndexOffset chroma_qp_index_offset, -12..12
     * @param crQpIndexOffset second_chroma_qp_index_offset, -12..12; a stream without one has chroma_qp_index_offset here too
     * @param transform8x8 transform_size_8x8_flag
     */
    public static H264DeblockParameters intra(
            int qp,
            int filterOffsetA,
            int filterOffsetB,
            int cbQpIndexOffset,
            int crQpIndexOffset,
            boolean transform8x8) {
        int cbQp = H264Tables.chromaQp(qp + cbQpIndexOffset);
        int crQp = H264Tables.chromaQp(qp + crQpIndexOffset);
        return new H264DeblockParameters(
                clipIndex(qp + filterOffsetA),
                clipIndex(qp + filterOffsetB),
                clipIndex(cbQp + filterOffsetA),
                clipIndex(cbQp + filterOffsetB),
                clipIndex(crQp + filterOffsetA),
                clipIndex(crQp + filterOffsetB),
                4,
                3,
                transform8x8);
    }

    /** indexA of component 0 (luma), 1 (Cb) or 2 (Cr). */
    public int indexA(int component) {
        return component == 0 ? lumaIndexA : component == 1 ? cbIndexA : crIndexA;
    }

    /** indexB of component 0 (luma), 1 (Cb) or 2 (Cr). */
    public int indexB(int component) {
        return component == 0 ? lumaIndexB : component == 1 ? cbIndexB : crIndexB;
    }

    /** True if no edge is filtered, so that the picture stays as it is. */
    public boolean changesNothing() {
        return macroblockEdgeBs == 0 && innerEdgeBs == 0;
    }

    private static int clipIndex(int index) {
        return Math.max(0, Math.min(51, index));
    }
}
