/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.system.MemoryUtil.memFree;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.internal.stage.PictureKernel;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.DeviceProfile;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lwjgl.system.MemoryUtil;

/** A context held to the limits of V3D: what it still does, and how it refuses more. */
class DeviceProfileTest {
    private static VulkanFilterContext asV3d() throws Exception {
        return VulkanFilterContext.open(VulkanOptions.bestDevice().allowing(DeviceAllowances.of(DeviceProfile.V3D)));
    }

    @Test
    void capabilitiesAreThoseOfV3d() throws Exception {
        try (VulkanFilterContext context = asV3d()) {
            DeviceCapabilities limited = context.capabilities();
            assertEquals(8, limited.maxStorageBuffersPerStage());
            assertEquals(128, limited.maxPushConstantsBytes());
            assertEquals(256, limited.maxWorkgroupInvocations());
            assertEquals(16384, limited.maxSharedMemoryBytes());
            assertEquals(32, limited.storageBufferAlignmentBytes());
            assertFalse(limited.hostPointerImport());
            assertFalse(limited.arithmetic8Bit() || limited.arithmetic16Bit());
        }
    }

    @Test
    void hostMemoryIsNotImported() throws Exception {
        long memory = MemoryUtil.nmemAlignedAllocChecked(4096, 8192);
        try (VulkanFilterContext context = asV3d()) {
            assertEquals(Optional.empty(), context.importHost(memory, 8192));
        } finally {
            MemoryUtil.nmemAlignedFree(memory);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "257, 8, 128, 16384, 257 invocations, 256",
        "256, 9, 128, 16384, 9 storage buffers, 8",
        "256, 8, 132, 16384, 132 bytes of push constants, 128",
        "256, 8, 128, 16388, 16388 bytes of shared memory, 16384"
    })
    void excessNamesBothNumbers(
            int invocations, int buffers, int pushBytes, int sharedBytes, String needed, String allowed)
            throws Exception {
        try (VulkanFilterContext context = asV3d()) {
            DeviceCapabilities limited = context.capabilities();
            new KernelNeeds(8, 128, 16384, false, false).check("the largest", 256, limited);
            DeviceException failure = assertThrows(
                    DeviceException.class,
                    () -> new KernelNeeds(buffers, pushBytes, sharedBytes, false, false)
                            .check("a kernel", invocations, limited));
            assertEquals(DeviceFailure.LIMIT_EXCEEDED, failure.failure());
            assertTrue(failure.getMessage().startsWith("a kernel needs " + needed), failure.getMessage());
            assertTrue(failure.getMessage().contains("allows " + allowed + ";"), failure.getMessage());
        }
    }

    @Test
    void smallArithmeticIsRefused() throws Exception {
        try (VulkanFilterContext context = asV3d()) {
            DeviceCapabilities limited = context.capabilities();
            KernelNeeds bytes = new KernelNeeds(1, 0, 0, true, false);
            KernelNeeds halves = new KernelNeeds(1, 0, 0, false, true);
            String first = assertThrows(DeviceException.class, () -> bytes.check("k", 64, limited))
                    .getMessage();
            String second = assertThrows(DeviceException.class, () -> halves.check("k", 64, limited))
                    .getMessage();
            assertTrue(first.contains("8-bit arithmetic"), first);
            assertTrue(second.contains("16-bit arithmetic"), second);
        }
    }

    /**
     * Steps of 8 x 8 blocks: 72 lines of 64 sums and of 72 staged samples, a place for what is parked, and one for blocks' weights, which
     * 8 shifts of 10 bits keep in two words for each of 9 rows of 8 blocks.
     */
    @ParameterizedTest
    @CsvSource({"1, 8, 23636", "2, 4, 28820", "2, 8, 29392", "1, 16, 24784"})
    void sharedMemoryWhoseSizeIsComputedFromConstantsIsCounted(int sampleBytes, int shifts, int bytes)
            throws Exception {
        try (VulkanFilterContext context = asV3d()) {
            DeviceException failure = assertThrows(
                    DeviceException.class,
                    () -> context.runtime()
                            .pipelines()
                            .pipeline(
                                    PictureKernel.SHRINKAGE_FILTER,
                                    64,
                                    1,
                                    sampleBytes,
                                    0,
                                    1,
                                    0,
                                    shifts,
                                    8,
                                    8,
                                    0,
                                    0,
                                    0,
                                    0));
            assertTrue(
                    failure.getMessage().contains("needs " + bytes + " bytes of shared memory"), failure.getMessage());
        }
    }

    @Test
    void workgroupTooLargeIsRefusedWhereThePipelineIsMade() throws Exception {
        try (VulkanFilterContext context = asV3d()) {
            DeviceException failure = assertThrows(
                    DeviceException.class,
                    () -> context.runtime().pipelines().pipeline(PictureKernel.CDEF_DIRECTION, 512, 1, 0));
            assertEquals(DeviceFailure.LIMIT_EXCEEDED, failure.failure());
            assertTrue(failure.getMessage().contains("needs 512 invocations"), failure.getMessage());
            assertTrue(failure.getMessage().contains("allows 256"), failure.getMessage());
        }
    }

    @Test
    void misalignedBindingNamesBothNumbers() throws Exception {
        try (VulkanFilterContext context = asV3d();
                SubmitRing ring = new SubmitRing(
                        context.runtime().device(),
                        context.runtime().pipelines().setLayout(),
                        1,
                        1)) {
            DeviceBuffer buffer = context.runtime().pool().acquire(MemoryKind.DEVICE, 1024);
            try {
                SubmitSlot slot = ring.acquire(new WorkKey(), VulkanTestContexts.TIMEOUT_NANOS);
                slot.writeDescriptors(0, List.of(new BufferRange(buffer.handle(), 32, 64)));
                DeviceException failure = assertThrows(
                        DeviceException.class,
                        () -> slot.writeDescriptors(0, List.of(new BufferRange(buffer.handle(), 16, 64))));
                assertEquals(DeviceFailure.LIMIT_EXCEEDED, failure.failure());
                assertTrue(failure.getMessage().contains("byte 16 "), failure.getMessage());
                assertTrue(failure.getMessage().contains("multiples of 32"), failure.getMessage());
            } finally {
                context.runtime().pool().release(buffer);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.internal.vulkan.AllKernels#list")
    void everyKernelFitsV3d(Kernel kernel) throws Exception {
        ByteBuffer spirv = kernel.load();
        try (VulkanFilterContext context = asV3d()) {
            KernelNeeds needs = KernelNeeds.of(spirv, List.of(256));
            assertTrue(needs.storageBuffers() > 0, needs::toString);
            needs.check(kernel.name(), 256, context.capabilities());
        } finally {
            memFree(spirv);
        }
    }

    @Test
    void needsAreReadOffTheModule() {
        ByteBuffer spirv = PictureKernel.CDEF_DIRECTION.load();
        try {
            KernelNeeds needs = KernelNeeds.of(spirv, List.of(64));
            assertEquals(6, needs.storageBuffers(), needs::toString);
            assertEquals(28, needs.pushConstantBytes(), needs::toString);
            assertFalse(needs.arithmetic8Bit() || needs.arithmetic16Bit(), needs::toString);
        } finally {
            memFree(spirv);
        }
    }
}
