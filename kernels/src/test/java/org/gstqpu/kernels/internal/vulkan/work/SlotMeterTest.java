/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.vulkan.KHRPerformanceQuery.*;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.internal.vulkan.ChildJvm;
import org.gstqpu.kernels.internal.vulkan.EveryKernelTest;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.GpuMeasurement;
import org.gstqpu.kernels.internal.vulkan.device.PerformanceCounter;
import org.gstqpu.kernels.internal.vulkan.device.PerformanceCounters;
import org.gstqpu.kernels.internal.vulkan.device.ValidationMessages;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryUtil;

/** What the device measures of its own work, where it can, and that it costs nothing where it cannot or is not to. */
class SlotMeterTest {
    private static final int BLOCKS = 4096;
    private static final int RUNS = 20;

    private static VulkanFilterContext measuring(GpuMeasurement measurement) throws Exception {
        return VulkanTestContexts.allowing(DeviceAllowances.ALL.measuring(measurement));
    }

    /** Something to run with a count of its own, so that its slots differ. */
    private static final class Work implements AutoCloseable {
        private final KernelBuffer records;
        private final KernelBuffer in;
        private final KernelBuffer picture;
        private final PreparedCall call;

        Work(VulkanFilterContext context) {
            records = context.newBuffer(BLOCKS * Vp9IdctAdd.RECORD_BYTES);
            in = context.newBuffer(BLOCKS * Vp9IdctAdd.COEFFICIENT_BYTES);
            picture = context.newBuffer(1 << 20);
            call = context.prepare(new Vp9IdctAdd(in, records, BLOCKS, picture, 1024));
        }

        void run(int runs) {
            for (int i = 0; i < runs; i++) {
                call.run(i % 2 == 0 ? BLOCKS : 8);
            }
        }

        @Override
        public void close() {
            call.close();
            records.close();
            in.close();
            picture.close();
        }
    }

    @Test
    void nothingIsMeasuredUnlessAskedFor() throws Exception {
        try (VulkanFilterContext context = VulkanTestContexts.usual();
                Work work = new Work(context)) {
            work.run(RUNS);
            assertInstanceOf(SlotMeter.None.class, SlotMeter.of(context.device(), 1, nanos -> {}));
            assertEquals(0, context.measuredSubmits());
            assertEquals(0, context.gpuNanos());
            assertEquals(List.of(), context.performanceCounters());
        }
    }

    @Test
    void everySubmissionIsTimedWithoutAWaitMore() throws Exception {
        try (VulkanFilterContext context = measuring(GpuMeasurement.TIMESTAMPS);
                Work work = new Work(context)) {
            assumeTrue(context.capabilities().timestamps(), "needs a device whose queue writes timestamps");
            long began = System.nanoTime();
            work.run(RUNS);
            long took = System.nanoTime() - began;
            assertEquals(RUNS, context.measuredSubmits());
            assertEquals(RUNS, context.counters().waits());
            assertTrue(context.gpuNanos() > 0);
            assertTrue(context.gpuNanos() <= took, context.gpuNanos() + " ns on the device in " + took + " ns");
        }
    }

    @Test
    void timingMakesAndAllocatesNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (VulkanFilterContext context = measuring(GpuMeasurement.TIMESTAMPS);
                Work work = new Work(context)) {
            List<Long> javaBytes = new ArrayList<>();
            long created =
                    context.counters().objectsCreated() + context.counters().allocations();
            for (int round = 0; round < 10; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                work.run(100);
                javaBytes.add(threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertTrue(
                    javaBytes.stream().filter(bytes -> bytes == 0).count() >= 5,
                    () -> "Java bytes by round: " + javaBytes);
            assertEquals(
                    created,
                    context.counters().objectsCreated() + context.counters().allocations());
        }
    }

    @Test
    void performanceCountersAreThoseOfTheDeviceOrNone() throws Exception {
        try (VulkanFilterContext context = measuring(GpuMeasurement.PERFORMANCE_COUNTERS);
                Work work = new Work(context)) {
            work.run(RUNS);
            List<PerformanceCounter> counters = context.performanceCounters();
            if (context.capabilities().performanceCounters() == 0) {
                assertInstanceOf(SlotMeter.None.class, SlotMeter.of(context.device(), 1, nanos -> {}));
                assertEquals(List.of(), counters);
                assertEquals(0, context.measuredSubmits());
            } else {
                assertFalse(counters.isEmpty());
                assertEquals(RUNS, context.measuredSubmits());
            }
        }
    }

    @Test
    void everyStorageOfACounterIsRead() {
        long at = MemoryUtil.nmemAllocChecked(PerformanceCounters.RESULT_BYTES);
        try {
            MemoryUtil.memPutLong(at, -1);
            assertEquals(-1, PerformanceCounters.value(at, VK_PERFORMANCE_COUNTER_STORAGE_INT32_KHR));
            assertEquals(-1, PerformanceCounters.value(at, VK_PERFORMANCE_COUNTER_STORAGE_INT64_KHR));
            assertEquals(0xffffffffL, PerformanceCounters.value(at, VK_PERFORMANCE_COUNTER_STORAGE_UINT32_KHR));
            assertEquals(0x1p64, PerformanceCounters.value(at, VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR), 0x1p12);
            MemoryUtil.memPutFloat(at, 1.5f);
            assertEquals(1.5, PerformanceCounters.value(at, VK_PERFORMANCE_COUNTER_STORAGE_FLOAT32_KHR));
            MemoryUtil.memPutDouble(at, 2.5);
            assertEquals(2.5, PerformanceCounters.value(at, VK_PERFORMANCE_COUNTER_STORAGE_FLOAT64_KHR));
        } finally {
            MemoryUtil.nmemFree(at);
        }
    }

    /** Both measurements on a pretended Raspberry Pi 5, which has counters but counts nothing. */
    @Test
    void thePretendedRaspberryPi5IsMeasured() throws Exception {
        ChildJvm child = EveryKernelTest.pretended(Measured.class, Map.of(), EveryKernelTest.UNDER_THE_LAYER);
        assertEquals(0, child.exitValue(), child.output());
        assertTrue(child.output().contains("TIMESTAMPS on V3D 7.1"), child.output());
        assertTrue(child.output().contains("PERFORMANCE_COUNTERS on V3D 7.1"), child.output());
    }

    /** What that process runs. */
    static final class Measured {
        private Measured() {}

        public static void main(String[] arguments) throws Exception {
            for (GpuMeasurement measurement : GpuMeasurement.values()) {
                try (VulkanFilterContext context = measuring(measurement);
                        Work work = new Work(context)) {
                    work.run(RUNS);
                    System.out.println(measurement + " on " + context.deviceName() + ": " + context.measuredSubmits()
                            + " of " + context.submits() + " submissions measured, "
                            + context.performanceCounters().size() + " counters of "
                            + context.capabilities().performanceCounters() + " read at once");
                }
            }
            System.out.println("validation messages: " + ValidationMessages.count());
            System.exit(ValidationMessages.count() == 0 ? 0 : 1);
        }
    }
}
