/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import org.gstqpu.kernels.SteadyAllocations;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.internal.vulkan.ChildJvm;
import org.gstqpu.kernels.internal.vulkan.EveryKernelTest;
import org.gstqpu.kernels.internal.vulkan.block.VulkanBlockContext;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.ValidationMessages;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.junit.jupiter.api.Test;

/** What the device measures of its own work, where it can, and that this costs nothing. */
class GpuTimerTest {
    private static final int BLOCKS = 4096;
    private static final int RUNS = 20;

    private static VulkanBlockContext timed() throws Exception {
        return VulkanBlockContext.open(VulkanOptions.bestDevice().allowing(DeviceAllowances.ALL.timed()));
    }

    /** Something to run with a count of its own, so that its slots differ. */
    private static final class Work implements AutoCloseable {
        private final KernelBuffer records;
        private final KernelBuffer in;
        private final KernelBuffer picture;
        private final PreparedCall call;

        Work(VulkanBlockContext context) {
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
        try (VulkanBlockContext context = VulkanBlockContext.open(VulkanOptions.bestDevice());
                Work work = new Work(context)) {
            work.run(RUNS);
            assertEquals(0, context.runtime().device().counters().get(Counted.MEASURED_SUBMITS));
            assertEquals(0, context.runtime().device().counters().get(Counted.GPU_NANOS));
        }
    }

    @Test
    void everySubmissionIsTimedWithoutAWaitMore() throws Exception {
        try (VulkanBlockContext context = timed();
                Work work = new Work(context)) {
            assumeTrue(
                    context.runtime().device().capabilities().timestamps(),
                    "needs a device whose queue writes timestamps");
            long began = System.nanoTime();
            work.run(RUNS);
            long took = System.nanoTime() - began;
            assertEquals(RUNS, context.runtime().device().counters().get(Counted.MEASURED_SUBMITS));
            assertEquals(RUNS, context.runtime().device().counters().get(Counted.WAITS));
            assertTrue(context.runtime().device().counters().get(Counted.GPU_NANOS) > 0);
            assertTrue(
                    context.runtime().device().counters().get(Counted.GPU_NANOS) <= took,
                    context.runtime().device().counters().get(Counted.GPU_NANOS) + " ns on the device in " + took
                            + " ns");
        }
    }

    @Test
    void timingMakesAndAllocatesNothing() throws Exception {
        try (VulkanBlockContext context = timed();
                Work work = new Work(context)) {
            long created = context.runtime().device().counters().get(Counted.OBJECTS_CREATED)
                    + context.runtime().device().counters().get(Counted.ALLOCATIONS);
            SteadyAllocations.reach(() -> work.run(100));
            assertEquals(
                    created,
                    context.runtime().device().counters().get(Counted.OBJECTS_CREATED)
                            + context.runtime().device().counters().get(Counted.ALLOCATIONS));
        }
    }

    /** On a pretended Raspberry Pi 5. */
    @Test
    void thePretendedRaspberryPi5IsTimed() throws Exception {
        ChildJvm child = EveryKernelTest.pretended(Timed.class, Map.of(), EveryKernelTest.UNDER_THE_LAYER);
        assertEquals(0, child.exitValue(), child.output());
        assertTrue(child.output().contains("submissions timed on V3D 7.1"), child.output());
    }

    /** What that process runs. */
    static final class Timed {
        private Timed() {}

        public static void main(String[] arguments) throws Exception {
            try (VulkanBlockContext context = timed();
                    Work work = new Work(context)) {
                work.run(RUNS);
                System.out.println(context.runtime().device().counters().get(Counted.MEASURED_SUBMITS) + " of "
                        + context.submits() + " submissions timed on " + context.deviceName());
            }
            System.out.println("validation messages: " + ValidationMessages.count());
            System.exit(ValidationMessages.count() == 0 ? 0 : 1);
        }
    }
}
