package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryUtil.memAlloc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** The compute shaders, each a resource that the build makes from the GLSL source of that name. */
public enum Kernel {
    CLEAR("clear"),
    COPY("copy"),
    KEEP_LEFT("keep_left"),
    SHIFT("shift"),
    STRENGTH_MEASURE("strength_measure"),
    STRENGTH_DECIDE("strength_decide"),
    QUALITY_SIMILARITY("quality_similarity"),
    QUALITY_HVS("quality_hvs"),
    H264_DEBLOCK("h264_deblock"),
    H264_DEBLOCK_16("h264_deblock_16"),
    H264_DEBLOCK_TILES("h264_deblock_tiles"),
    H264_DEBLOCK_CHASE("h264_deblock_chase"),
    H264_DEBLOCK_CHASE_16("h264_deblock_chase_16"),
    H264_DEBLOCK_CHASE_WIDE("h264_deblock_chase_wide"),
    H264_DEBLOCK_CHASE_WIDE_16("h264_deblock_chase_wide_16"),
    CDEF_LIST("cdef_list"),
    CDEF_DIRECTION("cdef_direction"),
    CDEF_FILTER("cdef_filter"),
    CDEF_DIRECTION_TEXELS("cdef_direction_texels"),
    CDEF_FILTER_PLAIN("cdef_filter_plain"),
    CDEF_FILTER_TEXELS("cdef_filter_texels"),
    CDEF_BLOCK_DIRECTION("cdef_block_direction"),
    CDEF_BLOCK_FILTER("cdef_block_filter"),
    CDEF_BLOCK_FILTER_PLAIN("cdef_block_filter_plain"),
    H264_EDGE("h264_edge"),
    VP9_IDCT8X8("vp9_idct8x8"),
    VP9_IDCT8X8_PLAIN("vp9_idct8x8_plain"),
    VP9_LPF("vp9_lpf"),
    VP9_LPF_PLAIN("vp9_lpf_plain"),
    VP9_MC8X8("vp9_mc8x8"),
    VP9_MC8X8_PLAIN("vp9_mc8x8_plain");

    private final String name;

    Kernel(String name) {
        this.name = name;
    }

    /** The SPIR-V module; the caller frees it with {@code memFree}. */
    public ByteBuffer load() {
        String resource = name + ".spv";
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
