/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gstqpu.kernels.TestSubstrates;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The features of VMAF v1 are libvmaf's, on every substrate. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class GoldenV1Test {
    private static final Set<QualityMetric> SPEED =
            EnumSet.of(QualityMetric.SPEED_CHROMA, QualityMetric.SPEED_CHROMA_PHONE, QualityMetric.SPEED_CHROMA_4K_3H);

    private static final Set<QualityMetric> EXACT = EnumSet.of(
            QualityMetric.ADM_V1,
            QualityMetric.ADM_V1_PHONE,
            QualityMetric.ADM_V1_4K_3H,
            QualityMetric.MOTION,
            QualityMetric.MOTION_V1,
            QualityMetric.MOTION_V1_HFR,
            QualityMetric.CAMBI);

    /** SpEED is computed in single precision. */
    private static final double SAME = 1e-4;

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void featuresAreThoseOfLibvmaf(TestSubstrates.Choice choice) throws Exception {
        List<String> wrong = new ArrayList<>();
        Set<QualityFeature> seen = EnumSet.noneOf(QualityFeature.class);
        try (var context = choice.openMeters()) {
            for (GoldenPair pair : GoldenPair.v1()) {
                Set<QualityMetric> metrics = QualityMetric.definedFor(pair.format(), pair.width(), pair.height());
                metrics.retainAll(pair.expected().stream()
                        .flatMap(figures -> figures.keySet().stream())
                        .flatMap(name -> QualityFeature.named(name).stream())
                        .map(QualityFeature::metric)
                        .collect(Collectors.toSet()));
                QualityLog log = GoldenMetricsTest.measure(context, pair, metrics);
                for (int i = 0; i < pair.expected().size(); i++) {
                    for (Map.Entry<String, Double> expected :
                            pair.expected().get(i).entrySet()) {
                        QualityFeature feature =
                                QualityFeature.named(expected.getKey()).orElse(null);
                        if (feature == null) {
                            continue;
                        }
                        seen.add(feature);
                        double got = log.get(i, feature);
                        boolean same = SPEED.contains(feature.metric())
                                ? Math.abs(got - expected.getValue()) <= SAME
                                : decimals(got).equals(decimals(expected.getValue()));
                        if (!same) {
                            wrong.add(pair + ", picture " + i + ", " + expected.getKey() + ": " + expected.getValue()
                                    + " wanted, got " + got);
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong, choice.toString());
        Set<QualityFeature> all = EnumSet.noneOf(QualityFeature.class);
        EXACT.forEach(metric -> all.addAll(metric.features()));
        SPEED.forEach(metric -> all.addAll(metric.features()));
        all.removeAll(EnumSet.of(QualityFeature.INTEGER_MOTION, QualityFeature.INTEGER_MOTION2));
        assertEquals(all, seen);
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }
}
