/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A figure of one picture. The names are those of libvmaf's logs, where libvmaf has the figure. */
public enum QualityFeature {
    /** PSNR of luma in dB; infinite for equal pictures. */
    PSNR_Y("psnr_y", QualityMetric.PSNR),
    PSNR_CB("psnr_cb", QualityMetric.PSNR),
    PSNR_CR("psnr_cr", QualityMetric.PSNR),
    /** SSIM of luma, at most 1. */
    SSIM_Y("ssim_y", QualityMetric.SSIM),
    SSIM_CB("ssim_cb", QualityMetric.SSIM),
    SSIM_CR("ssim_cr", QualityMetric.SSIM),
    /** PSNR-HVS of luma in dB, without masking; libvmaf's {@code psnr_hvs_y} is another figure, with masking. */
    PSNR_HVS_UNMASKED_Y("psnr_hvs_unmasked_y", QualityMetric.PSNR_HVS),

    INTEGER_VIF_SCALE0("integer_vif_scale0", QualityMetric.VIF),
    INTEGER_VIF_SCALE1("integer_vif_scale1", QualityMetric.VIF),
    INTEGER_VIF_SCALE2("integer_vif_scale2", QualityMetric.VIF),
    INTEGER_VIF_SCALE3("integer_vif_scale3", QualityMetric.VIF),
    INTEGER_VIF_SCALE0_EGL_1("integer_vif_scale0_egl_1", QualityMetric.VIF_NEG),
    INTEGER_VIF_SCALE1_EGL_1("integer_vif_scale1_egl_1", QualityMetric.VIF_NEG),
    INTEGER_VIF_SCALE2_EGL_1("integer_vif_scale2_egl_1", QualityMetric.VIF_NEG),
    INTEGER_VIF_SCALE3_EGL_1("integer_vif_scale3_egl_1", QualityMetric.VIF_NEG),

    INTEGER_ADM2("integer_adm2", QualityMetric.ADM),
    INTEGER_ADM_SCALE0("integer_adm_scale0", QualityMetric.ADM),
    INTEGER_ADM_SCALE1("integer_adm_scale1", QualityMetric.ADM),
    INTEGER_ADM_SCALE2("integer_adm_scale2", QualityMetric.ADM),
    INTEGER_ADM_SCALE3("integer_adm_scale3", QualityMetric.ADM),
    INTEGER_ADM2_EGL_1("integer_adm2_egl_1", QualityMetric.ADM_NEG),
    INTEGER_ADM_SCALE0_EGL_1("integer_adm_scale0_egl_1", QualityMetric.ADM_NEG),
    INTEGER_ADM_SCALE1_EGL_1("integer_adm_scale1_egl_1", QualityMetric.ADM_NEG),
    INTEGER_ADM_SCALE2_EGL_1("integer_adm_scale2_egl_1", QualityMetric.ADM_NEG),
    INTEGER_ADM_SCALE3_EGL_1("integer_adm_scale3_egl_1", QualityMetric.ADM_NEG),

    /** Mean absolute difference of the blurred reference from the one before; 0 for the first picture of a sequence. */
    INTEGER_MOTION("integer_motion", QualityMetric.MOTION),
    /** The lesser of {@link #INTEGER_MOTION} of this picture and of the next one, so it is known when that one is measured. */
    INTEGER_MOTION2("integer_motion2", QualityMetric.MOTION, INTEGER_MOTION, MotionWindow.PLAIN, false),
    /** {@link #INTEGER_MOTION2} with the second picture's motion for the first one. */
    INTEGER_MOTION3("integer_motion3", QualityMetric.MOTION, INTEGER_MOTION, MotionWindow.PLAIN, true),

    VIF_SCALE0("vif_scale0", QualityMetric.FLOAT_VIF),
    VIF_SCALE1("vif_scale1", QualityMetric.FLOAT_VIF),
    VIF_SCALE2("vif_scale2", QualityMetric.FLOAT_VIF),
    VIF_SCALE3("vif_scale3", QualityMetric.FLOAT_VIF),

    ADM2("adm2", QualityMetric.FLOAT_ADM),
    ADM_SCALE0("adm_scale0", QualityMetric.FLOAT_ADM),
    ADM_SCALE1("adm_scale1", QualityMetric.FLOAT_ADM),
    ADM_SCALE2("adm_scale2", QualityMetric.FLOAT_ADM),
    ADM_SCALE3("adm_scale3", QualityMetric.FLOAT_ADM),

    /** {@link #INTEGER_MOTION} in floating point. */
    MOTION("motion", QualityMetric.FLOAT_MOTION),
    /** {@link #INTEGER_MOTION2} in floating point. */
    MOTION2("motion2", QualityMetric.FLOAT_MOTION, MOTION, MotionWindow.PLAIN, false),

    /** MS-SSIM of luma, at most 1. */
    FLOAT_MS_SSIM("float_ms_ssim", QualityMetric.MS_SSIM),

