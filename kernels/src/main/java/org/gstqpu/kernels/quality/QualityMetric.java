/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * What a {@link QualityMeter} can measure. Each metric gives figures of a picture, its {@linkplain #features() features}. Those that
 * libvmaf has, too, are computed as it computes them: integer metrics to the last bit, metrics in floating point within 1e-4.
 *
 * <p>A metric that ends in {@code NEG} limits the enhancement gain to 1: a picture that is sharper than its reference gets no better
 * figure for that.
 */
public enum QualityMetric {
    /** Peak signal-to-noise ratio of each component. */
    PSNR("psnr", 1),
    /** Structural similarity of each component, as x264 and ffmpeg compute it. */
    SSIM("ssim", 1),
    /** PSNR of luma, weighted by the eye's sensitivity to each frequency; without masking. */
    PSNR_HVS("psnr_hvs", 1),
    /** Visual information fidelity of luma at four scales, in integers. */
    VIF("vif", 16),
    /** {@link #VIF} with an enhancement gain limit of 1. */
    VIF_NEG("vif_neg", 16),
    /** Additive detail metric of luma, of four scales and of all, in integers. */
    ADM("adm", 33),
    /** {@link #ADM} with an enhancement gain limit of 1. */
    ADM_NEG("adm_neg", 33),
    /** How much the reference's luma differs from that of the picture before, in integers. */
    MOTION("motion", 3),
    /** {@link #VIF} in floating point. */
    FLOAT_VIF("float_vif", 16),
    /** {@link #ADM} in floating point. */
    FLOAT_ADM("float_adm", 33),
    /** {@link #MOTION} in floating point. */
    FLOAT_MOTION("float_motion", 3),
    /** Structural similarity of luma over five scales. */
    MS_SSIM("ms_ssim", 176),
    /** SSIMULACRA 2, as libjxl computes it; needs chroma. */
    SSIMULACRA_2("ssimulacra2", 8);

    private final String label;
    private final int smallestSide;

    QualityMetric(String label, int smallestSide) {
        this.label = label;
        this.smallestSide = smallestSide;
    }

    /** Name in lower case, as libvmaf names the extractor where it has one. */
    public String label() {
        return label;
    }

    /** The smallest width and height of a picture for which the metric is defined, in luma samples. */
    public int smallestSide() {
        return smallestSide;
    }

    /** True if the metric needs chroma, too. */
    public boolean needsChroma() {
        return this == SSIMULACRA_2;
    }

    /** All metrics that are defined for such pictures: large enough, and with chroma for those that need it. */
    public static Set<QualityMetric> definedFor(PixelFormat format, int width, int height) {
        Set<QualityMetric> metrics = EnumSet.allOf(QualityMetric.class);
        int side = Math.min(width, height);
        metrics.removeIf(metric -> side < metric.smallestSide || (metric.needsChroma() && !format.hasChroma()));
        return metrics;
    }

    /** The figures that the metric gives of a picture. */
    public List<QualityFeature> features() {
        return Arrays.stream(QualityFeature.values())
                .filter(feature -> feature.metric() == this)
                .toList();
    }
}
