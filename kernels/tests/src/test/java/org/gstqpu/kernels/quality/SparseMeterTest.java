/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is measured of some pictures is what a meter measures that sees them all. */
class SparseMeterTest {
    private static final PixelFormat FORMAT = PixelFormat.I420;
    private static final int WIDTH = 96;
    private static final int HEIGHT = 64;
    private static final int PICTURES = 8;
    private static final int EVERY = 3;
    private static final Set<QualityMetric> METRICS = EnumSet.of(
            QualityMetric.PSNR,
            QualityMetric.SSIM,
            QualityMetric.VIF,
            QualityMetric.MOTION,
            QualityMetric.FLOAT_MOTION,
            QualityMetric.MOTION_V1,
            QualityMetric.MOTION_V1_HFR,
            QualityMetric.XPSNR,
            QualityMetric.XPSNR_HFR);

    /** Measures pictures that move, with a second sequence from the sixth on. */
    private static QualityLog log(MeterContext context, Set<QualityMetric> metrics, int every, QualitySums sums) {
        Random random = new Random(7);
        PictureLayout layout = PictureLayout.packed(FORMAT, WIDTH, HEIGHT, 4);
        QualityLog log = new QualityLog(metrics, every);
        QualityFigures figures = new QualityFigures();
        try (SparseMeter meter = new SparseMeter(context, FORMAT, WIDTH, HEIGHT, metrics, MetricOptions.USUAL, every);
                MappedPicture reference = new MappedPicture(layout, random);
                MappedPicture picture = new MappedPicture(layout, random)) {
            for (int i = 0; i < PICTURES; i++) {
                if (i == 5) {
                    meter.restart();
                }
                reference.write(SamplePicture.random(random, Byte.SIZE, FORMAT.chroma(), WIDTH, HEIGHT));
                picture.write(SamplePicture.random(random, Byte.SIZE, FORMAT.chroma(), WIDTH, HEIGHT));
                meter.measure(i, reference, picture, figures);
                log.add(figures);
                sums.add(figures.sums());
            }
        }
        return log;
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void theyHaveTheSameFigures(TestSubstrates.Choice choice) throws Exception {
        try (MeterContext context = choice.openMeters()) {
            QualityLog all = log(context, METRICS, 1, new QualitySums());
            QualitySums sums = new QualitySums();
            QualityLog some = log(context, METRICS, EVERY, sums);
            assertEquals(PICTURES, some.pictures());
            assertEquals(3, some.measured());
            assertEquals(3, sums.pictures());
            assertArrayEquals(new int[] {0, 3, 6}, some.numbers().toArray());
            for (QualityFeature feature : all.features()) {
                double sum = 0;
                for (int picture : some.numbers().toArray()) {
                    assertEquals(all.get(picture, feature), some.get(picture, feature), choice + ", " + feature);
                    sum += some.get(picture, feature);
                }
                if (feature.metric() != QualityMetric.XPSNR && feature.metric() != QualityMetric.XPSNR_HFR) {
                    assertEquals(sum / 3, some.pool(feature).mean(), 1e-9, feature::toString);
                } else {
                    assertTrue(Double.isFinite(some.pool(feature).mean()), feature::toString);
                }
            }
            assertTrue(Double.isNaN(some.get(1, QualityFeature.PSNR_Y)));
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void oneMeterIsEnoughWhereAllOrNoneComparePictures(TestSubstrates.Choice choice) throws Exception {
        try (MeterContext context = choice.openMeters()) {
            for (QualityMetric metric : EnumSet.of(QualityMetric.PSNR, QualityMetric.MOTION)) {
                Set<QualityMetric> metrics = EnumSet.of(metric);
                QualityFeature feature = metric.features().get(0);
                QualityLog all = log(context, metrics, 1, new QualitySums());
                QualityLog some = log(context, metrics, EVERY, new QualitySums());
                assertEquals(all.get(6, feature), some.get(6, feature));
            }
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new SparseMeter(context, FORMAT, WIDTH, HEIGHT, METRICS, MetricOptions.USUAL, 0));
        }
    }
}
