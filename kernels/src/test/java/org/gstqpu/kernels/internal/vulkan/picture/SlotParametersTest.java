/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memSet;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Test;

class SlotParametersTest {
    private static final int SLOTS = 8;
    private static final int SMALLEST_CLASS = 8;
    private static final int LARGEST_CLASS = 20;

    /** A kernel takes words of a block for places in a map, so that what a buffer held before must not be there. */
    @Test
    void whatIsNotYetWrittenIsZero() throws Exception {
        try (VulkanDevice device = VulkanTestContexts.device();
                BufferPool pool = new BufferPool(device)) {
            List<DeviceBuffer> used = takeAll(pool);
            used.forEach(buffer -> memSet(buffer.address(), 0xff, bytes(used.indexOf(buffer))));
            used.forEach(pool::release);

            SlotParameters parameters = new SlotParameters(pool, PixelFormat.I420, 64, 48, SLOTS);
            parameters.makeLadders();
            parameters.makeMaps(2);
            List<Long> handles = List.of(
                    parameters.deblock(0).buffer(),
                    parameters.ladder(0).buffer(),
                    parameters.blockMaps().buffer());
            long mapBytes = parameters.blockMaps().offsetBytes()
                    + parameters.blockMaps().sizeBytes();
            List<Long> sizes = List.of(
                    (long) ParameterBlock.BYTES * SLOTS, parameters.ladder(1).offsetBytes() * SLOTS, mapBytes);
            parameters.close();

            List<DeviceBuffer> again = takeAll(pool);
            for (int i = 0; i < handles.size(); i++) {
                long handle = handles.get(i);
                DeviceBuffer buffer = again.stream()
                        .filter(one -> one.handle() == handle)
                        .findFirst()
                        .orElseThrow();
                for (long at = 0; at < sizes.get(i); at++) {
                    assertEquals(0, memGetByte(buffer.address() + at), "buffer " + i + ", byte " + at);
                }
            }
            again.forEach(pool::release);
        }
    }

    /** Two buffers of each size. */
    private static List<DeviceBuffer> takeAll(BufferPool pool) {
        List<DeviceBuffer> taken = new ArrayList<>();
        for (int i = 0; i < 2 * (LARGEST_CLASS - SMALLEST_CLASS + 1); i++) {
            taken.add(pool.acquire(MemoryKind.UPLOAD, bytes(i)));
        }
        return taken;
    }

    private static long bytes(int index) {
        return 1L << (SMALLEST_CLASS + index / 2);
    }
}
