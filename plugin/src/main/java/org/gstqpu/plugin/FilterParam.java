/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.List;

/**
 * The fields of {@code qpu-filter-params}, declared once: libgstqpu.so's table of them is generated from this enum when it is
 * built. That is a custom GstMeta (a GstStructure that travels with a buffer) by which a decoder or an application says what
 * is to be done to one frame, in place of what the properties say and of automatic strength. All fields are optional, but for
 * what {@link #CODEC} asks for.
 *
 * <ul>
 *   <li>Without {@code codec}, fields named as properties override these. Each filter runs whose values are all known then,
 *       from here or from the properties; what is left to the element's choice is not run.
 *   <li>With {@code codec=h264} the frame is deblocked as its decoder would, and no more: by {@code qp} or {@code qp-map} and
 *       what else there is, as an intra frame where there is no {@code bs-map}; or by {@code edges} alone.
 *   <li>With {@code codec=av1} CDEF runs as in its decoder, and no more: by {@code cdef-damping} and {@code cdef-strengths} or
 *       the four single strengths, and the maps.
 * </ul>
 *
 * A filter whose property ({@code deblock}, {@code cdef}) is off does not run all the same. Maps have no padding; their macroblocks
 * and blocks come in raster order, as many as it takes to cover the picture in the buffer, before any cropping by a
 * GstVideoCropMeta. Frames whose fields make no sense pass unfiltered, with a warning for each cause.
 */
public enum FilterParam {
    /** Width of the picture that the maps are for, in luma samples: checked. */
    WIDTH("width", Type.INT, Use.ALWAYS),
    /** Its height. */
    HEIGHT("height", Type.INT, Use.ALWAYS),
    /** What coded the frame. */
    CODEC("codec", Type.CHOICE, Use.ALWAYS),
    /** QPY of all macroblocks, 0 to 51. */
    QP("qp", Type.INT, Use.PLAIN_AND_H264),
    /** slice_alpha_c0_offset_div2, -6 to 6; 0 with {@code codec}. */
    ALPHA_OFFSET("alpha-offset", Type.INT, Use.PLAIN_AND_H264),
    /** slice_beta_offset_div2, -6 to 6; 0 with {@code codec}. */
    BETA_OFFSET("beta-offset", Type.INT, Use.PLAIN_AND_H264),
    /** chroma_qp_index_offset, -12 to 12, for Cb and, without {@code cr-qp-offset}, for Cr; 0 with {@code codec}. */
    CHROMA_QP_OFFSET("chroma-qp-offset", Type.INT, Use.PLAIN_AND_H264),
    /** second_chroma_qp_index_offset, -12 to 12, for Cr. */
    CR_QP_OFFSET("cr-qp-offset", Type.INT, Use.PLAIN_AND_H264),
    /** 1: all macroblocks have 8x8 transforms; 0: 4x4 ones, as without this field with {@code codec}. */
    TRANSFORM_8X8("transform-8x8", Type.INT, Use.PLAIN_AND_H264),
    /** disable_deblocking_filter_idc of all slices: 0 (as without), 1 or 2. */
    DISABLE_DEBLOCKING_FILTER_IDC("disable-deblocking-filter-idc", Type.INT, Use.H264),
    /** A byte a macroblock: QPY, 0 where it is I_PCM; in place of {@code qp}. */
    QP_MAP("qp-map", Type.BYTES, Use.H264),
    /**
     * 32 bytes a macroblock: bS of the four vertical edges from left to right, each in four parts of four luma samples from top
     * to bottom; then of the four horizontal edges from top to bottom, parts from left to right. 0 to 3, or 4 in all parts of an
     * edge between macroblocks.
     */
    BS_MAP("bs-map", Type.BYTES, Use.H264),
    /** A byte a macroblock: transform_size_8x8_flag; in place of {@code transform-8x8}. */
    TRANSFORM_8X8_MAP("transform-8x8-map", Type.BYTES, Use.H264),
    /** 2 bytes a macroblock, little-endian: the number of its slice; without this map all are of slice 0. */
    SLICE_MAP("slice-map", Type.BYTES, Use.H264),
    /**
     * 3 bytes a slice: slice_alpha_c0_offset_div2 and slice_beta_offset_div2, signed, and disable_deblocking_filter_idc; in
     * place of the three fields above.
     */
    SLICE_TABLE("slice-table", Type.BYTES, Use.H264),
    /**
     * 16 bytes an edge of 16 luma or 8 chroma samples, in any order: component (0 Y, 1 Cb, 2 Cr), direction (0 a vertical edge, 1
     * a horizontal one), 1 where bS is 4, alpha, beta, 0, x and y of the first sample on its far side in samples of the component
     * (2 bytes each, little-endian), tC0 of its four parts (signed, -1 where bS is 0), 0, 0. In place of all other fields but
     * {@code codec} and the size.
     */
    EDGES("edges", Type.BYTES, Use.H264),
    /** CdefDamping, 3 to 6. */
    CDEF_DAMPING("cdef-damping", Type.INT, Use.PLAIN_AND_AV1),
    /** Luma strength along the direction, 0 to 15. */
    CDEF_Y_PRIMARY("cdef-y-primary", Type.INT, Use.PLAIN_AND_AV1),
    /** The same for chroma. */
    CDEF_UV_PRIMARY("cdef-uv-primary", Type.INT, Use.PLAIN_AND_AV1),
    /** Luma strength across the direction, 0, 1, 2 or 4. */
    CDEF_Y_SECONDARY("cdef-y-secondary", Type.INT, Use.PLAIN_AND_AV1),
    /** The same for chroma. */
    CDEF_UV_SECONDARY("cdef-uv-secondary", Type.INT, Use.PLAIN_AND_AV1),
    /** 4 bytes each of up to 8 strengths: luma primary, luma secondary, chroma primary, chroma secondary. */
    CDEF_STRENGTHS("cdef-strengths", Type.BYTES, Use.AV1),
    /** A signed byte a 64x64 luma block: which of the strengths, -1 for none; without this map the first everywhere. */
    CDEF_INDEX_MAP("cdef-index-map", Type.BYTES, Use.AV1),
    /** A byte an 8x8 luma block: not 0 where all of it is skip coded, so that its luma and chroma are left alone. */
    CDEF_SKIP_MAP("cdef-skip-map", Type.BYTES, Use.AV1);

