/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.gstqpu.kernels.quality.QualityMetric;

/** Metrics that share their filters, so that one extractor measures them. */
public enum MetricFamily {
    SIMILARITY,
    HVS,
    VIF,
    ADM,
    MOTION,
    FLOAT_VIF,
    FLOAT_ADM,
    FLOAT_MOTION,
    MS_SSIM,
    SSIMULACRA_2,
    CAMBI,
    SPEED_CHROMA,
    XPSNR;

    /** The family of a metric. */
    private static MetricFamily of(QualityMetric metric) {
        return switch (metric) {
            case PSNR, SSIM -> SIMILARITY;
            case PSNR_HVS -> HVS;
            case VIF, VIF_NEG -> VIF;
            case ADM, ADM_NEG, ADM_V1, ADM_V1_PHONE, ADM_V1_4K_3H -> ADM;
            case MOTION, MOTION_V1, MOTION_V1_HFR -> MOTION;
            case FLOAT_VIF -> FLOAT_VIF;
            case FLOAT_ADM -> FLOAT_ADM;
            case FLOAT_MOTION -> FLOAT_MOTION;
            case MS_SSIM -> MS_SSIM;
            case SSIMULACRA_2 -> SSIMULACRA_2;
            case CAMBI -> CAMBI;
            case SPEED_CHROMA, SPEED_CHROMA_PHONE, SPEED_CHROMA_4K_3H -> SPEED_CHROMA;
            case XPSNR, XPSNR_HFR -> XPSNR;
        };
    }

    /** True if a picture's chroma counts, where it has any. PSNR and SSIM do not count: they need no extractor. */
    public boolean readsChroma() {
        return this == SSIMULACRA_2 || this == SPEED_CHROMA || this == XPSNR;
    }

    /** The wanted metrics of each family that has any. */
    public static Map<MetricFamily, Set<QualityMetric>> of(Set<QualityMetric> wanted) {
        Map<MetricFamily, Set<QualityMetric>> families = new EnumMap<>(MetricFamily.class);
        for (QualityMetric metric : wanted) {
            families.computeIfAbsent(of(metric), family -> EnumSet.noneOf(QualityMetric.class))
                    .add(metric);
        }
        return families;
    }
}
