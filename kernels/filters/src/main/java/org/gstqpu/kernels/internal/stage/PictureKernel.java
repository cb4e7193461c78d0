/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import org.gstqpu.kernels.internal.vulkan.work.Kernel;

/** The shaders of the picture filters. */
public enum PictureKernel implements Kernel {
    KEEP_LEFT("picture/keep_left"),
    SHIFT("picture/shift"),
    UNPACK("picture/unpack"),
    PACK("picture/pack"),
    STRENGTH_MEASURE("strength/measure"),
    STRENGTH_DECIDE("strength/decide"),
    H264_DEBLOCK("h264/deblock"),
    H264_DEBLOCK_16("h264/deblock_16"),
    H264_DEBLOCK_CHASE("h264/deblock_chase"),
    H264_DEBLOCK_CHASE_16("h264/deblock_chase_16"),
    H264_DEBLOCK_CHASE_WIDE("h264/deblock_chase_wide"),
    H264_DEBLOCK_CHASE_WIDE_16("h264/deblock_chase_wide_16"),
    CDEF_LIST("cdef/list"),
    CDEF_DIRECTION("cdef/direction"),
    CDEF_FILTER("cdef/filter"),
    CDEF_FILTER_PLAIN("cdef/filter_plain"),
    SHRINKAGE_FILTER("shrinkage/filter"),
    TIME_PYRAMID("time/pyramid"),
    TIME_BETWEEN("time/between"),
    TIME_SEARCH("time/search"),
    TIME_REFINE("time/refine"),
    TIME_MOTION("time/motion"),
    TIME_PREDICT("time/predict"),
    TIME_GUARD("time/guard"),
    TIME_FUSE("time/fuse");

    private final String path;

    PictureKernel(String path) {
        this.path = path;
    }

    @Override
    public String path() {
        return path;
    }
}