    /** What a field holds. */
    public enum Type {
        /** A gint or guint. */
        INT,
        /** A string, one of {@link #choices}. */
        CHOICE,
        /** A GBytes or a GstBuffer, whose bytes are read while the frame is begun. */
        BYTES
    }

    /** With which codec a field goes. */
    private enum Use {
        ALWAYS,
        PLAIN_AND_H264,
        PLAIN_AND_AV1,
        H264,
        AV1
    }

    /** The place of {@code h264} among the choices of {@link #CODEC}. */
    static final int H264 = 0;

    /** The place of {@code av1}. */
    static final int AV1 = 1;

    private final String gstName;
    private final Type type;
    private final Use use;

    FilterParam(String gstName, Type type, Use use) {
        this.gstName = gstName;
        this.type = type;
        this.use = use;
    }

    /** The field's name in the GstStructure. */
    public String gstName() {
        return gstName;
    }

    /** What the field holds. */
    public Type type() {
        return type;
    }

    /** What a {@link Type#CHOICE} may be. */
    public List<String> choices() {
        return type == Type.CHOICE ? List.of("h264", "av1") : List.of();
    }

    /** The field's place among those that C reads. */
    @SuppressWarnings("EnumOrdinal")
    int slot() {
        return ordinal();
    }

    /** Whether the field goes with a codec, by its place among the choices, or with none, -1. */
    boolean goesWith(int codec) {
        return switch (use) {
            case ALWAYS -> true;
            case PLAIN_AND_H264 -> codec != AV1;
            case PLAIN_AND_AV1 -> codec != H264;
            case H264 -> codec == H264;
            case AV1 -> codec == AV1;
        };
    }
}
