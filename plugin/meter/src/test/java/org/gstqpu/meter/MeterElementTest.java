/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.gstqpu.kernels.metrics.Metrics;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.PooledFigures;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.plugin.PicturePair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.lwjgl.system.MemoryUtil;

/** What a pair of pictures costs the element in Java, and what a device that fails does. */
class MeterElementTest {
    private static final int WIDTH = 64;
    private static final int HEIGHT = 48;
    private static final int PLANE_BYTES = WIDTH * HEIGHT;
    private static final int STEADY_ROUNDS = 5;
    private static final int MOST_ROUNDS = 100;
    private static final int PAIRS = 20;

    /** A context that passes for a device, and fails on request. Measures on the CPU. */
    private static final class FailingDevice implements MeterContext {
        private final MeterContext cpu;
        private final boolean failsAtOnce;
        private final int pairsToFailure;
        private final DeviceFailure failure;
        private boolean closed;

        FailingDevice(MeterContext cpu, boolean failsAtOnce, int pairsToFailure, DeviceFailure failure) {
            this.cpu = cpu;
            this.failsAtOnce = failsAtOnce;
            this.pairsToFailure = pairsToFailure;
            this.failure = failure;
        }

        @Override
        public Substrate substrate() {
            return Substrate.QPU;
        }

        @Override
        public String deviceName() {
            return "a device";
        }

        @Override
        public QualityMeter newMeter(
                PixelFormat format, int width, int height, Set<QualityMetric> metrics, MetricOptions options) {
            if (failsAtOnce) {
                throw new DeviceException("it has no memory; close other programs");
            }
            QualityMeter meter = cpu.newMeter(format, width, height, metrics, options);
            return new QualityMeter() {
                private int measured;

                @Override
                public void measure(Picture reference, Picture picture, QualityFigures figures) {
                    if (measured == pairsToFailure) {
                        throw new DeviceException(failure, "it was lost; look at the kernel's log");
                    }
                    measured++;
                    meter.measure(reference, picture, figures);
                }

                @Override
                public void restart() {
                    meter.restart();
                }

                @Override
                public Set<QualityMetric> metrics() {
                    return meter.metrics();
                }

                @Override
                public void close() {
                    meter.close();
                }
            };
        }

        @Override
        public DeviceCounters counters() {
            return new DeviceCounters(7, 6, 5, 400, 3, 2, 1, 8);
        }

        @Override
        public void close() {
            closed = true;
            cpu.close();
            throw new DeviceException("a lost device says this when it is closed, too");
        }
    }

    private static MeterSettings settings(Substrate substrate, boolean requireZeroCopy) {
        return new MeterSettings(
                "vmaf",
                List.of(),
                new SubstrateRequest(substrate, Optional.empty(), 1),
                Optional.empty(),
                MeterSettings.Format.JSON,
                PooledFigures::mean,
                true,
                true,
                false,
                requireZeroCopy,
                Set.of(),
                1);
    }

    /** Pairs of pictures in memory of the process, which a number of a buffer is the address of, and of a format is a side of. */
    private static final class MappedPair implements PicturePair {
        private final HostMemory[] memories = {new HostMemory(), new HostMemory()};
        private final Picture[] pictures = new Picture[2];
        private final List<String> events = new ArrayList<>();
        private PixelFormat format = PixelFormat.I420;
        private boolean held;
        private boolean imported;

        @Override
        public void setFormat(long width, long height) {
            for (int i = 0; i < pictures.length; i++) {
                pictures[i] = Picture.of(memories[i], PictureLayout.packed(format, (int) width, (int) height, 1));
            }
        }

        @Override
        public PixelFormat format() {
            return format;
        }

        @Override
        public int width() {
            return pictures[0].layout().width();
        }

        @Override
        public int height() {
            return pictures[0].layout().height();
        }

        @Override
        public Optional<String> hold(long reference, long distorted, boolean onDevice) {
            assertFalse(held, "the pair before is held");
            held = true;
            if (reference == 0) {
                return Optional.of("no picture");
            }
            memories[0].set(reference, pictures[0].layout().sizeBytes());
            memories[1].set(distorted, pictures[1].layout().sizeBytes());
            if (onDevice != imported) {
                imported = onDevice;
                events.add(imported ? "imports" : "maps");
            }
            return Optional.empty();
        }

