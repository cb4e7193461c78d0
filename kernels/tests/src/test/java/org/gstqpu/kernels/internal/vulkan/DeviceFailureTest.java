/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.vulkan.VK11.*;

import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.ValidationMessages;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a device's failures look like, and that everything can be closed after them. */
class DeviceFailureTest {
    private static final PictureLayout LAYOUT = PictureLayout.packed(PixelFormat.I420, 64, 48, 4);

    private static final long SHORT_NANOS = 200_000_000;

    private static final PicturePlan CDEF = PicturePlan.fixed(new FilterParameters(
            Optional.empty(), Optional.of(CdefParameters.uniform(4, new CdefStrength(4, 2, 4, 2)))));

    private long messagesBefore;

    @BeforeEach
    void countMessages() {
        messagesBefore = ValidationMessages.count();
    }

    @AfterEach
    void validationIsSilent() {
        assertEquals(messagesBefore, ValidationMessages.count());
    }

    private static PictureFilter filter(VulkanFilterContext context) {
        return context.newPictureFilter(PixelFormat.I420, 64, 48);
    }

    private static void run(PictureFilter filter) {
        try (MappedPicture source = new MappedPicture(LAYOUT, new Random(1));
                MappedPicture destination = new MappedPicture(LAYOUT, new Random(2))) {
            filter.filter(source, destination, CDEF);
        }
    }

    private static void failsAs(DeviceFailure expected, String call, int result) throws Exception {
        try (FaultLayer layer = FaultLayer.open();
                VulkanFilterContext context = VulkanTestContexts.usual()) {
            try (PictureFilter filter = filter(context)) {
                run(filter);
                layer.failNext(call, result);
                DeviceException first = assertThrows(DeviceException.class, () -> run(filter));
                assertEquals(expected, first.failure(), first.getMessage());
                assertTrue(first.getMessage().startsWith(call + " failed: "), first.getMessage());
                // Sticky: the device is not asked again, the kind is told again.
                long submits = layer.calls("vkQueueSubmit");
                DeviceException second = assertThrows(DeviceException.class, () -> run(filter));
                assertEquals(expected, second.failure(), second.getMessage());
                assertEquals(submits, layer.calls("vkQueueSubmit"));
            }
        }
        // Everything was closed, and another context works.
        try (VulkanFilterContext context = VulkanTestContexts.usual();
                PictureFilter filter = filter(context)) {
            run(filter);
        }
    }

    @Test
    void deviceLostAtSubmitIsStickyAndClosable() throws Exception {
        failsAs(DeviceFailure.LOST, "vkQueueSubmit", VK_ERROR_DEVICE_LOST);
    }

    @Test
    void deviceLostAtWaitIsStickyAndClosable() throws Exception {
        failsAs(DeviceFailure.LOST, "vkWaitForFences", VK_ERROR_DEVICE_LOST);
    }

    @Test
    void memoryExhaustedAtSubmitIsStickyAndClosable() throws Exception {
        failsAs(DeviceFailure.OUT_OF_MEMORY, "vkQueueSubmit", VK_ERROR_OUT_OF_DEVICE_MEMORY);
    }

    /** What was submitted never ends, so that nothing of this device is freed. */
    @Test
    void timeoutIsStickyAndClosable() throws Exception {
        try (FaultLayer layer = FaultLayer.open();
                VulkanFilterContext context =
                        VulkanFilterContext.open(VulkanOptions.bestDevice().waiting(SHORT_NANOS))) {
            try (PictureFilter filter = filter(context)) {
                layer.dropSubmits(1);
                DeviceException first = assertThrows(DeviceException.class, () -> run(filter));
                assertEquals(DeviceFailure.TIMED_OUT, first.failure(), first.getMessage());
                assertTrue(first.getMessage().startsWith("vkWaitForFences failed: "), first.getMessage());
                long submits = layer.calls("vkQueueSubmit");
                DeviceException second = assertThrows(DeviceException.class, () -> run(filter));
                assertEquals(DeviceFailure.TIMED_OUT, second.failure(), second.getMessage());
                assertEquals(submits, layer.calls("vkQueueSubmit"));
            }
        }
    }

    @Test
    void failedAllocationLeavesTheContextUsable() throws Exception {
        try (FaultLayer layer = FaultLayer.open();
                VulkanFilterContext context = VulkanTestContexts.usual()) {
            layer.failNext("vkAllocateMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY);
            DeviceException failure = assertThrows(
                    DeviceException.class, () -> context.runtime().pool().acquire(MemoryKind.DEVICE, 1 << 20));
            assertEquals(DeviceFailure.OUT_OF_MEMORY, failure.failure(), failure.getMessage());
            assertEquals(0, context.poolBytes());
            try (PictureFilter filter = filter(context)) {
                run(filter);
            }
        }
    }

    @Test
    void allocationBeyondTheDeviceNamesBothNumbersAndLeavesTheContextUsable() throws Exception {
        try (VulkanFilterContext context = VulkanTestContexts.usual()) {
            long tooMuch = 1L << 50;
            DeviceException failure = assertThrows(
                    DeviceException.class, () -> context.runtime().pool().acquire(MemoryKind.DEVICE, tooMuch));
            assertEquals(DeviceFailure.OUT_OF_MEMORY, failure.failure(), failure.getMessage());
            long most = Math.min(
                    context.capabilities().maxStorageBufferRangeBytes(),
                    context.capabilities().maxAllocationBytes());
            assertTrue(failure.getMessage().contains(tooMuch + " bytes"), failure.getMessage());
            assertTrue(failure.getMessage().contains(Long.toString(most)), failure.getMessage());
            try (PictureFilter filter = filter(context)) {
                run(filter);
            }
        }
    }

    /** A device may come between two calls of which the first tells how many there are. */
    @Test
    void aListThatHasGrownMeanwhileIsNoFailure() throws Exception {
        try (FaultLayer layer = FaultLayer.open()) {
            long before = layer.calls();
            int devices = VulkanDevices.list().size();
            int calls = (int) (layer.calls() - before);
            assertTrue(calls >= 4, "calls: " + calls);
            for (int number = 1; number <= calls; number++) {
                // The same place in the lists of all calls that make lists.
                layer.failListed(
                        number, layer.listed("vkEnumeratePhysicalDevices").indexOf(VK_INCOMPLETE));
                // Vulkan's loader makes such calls, too, and may then leave devices out.
                assertTrue(VulkanDevices.list().size() <= devices, "call " + number);
                assertTrue(layer.failedByNumber().isPresent(), "call " + number);
            }
        }
    }
}
