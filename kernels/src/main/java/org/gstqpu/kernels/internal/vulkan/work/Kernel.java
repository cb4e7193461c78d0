/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryUtil.memAlloc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** The compute shaders. The build compiles each from the GLSL source of that path into a resource. */
public enum Kernel {
    CLEAR("common/clear"),
    COPY("common/copy"),
    KEEP_LEFT("picture/keep_left"),
    SHIFT("picture/shift"),
    UNPACK("picture/unpack"),
    PACK("picture/pack"),
    STRENGTH_MEASURE("strength/measure"),
    STRENGTH_DECIDE("strength/decide"),
    QUALITY_SIMILARITY("quality/similarity"),
    QUALITY_HVS("quality/hvs"),
    QUALITY_MOTION("quality/motion"),
    QUALITY_VIF("quality/vif"),
    QUALITY_ADM_WAVELET("quality/adm_wavelet"),
    QUALITY_ADM_DETAIL("quality/adm_detail"),
    QUALITY_FLOAT_LUMA("quality/float_luma"),
    QUALITY_FLOAT_HALVE("quality/float_halve"),
    QUALITY_FLOAT_WINDOW("quality/float_window"),
    QUALITY_FLOAT_WAVELET("quality/float_wavelet"),
    QUALITY_FLOAT_DETAIL("quality/float_detail"),
    QUALITY_FLOAT_MOTION("quality/float_motion"),
    QUALITY_SSIMULACRA_XYB("quality/ssimulacra_xyb"),
    QUALITY_SSIMULACRA_NEXT("quality/ssimulacra_next"),
    QUALITY_SSIMULACRA_ACROSS("quality/ssimulacra_across"),
    QUALITY_SSIMULACRA_DOWN("quality/ssimulacra_down"),
    H264_DEBLOCK("h264/deblock"),
    H264_DEBLOCK_16("h264/deblock_16"),
    H264_DEBLOCK_TILES("h264/deblock_tiles"),
    H264_DEBLOCK_CHASE("h264/deblock_chase"),
    H264_DEBLOCK_CHASE_16("h264/deblock_chase_16"),
    H264_DEBLOCK_CHASE_WIDE("h264/deblock_chase_wide"),
    H264_DEBLOCK_CHASE_WIDE_16("h264/deblock_chase_wide_16"),
    CDEF_LIST("cdef/list"),
    CDEF_DIRECTION("cdef/direction"),
    CDEF_FILTER("cdef/filter"),
    CDEF_DIRECTION_TEXELS("cdef/direction_texels"),
    CDEF_FILTER_PLAIN("cdef/filter_plain"),
    CDEF_FILTER_TEXELS("cdef/filter_texels"),
    SHRINKAGE_FILTER("shrinkage/filter"),
    CDEF_BLOCK_DIRECTION("cdef/block_direction"),
    CDEF_BLOCK_FILTER("cdef/block_filter"),
    CDEF_BLOCK_FILTER_PLAIN("cdef/block_filter_plain"),
    SHRINKAGE_BLOCK("shrinkage/block"),
    SHRINKAGE_BLOCK_PLAIN("shrinkage/block_plain"),
    H264_EDGE("h264/edge"),
    VP9_IDCT8X8("vp9/idct8x8"),
    VP9_IDCT8X8_PLAIN("vp9/idct8x8_plain"),
    VP9_LPF("vp9/lpf"),
    VP9_LPF_PLAIN("vp9/lpf_plain"),
    VP9_MC8X8("vp9/mc8x8"),
    VP9_MC8X8_PLAIN("vp9/mc8x8_plain");

    private final String path;

    Kernel(String path) {
        this.path = path;
    }

    /** Path of the GLSL source, without its ending. */
    public String path() {
        return path;
    }

    /** Loads the SPIR-V module. The caller frees it with {@code memFree}. */
    public ByteBuffer load() {
        String resource = "spirv/" + path + ".spv";
        try (InputStream in = Kernel.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks the shader " + resource + "; build again");
            }
            byte[] spirv = in.readAllBytes();
            return memAlloc(spirv.length).put(spirv).flip();
        } catch (IOException e) {
            throw new UncheckedIOException("the shader " + resource + " cannot be read", e);
        }
    }
}