    /** SSIMULACRA 2, at most 100. */
    SSIMULACRA2("ssimulacra2", QualityMetric.SSIMULACRA_2),

    INTEGER_ADM2_V1("integer_adm2_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02", QualityMetric.ADM_V1),
    INTEGER_ADM_SCALE0_V1("integer_adm_scale0_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02", QualityMetric.ADM_V1),
    INTEGER_ADM_SCALE1_V1("integer_adm_scale1_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02", QualityMetric.ADM_V1),
    INTEGER_ADM_SCALE2_V1("integer_adm_scale2_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02", QualityMetric.ADM_V1),
    INTEGER_ADM_SCALE3_V1("integer_adm_scale3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02", QualityMetric.ADM_V1),
    /** Additive impairments that the eye sees, as a share of the reference's detail. */
    INTEGER_AIM_V1("integer_aim_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02", QualityMetric.ADM_V1),
    /** 0.7 of ADM 2 and 0.3 of what additive impairments leave; at least 0.5. */
    INTEGER_ADM3_V1("integer_adm3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02", QualityMetric.ADM_V1),
    INTEGER_ADM2_V1_PHONE("integer_adm2_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_5", QualityMetric.ADM_V1_PHONE),
    INTEGER_ADM_SCALE0_V1_PHONE(
            "integer_adm_scale0_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_5", QualityMetric.ADM_V1_PHONE),
    INTEGER_ADM_SCALE1_V1_PHONE(
            "integer_adm_scale1_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_5", QualityMetric.ADM_V1_PHONE),
    INTEGER_ADM_SCALE2_V1_PHONE(
            "integer_adm_scale2_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_5", QualityMetric.ADM_V1_PHONE),
    INTEGER_ADM_SCALE3_V1_PHONE(
            "integer_adm_scale3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_5", QualityMetric.ADM_V1_PHONE),
    INTEGER_AIM_V1_PHONE("integer_aim_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_5", QualityMetric.ADM_V1_PHONE),
    INTEGER_ADM3_V1_PHONE("integer_adm3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_5", QualityMetric.ADM_V1_PHONE),
    INTEGER_ADM2_V1_4K_3H("integer_adm2_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_rdh_2160", QualityMetric.ADM_V1_4K_3H),
    INTEGER_ADM_SCALE0_V1_4K_3H(
            "integer_adm_scale0_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_rdh_2160", QualityMetric.ADM_V1_4K_3H),
    INTEGER_ADM_SCALE1_V1_4K_3H(
            "integer_adm_scale1_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_rdh_2160", QualityMetric.ADM_V1_4K_3H),
    INTEGER_ADM_SCALE2_V1_4K_3H(
            "integer_adm_scale2_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_rdh_2160", QualityMetric.ADM_V1_4K_3H),
    INTEGER_ADM_SCALE3_V1_4K_3H(
            "integer_adm_scale3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_rdh_2160", QualityMetric.ADM_V1_4K_3H),
    INTEGER_AIM_V1_4K_3H("integer_aim_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_rdh_2160", QualityMetric.ADM_V1_4K_3H),
    INTEGER_ADM3_V1_4K_3H("integer_adm3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_rdh_2160", QualityMetric.ADM_V1_4K_3H),

    INTEGER_MOTION_V1("integer_motion_mmxv_18", QualityMetric.MOTION_V1),
    INTEGER_MOTION2_V1("integer_motion2_mmxv_18", QualityMetric.MOTION_V1, INTEGER_MOTION_V1, MotionWindow.V1, false),
    INTEGER_MOTION3_V1("integer_motion3_mmxv_18", QualityMetric.MOTION_V1, INTEGER_MOTION_V1, MotionWindow.V1, true),
    INTEGER_MOTION_V1_HFR("integer_motion_mffw_mmxv_18_mma", QualityMetric.MOTION_V1_HFR),
    INTEGER_MOTION2_V1_HFR(
            "integer_motion2_mffw_mmxv_18_mma",
            QualityMetric.MOTION_V1_HFR,
            INTEGER_MOTION_V1_HFR,
            MotionWindow.V1_HFR,
            false),
    INTEGER_MOTION3_V1_HFR(
            "integer_motion3_mffw_mmxv_18_mma",
            QualityMetric.MOTION_V1_HFR,
            INTEGER_MOTION_V1_HFR,
            MotionWindow.V1_HFR,
            true),

    /** 0 without banding, at most 17; from about 5 it annoys. */
    CAMBI("cambi_hrs_1080_cmxv_17_vlt_0.06", QualityMetric.CAMBI),

