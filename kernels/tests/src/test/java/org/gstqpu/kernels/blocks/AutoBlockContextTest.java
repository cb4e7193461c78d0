/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.internal.cpu.block.CpuBlockContext;
import org.gstqpu.kernels.internal.race.Calibration;
import org.gstqpu.kernels.internal.vulkan.block.VulkanBlockContext;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.internal.workload.BlockKernel;
import org.gstqpu.kernels.internal.workload.BlockWorkload;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateChoice;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateTimes;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutoBlockContextTest {
    private static final Calibration.Scope SCOPE = new Calibration.Scope("d", "d", "v", "j", 1);
    private static final int BLOCKS = 600;

    private final Calibration calibration = new Calibration(SCOPE, Optional.empty());
    private CpuBlockContext cpu;
    private VulkanBlockContext qpu;

    /** With the QPU faster from 64 blocks on. */
    private BlockContext open() throws SubstrateUnavailableException {
        for (String kernel : BlockKernel.kernelNames()) {
            List<SubstrateTimes> times = new ArrayList<>();
            for (int batch = 0; batch < BlockRaces.batches(); batch++) {
                int blocks = BlockRaces.blocks(batch);
                times.add(SubstrateTimes.of(kernel, blocks, 1000L * blocks, 40_000L + blocks));
            }
            calibration.add(times);
        }
        return openUnmeasured();
    }

    private BlockContext openUnmeasured() throws SubstrateUnavailableException {
        cpu = new CpuBlockContext(1, "a test");
        qpu = VulkanBlockContext.open(VulkanOptions.bestDevice());
        return new AutoBlockContext(cpu, qpu, calibration);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "3, 1",
        "4, 8",
        "31, 8",
        "32, 64",
        "255, 64",
        "256, 512",
        "2047, 512",
        "2048, 4096",
        "100000, 4096"
    })
    void callsGoByTheNearestBatchSize(int count, int blocks) {
        assertEquals(blocks, BlockRaces.blocks(BlockRaces.batchFor(count)));
    }

    @Test
    void everyCallRunsWhereItsSizeIsFasterAndSaysSo() throws Exception {
        try (BlockContext auto = open();
                BlockWorkload large =
                        BlockKernel.standingFor("vp9_idct8x8_add_8bit").prepare(auto, BLOCKS, 1);
                BlockWorkload small =
                        BlockKernel.standingFor("vp9_idct8x8_add_8bit").prepare(auto, 5, 1)) {
            large.run();
            assertEquals(1, qpu.submits());
            small.run();
            assertEquals(1, qpu.submits(), "five blocks run on the CPU");
            KernelBuffer records = auto.newBuffer(64L * BLOCKS);
            KernelBuffer picture = auto.newBuffer(4096);
            PreparedCall call = auto.prepare(new Vp9LoopFilter(records, BLOCKS, picture, 64));
            assertEquals(
                    new SubstrateChoice(Substrate.CPU, "auto: vp9_lpf_8bit, 8 a call: CPU 1000 ns, QPU 5001 ns each"),
                    call.choice(8));
            assertEquals(
                    new SubstrateChoice(Substrate.QPU, "auto: vp9_lpf_8bit, 512 a call: CPU 1000 ns, QPU 79 ns each"),
                    call.choice(BLOCKS));
            assertThrows(IllegalArgumentException.class, () -> call.submit(-1));
            assertThrows(IllegalArgumentException.class, () -> call.submit(BLOCKS + 1));
            call.close();
            picture.close();
            records.close();
        }
    }

    @Test
    void everyKernelGivesTheSameOnEitherSide() throws Exception {
        try (BlockContext auto = open();
                CpuBlockContext right = new CpuBlockContext(1, "a test")) {
            for (String name : BlockKernel.kernelNames()) {
                for (int blocks : new int[] {3, BLOCKS}) {
                    BlockKernel kernel = BlockKernel.standingFor(name);
                    try (BlockWorkload expected = kernel.prepare(right, blocks, 7);
                            BlockWorkload found = kernel.prepare(auto, blocks, 7)) {
                        expected.run();
                        found.run();
                        ByteBuffer result = expected.copyOfOutput();
                        assertTrue(found.mismatch(result).isEmpty(), name + ", " + blocks + " blocks");
                    }
                }
            }
            assertEquals(BlockKernel.kernelNames().size(), qpu.submits());
        }
    }

    /** The CPU's call filters again what the device's may not have finished. */
    @Test
    void aCallOnTheCpuSeesWhatTheDeviceWasAskedForBefore() throws Exception {
        final int stride = 16 + 8 * BLOCKS;
        try (BlockContext auto = open();
                CpuBlockContext right = new CpuBlockContext(1, "a test")) {
            byte[] expected = filterTwice(right, stride, false);
            for (int round = 0; round < 50; round++) {
                assertEquals(
                        ByteBuffer.wrap(expected), ByteBuffer.wrap(filterTwice(auto, stride, true)), "round " + round);
            }
            assertEquals(50, qpu.submits());
        }
    }

    private static byte[] filterTwice(BlockContext context, int stride, boolean overlapping) {
        try (KernelBuffer records = context.newBuffer(8L * BLOCKS);
                KernelBuffer lastRecord = context.newBuffer(8);
                KernelBuffer picture = context.newBuffer(16L * stride);
                PreparedCall all = context.prepare(new Vp9LoopFilter(records, BLOCKS, picture, stride));
                PreparedCall last = context.prepare(new Vp9LoopFilter(lastRecord, 1, picture, stride))) {
            ByteBuffer samples = memByteBuffer(picture.address(), 8 * stride);
            for (int i = 0; i < 8 * stride; i++) {
                samples.put(i, (byte) (100 + i % stride / 8 % 2 * 9 + i % 2));
            }
            for (int i = 0; i < BLOCKS; i++) {
                Vp9LoopFilter.putRecord(records, i, 8 + 8 * i, EdgeDirection.VERTICAL, 4, 60, 20, 3);
            }
            // Another filter over the last of these edges: the order shows.
            Vp9LoopFilter.putRecord(lastRecord, 0, 8 * BLOCKS, EdgeDirection.VERTICAL, 16, 60, 20, 3);
            all.submit(BLOCKS);
            if (!overlapping) {
                all.await();
            }
            last.submit(1);
            last.await();
            all.await();
            byte[] result = new byte[8 * stride];
            samples.get(0, result);
            return result;
        }
    }

    @Test
    void aRunAllocatesNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (BlockContext auto = open();
                BlockWorkload large = BlockKernel.standingFor("vp9_mc8x8_8bit").prepare(auto, BLOCKS, 1);
                BlockWorkload small = BlockKernel.standingFor("vp9_mc8x8_8bit").prepare(auto, 5, 1)) {
            long least = Long.MAX_VALUE;
            // A call into the driver allocates on Java 25 until the JVM has compiled it well, after some thousands.
            for (int round = 0; round < 200 && least > 0; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int run = 0; run < 100; run++) {
                    large.run();
                    small.run();
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least);
        }
    }

    @Test
    void whatWasNeverMeasuredIsMeasuredOnce() throws Exception {
        try (BlockContext auto = openUnmeasured()) {
            BlockKernel.standingFor("vp9_lpf_8bit").prepare(auto, 1, 1).close();
            assertTrue(qpu.submits() > 0, "the device was raced");
            for (int batch = 0; batch < BlockRaces.batches(); batch++) {
                SubstrateTimes times = calibration
                        .find("vp9_lpf_8bit", BlockRaces.blocks(batch))
                        .orElseThrow();
                assertEquals(Optional.empty(), times.fault());
            }
            long submits = qpu.submits();
            BlockKernel.standingFor("vp9_lpf_8bit").prepare(auto, 1, 1).close();
            assertEquals(submits, qpu.submits());
            assertEquals(Optional.empty(), calibration.find("vp9_mc8x8_8bit", 8));
        }
    }

    @Test
    void theDeviceIsClosedIfTheRestFails() {
        List<VulkanBlockContext> opened = new ArrayList<>();
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        assertSame(
                noThread,
                assertThrows(
                        OutOfMemoryError.class,
                        () -> Blocks.openFaster(SubstrateRequest.of(Substrate.AUTO), (request, device) -> {
                                    opened.add(device);
                                    throw noThread;
                                })
                                .close()));
        assertEquals(1, opened.size());
        assertThrows(IllegalStateException.class, () -> opened.get(0).newBuffer(4096));
    }
}
