/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264MacroblockMaps;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanMeterContext;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryUtil;

/** What a frame costs once the first ones are through: no Vulkan object, no descriptor, no Java object, no needless copy. */
@Tag("thorough")
class SteadyStateTest {
    private static final int WIDTH = 96;
    private static final int HEIGHT = 48;
    private static final int PICTURE_BYTES = WIDTH * HEIGHT * 3 / 2;
    private static final int WARM_UP_FRAMES = 300;
    private static final int FRAMES = 500;
    private static final int MEASURED_PAIRS = 10;
    private static final PicturePlan ALL_FILTERS = allFilters(30, 3);

    private final Random random = new Random(5);
    private VulkanFilterContext context;
    private PictureFilter filter;

    private static PicturePlan allFilters(int qp, int primary) {
        return PicturePlan.fixed(parameters(qp, primary));
    }

    private static FilterParameters parameters(int qp, int primary) {
        return new FilterParameters(
                Optional.of(H264DeblockParameters.intra(qp, 0, 0, 0, 0, false)),
                Optional.of(CdefParameters.uniform(4, new CdefStrength(primary, 1, primary, 1))),
                Optional.of(new ShrinkageParameters(4, 10 * qp, 5 * qp, ShrinkageParameters.DEFAULT_BOUND)));
    }

