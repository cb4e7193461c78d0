/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.DeviceType;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a driver that runs shaders on the CPU, contexts share a VkDevice and its pipelines, and nothing else. */
class SharedDeviceTest {
    private static final int WIDTH = 64;
    private static final int HEIGHT = 48;
    private static final PictureLayout LAYOUT = PictureLayout.packed(PixelFormat.I420, WIDTH, HEIGHT, 4);
    private static final int CONTEXTS = 6;
    private static final int PICTURES = 40;

    @BeforeEach
    void needsSuchADriver() throws Exception {
        assumeTrue(VulkanTestContexts.capabilities().type() == DeviceType.CPU, "contexts of a GPU share nothing");
    }

    private static PicturePlan cdef(int primary) {
        return PicturePlan.fixed(new FilterParameters(
                Optional.empty(), Optional.of(CdefParameters.uniform(3, new CdefStrength(primary, 4, primary, 4)))));
    }

    private static long device(VulkanFilterContext context) {
        return context.runtime().device().handle().address();
    }

    private static long created(VulkanFilterContext context) {
        return context.runtime().device().counters().get(Counted.OBJECTS_CREATED);
    }

    private static byte[] filtered(VulkanFilterContext context, int primary) {
        try (MappedPicture source = new MappedPicture(LAYOUT, new Random(1));
                MappedPicture destination = new MappedPicture(LAYOUT, new Random(2));
                PictureFilter filter = context.newPictureFilter(PixelFormat.I420, WIDTH, HEIGHT)) {
            filter.filter(source, destination, cdef(primary));
            return destination.picture();
        }
    }

    @Test
    void pipelinesAreMadeOnceAndCountersAreEachContextsOwn() throws Exception {
        try (VulkanFilterContext first = VulkanTestContexts.usual()) {
            byte[] expected = filtered(first, 9);
            int pipelines = first.runtime().pipelines().count();
            assertTrue(pipelines > 0, "no pipeline was made");
            long submits = first.counters().submits();
            try (VulkanFilterContext second = VulkanTestContexts.usual()) {
                assertEquals(device(first), device(second));
                assertEquals(0, second.counters().submits());
                assertArrayEquals(expected, filtered(second, 9));
                assertEquals(pipelines, second.runtime().pipelines().count());
                // Each makes what its filter has of its own; the first made pipelines and their modules, too.
                assertTrue(
                        created(second) <= created(first) - pipelines,
                        "made " + created(second) + " objects, the first context " + created(first));
                assertEquals(submits, first.counters().submits());
            }
            assertArrayEquals(expected, filtered(first, 9), "after the second context was closed");
        }
    }

    @Test
    void whoeverIsClosedFirstTakesNothingFromTheOther() throws Exception {
        VulkanFilterContext first = VulkanTestContexts.usual();
        byte[] expected = filtered(first, 9);
        try (VulkanFilterContext second = VulkanTestContexts.usual()) {
            first.close();
            first.close();
            assertArrayEquals(expected, filtered(second, 9));
        }
        try (VulkanFilterContext third = VulkanTestContexts.usual()) {
            assertArrayEquals(expected, filtered(third, 9));
        }
    }

    @Test
    void aContextThatMayDoLessHasADeviceOfItsOwn() throws Exception {
        try (VulkanFilterContext first = VulkanTestContexts.usual();
                VulkanFilterContext second = VulkanTestContexts.allowing(new DeviceAllowances(false, false))) {
            assertNotEquals(device(first), device(second));
        }
    }

    @Test
    void nobodyBeginsWithADeviceThatFailedAndTheOthersKeepTheirs() throws Exception {
        try (VulkanFilterContext first = VulkanTestContexts.usual();
                VulkanFilterContext second = VulkanTestContexts.usual()) {
            byte[] expected = filtered(second, 9);
            first.runtime().device().fail(new DeviceException(DeviceFailure.LOST, "by this test"));
            try (VulkanFilterContext third = VulkanTestContexts.usual();
                    VulkanFilterContext fourth = VulkanTestContexts.usual()) {
                assertNotEquals(device(first), device(third));
                assertEquals(device(third), device(fourth));
                assertArrayEquals(expected, filtered(third, 9));
                assertArrayEquals(expected, filtered(second, 9));
            }
        }
    }

    @Test
    void contextsOnThreadsOfTheirOwnFilterAtATime() throws Exception {
        byte[][] expected = new byte[CONTEXTS][];
        try (VulkanFilterContext context = VulkanTestContexts.usual()) {
            for (int i = 0; i < CONTEXTS; i++) {
                expected[i] = filtered(context, i + 1);
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(CONTEXTS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CONTEXTS; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    for (int again = 0; again < 2; again++) {
                        try (VulkanFilterContext context = VulkanTestContexts.usual()) {
                            for (int picture = 0; picture < PICTURES; picture++) {
                                assertArrayEquals(expected[number], filtered(context, number + 1));
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdown();
        }
    }
}
