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
import org.gstqpu.kernels.internal.stage.DeviceStage;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.work.TestDevice;
import org.junit.jupiter.api.Test;

class SlotParametersTest {
    private static final int SLOTS = 8;
    private static final int SMALLEST_CLASS = 8;
    private static final int LARGEST_CLASS = 20;

    /** A kernel takes words of a block for places in a map, so that what a buffer held before must not be there. */
    @Test
    void whatIsNotYetWrittenIsZero() throws Exception {
        try (TestDevice test = VulkanTestContexts.device();
                BufferPool pool = new BufferPool(test.device())) {
            List<DeviceBuffer> used = takeAll(pool);
            used.forEach(buffer -> memSet(buffer.address(), 0xff, bytes(used.indexOf(buffer))));
            used.forEach(pool::release);

            SlotParameters parameters = new SlotParameters(pool, List.of(new Stage(700, 0), new Stage(0, 5000)), SLOTS);
            parameters.makeMaps(2);
            BufferRange lastPart = parameters.part(SLOTS - 1, 0);
            List<BufferRange> ranges = List.of(lastPart, parameters.maps(1));
            assertEquals(768, lastPart.sizeBytes());
            assertEquals(768 * (SLOTS - 1), lastPart.offsetBytes());
            assertEquals(2 * 5120, parameters.maps(1).sizeBytes());
            parameters.close();

            List<DeviceBuffer> again = takeAll(pool);
            for (BufferRange range : ranges) {
                DeviceBuffer buffer = again.stream()
                        .filter(one -> one.handle() == range.buffer())
                        .findFirst()
                        .orElseThrow();
                for (long at = 0; at < range.offsetBytes() + range.sizeBytes(); at++) {
                    assertEquals(0, memGetByte(buffer.address() + at), range + ", byte " + at);
                }
            }
            again.forEach(pool::release);
        }
    }

    /** A stage with parameters and maps of these sizes. */
    private record Stage(int parameterBytes, long mapBytes) implements DeviceStage {
        @Override
        public int formBits() {
            return 1;
        }

        @Override
        public int form(StagePicture picture) {
            return 0;
        }

        @Override
        public int sets() {
            return 1;
        }

        @Override
        public void record(StageRecording at, int form) {
            throw new AssertionError("this stage does not run");
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