    @BeforeEach
    void open() throws Exception {
        context = VulkanTestContexts.usual();
        filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT);
    }

    @AfterEach
    void close() {
        filter.close();
        context.close();
    }

    private MappedPicture picture(int strideAlignmentBytes) {
        return new MappedPicture(PictureLayout.packed(PixelFormat.NV12, WIDTH, HEIGHT, strideAlignmentBytes), random);
    }

    private long vulkanCalls() {
        VulkanCounters counters = context.runtime().device().counters();
        return counters.get(Counted.OBJECTS_CREATED)
                + counters.get(Counted.ALLOCATIONS)
                + counters.get(Counted.DESCRIPTOR_WRITES);
    }

    private void frames(int count, Picture source, Picture destination, PicturePlan plan) {
        for (int i = 0; i < count; i++) {
            filter.filter(source, destination, plan);
        }
    }

    @Test
    void aStagedFrameMakesNothingAndIsCopiedOnceInAndOnceOut() {
        try (MappedPicture source = picture(1);
                MappedPicture destination = picture(64)) {
            frames(WARM_UP_FRAMES, source, destination, ALL_FILTERS);
            long calls = vulkanCalls();
            long submits = context.counters().submits();
            long copied = context.counters().bytesCopied();
            assertEquals(0, leastJavaBytes(() -> frames(FRAMES, source, destination, ALL_FILTERS)));
            long submitted = context.counters().submits() - submits;
            assertEquals(calls, vulkanCalls());
            assertEquals(0, submitted % FRAMES);
            assertTrue(submitted > 0);
            assertEquals(2L * submitted * PICTURE_BYTES, context.counters().bytesCopied() - copied);
            assertEquals(0, context.counters().reRecords());
        }
    }

    @Test
    void anImportedFrameIsNotCopiedAtAll() {
        assertNothingIsMadeOrCopied(ALL_FILTERS, WARM_UP_FRAMES, FRAMES);
    }

    /** Fewer frames than elsewhere: a device that is the CPU takes its time for fusion. */
    @Test
    void aFrameThatIsFusedWithThoseBeforeItIsNotCopiedEither() {
        PicturePlan fused = PicturePlan.fixed(parameters(30, 3).withTime(new TimeParameters(300, 300, 300, true, 0)));
        assertNothingIsMadeOrCopied(fused, FRAMES / 10, FRAMES / 10);
    }

    @Test
    void aFrameThatIsFusedWithThoseAfterItMakesNothingEither() {
        PicturePlan plan = PicturePlan.fixed(parameters(30, 3).withTime(new TimeParameters(300, 300, 300, true, 2)));
        try (MappedPicture source = picture(4);
                MappedPicture first = picture(4);
                MappedPicture second = picture(4);
                MappedPicture third = picture(4);
                DeviceMemory from = imported(source);
                DeviceMemory toFirst = imported(first);
                DeviceMemory toSecond = imported(second);
                DeviceMemory toThird = imported(third)) {
            Picture input = Picture.of(from, source.layout());
            List<Picture> outputs = List.of(
                    Picture.of(toFirst, first.layout()),
                    Picture.of(toSecond, second.layout()),
                    Picture.of(toThird, third.layout()));
            List<PictureRun> runs = List.of(filter.newRun(), filter.newRun(), filter.newRun());
            Runnable round = () -> {
                for (int i = 0; i < outputs.size(); i++) {
                    // Finishes the picture before, which all others have waited for.
                    runs.get(i).begin(input, outputs.get(i), plan);
                }
            };
            round.run();
            round.run();
            long calls = vulkanCalls();
            long submits = context.counters().submits();
            round.run();
            assertEquals(2L * outputs.size(), context.counters().submits() - submits, "the picture, and its fusion");
            assertEquals(0, leastJavaBytes(round));
            assertEquals(calls, vulkanCalls());
            assertEquals(0, context.counters().bytesCopied());
            assertEquals(0, context.counters().reRecords());
            runs.forEach(PictureRun::finish);
        }
    }

    private void assertNothingIsMadeOrCopied(PicturePlan plan, int warmUp, int count) {
        try (MappedPicture source = picture(4);
                MappedPicture destination = picture(4);
                DeviceMemory from = imported(source);
                DeviceMemory to = imported(destination)) {
            Picture input = Picture.of(from, source.layout());
            Picture output = Picture.of(to, destination.layout());
            frames(warmUp, input, output, plan);
            long calls = vulkanCalls();
            assertEquals(0, leastJavaBytes(() -> frames(count, input, output, plan)));
            assertEquals(calls, vulkanCalls());
            assertEquals(0, context.counters().bytesCopied());
            assertEquals(0, context.counters().reRecords());
        }
    }

    /** Two at a time, so that each has room of its own. */
    @Test
    void framesWithParametersOfTheirOwnMakeNothing() {
        PictureParameters parameters = new PictureParameters(PixelFormat.NV12, WIDTH, HEIGHT);
        H264MacroblockMaps maps = new H264MacroblockMaps();
        ByteBuffer qps = MemoryUtil.memAlloc(WIDTH / 16 * HEIGHT / 16);
        ByteBuffer indexes = MemoryUtil.memCalloc(((WIDTH + 63) / 64) * ((HEIGHT + 63) / 64));
        try (MappedPicture source = picture(4);
                MappedPicture destination = picture(4);
                MappedPicture other = picture(4);
                DeviceMemory from = imported(source);
                DeviceMemory to = imported(destination);
                DeviceMemory toOther = imported(other)) {
            Picture input = Picture.of(from, source.layout());
            Picture output = Picture.of(to, destination.layout());
            Picture otherOutput = Picture.of(toOther, other.layout());
            PicturePlan plan = PicturePlan.decoded(parameters);
            PictureRun first = filter.newRun();
            PictureRun second = filter.newRun();
            Runnable round = () -> {
                for (int i = 0; i < FRAMES / 2; i++) {
                    fill(parameters, maps, qps, indexes, i);
                    first.begin(input, output, plan);
                    fill(parameters, maps, qps, indexes, i + 20);
                    second.begin(input, otherOutput, plan);
                    first.finish();
                    second.finish();
                }
            };
            round.run();
            byte[] before = other.bytes();
            long calls = vulkanCalls();
            long reRecords = context.counters().reRecords();
            assertEquals(0, leastJavaBytes(round));
            assertEquals(calls, vulkanCalls());
            assertEquals(reRecords, context.counters().reRecords());
            assertArrayEquals(before, other.bytes(), "each round does the same");
            assertFalse(Arrays.equals(before, destination.bytes()), "each picture has its own");
        } finally {
            MemoryUtil.memFree(qps);
            MemoryUtil.memFree(indexes);
        }
    }

    private static void fill(
            PictureParameters parameters, H264MacroblockMaps maps, ByteBuffer qps, ByteBuffer indexes, int number) {
        for (int i = 0; i < qps.capacity(); i++) {
            qps.put(i, (byte) (20 + (number + i) % 30));
        }
        maps.reset();
        maps.qpMap(MemoryUtil.memAddress(qps, 0), qps.capacity());
        parameters.clear();
        parameters.deblockByEdge().derive(maps);
        CdefDecisions cdef = parameters.runCdef();
        cdef.begin(3 + number % 4);
        cdef.add(number % 16, 1, 2, 1);
        cdef.map(MemoryUtil.memAddress(indexes, 0), indexes.capacity(), 0, 0);
    }

    /** Of every metric, in pictures that are large enough for all but SpEED of scaled pictures, which has the same kernels. */
    @Test
    void aMeasuredPairMakesNothingAndIsOneSubmission() {
        int side = 216;
        Set<QualityMetric> metrics = QualityMetric.definedFor(PixelFormat.NV12, side, side);
        PictureLayout layout = PictureLayout.packed(PixelFormat.NV12, side, side, 1);
        QualityFigures figures = new QualityFigures();
        AtomicLong pairs = new AtomicLong();
        try (MeterContext meters = VulkanMeterContext.beside(context.runtime());
                QualityMeter meter = meters.newMeter(PixelFormat.NV12, side, side, metrics);
                MappedPicture reference = new MappedPicture(layout, random);
                MappedPicture measured = new MappedPicture(layout, random)) {
            Runnable round = () -> {
                for (int i = 0; i < MEASURED_PAIRS; i++) {
                    meter.measure(reference, measured, figures);
                    pairs.incrementAndGet();
                }
            };
            round.run();
            long calls = vulkanCalls();
            long submits = context.counters().submits();
            long before = pairs.get();
            assertEquals(0, leastJavaBytes(round));
            assertEquals(calls, vulkanCalls());
            assertEquals(pairs.get() - before, context.counters().submits() - submits);
            assertEquals(0, context.counters().reRecords());
            for (QualityMetric metric : metrics) {
                for (QualityFeature feature : metric.features()) {
                    // Motion 2 and 3 depend on other pictures.
                    if (!feature.label().matches("(integer_)?motion[23].*")) {
                        assertFalse(Double.isNaN(figures.get(feature)), feature.label());
                    }
                }
            }
        }
    }

    /**
     * The fewest Java bytes of some rounds: the JVM's own compiling may allocate in a few while the machine is busy, a frame that
     * allocates does so in every round.
     */
    private static long leastJavaBytes(Runnable round) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 1000 && least > 0; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            long measuring = threads.getCurrentThreadAllocatedBytes() - before;
            before = threads.getCurrentThreadAllocatedBytes();
            round.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before - measuring);
        }
        return least;
    }

    private DeviceMemory imported(MappedPicture picture) {
        return context.importHost(picture.memory().address(), picture.memory().sizeBytes())
                .orElseThrow(() -> new AssertionError(context.deviceName() + " imports no host memory; these tests"
                        + " need lavapipe: apt install mesa-vulkan-drivers"));
    }

    @Test
    void aPoolsBuffersAreRecordedOncePerPair() {
        List<MappedPicture> pictures = List.of(picture(4), picture(4), picture(4), picture(4), picture(4));
        List<DeviceMemory> imports = pictures.stream().map(this::imported).toList();
        List<Picture> inPlace = imports.stream()
                .map(memory -> Picture.of(memory, pictures.get(0).layout()))
                .toList();
        long calls = 0;
        for (int i = 0; i < 60; i++) {
            if (i == 6) {
                calls = vulkanCalls();
            }
            filter.filter(inPlace.get(i % 3), inPlace.get(3 + i % 2), ALL_FILTERS);
        }
        assertEquals(calls, vulkanCalls(), "six pairs, recorded in the first six frames");
        assertEquals(0, context.counters().reRecords());
        imports.forEach(DeviceMemory::close);
        pictures.forEach(MappedPicture::close);
    }

    @Test
    void newStrengthsReRecordNothing() {
        try (MappedPicture source = picture(1);
                MappedPicture destination = picture(1)) {
            frames(3, source, destination, ALL_FILTERS);
            long calls = vulkanCalls();
            byte[] before = destination.bytes();
            frames(1, source, destination, allFilters(51, 15));
            assertEquals(calls, vulkanCalls());
            assertEquals(0, context.counters().reRecords());
            assertTrue(!Arrays.equals(before, destination.bytes()), "the new strengths hold");
        }
    }

    @Test
    void anotherShareKeptReRecordsNothing() {
        try (MappedPicture source = picture(1);
                MappedPicture destination = picture(1)) {
            frames(3, source, destination, ALL_FILTERS.keepingLeft(0.25));
            long calls = vulkanCalls();
            byte[] before = destination.bytes();
            frames(1, source, destination, ALL_FILTERS.keepingLeft(0.75));
            assertEquals(calls, vulkanCalls());
            assertEquals(0, context.counters().reRecords());
            assertTrue(!java.util.Arrays.equals(before, destination.bytes()), "the new share holds");
        }
    }

    @Test
    void aFrameDeblockedAtAnOffsetMakesNothing() {
        try (MappedPicture source = picture(4);
                MappedPicture destination = picture(4);
                DeviceMemory from = imported(source);
                DeviceMemory to = imported(destination)) {
            Picture input = Picture.of(from, source.layout());
            Picture output = Picture.of(to, destination.layout());
            PicturePlan plan = ALL_FILTERS.deblockingFrom(6, 3);
            frames(WARM_UP_FRAMES, input, output, plan);
            long calls = vulkanCalls();
            assertEquals(0, leastJavaBytes(() -> frames(FRAMES, input, output, plan)));
            assertEquals(calls, vulkanCalls());
            assertEquals(0, context.counters().bytesCopied());
            assertEquals(0, context.counters().reRecords());
        }
    }

    @Test
    void withNothingToDoNothingIsSubmitted() {
        try (MappedPicture source = picture(1);
                MappedPicture destination = picture(1)) {
            long submits = context.counters().submits();
            frames(2, source, destination, PicturePlan.fixed(new FilterParameters(Optional.empty(), Optional.empty())));
            assertEquals(submits, context.counters().submits());
        }
    }

    @Test
    void aClosedFiltersBuffersServeTheNext() {
        try (MappedPicture source = picture(1);
                MappedPicture destination = picture(1)) {
            frames(1, source, destination, ALL_FILTERS);
            long poolBytes = context.poolBytes();
            for (int i = 0; i < 3; i++) {
                filter.close();
                filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT);
                frames(1, source, destination, ALL_FILTERS);
            }
            assertEquals(poolBytes, context.poolBytes());
        }
    }
}
