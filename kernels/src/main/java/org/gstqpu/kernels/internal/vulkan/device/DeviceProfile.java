/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/** The device that a context holds itself to, which may have less than the one it runs on. */
public enum DeviceProfile {
    /** The device as it is. */
    NONE,
    /** V3D 7.1 of the Raspberry Pi 5, as Mesa's driver states its limits. */
    V3D;

    private static final int QUEUES = 1;
    private static final int STORAGE_BUFFERS = 8;
    private static final int PUSH_CONSTANTS_BYTES = 128;
    private static final int INVOCATIONS = 256;
    private static final int SHARED_MEMORY_BYTES = 16 * 1024;
    private static final int OFFSET_ALIGNMENT_BYTES = 32;

    /** What is left of a device's capabilities under this profile. */
    DeviceCapabilities limit(DeviceCapabilities device) {
        if (this == NONE) {
            return device;
        }
        return new DeviceCapabilities(
                device.index(),
                device.name() + " as V3D",
                device.uuid(),
                device.type(),
                device.driver(),
                device.apiVersion(),
                device.unusable(),
                device.computeQueueFamily(),
                Math.min(QUEUES, device.computeQueues()),
                device.dmabufImport(),
                device.dmabufExport(),
                device.foreignQueueFamily(),
                false,
                0,
                device.timelineSemaphores(),
                device.syncFdImport(),
                device.syncFdExport(),
                device.opaqueFdSemaphores(),
                device.storage8Bit(),
                device.storage16Bit(),
                false,
                false,
                false,
                device.performanceCounters(),
                device.timestampValidBits(),
                device.timestampPeriodNanos(),
                Math.min(STORAGE_BUFFERS, device.maxStorageBuffersPerStage()),
                device.maxStorageBufferRangeBytes(),
                device.maxTexelBufferElements(),
                device.maxAllocationBytes(),
                Math.min(PUSH_CONSTANTS_BYTES, device.maxPushConstantsBytes()),
                Math.min(INVOCATIONS, device.maxWorkgroupInvocations()),
                Math.min(SHARED_MEMORY_BYTES, device.maxSharedMemoryBytes()),
                Math.max(OFFSET_ALIGNMENT_BYTES, device.storageBufferAlignmentBytes()),
                Math.max(OFFSET_ALIGNMENT_BYTES, device.uniformBufferAlignmentBytes()),
                device.subgroupSize(),
                device.subgroupExchange());
    }
}
