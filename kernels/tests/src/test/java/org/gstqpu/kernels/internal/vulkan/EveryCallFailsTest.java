/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.TestVectors;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.golden.GoldenFile;
import org.gstqpu.kernels.golden.GoldenResult;
import org.gstqpu.kernels.golden.GoldenVerifier;
import org.gstqpu.kernels.internal.vulkan.block.VulkanBlockContext;
import org.gstqpu.kernels.internal.vulkan.device.ValidationMessages;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanMeterContext;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lets each call of a short run fail once, in each way that the specification lists for it, and lets the device be lost at each call
 * for good. The run then gives the right bytes, or one known exception; nothing crashes, hangs or is left behind. A sample of the calls,
 * chosen by {@link RandomSeed}; with {@code -Dorg.gstqpu.faults=all} all of them.
 */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class EveryCallFailsTest {
    private static final int SAMPLE = 4;

    private static final FilterParameters BOTH = new FilterParameters(
            Optional.of(H264DeblockParameters.intra(36, 0, 0, 0, 0, true)),
            Optional.of(CdefParameters.uniform(4, new CdefStrength(4, 2, 4, 2))));

    static Stream<Arguments> runs() {
        PicturePlan plan = PicturePlan.fixed(BOTH);
        return Stream.of(
                arguments("I420", pictures(PixelFormat.I420, plan)),
                arguments("grid offset", pictures(PixelFormat.I420, plan.deblockingFrom(3, 5))),
                arguments("by fields", pictures(PixelFormat.P010_10LE, plan.byFields(true))),
                arguments("split view, 4:4:4", pictures(PixelFormat.Y444, plan.keepingLeft(0.5))),
                arguments("golden picture", golden("h264_picture_real422_64x48_b8_qp33_a0_b0_c0.gvp.gz")),
                arguments("quality", (Run) EveryCallFailsTest::measure));
    }

    /** What runs. */
    @FunctionalInterface
    private interface Run {
        /** Returns the result, byte for byte. */
        byte[] on(VulkanFilterContext context) throws Exception;

        /**
         * Opens a context and runs on it.
         *
         * @param opened runs when the context is open; the loader's own failures while it opens are not this test's
         */
        default byte[] run(Runnable opened) throws Exception {
            try (VulkanFilterContext context = VulkanTestContexts.usual()) {
                opened.run();
                return on(context);
            }
        }
    }

    /** Filters two pictures that are in flight together. */
    private static Run pictures(PixelFormat format, PicturePlan plan) {
        return context -> {
            PictureLayout layout = PictureLayout.packed(format, 64, 48, 4);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            try (MappedPicture source = new MappedPicture(layout, new Random(1));
                    MappedPicture first = new MappedPicture(layout, new Random(2));
                    MappedPicture second = new MappedPicture(layout, new Random(3));
                    PictureFilter filter = context.newPictureFilter(layout.format(), layout.width(), layout.height())) {
                PictureRun one = filter.newRun();
                PictureRun two = filter.newRun();
                one.begin(source, first, plan);
                two.begin(source, second, plan);
                two.finish();
                one.finish();
                all.writeBytes(first.bytes());
                all.writeBytes(second.bytes());
            }
            return all.toByteArray();
        };
    }

    /** What {@code qpu verify} does with a file. */
    private static Run golden(String name) {
        return context -> {
            try (BlockContext blocks = VulkanBlockContext.beside(context.runtime())) {
                GoldenResult result =
                        new GoldenVerifier(context, blocks).verify(GoldenFile.read(TestVectors.named(name)));
                assertEquals(0, result.mismatches(), result::toString);
                return result.toString().getBytes(StandardCharsets.UTF_8);
            }
        };
    }

    private static byte[] measure(VulkanFilterContext context) {
        PictureLayout layout = PictureLayout.packed(PixelFormat.I420, 64, 48, 4);
        QualityFigures figures = new QualityFigures();
        Set<QualityMetric> metrics = QualityMetric.definedFor(layout.format(), layout.width(), layout.height());
        try (MappedPicture reference = new MappedPicture(layout, new Random(1));
                MappedPicture picture = new MappedPicture(layout, new Random(2));
                MeterContext meters = VulkanMeterContext.beside(context.runtime());
                QualityMeter meter = meters.newMeter(layout.format(), layout.width(), layout.height(), metrics)) {
            meter.measure(reference, picture, figures);
        }
        StringBuilder text = new StringBuilder();
        for (QualityMetric metric : metrics) {
            for (QualityFeature feature : metric.features()) {
                // Motion 2 and 3 depend on other pictures.
                if (!feature.label().matches("(integer_)?motion[23].*")) {
                    text.append(figures.get(feature)).append(' ');
                }
            }
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("runs")
    void aCallThatFailsDoesNoHarm(String name, Run run) throws Exception {
        long seed = RandomSeed.get();
        boolean all = "all".equals(System.getProperty("org.gstqpu.faults"));
        try (FaultLayer layer = FaultLayer.open()) {
            long[] before = new long[1];
            byte[] wanted = run.run(() -> before[0] = layer.calls());
            int calls = (int) (layer.calls() - before[0]);
            assertTrue(calls > 2 * SAMPLE, "calls: " + calls);
            List<Integer> numbers = new ArrayList<>();
            for (int number = 1; number <= calls; number++) {
                numbers.add(number);
            }
            if (!all) {
                Collections.shuffle(numbers, new Random(seed));
                numbers = numbers.subList(0, SAMPLE);
            }
            int failed = 0;
            for (int number : numbers) {
                int results = 1;
                for (int i = 0; i < results; i++) {
                    int index = i;
                    Optional<String> call = fails(
                            layer, name, run, number, "result " + i, () -> layer.failListed(number, index), wanted);
                    failed += call.isPresent() ? 1 : 0;
                    results = Math.max(results, layer.listed(call.orElse("")).size());
                }
                fails(layer, name, run, number, "and the device is lost", () -> layer.loseDevice(number), wanted);
            }
            assertTrue(failed > 0, "no call failed");
        }
    }

    /** Returns the call that failed; empty if none came: how often a run looks whether the device is done depends on the machine. */
    private static Optional<String> fails(
            FaultLayer layer, String name, Run run, int number, String failure, Runnable arm, byte[] wanted)
            throws Exception {
        long messages = ValidationMessages.count();
        int alive = layer.alive();
        String outcome = "right bytes";
        try {
            assertArrayEquals(wanted, run.run(arm));
        } catch (DeviceException | SubstrateUnavailableException e) {
            outcome = e.getMessage();
        } catch (RuntimeException e) {
            outcome = fail("call " + number + " of " + name + ", " + layer.failedByNumber(), e);
        }
        Optional<String> call = layer.failedByNumber();
        String what = "call " + number + " of " + name + ", " + call + ", " + failure + ": " + outcome;
        layer.failNone();
        assertEquals(messages, ValidationMessages.count(), what);
        assertEquals(alive, layer.alive(), "instances and devices, " + what);
        assertTrue(call.isPresent() || outcome.equals("right bytes"), what);
        return call;
    }
}
