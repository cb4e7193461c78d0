/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.device.DeviceType;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateTimes;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryUtil;

class PictureRaceTest {
    /** A substrate whose filter is to copy, or nearly so. */
    private static class Pretender implements FilterContext {
        private final long delayMillis;
        private final boolean submits;
        private final boolean exact;
        private long submitted;

        Pretender(long delayMillis, boolean submits, boolean exact) {
            this.delayMillis = delayMillis;
            this.submits = submits;
            this.exact = exact;
        }

        @Override
        public Substrate substrate() {
            return Substrate.QPU;
        }

        @Override
        public String deviceName() {
            return "Pretender";
        }

        @Override
        public String reason() {
            return "a test";
        }

        @Override
        public PictureFilter newPictureFilter(PixelFormat format, int width, int height) {
            if (submits) {
                submitted++; // as a filter that prepares its buffers
            }
            return new PictureFilter() {
                @Override
                public void forgetPast() {}

                @Override
                public Optional<StrengthEstimate> estimate() {
                    return Optional.empty();
                }

                @Override
                public FusionCounts fusion() {
                    return FusionCounts.NONE;
                }

                @Override
                public PictureRun newRun() {
                    throw new AssertionError("a race filters one picture at a time");
                }

                @Override
                public void filter(Picture source, Picture destination, PicturePlan plan) {
                    work();
                    long result = ((HostMemory) destination.memory()).address();
                    MemoryUtil.memCopy(
                            ((HostMemory) source.memory()).address(),
                            result,
                            source.layout().sizeBytes());
                    if (!exact) {
                        long last = result + destination.layout().sizeBytes() - 1;
                        MemoryUtil.memPutByte(last, (byte) (MemoryUtil.memGetByte(last) + 1));
                    }
                }

                @Override
                public void close() {}
            };
        }

        void work() {
            if (submits) {
                submitted++;
            }
            long end = System.nanoTime() + delayMillis * 1_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }

        @Override
        public Optional<DeviceMemory> importHost(long address, long sizeBytes) {
            return Optional.empty();
        }

        @Override
        public boolean importsDmabufs() {
            return false;
        }

        @Override
        public DeviceMemory importDmabuf(DmabufPicture picture) {
            throw new AssertionError("the calibration filters pictures in memory of the process");
        }

        @Override
        public DeviceCounters counters() {
            return new DeviceCounters(submitted, 0, 0, 0, 0, 0, 0, 0);
        }

        @Override
        public long poolBytes() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static SubstrateTimes race(Pretender cpu, Pretender qpu) {
        try (cpu;
                qpu) {
            return PictureRace.run(cpu, qpu);
        }
    }

    @Test
    void theFasterOneWinsAndBothTimesAreTold() {
        SubstrateTimes won = race(new Pretender(10, true, true), new Pretender(0, true, true));
        assertEquals(Substrate.QPU, won.faster(), won.explanation());
        assertTrue(
                won.explanation().matches("all filters on 640x360 NV12: CPU \\d+\\.\\d\\d ms, QPU [\\d.]+ (ns|µs|ms)"),
                won.explanation());
        SubstrateTimes lost = race(new Pretender(0, true, true), new Pretender(10, true, true));
        assertEquals(Substrate.CPU, lost.faster(), lost.explanation());
    }

    @Test
    void aFastDeviceThatWasNeverAskedLoses() {
        SubstrateTimes result = race(new Pretender(10, true, true), new Pretender(0, false, true));
        assertEquals(Substrate.CPU, result.faster());
        assertTrue(result.explanation().contains("was given 0 of"), result.explanation());
    }

    @Test
    void aFastDeviceThatIsWrongInOneSampleLoses() {
        SubstrateTimes result = race(new Pretender(10, true, true), new Pretender(0, true, false));
        assertEquals(Substrate.CPU, result.faster());
        assertTrue(result.explanation().contains("does not filter as the CPU does"), result.explanation());
    }

    @Test
    void aDeviceThatFailsLoses() {
        Pretender failing = new Pretender(0, true, true) {
            @Override
            void work() {
                throw new DeviceException("it burns");
            }
        };
        SubstrateTimes result = race(new Pretender(0, true, true), failing);
        assertEquals(Substrate.CPU, result.faster());
        assertTrue(result.explanation().endsWith("failed: it burns"), result.explanation());
    }

    @Test
    void theRealDeviceIsRightAndAsked() throws Exception {
        try (FilterContext cpu = new CpuFilterContext(0, "a test");
                FilterContext qpu = Substrates.open(new SubstrateRequest(Substrate.QPU, Optional.empty(), 0))) {
            SubstrateTimes result = PictureRace.run(cpu, qpu);
            assertTrue(result.fault().isEmpty(), result.explanation());
        }
    }

    @Test
    void autoTakesTheCpuWhereTheOnlyDeviceIsTheCpuInDisguise() throws Exception {
        boolean gpu = VulkanDevices.list().stream().anyMatch(device -> device.type() != DeviceType.CPU);
        try (FilterContext context = Substrates.open(new SubstrateRequest(Substrate.AUTO, Optional.empty(), 1))) {
            assertTrue(context.reason().startsWith("auto: "), context.reason());
            assertEquals(1, context.reason().lines().count());
            if (!gpu) {
                assertEquals(Substrate.CPU, context.substrate());
                assertTrue(context.reason().endsWith("is no GPU, it runs on the CPU"), context.reason());
            }
        }
    }

    @Test
    void autoWithADeviceThatIsNotThereIsAnError() {
        SubstrateRequest request = new SubstrateRequest(Substrate.AUTO, Optional.of("no such device"), 1);
        assertThrows(
                SubstrateUnavailableException.class,
                () -> Substrates.open(request).close());
    }
}
