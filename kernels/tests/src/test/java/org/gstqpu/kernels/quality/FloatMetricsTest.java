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
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures of libvmaf's and libjxl's metrics in floating point, on every substrate. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class FloatMetricsTest {
    /**
     * How far a figure may be from the reference's. The references round to six decimals; what is more is what they and a device lose in
     * sums of single precision.
     */
    private static final Map<QualityMetric, Double> SAME = Map.of(
            QualityMetric.FLOAT_VIF, 2e-5,
            QualityMetric.FLOAT_ADM, 2e-6,
            QualityMetric.FLOAT_MOTION, 5e-6,
            QualityMetric.MS_SSIM, 5e-6,
            QualityMetric.SSIMULACRA_2, 2e-4);

    /**
     * How far figures of substrates may be from each other, which have the same filters and other orders of sums. An H200 is up to 3e-6
     * away.
     */
    private static final double SAME_ELSEWHERE = 1e-5;

    private static final int LARGEST_COMPARED = 352;

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
        try (MeterContext context = choice.openMeters()) {
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
                        double same = SAME.get(feature.metric());
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

    @Test
    void substratesAgree() throws Exception {
        try (MeterContext cpu = GoldenMetricsTest.open("CPU, 3 threads");
                MeterContext qpu = GoldenMetricsTest.open("QPU")) {
            for (GoldenPair pair : GoldenPair.all()) {
                if (pair.width() > LARGEST_COMPARED) {
                    continue;
                }
                Set<QualityMetric> metrics = QualityMetric.definedFor(pair.format(), pair.width(), pair.height());
                metrics.retainAll(FLOAT);
                QualityLog wanted = GoldenMetricsTest.measure(cpu, pair, metrics);
                QualityLog got = GoldenMetricsTest.measure(qpu, pair, metrics);
                for (QualityFeature feature : wanted.features()) {
                    double same = feature == QualityFeature.SSIMULACRA2 ? SAME.get(feature.metric()) : SAME_ELSEWHERE;
                    for (int i = 0; i < wanted.pictures(); i++) {
                        assertEquals(
                                wanted.get(i, feature),
                                got.get(i, feature),
                                same,
                                feature + " of picture " + i + ", " + pair);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void aMetricThatIsNotDefinedForASizeIsRefused(TestSubstrates.Choice choice) throws Exception {
        try (MeterContext context = choice.openMeters()) {
            for (QualityMetric metric : FLOAT) {
                int side = metric.smallestWidth(PixelFormat.I420);
                context.newMeter(PixelFormat.I420, side, side, Set.of(metric)).close();
                IllegalArgumentException narrow = assertThrows(
                        IllegalArgumentException.class,
                        () -> context.newMeter(PixelFormat.I420, side - 1, side, Set.of(metric)));
                assertTrue(narrow.getMessage().contains(side + "x" + side), narrow.getMessage());
                assertThrows(
                        IllegalArgumentException.class,
                        () -> context.newMeter(PixelFormat.I420, side, side - 1, Set.of(metric)));
            }
        }
    }
}
