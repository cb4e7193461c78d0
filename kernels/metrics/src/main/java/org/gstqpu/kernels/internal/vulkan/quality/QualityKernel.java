/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import org.gstqpu.kernels.internal.vulkan.work.Kernel;

/** The shaders of the metrics. */
public enum QualityKernel implements Kernel {
    GATHER("quality/gather"),
    SIMILARITY("quality/similarity"),
    HVS("quality/hvs"),
    MOTION("quality/motion"),
    LUMA_KEEP("quality/luma_keep"),
    VIF("quality/vif"),
    ADM_WAVELET("quality/adm_wavelet"),
    ADM_DETAIL("quality/adm_detail"),
    FLOAT_LUMA("quality/float_luma"),
    FLOAT_HALVE("quality/float_halve"),
    FLOAT_WINDOW("quality/float_window"),
    FLOAT_WAVELET("quality/float_wavelet"),
    FLOAT_DETAIL("quality/float_detail"),
    FLOAT_MOTION("quality/float_motion"),
    SSIMULACRA_XYB("quality/ssimulacra_xyb"),
    SSIMULACRA_NEXT("quality/ssimulacra_next"),
    SSIMULACRA_ACROSS("quality/ssimulacra_across"),
    SSIMULACRA_DOWN("quality/ssimulacra_down"),
    CAMBI_COUNT("quality/cambi_count"),
    CAMBI_FILTER("quality/cambi_filter"),
    CAMBI_CONTRAST("quality/cambi_contrast"),
    CAMBI_SELECT("quality/cambi_select"),
    CAMBI_SUM("quality/cambi_sum"),
    CAMBI_GIVE("quality/cambi_give"),
    SPEED_REDUCE("quality/speed_reduce"),
    SPEED_CONTRAST("quality/speed_contrast"),
    SPEED_COVARIANCE("quality/speed_covariance"),
    SPEED_SOLVE("quality/speed_solve"),
    SPEED_BLOCKS("quality/speed_blocks"),
    XPSNR_ERROR("quality/xpsnr_error"),
    XPSNR_DETAIL("quality/xpsnr_detail");

    private final String path;

    QualityKernel(String path) {
        this.path = path;
    }

    @Override
    public String path() {
        return path;
    }
}
