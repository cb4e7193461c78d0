/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.junit.jupiter.api.Test;

class PictureTimesTest {
    private static final PictureLayout LAYOUT = PictureLayout.packed(PixelFormat.NV12, 64, 48, 4);
    private static final FilterParameters BOTH = new FilterParameters(
            Optional.of(H264DeblockParameters.intra(34, 0, 0, 0, 0, false)),
            Optional.of(CdefParameters.uniform(5, new CdefStrength(4, 2, 4, 2))));

    private static PictureTimes of(LongStream nanos) {
        PictureTimes times = new PictureTimes();
        nanos.forEach(times::add);
        return times;
    }

    @Test
    void withoutAPictureAllIsZero() {
        assertEquals(0, new PictureTimes().lastNanos());
        assertEquals(0, new PictureTimes().medianNanos());
    }

    @Test
    void theMedianIsTheOneInTheMiddleWhateverTheOrder() {
        assertEquals(7, of(LongStream.of(7)).medianNanos());
        assertEquals(3, of(LongStream.of(9, 3)).medianNanos());
        assertEquals(5, of(LongStream.of(5, 100, 2)).medianNanos());
        assertEquals(2, of(LongStream.of(5, 100, 2)).lastNanos());
    }

    @Test
    void picturesOfLongAgoAreForgotten() {
        PictureTimes times = of(LongStream.concat(
                LongStream.generate(() -> 1_000_000).limit(1000), LongStream.rangeClosed(1, PictureTimes.CAPACITY)));
        assertEquals(PictureTimes.CAPACITY, times.lastNanos());
        assertEquals((PictureTimes.CAPACITY + 1) / 2, times.medianNanos());
    }

    /** Filters so many pictures; the first may need more. Java bytes of each. */
    private static List<Long> filter(FilterContext context, int pictures) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<Long> bytes = new ArrayList<>();
        Random random = new Random(1);
        try (PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, LAYOUT.width(), LAYOUT.height());
                MappedPicture source = new MappedPicture(LAYOUT, random);
                MappedPicture destination = new MappedPicture(LAYOUT, random)) {
            PicturePlan plan = PicturePlan.fixed(BOTH);
            for (int i = 0; i < pictures; i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                filter.filter(source, destination, plan);
                bytes.add(threads.getCurrentThreadAllocatedBytes() - before);
            }
        }
        return bytes;
    }

    @Test
    void everyPictureIsTimedAndNothingElse() throws Exception {
        KernelTuning tuning = KernelTuning.of(VulkanTestContexts.capabilities(), DeblockForm.CHASE);
        try (VulkanFilterContext context = VulkanFilterContext.open(VulkanOptions.bestDevice()
                .allowing(DeviceAllowances.ALL.timed())
                .tuned(tuning))) {
            assumeTrue(context.capabilities().timestamps(), "needs a device whose queue writes timestamps");
            assertTrue(context.timesPictures());
            filter(context, 1);
            // What prepares the memory for rows that chase is measured as well, but is no picture.
            assertEquals(2, context.measuredSubmits());
            assertTrue(context.lastGpuNanos() > 0);
            assertTrue(context.lastGpuNanos() < context.gpuNanos(), context::reason);
            assertEquals(context.lastGpuNanos(), context.medianGpuNanos());
        }
    }

    @Test
    void aPictureThatWaitsForOthersTakesAsLongAsBothOfItsSubmissions() throws Exception {
        PicturePlan plan = PicturePlan.fixed(FilterParameters.shrinkage(new ShrinkageParameters(4, 100, 60, 35))
                .withTime(new TimeParameters(100, 60, 100, true, 1)));
        try (VulkanFilterContext context =
                VulkanFilterContext.open(VulkanOptions.bestDevice().allowing(DeviceAllowances.ALL.timed()))) {
            assumeTrue(context.capabilities().timestamps(), "needs a device whose queue writes timestamps");
            try (PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, LAYOUT.width(), LAYOUT.height());
                    MappedPicture source = new MappedPicture(LAYOUT, new Random(1));
                    MappedPicture destination = new MappedPicture(LAYOUT, new Random(1))) {
                long before = context.gpuNanos();
                PictureRun run = filter.newRun();
                run.begin(source, destination, plan);
                assertEquals(0, context.lastGpuNanos());
                run.finish();
                assertEquals(context.gpuNanos() - before, context.lastGpuNanos());
                assertEquals(2, context.measuredSubmits());
            }
        }
    }

    @Test
    void timingAllocatesNothingAPicture() throws Exception {
        try (FilterContext context = Substrates.open(new SubstrateRequest(Substrate.QPU, Optional.empty(), 0, true))) {
            assumeTrue(context.timesPictures(), "needs a device whose queue writes timestamps");
            List<Long> bytes = filter(context, 1000);
            long without = bytes.stream().filter(one -> one == 0).count();
            assertTrue(without >= 900, () -> "Java bytes by picture: " + bytes);
            assertTrue(context.medianGpuNanos() > 0);
        }
    }

    @Test
    void nothingIsTimedUnlessAskedForAndNothingOnTheCpu() throws Exception {
        for (SubstrateRequest request : List.of(
                new SubstrateRequest(Substrate.QPU, Optional.empty(), 0),
                new SubstrateRequest(Substrate.CPU, Optional.empty(), 1, true))) {
            try (FilterContext context = Substrates.open(request)) {
                filter(context, 2);
                assertEquals(false, context.timesPictures(), request::toString);
                assertEquals(0, context.lastGpuNanos());
                assertEquals(0, context.medianGpuNanos());
            }
        }
    }
}
