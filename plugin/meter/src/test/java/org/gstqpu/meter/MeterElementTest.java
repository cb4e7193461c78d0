/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gstqpu.kernels.metrics.Metrics;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.PooledFigures;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
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
    private static final int ROUNDS = 20;
    private static final int PAIRS = 20;

    /** A context that passes for a device, and fails on request. Measures on the CPU. */
    private static final class FailingDevice implements MeterContext {
        private final MeterContext cpu;
        private final boolean failsAtOnce;
        private final int pairsToFailure;
        private boolean closed;

        FailingDevice(MeterContext cpu, boolean failsAtOnce, int pairsToFailure) {
            this.cpu = cpu;
            this.failsAtOnce = failsAtOnce;
            this.pairsToFailure = pairsToFailure;
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
                        throw new DeviceException("it was lost; look at the kernel's log");
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
        public Optional<DeviceMemory> importHost(long address, long sizeBytes) {
            return Optional.empty();
        }

        @Override
        public void close() {
            closed = true;
            cpu.close();
            throw new DeviceException("a lost device says this when it is closed, too");
        }
    }

    private static MeterSettings settings(Substrate substrate) {
        return new MeterSettings(
                "vmaf",
                List.of(),
                new SubstrateRequest(substrate, Optional.empty(), 1),
                Optional.empty(),
                false,
                PooledFigures::mean,
                true,
                true,
                false);
    }

    /** The numbers of a pair of pictures, both of which lie at an address. */
    private static long numbersOf(long picture) {
        long numbers = MemoryUtil.nmemCalloc(2, MappedPlanes.SIZE_BYTES);
        for (long at : new long[] {numbers, numbers + MappedPlanes.SIZE_BYTES}) {
            MemoryUtil.memPutLong(at, picture);
            MemoryUtil.memPutLong(at + Long.BYTES, picture + PLANE_BYTES);
            MemoryUtil.memPutLong(at + 2 * Long.BYTES, picture + PLANE_BYTES * 5 / 4);
            MemoryUtil.memPutLong(at + 3 * Long.BYTES, WIDTH);
            MemoryUtil.memPutLong(at + 4 * Long.BYTES, WIDTH / 2);
            MemoryUtil.memPutLong(at + 5 * Long.BYTES, WIDTH / 2);
        }
        return numbers;
    }

    private static double psnr(MeterElement meter, int pair, long to) {
        meter.figures(pair, to);
        return MemoryUtil.memGetDouble(to + Double.BYTES);
    }

    @ParameterizedTest
    @CsvSource({
        "false, 2, 'a device failed: it was lost; look at the kernel''s log. The CPU measures in its place, from pair 2 on, *'",
        "false, 0, 'a device failed: it was lost; look at the kernel''s log. The CPU measures in its place, from pair 0 on, *'",
        "true, 0, 'a device failed: it has no memory; close other programs. The CPU measures in its place, from pair 0 on, *'"
    })
    void theCpuMeasuresOnWhenTheDeviceFails(boolean atOnce, int pairs, String told) throws Exception {
        FailingDevice device = new FailingDevice(
                Metrics.open(new SubstrateRequest(Substrate.CPU, Optional.empty(), 1)), atOnce, pairs);
        List<String> lines = new ArrayList<>();
        long picture = MemoryUtil.nmemCalloc(2, PLANE_BYTES);
        long numbers = numbersOf(picture);
        try (MeterElement meter = new MeterElement(
                settings(Substrate.QPU),
                request -> request.substrate() == Substrate.QPU ? device : Metrics.open(request),
                (line, failure) -> lines.add(line))) {
            meter.setFormat("I420", WIDTH, HEIGHT);
            for (int pair = 0; pair < PAIRS; pair++) {
                meter.measure(numbers, pair == 0);
            }
            assertTrue(device.closed);
            for (int pair = MeterElement.POOLED; pair < PAIRS; pair++) {
                assertEquals(60, psnr(meter, pair, picture), "pair " + pair);
            }
            // Another size is measured by the CPU, too, and nothing more is told.
            meter.setFormat("I420", WIDTH, HEIGHT / 2 + HEIGHT / 4);
            meter.measure(numbers, true);
        } finally {
            MemoryUtil.nmemFree(picture);
            MemoryUtil.nmemFree(numbers);
        }
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).startsWith(told.replace("*", "")), lines.get(0));
    }

    @Test
    void aDeviceWhosePlaceTheCpuCannotTakeIsAFailure() throws Exception {
        FailingDevice device =
                new FailingDevice(Metrics.open(new SubstrateRequest(Substrate.CPU, Optional.empty(), 1)), true, 0);
        MeterElement meter = new MeterElement(
                settings(Substrate.QPU),
                request -> {
                    if (request.substrate() == Substrate.CPU) {
                        throw new SubstrateUnavailableException("no CPU");
                    }
                    return device;
                },
                (line, failure) -> fail(line));
        DeviceException thrown = assertThrows(DeviceException.class, () -> meter.setFormat("I420", WIDTH, HEIGHT));
        assertEquals("no CPU", thrown.getSuppressed()[0].getMessage());
        assertThrows(DeviceException.class, meter::close);
    }

    /** In a round the JVM may link code that runs for the first time, and the log of figures doubles its room now and then. */
    @ParameterizedTest
    @EnumSource(names = {"CPU", "QPU"})
    void aPairAllocatesNoJavaMemory(Substrate substrate) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long picture = MemoryUtil.nmemCalloc(2, PLANE_BYTES);
        long numbers = numbersOf(picture);
        List<Long> allocated = new ArrayList<>();
        try (MeterElement meter = new MeterElement(settings(substrate), Metrics::open, (line, failure) -> fail(line))) {
            meter.setFormat("I420", WIDTH, HEIGHT);
            for (int round = 0; round < ROUNDS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int pair = 0; pair < PAIRS; pair++) {
                    meter.measure(numbers, false);
                }
                allocated.add(threads.getCurrentThreadAllocatedBytes() - before);
            }
            // Of pictures that are equal.
            assertEquals(60, psnr(meter, MeterElement.POOLED, picture));
        } finally {
            MemoryUtil.nmemFree(picture);
            MemoryUtil.nmemFree(numbers);
        }
        long rounds = allocated.stream().filter(bytes -> bytes == 0).count();
        assertTrue(rounds >= ROUNDS / 2, () -> "bytes per " + PAIRS + " pairs: " + allocated);
    }
}
