/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What a decoder knows of the macroblocks of one frame or field (ITU-T H.264, 7.4.5 and 8.7). {@link H264EdgeMap#derive} finds the
 * strength of every edge from it.
 *
 * <p>A value holds for the whole picture. A map has an entry for each macroblock, in raster order without padding. The memory of a
 * map stays its owner's, who must not change it until {@code derive} has returned. One object serves picture after picture: {@link
 * #reset} begins each. Belongs to one thread at a time.
 *
 * <p>There is no way to describe pictures that mix frame and field macroblocks (MBAFF).
 */
public final class H264MacroblockMaps {
    /** Bytes of a macroblock in the {@linkplain #bsMap bS map}. */
    public static final int BS_BYTES = 32;

    /** Bytes of a macroblock in the {@linkplain #sliceMap slice map}. */
    public static final int SLICE_BYTES = 2;

    /** Bytes of a slice in the {@linkplain #sliceTable table of slices}. */
    public static final int TABLE_BYTES = 3;

    // What the setters below describe; read by H264EdgeMap.derive.
    int qp;
    int cbQpIndexOffset;
    int crQpIndexOffset;
    int alphaOffsetDiv2;
    int betaOffsetDiv2;
    int disableDeblockingFilterIdc;
    boolean transform8x8;
    final Map qpMap = new Map("the QP map");
    final Map bsMap = new Map("the bS map");
    final Map transform8x8Map = new Map("the map of 8x8 transforms");
    final Map sliceMap = new Map("the slice map");
    final Map sliceTable = new Map("the table of slices");

    /** Values and maps as after {@link #reset}. */
    public H264MacroblockMaps() {}

    /** Begins another picture: intra, of QP 0, one slice with offsets 0, 4x4 transforms, no maps. */
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
     * Sets QPY of every macroblock.
     *
     * @param qp 0..51
     * @throws PictureParametersException when the QP is out of range
     */
    public void qp(int qp) {
        PictureParametersException.checkRange("QP", qp, 0, 51);
        this.qp = qp;
    }

    /** Sets a map that takes the place of {@link #qp}: a byte for each macroblock, its QPY, 0..51, or 0 if it is coded as I_PCM. */
    public void qpMap(long address, long sizeBytes) {
        qpMap.set(address, sizeBytes);
    }

    /**
     * Sets the offsets of chroma's QP (7.4.2.2).
     *
     * @param cb chroma_qp_index_offset, -12..12
     * @param cr second_chroma_qp_index_offset, -12..12; a stream without one has chroma_qp_index_offset here too
     * @throws PictureParametersException when an offset is out of range
     */
    public void chromaQpIndexOffsets(int cb, int cr) {
        PictureParametersException.checkRange("chroma_qp_index_offset", cb, -12, 12);
        PictureParametersException.checkRange("second_chroma_qp_index_offset", cr, -12, 12);
        cbQpIndexOffset = cb;
        crQpIndexOffset = cr;
    }

    /**
     * Sets what the slice headers say (7.4.3), for all slices. A {@link #sliceTable} takes the place of these values.
     *
     * @param alphaOffsetDiv2 slice_alpha_c0_offset_div2, -6..6
     * @param betaOffsetDiv2 slice_beta_offset_div2, -6..6
     * @param disableDeblockingFilterIdc 0: all edges are filtered; 1: none; 2: none between slices
     * @throws PictureParametersException when a value is out of range
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
     * Sets a table with {@value #TABLE_BYTES} bytes for each slice: i8 slice_alpha_c0_offset_div2, i8 slice_beta_offset_div2, u8
     * disable_deblocking_filter_idc. Ranges are those of {@link #slice}.
     */
    public void sliceTable(long address, long sizeBytes) {
        sliceTable.set(address, sizeBytes);
    }

    /**
     * Sets a map of slices: {@value #SLICE_BYTES} bytes for each macroblock, little-endian, the number of its slice from 0. The number
     * is the index in the {@link #sliceTable} if there is one. Without this map, all macroblocks belong to slice 0.
     */
    public void sliceMap(long address, long sizeBytes) {
        sliceMap.set(address, sizeBytes);
    }

    /**
     * Sets a map of bS (8.7.2.1): {@value #BS_BYTES} bytes for each macroblock, one for each part of four luma samples of an edge.
     * First come the four vertical edges from left to right, each from top to bottom; then the four horizontal edges from top to
     * bottom, each from left to right. bS is 0..3, or 4 in all parts of an edge between macroblocks. Entries at the picture's border
     * and at edges that are no transform edges do not count. Without this map, bS is that of an intra frame: 4 between macroblocks, 3
     * inside.
     */
    public void bsMap(long address, long sizeBytes) {
        bsMap.set(address, sizeBytes);
    }

    /** Sets transform_size_8x8_flag of every macroblock. */
    public void transform8x8(boolean transform8x8) {
        this.transform8x8 = transform8x8;
    }

    /** Sets a map that takes the place of {@link #transform8x8}: a byte for each macroblock, its transform_size_8x8_flag, 0 or 1. */
    public void transform8x8Map(long address, long sizeBytes) {
        transform8x8Map.set(address, sizeBytes);
    }

    /** A map in memory that its owner keeps, or no map. */
    static final class Map {
        final String name;
        long address;
        long sizeBytes;

        private Map(String name) {
            this.name = name;
        }

        private void set(long address, long sizeBytes) {
            this.address = address;
            this.sizeBytes = sizeBytes;
        }

        boolean isThere() {
            return address != 0;
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