        @Override
        public Optional<String> copyReason() {
            return Optional.of("ref_sink: it is a test's");
        }

        @Override
        public Picture reference() {
            return pictures[0];
        }

        @Override
        public Picture distorted() {
            return pictures[1];
        }

        @Override
        public void release() {
            held = false;
        }

        @Override
        public void keepForEver() {
            events.add("keeps");
        }

        @Override
        public void forgetImports() {
            events.add("forgets");
        }

        @Override
        public Object lock() {
            return this;
        }

        @Override
        public Counts counts() {
            return new Counts(1, 2, 3, 4, 1000);
        }

        @Override
        public void close() {
            events.add("closes");
        }
    }

    private static double psnr(MeterElement meter, int pair, long to) {
        meter.figures(pair, to);
        return MemoryUtil.memGetDouble(to + Double.BYTES);
    }

    @ParameterizedTest
    @CsvSource({
        "false, 2, LOST, 'a device failed: it was lost; look at the kernel''s log. The CPU measures in its place, from pair 2 on, *'",
        "false, 0, TIMED_OUT, 'a device failed: it was lost; look at the kernel''s log. The CPU measures in its place, from pair 0 on, *'",
        "true, 0, LOST, 'a device failed: it has no memory; close other programs. The CPU measures in its place, from pair 0 on, *'"
    })
    void theCpuMeasuresOnWhenTheDeviceFails(boolean atOnce, int pairs, DeviceFailure failure, String told)
            throws Exception {
        FailingDevice device = new FailingDevice(
                Metrics.open(new SubstrateRequest(Substrate.CPU, Optional.empty(), 1)), atOnce, pairs, failure);
        List<String> lines = new ArrayList<>();
        MappedPair pair = new MappedPair();
        long picture = MemoryUtil.nmemCalloc(2, PLANE_BYTES);
        try (MeterElement meter = new MeterElement(
                settings(Substrate.QPU, false),
                request -> request.substrate() == Substrate.QPU ? device : Metrics.open(request),
                context -> pair,
                (line, cause) -> lines.add(line))) {
            meter.setFormat(WIDTH, HEIGHT);
            for (int i = 0; i < PAIRS; i++) {
                meter.measure(picture, picture, i == 0);
            }
            assertTrue(device.closed);
            // What the device has counted stays counted.
            meter.counts(picture);
            assertEquals(
                    List.of(7L, 1400L, 9L, 6L, 1L, 2L, 3L, 2L, 3L, 8L),
                    LongStream.range(0, 10)
                            .mapToObj(i -> MemoryUtil.memGetLong(picture + i * Long.BYTES))
                            .toList());
            for (int i = MeterElement.POOLED; i < PAIRS; i++) {
                assertEquals(60, psnr(meter, i, picture), "pair " + i);
            }
            // Another size is measured by the CPU, too, and nothing more is told.
            meter.setFormat(WIDTH, HEIGHT / 2 + HEIGHT / 4);
            meter.measure(picture, picture, true);
        } finally {
            MemoryUtil.nmemFree(picture);
        }
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).startsWith(told.replace("*", "")), lines.get(0));
        List<String> expected = new ArrayList<>(List.of("forgets", "maps", "closes"));
        if (failure == DeviceFailure.TIMED_OUT) {
            // The device may still read the pair.
            expected.add(0, "keeps");
        }
        if (atOnce) {
            expected.remove("maps");
        } else {
            expected.add(0, "imports");
        }
        assertEquals(expected, pair.events);
    }

    /** Equal pictures have 60 dB with 8 bits a sample, and 72 with 10, also where the depth changes behind or before them. */
    @Test
    void figuresAreOfTheDepthThatTheirPairHas() throws Exception {
        MappedPair pair = new MappedPair();
        long picture = MemoryUtil.nmemCalloc(4, PLANE_BYTES);
        try (MeterElement meter = new MeterElement(
                settings(Substrate.CPU, false), Metrics::open, context -> pair, (line, cause) -> fail(line))) {
            List<PixelFormat> formats = List.of(PixelFormat.I420, PixelFormat.I420_10LE, PixelFormat.I420);
            for (PixelFormat format : formats) {
                pair.format = format;
                meter.setFormat(WIDTH, HEIGHT);
                meter.measure(picture, picture, true);
                meter.measure(picture, picture, false);
            }
            List<Double> figures = new ArrayList<>();
            for (int i = 0; i < 2 * formats.size(); i++) {
                figures.add(psnr(meter, i, picture));
            }
            assertEquals(List.of(60.0, 60.0, 72.0, 72.0, 60.0, 60.0), figures);
            assertEquals(64, psnr(meter, MeterElement.POOLED, picture));
        } finally {
            MemoryUtil.nmemFree(picture);
        }
    }

    @Test
    void aBufferWithoutAPictureAndACopyThatMustNotBeAreFailures() throws Exception {
        long picture = MemoryUtil.nmemCalloc(2, PLANE_BYTES);
        FailingDevice device = new FailingDevice(
                Metrics.open(new SubstrateRequest(Substrate.CPU, Optional.empty(), 1)), false, 1, DeviceFailure.LOST);
        MeterElement meter = new MeterElement(
                settings(Substrate.QPU, true),
                request -> device,
                context -> new MappedPair(),
                (line, cause) -> fail(line));
        try {
            meter.setFormat(WIDTH, HEIGHT);
            MeterException none = assertThrows(MeterException.class, () -> meter.measure(0, picture, true));
            assertEquals("no picture", none.getMessage());
            MeterException copied = assertThrows(MeterException.class, () -> meter.measure(picture, picture, true));
            assertEquals(
                    "require-zero-copy is set and the picture would be copied: ref_sink: it is a test's;"
                            + " set require-zero-copy=false to allow the copy",
                    copied.getMessage());
        } finally {
            assertThrows(DeviceException.class, meter::close);
            MemoryUtil.nmemFree(picture);
        }
    }

    @Test
    void aDeviceWhosePlaceTheCpuCannotTakeIsAFailure() throws Exception {
        FailingDevice device = new FailingDevice(
                Metrics.open(new SubstrateRequest(Substrate.CPU, Optional.empty(), 1)), true, 0, DeviceFailure.LOST);
        MeterElement meter = new MeterElement(
                settings(Substrate.QPU, false),
                request -> {
                    if (request.substrate() == Substrate.CPU) {
                        throw new SubstrateUnavailableException("no CPU");
                    }
                    return device;
                },
                context -> new MappedPair(),
                (line, failure) -> fail(line));
        DeviceException thrown = assertThrows(DeviceException.class, () -> meter.setFormat(WIDTH, HEIGHT));
        assertEquals("no CPU", thrown.getSuppressed()[0].getMessage());
        assertThrows(DeviceException.class, meter::close);
    }

    /** In a round the JVM may link code that runs for the first time, and the log of figures doubles its room now and then. */
    @ParameterizedTest
    @EnumSource(names = {"CPU", "QPU"})
    void aPairAllocatesNoJavaMemory(Substrate substrate) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long picture = MemoryUtil.nmemCalloc(2, PLANE_BYTES);
        List<Long> allocated = new ArrayList<>();
        int steady = 0;
        try (MeterElement meter = new MeterElement(
                settings(substrate, false),
                Metrics::open,
                context -> new MappedPair(),
                (line, failure) -> fail(line))) {
            meter.setFormat(WIDTH, HEIGHT);
            for (int round = 0; round < MOST_ROUNDS && steady < STEADY_ROUNDS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int pair = 0; pair < PAIRS; pair++) {
                    meter.measure(picture, picture, false);
                }
                long bytes = threads.getCurrentThreadAllocatedBytes() - before;
                allocated.add(bytes);
                steady = bytes == 0 ? steady + 1 : 0;
            }
            // Of pictures that are equal.
            assertEquals(60, psnr(meter, MeterElement.POOLED, picture));
        } finally {
            MemoryUtil.nmemFree(picture);
        }
        assertEquals(STEADY_ROUNDS, steady, () -> "bytes per " + PAIRS + " pairs: " + allocated);
    }
}
