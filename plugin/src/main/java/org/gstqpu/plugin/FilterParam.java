/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.List;

/**
 * The fields of {@code qpu-filter-params}, declared once. The build generates libgstqpu.so's table of these fields from this enum.
 * {@code qpu-filter-params} is a custom GstMeta: a GstStructure that travels with a buffer. With it a decoder or an application
 * says how one frame is filtered, in place of the properties and of automatic strength. Every field is optional unless {@link
 * #CODEC} requires it.
 *
 * <ul>
 *   <li>Without {@code codec}, a field that is named like a property overrides that property. A filter then runs if all its values
 *       are known, from fields or from properties. A filter that the element would choose a value for does not run.
 *   <li>With {@code codec=h264} the frame is deblocked as its decoder would deblock it, and no other filter runs. Either {@code qp}
 *       or {@code qp-map} and the other H.264 fields describe the frame, or {@code edges} alone. A frame without {@code bs-map} is
 *       deblocked as an intra frame.
 *   <li>With {@code codec=av1} CDEF runs as in the frame's decoder, and no other filter runs. It needs {@code cdef-damping}, and
 *       either {@code cdef-strengths} or the four single strengths. The two maps are optional.
 * </ul>
 *
 * A filter whose property ({@code deblock}, {@code cdef}) is off does not run, whatever the fields say. Maps have no padding. They
 * hold macroblocks or blocks in raster order, as many as cover the picture in the buffer before any cropping by a GstVideoCropMeta.
 * A frame whose fields cannot be used passes unfiltered; the element warns once for each cause. Immutable; any thread.
 */
