/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.internal.cpu.quality.CpuMeterContext;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.Substrate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuFilterContextTest {
    private static final long COMPILED_WITHIN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final Optional<H264DeblockParameters> DEBLOCK =
            Optional.of(H264DeblockParameters.intra(36, 0, 0, 0, 0, false));
    private static final PicturePlan BOTH = PicturePlan.fixed(
            new FilterParameters(DEBLOCK, Optional.of(CdefParameters.uniform(5, new CdefStrength(4, 2, 3, 1)))));
    private static final PicturePlan ALL = PicturePlan.fixed(new FilterParameters(
            DEBLOCK,
            Optional.of(CdefParameters.uniform(5, new CdefStrength(4, 2, 3, 1))),
            Optional.of(new ShrinkageParameters(8, 160, 120, 10))));

    /** All filters too, each with other parameters. */
    private static final PicturePlan ALL_OTHERWISE = PicturePlan.fixed(new FilterParameters(
            Optional.of(H264DeblockParameters.intra(30, 2, 2, 0, 0, true)),
            Optional.of(CdefParameters.uniform(3, new CdefStrength(2, 1, 1, 2))),
            Optional.of(new ShrinkageParameters(8, 120, 160, 20))));

    @Test
    void whatComesLastComesOnce() {
        AtomicInteger ends = new AtomicInteger();
        CpuFilterContext context = new CpuFilterContext(2, "because", ends::incrementAndGet);
        assertEquals(0, ends.get());
        context.close();
        context.close();
        assertEquals(1, ends.get());
    }

    @Test
    void saysWhatItIs() {
        try (CpuFilterContext context = new CpuFilterContext(3, "because")) {
            assertEquals(Substrate.CPU, context.substrate());
            assertEquals("CPU, 3 threads", context.deviceName());
            assertEquals("because", context.reason());
            assertEquals(0, context.counters().submits());
            assertEquals(0, context.counters().bytesCopied());
            assertEquals(0, context.counters().reRecords());
        }
        try (CpuFilterContext context = new CpuFilterContext(1, "because")) {
            assertEquals("CPU, 1 thread", context.deviceName());
        }
        int processors = Runtime.getRuntime().availableProcessors();
        try (CpuFilterContext context = new CpuFilterContext(0, "because")) {
            assertTrue(context.deviceName().startsWith("CPU, " + processors + " thread"), context::deviceName);
        }
        assertThrows(IllegalArgumentException.class, () -> new CpuFilterContext(-1, "because"));
    }

    @Test
    void scratchIsHeldOnlyWhileAFilterRunsSeveral() {
        PictureLayout layout = PictureLayout.packed(PixelFormat.I420, 128, 64, 1);
        try (CpuFilterContext context = new CpuFilterContext(1, "because");
                MappedPicture source = new MappedPicture(layout, new Random(1));
                MappedPicture destination = new MappedPicture(layout, new Random(2))) {
            PictureFilter filter = context.newPictureFilter(PixelFormat.I420, 128, 64);
            filter.filter(source, destination, PicturePlan.fixed(new FilterParameters(DEBLOCK, Optional.empty())));
            assertEquals(0, context.poolBytes());
            filter.filter(source, destination, BOTH);
            assertEquals(128 * 64 + 2 * 64 * 32, context.poolBytes());
            filter.filter(source, destination, BOTH);
            assertEquals(128 * 64 + 2 * 64 * 32, context.poolBytes());
            filter.filter(source, destination, ALL);
            assertEquals(2 * (128 * 64 + 2 * 64 * 32), context.poolBytes());
            filter.filter(source, destination, ALL);
            assertEquals(2 * (128 * 64 + 2 * 64 * 32), context.poolBytes());
            filter.close();
            filter.close();
            assertEquals(0, context.poolBytes());
        }
    }

    @ParameterizedTest
    @CsvSource({"NV12, false", "NV12, true", "P010_10LE, false", "P010_10LE, true"})
    void nothingIsAllocatedInTheSteadyState(PixelFormat format, boolean inVectors) {
        PictureLayout layout = PictureLayout.packed(format, 322, 202, 32);
        Random random = new Random(7);
        try (CpuFilterContext context =
                        new CpuFilterContext(3, "because", inVectors ? VectorUse.always() : VectorUse.never());
                MappedPicture source = new MappedPicture(layout, random);
                MappedPicture destination = new MappedPicture(layout, random);
                PictureFilter filter = context.newPictureFilter(format, 322, 202)) {
            source.write(SamplePicture.random(random, format.bitDepth(), format.chroma(), 322, 202));
            // The JVM allocates while it compiles, and vectors until it has: a frame that allocates does so for ever.
            long allocated = Long.MAX_VALUE;
            long start = System.nanoTime();
            while (allocated != 0 && System.nanoTime() - start < COMPILED_WITHIN_NANOS) {
                long before = allocatedBytes();
                long measuring = allocatedBytes() - before;
                before = allocatedBytes();
                for (int i = 0; i < 20; i++) {
                    filter.filter(source, destination, i % 2 == 0 ? ALL : ALL_OTHERWISE);
                }
                allocated = allocatedBytes() - before - measuring;
            }
            assertEquals(0, allocated, "bytes allocated by the calling thread and the workers");
        }
    }

    @Test
    void measuringAllocatesNothingInTheSteadyState() {
        int side = QualityMetric.SPEED_CHROMA_4K_3H.smallestWidth(PixelFormat.NV12);
        PictureLayout layout = PictureLayout.packed(PixelFormat.NV12, side, side, 1);
        Random random = new Random(8);
        QualityFigures figures = new QualityFigures();
        try (CpuMeterContext context = new CpuMeterContext(3);
                MappedPicture reference = new MappedPicture(layout, random);
                MappedPicture measured = new MappedPicture(layout, random);
                QualityMeter meter =
                        context.newMeter(PixelFormat.NV12, side, side, EnumSet.allOf(QualityMetric.class))) {
            long allocated = Long.MAX_VALUE;
            long start = System.nanoTime();
            while (allocated != 0 && System.nanoTime() - start < COMPILED_WITHIN_NANOS) {
                long before = allocatedBytes();
                long measuring = allocatedBytes() - before;
                before = allocatedBytes();
                for (int i = 0; i < 20; i++) {
                    meter.measure(reference, measured, figures);
                }
                allocated = allocatedBytes() - before - measuring;
            }
            assertEquals(0, allocated, "bytes allocated by the calling thread and the workers");
        }
    }

    /** By the calling thread and the two that work along. */
    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] workers = Arrays.stream(threads.dumpAllThreads(false, false))
                // A warm-up that a test before has closed may still end.
                .filter(thread -> thread.getThreadName().matches("qpu-cpu-[0-9]+"))
                .mapToLong(thread -> thread.getThreadId())
                .toArray();
        assertEquals(2, workers.length);
        return Arrays.stream(threads.getThreadAllocatedBytes(workers)).sum() + threads.getCurrentThreadAllocatedBytes();
    }

    @Test
    void whatDoesNotFitTheFilterIsRefused() {
        PictureLayout layout = PictureLayout.packed(PixelFormat.I420, 64, 48, 1);
        try (CpuFilterContext context = new CpuFilterContext(1, "because");
                MappedPicture source = new MappedPicture(layout, new Random(1));
                MappedPicture destination = new MappedPicture(layout, new Random(2));
                PictureFilter filter = context.newPictureFilter(PixelFormat.I420, 64, 48)) {
            PictureLayout other = PictureLayout.packed(PixelFormat.I420, 64, 50, 1);
            PictureLayout otherFormat = PictureLayout.packed(PixelFormat.YV12, 64, 48, 1);
            Picture higher = Picture.of(source.memory(), other);
            refused(filter, higher, destination, BOTH, "the source picture is I420 64x50");
            Picture chromaSwapped = Picture.of(destination.memory(), otherFormat);
            refused(filter, source, chromaSwapped, BOTH, "the destination picture is YV12 64x48");
            HostMemory small = new HostMemory().set(destination.memory().address(), layout.sizeBytes() - 1);
            refused(filter, source, Picture.of(small, layout), BOTH, "needs 4608 bytes, its memory has 4607");
            refused(filter, source, Picture.of(new HostMemory(), layout), BOTH, "its memory has 0");
            refused(filter, source, source, BOTH, "overlap");

            CdefBlockMap map = new CdefBlockMap(64, 64, new byte[1], new byte[64]);
            CdefParameters mapped = new CdefParameters(3, List.of(new CdefStrength(1, 1, 1, 1)), Optional.of(map));
            PicturePlan plan = PicturePlan.fixed(new FilterParameters(Optional.empty(), Optional.of(mapped)));
            refused(filter, source, destination, plan, "64x64");
            // The refusal is not taken for the plan of an earlier picture.
            refused(filter, source, destination, plan, "64x64");
            PicturePlan others = PicturePlan.decoded(new PictureParameters(PixelFormat.I420, 64, 64));
            refused(filter, source, destination, others, "64x64");
        }
    }

    private static void refused(
            PictureFilter filter, Picture source, Picture destination, PicturePlan plan, String message) {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> filter.filter(source, destination, plan));
        assertTrue(thrown.getMessage().contains(message), thrown::getMessage);
    }

    @Test
    void aClosedFilterIsRefused() {
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, 8, 8, 1);
        try (CpuFilterContext context = new CpuFilterContext(1, "because");
                MappedPicture source = new MappedPicture(layout, new Random(1));
                MappedPicture destination = new MappedPicture(layout, new Random(2))) {
            PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 8, 8);
            filter.close();
            assertThrows(IllegalStateException.class, () -> filter.filter(source, destination, BOTH));
        }
    }
}
