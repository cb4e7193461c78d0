/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.Arrays;
import java.util.Collections;
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
    SSIMULACRA_2("ssimulacra2", 8),
    /**
     * {@link #ADM_NEG} with visible additive impairments, as VMAF v1 weighs them: for a display of 1080 rows seen from 3 picture
     * heights, or of 2160 rows from 1.5, which is the same to the eye.
     */
    ADM_V1("adm_v1", 33),
    /** {@link #ADM_V1} for a display of 1080 rows seen from 5 picture heights: a phone. */
    ADM_V1_PHONE("adm_v1_phone", 33),
    /** {@link #ADM_V1} for a display of 2160 rows seen from 3 picture heights. */
    ADM_V1_4K_3H("adm_v1_4k_3h", 33),
    /** {@link #MOTION} up to 18, as VMAF v1 has it. */
    MOTION_V1("motion_v1", 3),
    /** {@link #MOTION_V1} over five pictures and averaged, for high frame rates. */
    MOTION_V1_HFR("motion_v1_hfr", 3),
    /** Contrast-aware multiscale banding index of the measured picture's luma; the reference does not count. */
    CAMBI("cambi", 1),
    /** Spatial efficient entropic differencing of chroma. */
    SPEED_CHROMA("speed_chroma", 80),
    /** {@link #SPEED_CHROMA} of pictures scaled to 0.6 of their size: seen from a phone. */
    SPEED_CHROMA_PHONE("speed_chroma_phone", 133),
    /** {@link #SPEED_CHROMA} of pictures scaled to half their size: 2160 rows seen from 3 picture heights. */
    SPEED_CHROMA_4K_3H("speed_chroma_4k_3h", 159),
    /**
     * PSNR of each component, weighted by the detail and the motion of the reference's luma, as FFmpeg's filter {@code xpsnr} computes it
     * for fewer than 32 pictures a second.
     */
    XPSNR("xpsnr", 45),
    /** {@link #XPSNR} as FFmpeg computes it for higher frame rates: by the change of motion. */
    XPSNR_HFR("xpsnr_hfr", 45);

    /** CAMBI is defined where one side has so many samples. */
    private static final int CAMBI_SIDE = 216;

    private static final Set<QualityMetric> SPEED =
            Collections.unmodifiableSet(EnumSet.of(SPEED_CHROMA, SPEED_CHROMA_PHONE, SPEED_CHROMA_4K_3H));

    private static final Set<QualityMetric> COMPARING =
            Collections.unmodifiableSet(EnumSet.of(MOTION, FLOAT_MOTION, MOTION_V1, MOTION_V1_HFR, XPSNR, XPSNR_HFR));

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

    /** The smallest width of a picture for which the metric is defined, in luma samples. */
    public int smallestWidth(PixelFormat format) {
        return smallestWidth(format, MetricOptions.USUAL);
    }

    /** The smallest height of a picture for which the metric is defined, in luma rows. */
    public int smallestHeight(PixelFormat format) {
        return smallestHeight(format, MetricOptions.USUAL);
    }

    private int smallestWidth(PixelFormat format, MetricOptions options) {
        return SPEED.contains(this) && isHalved(format.chromaWidth(2))
                ? 2 * smallestSide(options)
                : smallestSide(options);
    }

    private int smallestHeight(PixelFormat format, MetricOptions options) {
        return SPEED.contains(this) && isHalved(format.chromaHeight(2))
                ? 2 * smallestSide(options)
                : smallestSide(options);
    }

    /** In samples of chroma for SpEED, which needs a block of 5 by 5 samples, 16 apart, of a scaled component. */
    private int smallestSide(MetricOptions options) {
        return this == SPEED_CHROMA && options.prescales()
                ? (int) Math.ceil((smallestSide - 0.5) / options.prescale())
                : smallestSide;
    }

    private static boolean isHalved(int samplesOfTwo) {
        return samplesOfTwo == 1;
    }

    /** True if {@link MetricOptions} change the metric. */
    public boolean takesOptions() {
        return this == CAMBI || SPEED.contains(this);
    }

    /** True if the figures of a picture depend on the pictures before it. */
    public boolean comparesPictures() {
        return COMPARING.contains(this);
    }

    /** True if the metric needs chroma, too. */
    public boolean needsChroma() {
        return this == SSIMULACRA_2 || SPEED.contains(this);
    }

    /** True if the metric with its usual options is defined for such pictures: large enough, and with chroma where it needs that. */
    public boolean isDefinedFor(PixelFormat format, int width, int height) {
        return isDefinedFor(format, width, height, MetricOptions.USUAL);
    }

    /** True if the metric is defined for such pictures. */
    public boolean isDefinedFor(PixelFormat format, int width, int height, MetricOptions options) {
        return width >= smallestWidth(format, options)
                && height >= smallestHeight(format, options)
                && (this != CAMBI || largerSide(width, height, options) >= CAMBI_SIDE)
                && (!needsChroma() || format.hasChroma());
    }

    private static int largerSide(int width, int height, MetricOptions options) {
        return options.wereScaled(width, height)
                ? Math.max(options.encWidth(), options.encHeight())
                : Math.max(width, height);
    }

    /** The least that a picture must have for the metric to be defined, such as {@code 33x33}. */
    public String needs(PixelFormat format, MetricOptions options) {
        String size = this == CAMBI
                ? CAMBI_SIDE + " samples across or down, as encoded"
                : smallestWidth(format, options) + "x" + smallestHeight(format, options);
        return needsChroma() ? size + " in colour" : size;
    }

    /** All metrics that are defined for such pictures, with their usual options. */
    public static Set<QualityMetric> definedFor(PixelFormat format, int width, int height) {
        Set<QualityMetric> metrics = EnumSet.allOf(QualityMetric.class);
        metrics.removeIf(metric -> !metric.isDefinedFor(format, width, height));
        return metrics;
    }

    /** The figures that the metric gives of a picture. */
    public List<QualityFeature> features() {
        return Arrays.stream(QualityFeature.values())
                .filter(feature -> feature.metric() == this)
                .toList();
    }
}
