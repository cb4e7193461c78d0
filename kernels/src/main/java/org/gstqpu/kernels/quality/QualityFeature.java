/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.Arrays;
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
    INTEGER_MOTION2("integer_motion2", QualityMetric.MOTION, INTEGER_MOTION),

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
    MOTION2("motion2", QualityMetric.FLOAT_MOTION, MOTION),

    /** MS-SSIM of luma, at most 1. */
    FLOAT_MS_SSIM("float_ms_ssim", QualityMetric.MS_SSIM),

    /** SSIMULACRA 2, at most 100. */
    SSIMULACRA2("ssimulacra2", QualityMetric.SSIMULACRA_2);

    private static final String EGL_1 = "_egl_1";
    private static final Map<String, QualityFeature> NAMED = new HashMap<>();

    static {
        for (QualityFeature feature : values()) {
            NAMED.put(feature.label, feature);
            NAMED.put(feature.modelName(), feature);
        }
        NAMED.put("VMAF_integer_feature_motion_sad_score", INTEGER_MOTION);
    }

    private final String label;
    private final QualityMetric metric;
    private final QualityFeature lesserOfTwo;

    QualityFeature(String label, QualityMetric metric) {
        this(label, metric, null);
    }

    QualityFeature(String label, QualityMetric metric, QualityFeature lesserOfTwo) {
        this.label = label;
        this.metric = metric;
        this.lesserOfTwo = lesserOfTwo;
    }

    /** Name in libvmaf's logs, such as {@code integer_adm2}. */
    public String label() {
        return label;
    }

    /** The metric that gives this figure. */
    public QualityMetric metric() {
        return metric;
    }

    /**
     * The feature of which this one is the lesser value of a picture and the next one. Only a {@link QualityLog} has such figures.
     * Null for all others.
     */
    QualityFeature lesserOfTwo() {
        return lesserOfTwo;
    }

    /** The name that libvmaf's models and feature extractors use, such as {@code VMAF_integer_feature_adm2_score}. */
    private String modelName() {
        String integer = "integer_";
        String end = label.endsWith(EGL_1) ? EGL_1 : "";
        String stem = label.substring(0, label.length() - end.length());
        return stem.startsWith(integer)
                ? "VMAF_integer_feature_" + stem.substring(integer.length()) + "_score" + end
                : "VMAF_feature_" + stem + "_score" + end;
    }

    /** The feature of this name, in a log or in a model of libvmaf; empty if there is none. */
    public static Optional<QualityFeature> named(String name) {
        return Optional.ofNullable(NAMED.get(name));
    }

    /** The same feature with an enhancement gain limit of 1; empty if the feature is not measured so. */
    public Optional<QualityFeature> withGainLimit1() {
        return Arrays.stream(values())
                .filter(feature -> feature.label.equals(label + EGL_1))
                .findFirst();
    }
}
