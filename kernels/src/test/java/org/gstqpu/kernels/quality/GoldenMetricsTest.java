/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.picture.PictureLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures of libvmaf, on every substrate. */
class GoldenMetricsTest {
    private static final Set<QualityMetric> INTEGER = EnumSet.of(
            QualityMetric.VIF, QualityMetric.VIF_NEG, QualityMetric.ADM, QualityMetric.ADM_NEG, QualityMetric.MOTION);

    private static final List<GoldenPair> PAIRS = GoldenPair.all();

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void integerFeaturesHaveAllSixDecimals(TestSubstrates.Choice choice) throws Exception {
        if (!choice.toString().startsWith(System.getenv().getOrDefault("ONLY", ""))) return;
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        try (FilterContext context = choice.open()) {
            for (GoldenPair pair : PAIRS) {
                QualityLog log = measure(context, pair, INTEGER);
                for (int i = 0; i < pair.expected().size(); i++) {
                    for (Map.Entry<String, Double> expected :
                            pair.expected().get(i).entrySet()) {
                        QualityFeature feature =
                                QualityFeature.named(expected.getKey()).orElse(null);
                        if (feature != null && log.has(feature)) {
                            checked++;
                            String wanted = decimals(expected.getValue());
                            String got = decimals(log.get(i, feature));
                            if (!wanted.equals(got)) {
                                wrong.add(pair + ", picture " + i + ", " + expected.getKey() + ": " + wanted
                                        + " wanted, got " + got);
                            }
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong, choice.toString());
        // Nine features with and without a limit, and motion twice.
        assertTrue(checked > 24 * 20, "only " + checked + " figures were there to check");
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }

    static QualityLog measure(FilterContext context, GoldenPair pair, Set<QualityMetric> metrics) {
        Random random = new Random(5);
        PictureLayout layout = PictureLayout.packed(pair.format(), pair.width(), pair.height(), 4);
        QualityLog log = new QualityLog(metrics);
        QualityFigures figures = new QualityFigures();
        try (QualityMeter meter = context.newQualityMeter(pair.format(), pair.width(), pair.height(), metrics);
                MappedPicture reference = new MappedPicture(layout, random);
                MappedPicture picture = new MappedPicture(layout, random)) {
            for (int i = 0; i < pair.pictures().size(); i++) {
                reference.write(pair.reference().get(i));
                picture.write(pair.pictures().get(i));
                meter.measure(reference, picture, figures);
                log.add(figures);
            }
        }
        return log;
    }
}
