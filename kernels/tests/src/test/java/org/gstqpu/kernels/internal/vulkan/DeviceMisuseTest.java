/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.vulkan.VK11.VK_ERROR_DEVICE_LOST;
import static org.lwjgl.vulkan.VK11.VK_ERROR_OUT_OF_DEVICE_MEMORY;
import static org.lwjgl.vulkan.VK11.VK_TIMEOUT;

import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.internal.vulkan.work.TestDevice;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceMisuseTest {
    private static final PicturePlan CDEF = PicturePlan.fixed(new FilterParameters(
            Optional.empty(), Optional.of(CdefParameters.uniform(3, new CdefStrength(9, 4, 9, 4)))));

    @Test
    void workThatTakesTooLongFailsAndTheContextCloses() throws Exception {
        int width = 1280;
        int height = 720;
        PictureLayout layout = PictureLayout.packed(PixelFormat.I420, width, height, 4);
        try (MappedPicture source = new MappedPicture(layout, new Random(1));
                MappedPicture destination = new MappedPicture(layout, new Random(2));
                VulkanFilterContext context =
                        VulkanFilterContext.open(VulkanOptions.bestDevice().waiting(1));
                PictureFilter filter = context.newPictureFilter(PixelFormat.I420, width, height)) {
            DeviceException first = assertThrows(DeviceException.class, () -> filter.filter(source, destination, CDEF));
            assertTrue(first.getMessage().contains("did not finish in time"), first.getMessage());
            DeviceException next = assertThrows(DeviceException.class, () -> filter.filter(source, destination, CDEF));
            assertTrue(next.getMessage().startsWith("the device failed before: "), next.getMessage());
            assertThrows(DeviceException.class, () -> context.newPictureFilter(PixelFormat.I420, 16, 16));
        }
    }

    @Test
    void aPictureThatTheDevicesBuffersCannotHoldIsRefusedAndOthersGoOn() throws Exception {
        try (VulkanFilterContext context = VulkanTestContexts.usual()) {
            int side = 1 << 15;
            long limit = context.capabilities().maxStorageBufferRangeBytes();
            assumeTrue(limit < (long) side * side, "the test needs a smaller limit than " + limit);
            PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, side, side, 4);
            try (PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, side, side)) {
                Picture unread = Picture.of(new HostMemory().set(4096, layout.sizeBytes()), layout);
                Picture unwritten = Picture.of(new HostMemory().set(1L << 40, layout.sizeBytes()), layout);
                DeviceException refused =
                        assertThrows(DeviceException.class, () -> filter.filter(unread, unwritten, CDEF));
                assertTrue(
                        refused.getMessage().contains("is needed, the device's hold " + limit), refused.getMessage());
            }
            PictureLayout small = PictureLayout.packed(PixelFormat.GRAY8, 16, 16, 4);
            try (MappedPicture picture = new MappedPicture(small, new Random(1));
                    MappedPicture result = new MappedPicture(small, new Random(2));
                    PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 16, 16)) {
                filter.filter(picture, result, CDEF);
                assertEquals(1, context.counters().submits());
            }
        }
    }

    @Test
    void aPictureThatIsFilteredOverItselfIsRefused() throws Exception {
        PictureLayout layout = PictureLayout.packed(PixelFormat.I420, 64, 48, 4);
        try (MappedPicture picture = new MappedPicture(layout, new Random(1));
                VulkanFilterContext context = VulkanTestContexts.usual();
                DeviceMemory imported = picture.importedBy(context);
                PictureFilter filter = context.newPictureFilter(PixelFormat.I420, 64, 48)) {
            assertOverlap(filter, picture, picture);
            if (imported != null) {
                assertOverlap(filter, picture, Picture.of(imported, layout));
                assertOverlap(filter, Picture.of(imported, layout), Picture.of(imported, layout));
            }
            assertEquals(0, context.counters().submits());
        }
    }

    private static void assertOverlap(PictureFilter filter, Picture source, Picture destination) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> filter.filter(source, destination, CDEF));
        assertEquals("source and destination overlap", refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {VK_ERROR_DEVICE_LOST, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_TIMEOUT, -12345})
    void everyResultIsAOneLineMessageWithTheCall(int result) {
        String message = VulkanResult.failure(result, "vkSomething").getMessage();
        assertTrue(message.startsWith("vkSomething failed: "), message);
        assertEquals(1, message.lines().count());
    }

    @Test
    void aFailureSticks() throws Exception {
        try (TestDevice test = VulkanTestContexts.device()) {
            VulkanDevice device = test.device();
            device.checkAlive();
            device.fail(VulkanResult.failure(VK_ERROR_DEVICE_LOST, "vkQueueSubmit"));
            device.fail(VulkanResult.failure(VK_TIMEOUT, "vkWaitForFences"));
            String message =
                    assertThrows(DeviceException.class, device::checkAlive).getMessage();
            assertTrue(message.contains("VK_ERROR_DEVICE_LOST"), message);
        }
    }

    @Test
    void misuseIsToldFromFailure() throws Exception {
        VulkanFilterContext context = VulkanTestContexts.usual();
        PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 16, 16);
        filter.close();
        filter.close();
        Picture unread = Picture.of(new HostMemory(), PictureLayout.packed(PixelFormat.GRAY8, 16, 16, 4));
        assertThrows(IllegalStateException.class, () -> filter.filter(unread, unread, CDEF));
        context.close();
        context.close();
        assertThrows(IllegalStateException.class, () -> context.newPictureFilter(PixelFormat.GRAY8, 16, 16));
        assertThrows(IllegalStateException.class, () -> context.importHost(4096, 1));
    }
}
