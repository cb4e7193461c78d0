/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What a decoder knows of the macroblocks of one frame or field (ITU-T H.264, 7.4.5 and 8.7), from which {@link
 * H264EdgeMap#derive} finds the strength of every edge: values that hold for the whole picture, and maps in memory of
 * somebody else's, which must stay as it is until then. Maps hold their macroblocks in raster order, without padding. Used for
 * one picture after the other: a new one begins with {@link #reset}. Belongs to one thread at a time.
 *
 * <p>Pictures whose macroblocks are frame and field ones by turns (MBAFF) cannot be told so.
 */
public final class H264MacroblockMaps {
    /** Bytes of a macroblock in the map of bS. */
    public static final int BS_BYTES = 32;

    /** Bytes of a macroblock in the map of slices. */
    public static final int SLICE_BYTES = 2;

    /** Bytes of a slice in the table of slices. */
    public static final int TABLE_BYTES = 3;

    private int qp;
    private int cbQpIndexOffset;
    private int crQpIndexOffset;
    private int alphaOffsetDiv2;
    private int betaOffsetDiv2;
    private int disableDeblockingFilterIdc;
    private boolean transform8x8;
    final Map qpMap = new Map("the QP map");
    final Map bsMap = new Map("the bS map");
    final Map transform8x8Map = new Map("the map of 8x8 transforms");
    final Map sliceMap = new Map("the slice map");
    final Map sliceTable = new Map("the table of slices");

    /** As after {@link #reset}. */
    public H264MacroblockMaps() {}

    /** An intra picture of QP 0, one slice with offsets 0, 4x4 transforms. */
    public void reset() {
        qp = 0;
        cbQpIndexOffset = 0;
        crQpIndexOffset = 0;
        alphaOffsetDiv2 = 0;
        betaOffsetDiv2 = 0;
        disableDeblockingFilterIdc = 0;
        transform8x8 = false;
        qpMap.set(0, 0);
        bsMap.set(0, 0);
        transform8x8Map.set(0, 0);
        sliceMap.set(0, 0);
        sliceTable.set(0, 0);
    }

    /**
     * QPY of every macroblock.
     *
     * @param qp 0..51
     */
    public void qp(int qp) {
        PictureParametersException.checkRange("QP", qp, 0, 51);
        this.qp = qp;
    }

    /** A byte a macroblock: QPY, 0..51; 0 where it is coded as I_PCM. In place of {@link #qp}. */
    public void qpMap(long address, long sizeBytes) {
        qpMap.set(address, sizeBytes);
    }

    /**
     * chroma_qp_index_offset and second_chroma_qp_index_offset (7.4.2.2), the same where a stream has but one.
     *
     * @param cb -12..12
     * @param cr -12..12
     */
    public void chromaQpIndexOffsets(int cb, int cr) {
        PictureParametersException.checkRange("chroma_qp_index_offset", cb, -12, 12);
        PictureParametersException.checkRange("second_chroma_qp_index_offset", cr, -12, 12);
        cbQpIndexOffset = cb;
        crQpIndexOffset = cr;
    }

    /**
     * What the slice headers say (7.4.3) where there is no {@link #sliceTable}.
     *
     * @param alphaOffsetDiv2 slice_alpha_c0_offset_div2, -6..6
     * @param betaOffsetDiv2 slice_beta_offset_div2, -6..6
     * @param disableDeblockingFilterIdc 0: all edges are filtered; 1: none; 2: none between slices
     */
    public void slice(int alphaOffsetDiv2, int betaOffsetDiv2, int disableDeblockingFilterIdc) {
        PictureParametersException.checkRange("slice_alpha_c0_offset_div2", alphaOffsetDiv2, -6, 6);
        PictureParametersException.checkRange("slice_beta_offset_div2", betaOffsetDiv2, -6, 6);
        PictureParametersException.checkRange("disable_deblocking_filter_idc", disableDeblockingFilterIdc, 0, 2);
        this.alphaOffsetDiv2 = alphaOffsetDiv2;
        this.betaOffsetDiv2 = betaOffsetDiv2;
        this.disableDeblockingFilterIdc = disableDeblockingFilterIdc;
    }

    /**
     * {@value #TABLE_BYTES} bytes a slice: slice_alpha_c0_offset_div2 and slice_beta_offset_div2, signed, and
     * disable_deblocking_filter_idc; ranges as of {@link #slice}.
     */
    public void sliceTable(long address, long sizeBytes) {
        sliceTable.set(address, sizeBytes);
    }

    /**
     * {@value #SLICE_BYTES} bytes a macroblock, little-endian: the number of its slice, from 0 on, by which it stands in the
     * {@link #sliceTable}, where there is one. Without this map all are of slice 0.
     */
    public void sliceMap(long address, long sizeBytes) {
        sliceMap.set(address, sizeBytes);
    }

    /**
     * {@value #BS_BYTES} bytes a macroblock: bS (8.7.2.1) of the four vertical edges from left to right, in each of four parts
     * of four luma samples from top to bottom, then of the four horizontal edges from top to bottom, their parts from left
     * to right. 0..3, or, at edges between macroblocks, 4 in all parts. Edges at the picture's border and edges that are no
     * transform edges do not count. Without this map bS is as in an intra frame: 4 between macroblocks, 3 inside.
     */
    public void bsMap(long address, long sizeBytes) {
        bsMap.set(address, sizeBytes);
    }

    /** Whether transform_size_8x8_flag is 1 in every macroblock. */
    public void transform8x8(boolean transform8x8) {
        this.transform8x8 = transform8x8;
    }

    /** A byte a macroblock: transform_size_8x8_flag, 0 or 1. In place of {@link #transform8x8}. */
    public void transform8x8Map(long address, long sizeBytes) {
        transform8x8Map.set(address, sizeBytes);
    }

    int qp() {
        return qp;
    }

    boolean transform8x8() {
        return transform8x8;
    }

    int cbQpIndexOffset() {
        return cbQpIndexOffset;
    }

    int crQpIndexOffset() {
        return crQpIndexOffset;
    }

    int alphaOffsetDiv2() {
        return alphaOffsetDiv2;
    }

    int betaOffsetDiv2() {
        return betaOffsetDiv2;
    }

    int disableDeblockingFilterIdc() {
        return disableDeblockingFilterIdc;
    }

    /** Memory of somebody else's, or none. */
    static final class Map {
        private final String name;
        private long address;
        private long sizeBytes;

        private Map(String name) {
            this.name = name;
        }

        private void set(long address, long sizeBytes) {
            this.address = address;
            this.sizeBytes = sizeBytes;
        }

        String name() {
            return name;
        }

        boolean isThere() {
            return address != 0;
        }

        long address() {
            return address;
        }

        long sizeBytes() {
            return sizeBytes;
        }

        void checkSize(long neededBytes, int width, int height) {
            if (isThere() && sizeBytes != neededBytes) {
                throw new PictureParametersException(
                        name,
                        name + " has " + sizeBytes + " bytes, a picture of " + width + "x" + height + " needs "
                                + neededBytes);
            }
        }
    }
}
