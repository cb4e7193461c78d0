/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import org.gstqpu.kernels.internal.vulkan.work.Kernel;

/** The shaders of the block library. */
public enum CallKernel implements Kernel {
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

    CallKernel(String path) {
        this.path = path;
    }

    @Override
    public String path() {
        return path;
    }
}
