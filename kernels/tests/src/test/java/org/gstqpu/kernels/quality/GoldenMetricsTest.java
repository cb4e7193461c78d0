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
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures of libvmaf, on every substrate. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class GoldenMetricsTest {
    private static final Set<QualityMetric> INTEGER = EnumSet.of(
            QualityMetric.VIF,
            QualityMetric.VIF_NEG,
            QualityMetric.ADM,
            QualityMetric.ADM_NEG,
            QualityMetric.MOTION,
            QualityMetric.ADM_V1,
            QualityMetric.ADM_V1_PHONE,
            QualityMetric.ADM_V1_4K_3H,
            QualityMetric.MOTION_V1,
            QualityMetric.MOTION_V1_HFR);

    private static final List<GoldenPair> PAIRS = GoldenPair.all();

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void integerFeaturesHaveAllSixDecimals(TestSubstrates.Choice choice) throws Exception {
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        try (MeterContext context = choice.openMeters()) {
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

    @Test
    void substratesAgreeToTheLastBit() throws Exception {
        long seed = RandomSeed.get();
        List<PixelFormat> formats = List.of(PixelFormat.values());
        try (MeterContext cpu = open("CPU, 3 threads");
                MeterContext qpu = open("QPU")) {
            for (int i = 0; i < formats.size(); i++) {
                Random random = new Random(seed + i);
                PixelFormat format = formats.get(i);
                int width = 33 + random.nextInt(i % 3 == 0 ? 40 : 150);
                int height = 33 + random.nextInt(i % 3 == 0 ? 40 : 100);
                String where = format + " " + width + "x" + height + ", -Dgstqpu.seed=" + (seed + i);
                List<SamplePicture> references = new ArrayList<>();
                List<SamplePicture> pictures = new ArrayList<>();
                for (int picture = 0; picture < 3; picture++) {
                    references.add(textured(random, format, width, height));
                    pictures.add(changed(references.get(picture), random));
                }
                GoldenPair pair = new GoldenPair(where, format, references, pictures, List.of());
                QualityLog expected = measure(cpu, pair, INTEGER);
                QualityLog got = measure(qpu, pair, INTEGER);
                for (QualityFeature feature : expected.features()) {
                    for (int picture = 0; picture < expected.pictures(); picture++) {
                        assertEquals(
                                expected.get(picture, feature),
                                got.get(picture, feature),
                                feature + " of picture " + picture + ", " + where);
                    }
                }
            }
        }
    }

    static MeterContext open(String name) throws Exception {
        return TestSubstrates.all()
                .filter(choice -> choice.name().equals(name))
                .findFirst()
                .orElseThrow()
                .openMeters();
    }

    /** Noise, stripes or a slope, with a contrast of its own: the reference of a pair has detail of every strength. */
    private static SamplePicture textured(Random random, PixelFormat format, int width, int height) {
        SamplePicture picture = new SamplePicture(format.bitDepth(), format.chroma(), width, height);
        int peak = format.peak();
        int noise = 1 + random.nextInt(random.nextBoolean() ? 4 : peak / 2);
        int period = 2 + random.nextInt(20);
        int contrast = random.nextInt(peak);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int value = (x + 2 * y) % period * contrast / period + random.nextInt(noise);
                picture.set(0, x, y, Math.min(value, peak));
            }
        }
        return picture;
    }

    /** A gain, up to a limit that hardly any codec reaches, a shade, and noise; or no change. */
    private static SamplePicture changed(SamplePicture reference, Random random) {
        SamplePicture picture = reference.copy();
        int kind = random.nextInt(5);
        double gain = kind == 0 ? 1 : kind == 1 ? 200 : random.nextDouble() * 2;
        int noise = kind < 2 ? 1 : 1 + random.nextInt(random.nextBoolean() ? 3 : 60);
        int peak = (1 << reference.bitDepth) - 1;
        for (int y = 0; y < reference.height; y++) {
            for (int x = 0; x < reference.width; x++) {
                int value = (int) (reference.get(0, x, y) * gain) + random.nextInt(noise) - noise / 2;
                picture.set(0, x, y, Math.max(0, Math.min(peak, value)));
            }
        }
        return picture;
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void aSequenceBeginsWithoutMotion(TestSubstrates.Choice choice) throws Exception {
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, 40, 40, 4);
        Random random = new Random(11);
        QualityFigures figures = new QualityFigures();
        try (MeterContext context = choice.openMeters();
                QualityMeter meter = context.newMeter(PixelFormat.GRAY8, 40, 40, EnumSet.of(QualityMetric.MOTION));
                MappedPicture one = new MappedPicture(layout, random);
                MappedPicture two = new MappedPicture(layout, random)) {
            one.write(textured(random, PixelFormat.GRAY8, 40, 40));
            two.write(textured(random, PixelFormat.GRAY8, 40, 40));
            meter.measure(one, one, figures);
            assertEquals(0, figures.get(QualityFeature.INTEGER_MOTION));
            meter.measure(two, one, figures);
            double motion = figures.get(QualityFeature.INTEGER_MOTION);
            assertTrue(motion > 0, "motion " + motion);
            meter.measure(two, one, figures);
            assertEquals(0, figures.get(QualityFeature.INTEGER_MOTION));
            meter.measure(one, one, figures);
            assertEquals(motion, figures.get(QualityFeature.INTEGER_MOTION), motion / 100, "the other way round");
            meter.restart();
            meter.measure(two, one, figures);
            assertEquals(0, figures.get(QualityFeature.INTEGER_MOTION), "a new sequence");
            assertThrows(IllegalArgumentException.class, () -> figures.get(QualityFeature.INTEGER_MOTION2));
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void picturesThatAreTooSmallAreRefused(TestSubstrates.Choice choice) throws Exception {
        try (MeterContext context = choice.openMeters()) {
            for (QualityMetric metric : QualityMetric.values()) {
                int width = metric.smallestWidth(PixelFormat.I420);
                int height = metric.smallestHeight(PixelFormat.I420);
                if (height > 1) {
                    String message = assertThrows(
                                    IllegalArgumentException.class,
                                    () -> context.newMeter(PixelFormat.I420, width, height - 1, Set.of(metric)))
                            .getMessage();
                    assertTrue(
                            message.contains(metric.label() + " is defined for pictures of " + width + "x" + height),
                            message);
                }
            }
            String narrow = assertThrows(
                            IllegalArgumentException.class,
                            () -> context.newMeter(PixelFormat.I420, 214, 214, Set.of(QualityMetric.CAMBI)))
                    .getMessage();
            assertTrue(narrow.contains("216 samples across or down"), narrow);
            context.newMeter(PixelFormat.I420, 216, 16, Set.of(QualityMetric.CAMBI))
                    .close();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> context.newMeter(PixelFormat.GRAY8, 99, 99, Set.of(QualityMetric.SSIMULACRA_2)));
            assertThrows(IllegalArgumentException.class, () -> context.newMeter(PixelFormat.GRAY8, 99, 99, Set.of()));
        }
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }

    static QualityLog measure(MeterContext context, GoldenPair pair, Set<QualityMetric> metrics) {
        return measure(context, pair, metrics, MetricOptions.USUAL);
    }

    /** The figures of all pictures of a pair. */
    static QualityLog measure(
            MeterContext context, GoldenPair pair, Set<QualityMetric> metrics, MetricOptions options) {
        Random random = new Random(5);
        PictureLayout layout = PictureLayout.packed(pair.format(), pair.width(), pair.height(), 4);
        QualityLog log = new QualityLog(metrics);
        QualityFigures figures = new QualityFigures();
        try (QualityMeter meter = context.newMeter(pair.format(), pair.width(), pair.height(), metrics, options);
                MappedPicture reference = new MappedPicture(layout, random);
                MappedPicture picture = new MappedPicture(layout, random)) {
            for (int i = 0; i < pair.pictures().size(); i++) {
                reference.write(pair.reference().get(i));
                picture.write(pair.pictures().get(i));
                meter.measure(reference, picture, figures);
                log.add(figures);
            }
        }
        assertTrue(log.pictures() > 0, pair + " has no pictures");
        return log;
    }
}
