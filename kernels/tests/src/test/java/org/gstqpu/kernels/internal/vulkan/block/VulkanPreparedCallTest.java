/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Test;

class VulkanPreparedCallTest {
    private static final int COUNT = 600;
    private static final int STRIDE = 1024;
    private static final int ROUNDS_WITHOUT_ALLOCATION = 5;

    /** A call into the driver allocates on Java 25 until the JVM has compiled it well, after some thousands. */
    private static final int MOST_ROUNDS = 150;

    @Test
    void aRunMakesNothingWhateverItsCount() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (VulkanBlockContext context = VulkanBlockContext.open(VulkanOptions.bestDevice());
                KernelBuffer records = context.newBuffer(COUNT * 16L);
                KernelBuffer in = context.newBuffer(1L << 20);
                KernelBuffer picture = context.newBuffer(1L << 20);
                EdgeSchedule schedule = new EdgeSchedule(
                        context,
                        EdgeSchedule.Codec.VP9,
                        PictureLayout.packed(PixelFormat.GRAY8, STRIDE, 512, 64),
                        COUNT)) {
            List<PreparedCall> calls = new ArrayList<>();
            for (BlockCall call : calls(records, in, picture, schedule)) {
                calls.add(context.prepare(call));
            }
            runAll(calls, schedule, 0);
            VulkanCounters counters = context.runtime().device().counters();
            long created = counters.get(Counted.OBJECTS_CREATED);
            long allocations = counters.get(Counted.ALLOCATIONS);
            long descriptorWrites = counters.get(Counted.DESCRIPTOR_WRITES);
            long reRecords = counters.get(Counted.RE_RECORDS);
            long submits = counters.get(Counted.SUBMITS);
            long poolBytes = context.runtime().pool().totalBytes();
            List<Long> javaBytes = new ArrayList<>();
            final int runs = 30;
            int rounds = 0;
            for (int free = 0; free < ROUNDS_WITHOUT_ALLOCATION && rounds < MOST_ROUNDS; rounds++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int run = 0; run < runs; run++) {
                    runAll(calls, schedule, rounds * runs + run);
                }
                long bytes = threads.getCurrentThreadAllocatedBytes() - before;
                javaBytes.add(bytes);
                free += bytes == 0 ? 1 : 0;
            }
            assertTrue(rounds < MOST_ROUNDS, () -> "Java bytes by round: " + javaBytes);
            assertEquals(created, counters.get(Counted.OBJECTS_CREATED), "vkCreate*");
            assertEquals(allocations, counters.get(Counted.ALLOCATIONS), "vkAllocate*");
            assertEquals(descriptorWrites, counters.get(Counted.DESCRIPTOR_WRITES), "descriptor writes");
            assertEquals(reRecords, counters.get(Counted.RE_RECORDS), "recordings");
            assertEquals(poolBytes, context.runtime().pool().totalBytes(), "pool bytes");
            assertEquals(submits + (long) rounds * runs * calls.size(), counters.get(Counted.SUBMITS), "submits");
            calls.forEach(PreparedCall::close);
        }
    }

    private static List<BlockCall> calls(
            KernelBuffer records, KernelBuffer in, KernelBuffer picture, EdgeSchedule schedule) {
        return List.of(
                new Vp9IdctAdd(in, records, COUNT, picture, STRIDE),
                new Vp9LoopFilter(records, COUNT, picture, STRIDE),
                new Vp9MotionCompensation(records, COUNT, in, STRIDE, picture, STRIDE),
                new CdefDirection(records, COUNT, picture, STRIDE, 8, in),
                new CdefFilter(records, COUNT, in, STRIDE, picture, STRIDE, 8, 8, Optional.empty(), false),
                new H264Edge(records, COUNT, picture, STRIDE, false),
                new ScheduledEdges(schedule, picture));
    }

    private static void runAll(List<PreparedCall> calls, EdgeSchedule schedule, int round) {
        schedule.clear();
        int edges = 1 + round * 25 % COUNT;
        for (int i = 0; i < edges; i++) {
            schedule.addVp9(0, EdgeDirection.VERTICAL, 16, 1, 1, 1, 8 + i % 7 * 8, 8 * (i % 11));
        }
        schedule.arrange();
        // All in flight at once.
        for (int i = 0; i < calls.size(); i++) {
            boolean scheduled = calls.get(i).call() instanceof ScheduledEdges;
            calls.get(i).submit(scheduled ? edges : 1 + (round * 37 + i) % COUNT);
        }
        for (int i = 0; i < calls.size(); i++) {
            calls.get(i).await();
        }
    }

    @Test
    void aCallIsInFlightOnlyOnce() throws Exception {
        try (VulkanBlockContext context = VulkanBlockContext.open(VulkanOptions.bestDevice());
                KernelBuffer records = context.newBuffer(64);
                KernelBuffer in = context.newBuffer(1024);
                KernelBuffer picture = context.newBuffer(1024);
                PreparedCall call = context.prepare(new Vp9IdctAdd(in, records, 8, picture, 16))) {
            call.submit(8);
            assertThrows(IllegalStateException.class, () -> call.submit(8));
            call.await();
            call.run(8);
        }
    }

    @Test
    void buffersOfAnotherContextAreRefused() throws Exception {
        try (VulkanBlockContext context = VulkanBlockContext.open(VulkanOptions.bestDevice());
                VulkanBlockContext other = VulkanBlockContext.open(VulkanOptions.bestDevice());
                KernelBuffer records = context.newBuffer(64);
                KernelBuffer in = other.newBuffer(1024);
                KernelBuffer picture = context.newBuffer(1024)) {
            BlockCall call = new Vp9IdctAdd(in, records, 8, picture, 16);
            IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> context.prepare(call));
            assertEquals("a buffer of vp9_idct8x8_add_8bit was made by another context", thrown.getMessage());
        }
    }

    @Test
    void buffersAreGivenBackToThePool() throws Exception {
        try (VulkanBlockContext context = VulkanBlockContext.open(VulkanOptions.bestDevice())) {
            context.newBuffer(5000).close();
            long poolBytes = context.runtime().pool().totalBytes();
            for (int i = 0; i < 10; i++) {
                context.newBuffer(5000 + i).close();
            }
            assertEquals(poolBytes, context.runtime().pool().totalBytes());
        }
    }

    @Test
    void weightsAreTheTapsIn128ths() {
        assertEquals(0, MotionWeights.f16Of128ths(0));
        assertEquals((short) 0x3c00, MotionWeights.f16Of128ths(128));
        assertEquals((short) 0x3bf0, MotionWeights.f16Of128ths(127));
        assertEquals((short) 0xa000, MotionWeights.f16Of128ths(-1));
        assertEquals((short) 0xb200, MotionWeights.f16Of128ths(-24));
    }
}