public enum FilterParam {
    /** Width of the picture that the maps are for, in luma samples. The frame's width must equal it. */
    WIDTH("width", Type.INT, Use.ALWAYS),
    /** Height of the picture that the maps are for, in luma samples. The frame's height must equal it. */
    HEIGHT("height", Type.INT, Use.ALWAYS),
    /** The codec that coded the frame. */
    CODEC("codec", Type.CHOICE, Use.ALWAYS),
    /** QPY of all macroblocks, 0 to 51. */
    QP("qp", Type.INT, Use.PLAIN_AND_H264),
    /** slice_alpha_c0_offset_div2, -6 to 6. Default with {@code codec}: 0. */
    ALPHA_OFFSET("alpha-offset", Type.INT, Use.PLAIN_AND_H264),
    /** slice_beta_offset_div2, -6 to 6. Default with {@code codec}: 0. */
    BETA_OFFSET("beta-offset", Type.INT, Use.PLAIN_AND_H264),
    /** chroma_qp_index_offset, -12 to 12, for Cb and, without {@code cr-qp-offset}, for Cr. Default with {@code codec}: 0. */
    CHROMA_QP_OFFSET("chroma-qp-offset", Type.INT, Use.PLAIN_AND_H264),
    /** second_chroma_qp_index_offset, -12 to 12, for Cr. */
    CR_QP_OFFSET("cr-qp-offset", Type.INT, Use.PLAIN_AND_H264),
    /** 1: all macroblocks have 8x8 transforms; 0: all have 4x4 transforms. Default with {@code codec}: 0. */
    TRANSFORM_8X8("transform-8x8", Type.INT, Use.PLAIN_AND_H264),
    /** disable_deblocking_filter_idc of all slices: 0, 1 or 2. Default: 0. */
    DISABLE_DEBLOCKING_FILTER_IDC("disable-deblocking-filter-idc", Type.INT, Use.H264),
    /** One byte for each macroblock: QPY, or 0 for I_PCM. Replaces {@code qp}. */
    QP_MAP("qp-map", Type.BYTES, Use.H264),
    /**
     * 32 bytes for each macroblock: the values of bS. First come the four vertical edges from left to right, each in four parts of
     * four luma samples from top to bottom. Then come the four horizontal edges from top to bottom, each in four parts from left to
     * right. A value is 0 to 3; or 4 in all four parts of an edge between macroblocks.
     */
    BS_MAP("bs-map", Type.BYTES, Use.H264),
    /** One byte for each macroblock: transform_size_8x8_flag. Replaces {@code transform-8x8}. */
    TRANSFORM_8X8_MAP("transform-8x8-map", Type.BYTES, Use.H264),
    /** 2 bytes for each macroblock, little-endian: the number of its slice. Without this map all macroblocks belong to slice 0. */
    SLICE_MAP("slice-map", Type.BYTES, Use.H264),
    /**
     * 3 bytes for each slice: slice_alpha_c0_offset_div2 and slice_beta_offset_div2, signed, and disable_deblocking_filter_idc.
     * Replaces {@code alpha-offset}, {@code beta-offset} and {@code disable-deblocking-filter-idc}.
     */
    SLICE_TABLE("slice-table", Type.BYTES, Use.H264),
    /**
     * 16 bytes for each edge of 16 luma or 8 chroma samples, in any order of edges. The bytes are: component (0 Y, 1 Cb, 2 Cr);
     * direction (0 vertical edge, 1 horizontal edge); 1 if bS is 4, else 0; alpha; beta; 0; x and y of the first sample to the right
     * of or below the edge, in samples of the component (2 bytes each, little-endian); tC0 of the edge's four parts (signed, -1 if
     * bS is 0); 0; 0. Replaces every other field except {@code codec}, {@code width} and {@code height}.
     */
    EDGES("edges", Type.BYTES, Use.H264),
    /** CdefDamping, 3 to 6. */
    CDEF_DAMPING("cdef-damping", Type.INT, Use.PLAIN_AND_AV1),
    /** Luma strength along the direction, 0 to 15. */
    CDEF_Y_PRIMARY("cdef-y-primary", Type.INT, Use.PLAIN_AND_AV1),
    /** Chroma strength along the direction, 0 to 15. */
    CDEF_UV_PRIMARY("cdef-uv-primary", Type.INT, Use.PLAIN_AND_AV1),
    /** Luma strength across the direction, 0, 1, 2 or 4. */
    CDEF_Y_SECONDARY("cdef-y-secondary", Type.INT, Use.PLAIN_AND_AV1),
    /** Chroma strength across the direction, 0, 1, 2 or 4. */
    CDEF_UV_SECONDARY("cdef-uv-secondary", Type.INT, Use.PLAIN_AND_AV1),
    /** 4 bytes for each of up to 8 strengths: luma primary, luma secondary, chroma primary, chroma secondary. */
    CDEF_STRENGTHS("cdef-strengths", Type.BYTES, Use.AV1),
    /**
     * One signed byte for each 64x64 luma block: index of its strength, or -1 for no CDEF. Without this map every block has the first
     * strength.
     */
    CDEF_INDEX_MAP("cdef-index-map", Type.BYTES, Use.AV1),
    /** One byte for each 8x8 luma block: not 0 if the whole block is skip coded; its luma and chroma then stay unfiltered. */
    CDEF_SKIP_MAP("cdef-skip-map", Type.BYTES, Use.AV1);

    /** What a field holds. */
    public enum Type {
        /** A gint or guint. */
        INT,
        /** A string, one of {@link #choices}. */
        CHOICE,
        /** A GBytes or a GstBuffer. Its bytes are read while the frame is begun. */
        BYTES
    }

    /** The codecs with which a field may be used. */
    private enum Use {
        ALWAYS,
        PLAIN_AND_H264,
        PLAIN_AND_AV1,
        H264,
        AV1
    }

    /** Index of {@code h264} in the choices of {@link #CODEC}. */
    static final int H264 = 0;

    /** Index of {@code av1} in the choices of {@link #CODEC}. */
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

    /** The values that a field of the type {@link Type#CHOICE} may have. */
    public List<String> choices() {
        return type == Type.CHOICE ? List.of("h264", "av1") : List.of();
    }

    /** Index of the field in the array into which C reads the fields. */
    @SuppressWarnings("EnumOrdinal")
    int slot() {
        return ordinal();
    }

    /** True if the field may be used with this codec: its index in the choices, or -1 for none. */
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
