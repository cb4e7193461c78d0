/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * How the additive detail metric sees a picture: how sensitive the eye is to each band, and which two sums it makes of what is visible
 * there. The sensitivities of VMAF v1 are between those of Barten and of Watson, as libvmaf's tables have them. Immutable.
 */
public final class AdmView {
    /** ADM 2, and its four scales. */
    private static final int PLAIN_FIGURES = 5;

    /** These, AIM and ADM 3. */
    private static final int V1_FIGURES = 7;

    /** Watson and others (1997) at three picture heights from 1080 rows: detail without a gain limit, and with a limit of 1. */
    private static final AdmView PLAIN =
            new AdmView(QualityMetric.ADM, QualityMetric.ADM_NEG, 0.03125, null, null, "", PLAIN_FIGURES);

    /** Detail with a gain limit of 1, and additive impairments, as the other views, too. */
    private static final AdmView V1 = new AdmView(
            QualityMetric.ADM_V1,
            QualityMetric.ADM_V1,
            0.02,
            new float[] {0.01183f, 0.025026f, 0.04295f, 0.058621f},
            new float[] {0.004302f, 0.011778f, 0.023918f, 0.035901f},
            "_V1",
            V1_FIGURES);

    private static final AdmView V1_PHONE = new AdmView(
            QualityMetric.ADM_V1_PHONE,
            QualityMetric.ADM_V1_PHONE,
            0.02,
            new float[] {0.004212f, 0.014809f, 0.029642f, 0.047464f},
            new float[] {0.000984f, 0.005852f, 0.0146f, 0.027574f},
            "_V1_PHONE",
            V1_FIGURES);

    private static final AdmView V1_4K_3H = new AdmView(
            QualityMetric.ADM_V1_4K_3H,
            QualityMetric.ADM_V1_4K_3H,
            0.02,
            new float[] {0.00226f, 0.01183f, 0.025026f, 0.04295f},
            new float[] {0.000479f, 0.004302f, 0.011778f, 0.023918f},
            "_V1_4K_3H",
            V1_FIGURES);

    private static final List<AdmView> ALL = List.of(PLAIN, V1, V1_PHONE, V1_4K_3H);

    /** ADM 3: the weight of ADM 2, and the least figure. */
    static final double DETAIL_WEIGHT = 0.7;

    static final double LEAST = 0.5;

    // Watson's weights of scale 0 as libvmaf rounds them.
    private static final int WEIGHT_0 = 36453;
    private static final int DIAGONAL_WEIGHT_0 = 49417;

    // Amplitudes of the wavelet's basis functions, of Watson and others (1997), table V.
    private static final float[] AMPLITUDE = {0.67234f, 0.41317f, 0.22727f, 0.11792f};
    private static final float[] DIAGONAL_AMPLITUDE = {0.72709f, 0.49428f, 0.28688f, 0.15214f};

    private final QualityMetric first;
    private final QualityMetric second;
    private final double noise;
    private final float[] sensitivities;
    private final float[] diagonalSensitivities;
    private final QualityFeature[] features;

    private AdmView(
            QualityMetric first,
            QualityMetric second,
            double noise,
            float[] sensitivities,
            float[] diagonalSensitivities,
            String suffix,
            int figures) {
        this.first = first;
        this.second = second;
        this.noise = noise;
        this.sensitivities = sensitivities;
        this.diagonalSensitivities = diagonalSensitivities;
        features = Stream.of("ADM2", "ADM_SCALE0", "ADM_SCALE1", "ADM_SCALE2", "ADM_SCALE3", "AIM", "ADM3")
                .limit(figures)
                .map(name -> QualityFeature.valueOf("INTEGER_" + name + suffix))
                .toArray(QualityFeature[]::new);
    }

    /** The views that some metrics need. */
    public static List<AdmView> of(Set<QualityMetric> metrics) {
        return ALL.stream()
                .filter(view -> view.hasFirst(metrics) || view.hasSecond(metrics))
                .toList();
    }

    /** True if the metrics need the first of the two sums. */
    public boolean hasFirst(Set<QualityMetric> metrics) {
        return metrics.contains(first);
    }

    /** True if the metrics need the second of the two sums. */
    public boolean hasSecond(Set<QualityMetric> metrics) {
        return metrics.contains(second);
    }

    /** True if the second sum is of additive impairments; else of detail with a gain limit of 1. */
    public boolean hasImpairments() {
        return this != PLAIN;
    }

    /** ADM 2, its four scales, and with impairments AIM and ADM 3. */
    QualityFeature[] features() {
        return features;
    }

    /** What libvmaf adds for each coefficient to the sums of detail, as noise. */
    double noise() {
        return noise;
    }

    /** Sensitivity of the eye to a band. */
    float sensitivity(int scale, int band) {
        boolean diagonal = band == AdmScale.DIAGONAL;
        if (this == PLAIN) {
            float a = 0.495f;
            float k = 0.466f;
            float f0 = 0.401f;
            float g = diagonal ? 0.534f : 1;
            float amplitude = (diagonal ? DIAGONAL_AMPLITUDE : AMPLITUDE)[scale];
            float resolution = (float) (3.0 * 1080 * Math.PI / 180);
            float octaves = (float) Math.log10(Math.pow(2, scale + 1) * f0 * g / resolution);
            float step = (float) (2.0 * a * Math.pow(10, k * octaves * octaves) / amplitude);
            return 1 / step;
        }
        return (diagonal ? diagonalSensitivities : sensitivities)[scale];
    }

    /** Weight of a band as an integer, unsigned: 21 bits behind the point at scale 0, 23 for the diagonal; 32 at other scales. */
    public long weight(int scale, int band) {
        if (scale > 0) {
            return (long) (sensitivity(scale, band) * 4294967296.0);
        }
        boolean diagonal = band == AdmScale.DIAGONAL;
        return this == PLAIN
                ? diagonal ? DIAGONAL_WEIGHT_0 : WEIGHT_0
                : (long) (sensitivity(0, band) * (double) (1 << (diagonal ? 23 : 21)));
    }
}
