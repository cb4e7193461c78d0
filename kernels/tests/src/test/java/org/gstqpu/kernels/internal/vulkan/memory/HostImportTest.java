/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.vulkan.VK11.VK_ERROR_DEVICE_LOST;
import static org.lwjgl.vulkan.VK11.VK_ERROR_OUT_OF_HOST_MEMORY;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.vulkan.FaultLayer;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostImportTest {
    private static final PicturePlan CDEF = PicturePlan.fixed(new FilterParameters(
            Optional.empty(), Optional.of(CdefParameters.uniform(3, new CdefStrength(9, 4, 9, 4)))));

    private final Random random = new Random(3);
    private VulkanFilterContext context;

    @BeforeEach
    void open() throws Exception {
        context = VulkanTestContexts.usual();
    }

    @AfterEach
    void close() {
        context.close();
    }

    private static DeviceMemory imported(VulkanFilterContext by, MappedPicture picture) {
        return by.importHost(picture.memory().address(), picture.memory().sizeBytes())
                .orElseThrow();
    }

    /** The validation layer tells at the end of the context what was left behind. */
    @Test
    void anImportThatFailsLeavesNothingBehind() throws Exception {
        try (FaultLayer layer = FaultLayer.open();
                VulkanFilterContext context = VulkanTestContexts.usual();
                MappedPicture picture = new MappedPicture(PictureLayout.packed(PixelFormat.GRAY8, 64, 64, 4), random)) {
            for (String call : List.of(
                    "vkGetMemoryHostPointerPropertiesEXT",
                    "vkCreateBuffer",
                    "vkAllocateMemory",
                    "vkBindBufferMemory",
                    "vkCreateBufferView")) {
                layer.failNext(call, VK_ERROR_OUT_OF_HOST_MEMORY);
                try {
                    imported(context, picture).close();
                } catch (DeviceException | NoSuchElementException e) {
                    // Either the device is out of memory, or the memory is not imported.
                    assertFalse(layer.failNone(), "it has failed");
                }
            }
            imported(context, picture).close();
        }
    }

    /** Its pictures would be copied to a device that is no more. */
    @ParameterizedTest
    @ValueSource(
            strings = {"vkGetMemoryHostPointerPropertiesEXT", "vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory"
            })
    void aLossOfTheDeviceIsNotTakenForARefusal(String call) throws Exception {
        try (FaultLayer layer = FaultLayer.open();
                VulkanFilterContext lost = VulkanTestContexts.usual();
                MappedPicture picture = new MappedPicture(PictureLayout.packed(PixelFormat.GRAY8, 64, 64, 4), random)) {
            layer.failNext(call, VK_ERROR_DEVICE_LOST);
            DeviceException failure = assertThrows(DeviceException.class, () -> imported(lost, picture));
            assertEquals(DeviceFailure.LOST, failure.failure());
            assertTrue(failure.getMessage().startsWith(call), failure.getMessage());
        }
    }

    @Test
    void rowsThatBeginInsideAWordAreCopied() {
        PictureLayout odd = new PictureLayout(PixelFormat.GRAY8, 33, 20, 1, 35, 0, 0, 0, 0);
        try (MappedPicture source = new MappedPicture(odd, random);
                MappedPicture destination = new MappedPicture(odd, random);
                DeviceMemory from = imported(context, source);
                DeviceMemory to = imported(context, destination);
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 33, 20)) {
            filter.filter(Picture.of(from, odd), Picture.of(to, odd), CDEF);
            assertEquals(2 * 33 * 20, context.counters().bytesCopied());
        }
    }

    @Test
    void aLastWordThatIsNotAllOursIsNotWritten() {
        PictureLayout layout = new PictureLayout(PixelFormat.GRAY8, 33, 20, 0, 36, 0, 0, 0, 0);
        try (MappedPicture source = new MappedPicture(layout, random);
                MappedPicture destination = new MappedPicture(layout, random);
                DeviceMemory from = imported(context, source);
                DeviceMemory to = imported(context, destination);
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 33, 20)) {
            assertEquals(19 * 36 + 33, to.sizeBytes(), "the memory ends with the last sample");
            filter.filter(Picture.of(from, layout), Picture.of(to, layout), CDEF);
            assertEquals(33 * 20, context.counters().bytesCopied(), "the source in place, the destination copied");
        }
    }

    @Test
    void memoryOfAnotherContextIsRefused() throws Exception {
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, 16, 16, 4);
        try (VulkanFilterContext other = VulkanTestContexts.usual();
                MappedPicture picture = new MappedPicture(layout, random);
                DeviceMemory foreign = imported(other, picture);
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 16, 16)) {
            assertThrows(
                    IllegalArgumentException.class, () -> filter.filter(Picture.of(foreign, layout), picture, CDEF));
        }
    }

    @Test
    void aClosedImportCannotBeUsed() {
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, 16, 16, 4);
        try (MappedPicture picture = new MappedPicture(layout, random);
                MappedPicture result = new MappedPicture(layout, random);
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 16, 16)) {
            DeviceMemory memory = imported(context, picture);
            memory.close();
            memory.close();
            assertThrows(IllegalStateException.class, () -> filter.filter(Picture.of(memory, layout), result, CDEF));
        }
    }

    @Test
    void aDeviceThatMayNotImportSaysSo() throws Exception {
        try (VulkanFilterContext strict =
                VulkanFilterContext.open(VulkanOptions.bestDevice().allowing(new DeviceAllowances(false, true)))) {
            assertTrue(strict.importHost(4096, 4096).isEmpty());
        }
    }

    @Test
    void aPictureInASharedPageLeavesItsNeighboursAlone() {
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, 64, 8, 4);
        int bytes = (int) layout.sizeBytes();
        try (MappedPicture page = new MappedPicture(PictureLayout.packed(PixelFormat.GRAY8, 64, 24, 4), random);
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 64, 8)) {
            byte[] before = page.bytes();
            long address = page.memory().address();
            try (DeviceMemory to = context.importHost(address + bytes, bytes).orElseThrow()) {
                filter.filter(Picture.of(new HostMemory().set(address, bytes), layout), Picture.of(to, layout), CDEF);
            }
            byte[] after = page.bytes();
            int middle = (before.length - 3 * bytes) / 2 + bytes;
            assertArrayEquals(java.util.Arrays.copyOf(before, middle), java.util.Arrays.copyOf(after, middle));
            assertArrayEquals(
                    java.util.Arrays.copyOfRange(before, middle + bytes, before.length),
                    java.util.Arrays.copyOfRange(after, middle + bytes, after.length));
        }
    }
}