    /** 0 for equal pictures, at most 45. */
    SPEED_CHROMA_CB("speed_chroma_u_mxv_45_nnf_0.1_snn_0.19_wvm_5", QualityMetric.SPEED_CHROMA),
    SPEED_CHROMA_CR("speed_chroma_v_mxv_45_nnf_0.1_snn_0.19_wvm_5", QualityMetric.SPEED_CHROMA),
    SPEED_CHROMA_BOTH("speed_chroma_uv_mxv_45_nnf_0.1_snn_0.19_wvm_5", QualityMetric.SPEED_CHROMA),
    SPEED_CHROMA_CB_PHONE(
            "speed_chroma_u_mxv_45_nnf_0.1_ps_0.6_psm_bilinear_snn_0.19_wvm_5", QualityMetric.SPEED_CHROMA_PHONE),
    SPEED_CHROMA_CR_PHONE(
            "speed_chroma_v_mxv_45_nnf_0.1_ps_0.6_psm_bilinear_snn_0.19_wvm_5", QualityMetric.SPEED_CHROMA_PHONE),
    SPEED_CHROMA_BOTH_PHONE(
            "speed_chroma_uv_mxv_45_nnf_0.1_ps_0.6_psm_bilinear_snn_0.19_wvm_5", QualityMetric.SPEED_CHROMA_PHONE),
    SPEED_CHROMA_CB_4K_3H(
            "speed_chroma_u_mxv_45_nnf_0.1_ps_0.5_psm_bilinear_snn_0.19_wvm_5", QualityMetric.SPEED_CHROMA_4K_3H),
    SPEED_CHROMA_CR_4K_3H(
            "speed_chroma_v_mxv_45_nnf_0.1_ps_0.5_psm_bilinear_snn_0.19_wvm_5", QualityMetric.SPEED_CHROMA_4K_3H),
    SPEED_CHROMA_BOTH_4K_3H(
            "speed_chroma_uv_mxv_45_nnf_0.1_ps_0.5_psm_bilinear_snn_0.19_wvm_5", QualityMetric.SPEED_CHROMA_4K_3H),

    /** XPSNR of luma in dB; infinite for equal pictures. */
    XPSNR_Y("xpsnr_y", QualityMetric.XPSNR),
    XPSNR_CB("xpsnr_u", QualityMetric.XPSNR),
    XPSNR_CR("xpsnr_v", QualityMetric.XPSNR),
    /** {@link Xpsnr#weighted} of the three. */
    XPSNR_WEIGHTED("xpsnr_weighted", QualityMetric.XPSNR),
    /** {@link Xpsnr#minimum} of the three. */
    XPSNR_MINIMUM("xpsnr_minimum", QualityMetric.XPSNR),

    XPSNR_HFR_Y("xpsnr_hfr_y", QualityMetric.XPSNR_HFR),
    XPSNR_HFR_CB("xpsnr_hfr_u", QualityMetric.XPSNR_HFR),
    XPSNR_HFR_CR("xpsnr_hfr_v", QualityMetric.XPSNR_HFR),
    XPSNR_HFR_WEIGHTED("xpsnr_hfr_weighted", QualityMetric.XPSNR_HFR),
    XPSNR_HFR_MINIMUM("xpsnr_hfr_minimum", QualityMetric.XPSNR_HFR);

    private static final Map<String, QualityFeature> NAMED = new HashMap<>();

    static {
        for (QualityFeature feature : values()) {
            NAMED.put(feature.label, feature);
            if (feature.metric == QualityMetric.ADM_V1) {
                NAMED.put(feature.label + "_nvd_1.5_rdh_2160", feature);
            }
        }
        for (QualityFeature motion : new QualityFeature[] {INTEGER_MOTION, INTEGER_MOTION_V1, INTEGER_MOTION_V1_HFR}) {
            NAMED.put(motion.label.replace("integer_motion", "VMAF_integer_feature_motion_sad_score"), motion);
        }
    }

    private final String label;
    private final QualityMetric metric;
    private final QualityFeature base;
    private final MotionWindow window;
    private final boolean smoothed;

    QualityFeature(String label, QualityMetric metric) {
        this(label, metric, null, null, false);
    }

    QualityFeature(String label, QualityMetric metric, QualityFeature base, MotionWindow window, boolean smoothed) {
        this.label = label;
        this.metric = metric;
        this.base = base;
        this.window = window;
        this.smoothed = smoothed;
    }

    /** Name in libvmaf's logs, such as {@code integer_adm2}. */
    public String label() {
        return label;
    }

    /** The metric that gives this figure. */
    public QualityMetric metric() {
        return metric;
    }

    /** The feature of which this one is a figure of several pictures, which only a {@link QualityLog} has. Null for all others. */
    QualityFeature base() {
        return base;
    }

    /**
     * The figure of a picture that follows from {@link #base}.
     *
     * @param column figures of that of all pictures, maybe with room for more
     * @param pictures how many there are
     * @param picture number of the picture, from 0
     */
    double ofSequence(double[] column, int pictures, int picture) {
        return smoothed ? window.smoothed(column, pictures, picture) : window.lesser(column, pictures, picture);
    }

    /** The feature of this name in libvmaf's logs; empty if there is none. */
    public static Optional<QualityFeature> named(String name) {
        return Optional.ofNullable(NAMED.get(name));
    }
}
