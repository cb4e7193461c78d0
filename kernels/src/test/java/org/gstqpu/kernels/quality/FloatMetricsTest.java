/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures of libvmaf's and libjxl's metrics in floating point, on every substrate. */
class FloatMetricsTest {
    /** Four decimals. */
    private static final double SAME = 1e-4;

    private static final double SAME_SSIMULACRA2 = 0.01;

    private static final Set<QualityMetric> FLOAT = EnumSet.of(
            QualityMetric.FLOAT_VIF,
            QualityMetric.FLOAT_ADM,
            QualityMetric.FLOAT_MOTION,
            QualityMetric.MS_SSIM,
            QualityMetric.SSIMULACRA_2);

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void figuresAreThoseOfTheReferences(TestSubstrates.Choice choice) throws Exception {
        List<String> wrong = new ArrayList<>();
        Set<QualityFeature> seen = EnumSet.noneOf(QualityFeature.class);
        try (FilterContext context = choice.open()) {
            for (GoldenPair pair : GoldenPair.all()) {
                Set<QualityMetric> metrics = QualityMetric.definedFor(pair.format(), pair.width(), pair.height());
                metrics.retainAll(FLOAT);
                QualityLog log = GoldenMetricsTest.measure(context, pair, metrics);
                for (int i = 0; i < pair.expected().size(); i++) {
                    for (Map.Entry<String, Double> expected :
                            pair.expected().get(i).entrySet()) {
                        QualityFeature feature =
                                QualityFeature.named(expected.getKey()).orElse(null);
                        if (feature == null || !log.has(feature)) {
                            continue;
                        }
                        seen.add(feature);
                        double same = feature == QualityFeature.SSIMULACRA2 ? SAME_SSIMULACRA2 : SAME;
                        double got = log.get(i, feature);
                        if (!(Math.abs(got - expected.getValue()) <= same)) {
                            wrong.add(pair + ", picture " + i + ", " + expected.getKey() + ": " + expected.getValue()
                                    + " wanted, got " + got);
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong, choice.toString());
        Set<QualityFeature> all = EnumSet.noneOf(QualityFeature.class);
        FLOAT.forEach(metric -> all.addAll(metric.features()));
        assertEquals(all, seen);
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void aMetricThatIsNotDefinedForASizeIsRefused(TestSubstrates.Choice choice) throws Exception {
        try (FilterContext context = choice.open()) {
            for (QualityMetric metric : FLOAT) {
                int side = metric.smallestSide();
                context.newQualityMeter(PixelFormat.I420, side, side, Set.of(metric))
                        .close();
                IllegalArgumentException narrow = assertThrows(
                        IllegalArgumentException.class,
                        () -> context.newQualityMeter(PixelFormat.I420, side - 1, side, Set.of(metric)));
                assertTrue(narrow.getMessage().contains(side + "x" + side), narrow.getMessage());
                assertThrows(
                        IllegalArgumentException.class,
                        () -> context.newQualityMeter(PixelFormat.I420, side, side - 1, Set.of(metric)));
            }
        }
    }
}
