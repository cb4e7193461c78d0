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
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** XPSNR is that of FFmpeg's filter, on every substrate. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class GoldenXpsnrTest {
    private static final Set<QualityMetric> METRICS = EnumSet.of(QualityMetric.XPSNR, QualityMetric.XPSNR_HFR);
    private static final String MEAN = "mean ";

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void figuresAreThoseOfFfmpeg(TestSubstrates.Choice choice) throws Exception {
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        try (MeterContext context = choice.openMeters()) {
            for (GoldenPair pair : GoldenPair.xpsnr()) {
                QualityLog log = GoldenMetricsTest.measure(context, pair, METRICS);
                for (int i = 0; i < pair.expected().size(); i++) {
                    for (Map.Entry<String, Double> expected :
                            pair.expected().get(i).entrySet()) {
                        String wanted = decimals(expected.getValue());
                        String got = decimals(figure(log, i, expected.getKey()));
                        checked++;
                        if (!wanted.equals(got)) {
                            wrong.add(pair + ", picture " + i + ", " + expected.getKey() + ": " + wanted
                                    + " wanted, got " + got);
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong, choice.toString());
        assertTrue(checked > 400, "only " + checked + " figures were there to check");
    }

    private static double figure(QualityLog log, int picture, String name) {
        return name.startsWith(MEAN)
                ? log.pool(feature(name.substring(MEAN.length()))).mean()
                : log.get(picture, feature(name));
    }

    private static QualityFeature feature(String name) {
        return QualityFeature.named(name).orElseThrow(() -> new IllegalStateException("no feature is named " + name));
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void theThreeComponentsGiveOneFigure(TestSubstrates.Choice choice) throws Exception {
        try (MeterContext context = choice.openMeters()) {
            QualityLog colour = GoldenMetricsTest.measure(context, made(PixelFormat.I420), METRICS);
            for (int i = 0; i < colour.pictures(); i++) {
                double y = colour.get(i, QualityFeature.XPSNR_Y);
                double cb = colour.get(i, QualityFeature.XPSNR_CB);
                double cr = colour.get(i, QualityFeature.XPSNR_CR);
                assertEquals((4 * y + cb + cr) / 6, colour.get(i, QualityFeature.XPSNR_WEIGHTED), 1e-9);
                assertEquals(Math.min(y, Math.min(cb, cr)), colour.get(i, QualityFeature.XPSNR_MINIMUM));
            }
            QualityLog grey = GoldenMetricsTest.measure(context, made(PixelFormat.GRAY8), METRICS);
            assertEquals(grey.get(1, QualityFeature.XPSNR_Y), grey.get(1, QualityFeature.XPSNR_WEIGHTED));
            assertEquals(grey.get(1, QualityFeature.XPSNR_HFR_Y), grey.get(1, QualityFeature.XPSNR_HFR_MINIMUM));
            assertEquals(Double.NaN, grey.get(1, QualityFeature.XPSNR_CB));
        }
    }

    /** Semi-planar and packed as their planar kin, of any size, odd ones of more than 2048x1152, too. */
    @Test
    void substratesAgreeToTheLastBit() throws Exception {
        try (MeterContext cpu = GoldenMetricsTest.open("CPU, 3 threads");
                MeterContext qpu = GoldenMetricsTest.open("QPU")) {
            for (PixelFormat format : PixelFormat.values()) {
                assertSame(cpu, qpu, made(format));
            }
            assertSame(cpu, qpu, made(PixelFormat.GRAY8, 2051, 1161));
        }
    }

    private static void assertSame(MeterContext cpu, MeterContext qpu, GoldenPair pair) {
        QualityLog expected = GoldenMetricsTest.measure(cpu, pair, METRICS);
        QualityLog got = GoldenMetricsTest.measure(qpu, pair, METRICS);
        for (QualityFeature feature : expected.features()) {
            for (int picture = 0; picture < expected.pictures(); picture++) {
                assertEquals(
                        expected.get(picture, feature),
                        got.get(picture, feature),
                        feature + " of " + picture + ", " + pair);
            }
        }
    }

    private static GoldenPair made(PixelFormat format) {
        return made(format, 130, 74);
    }

    private static GoldenPair made(PixelFormat format, int width, int height) {
        String name = "made " + format.name() + " " + width + "x" + height + " 4 ";
        return new GoldenPair(
                name, format, MadeVideo.pictures(name + "ref"), MadeVideo.pictures(name + "dist"), List.of());
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void aSequenceBeginsWithNothingBefore(TestSubstrates.Choice choice) throws Exception {
        GoldenPair pair = made(PixelFormat.I420);
        PictureLayout layout = PictureLayout.packed(pair.format(), pair.width(), pair.height(), 4);
        QualityFigures figures = new QualityFigures();
        try (MeterContext context = choice.openMeters();
                QualityMeter meter = context.newMeter(pair.format(), pair.width(), pair.height(), METRICS);
                MappedPicture reference = new MappedPicture(layout, new Random(1));
                MappedPicture picture = new MappedPicture(layout, new Random(2))) {
            List<Double> first = new ArrayList<>();
            List<Double> again = new ArrayList<>();
            for (List<Double> sequence : List.of(first, again)) {
                for (int i = 0; i < pair.pictures().size(); i++) {
                    reference.write(pair.reference().get(i));
                    picture.write(pair.pictures().get(i));
                    meter.measure(reference, picture, figures);
                    sequence.add(figures.get(QualityFeature.XPSNR_Y));
                    sequence.add(figures.get(QualityFeature.XPSNR_HFR_Y));
                }
                meter.restart();
            }
            assertEquals(first, again);
        }
    }

    /** FFmpeg cuts a rate to an integer. */
    @Test
    void theRateChooses() {
        assertEquals(QualityMetric.XPSNR, Xpsnr.suiting(0));
        assertEquals(QualityMetric.XPSNR, Xpsnr.suiting(30000 / 1001.0));
        assertEquals(QualityMetric.XPSNR, Xpsnr.suiting(31.99));
        assertEquals(QualityMetric.XPSNR_HFR, Xpsnr.suiting(32));
        assertEquals(QualityMetric.XPSNR_HFR, Xpsnr.suiting(60));
    }
}
