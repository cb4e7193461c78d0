/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.Set;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.memory.ApartPlanes;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pictures whose planes lie apart have the figures that they have together, in one submission, and no copy by the CPU. */
class PlaneGatheringTest {
    private static final int PAIRS = 5;

    private static double[] figures(QualityMeter meter, Picture reference, Picture measured) {
        QualityFigures figures = new QualityFigures();
        meter.restart();
        meter.measure(reference, measured, figures);
        QualityLog log = new QualityLog(meter.metrics());
        log.add(figures);
        return meter.metrics().stream()
                .flatMap(metric -> metric.features().stream())
                .mapToDouble((QualityFeature feature) -> log.get(0, feature))
                .toArray();
    }

    private static long made(VulkanCounters counters) {
        return counters.get(Counted.OBJECTS_CREATED)
                + counters.get(Counted.ALLOCATIONS)
                + counters.get(Counted.DESCRIPTOR_WRITES);
    }

    /** Rows of whole words, and rows that end in the middle of one. */
    @ParameterizedTest
    @CsvSource({"NV12, 216, 160", "I420, 217, 161", "I422_10LE, 177, 161", "GRAY8, 177, 176"})
    void figuresAreThoseOfThePlanesTogether(PixelFormat format, int width, int height) throws Exception {
        Set<QualityMetric> metrics = QualityMetric.definedFor(format, width, height);
        Random random = new Random(width);
        PictureLayout layout = PictureLayout.packed(format, width, height, 1);
        try (VulkanMeterContext context = VulkanMeterContext.open(VulkanOptions.bestDevice());
                MappedPicture first = new MappedPicture(layout, random);
                MappedPicture second = new MappedPicture(layout, random);
                ApartPlanes reference =
                        new ApartPlanes(context.runtime(), first.memory().address(), layout);
                ApartPlanes measured =
                        new ApartPlanes(context.runtime(), second.memory().address(), layout);
                QualityMeter meter = context.newMeter(format, width, height, metrics)) {
            double[] expected = figures(meter, first, second);
            double[] same = figures(meter, first, first);
            long copies = context.counters().copies();
            assertArrayEquals(expected, figures(meter, reference, measured));
            assertArrayEquals(expected, figures(meter, first, measured));
            assertArrayEquals(expected, figures(meter, reference, second));
            assertArrayEquals(same, figures(meter, reference, reference));
            assertEquals(copies + 2, context.counters().copies());
            boolean apart = format.planes() > 1;
            assertEquals(apart ? 6 : 0, context.counters().gathered());

            VulkanCounters counters = context.runtime().device().counters();
            long made = made(counters);
            long submits = context.counters().submits();
            for (int pair = 0; pair < PAIRS; pair++) {
                assertArrayEquals(expected, figures(meter, reference, measured));
            }
            assertEquals(made, made(counters));
            assertEquals(PAIRS, context.counters().submits() - submits);
            assertEquals(0, context.counters().reRecords());
            assertEquals(copies + 2, context.counters().copies());
            assertEquals(apart ? 6 + 2 * PAIRS : 0, context.counters().gathered());
        }
    }
}
