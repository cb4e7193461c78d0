/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/** A device whose limits a context keeps, although it runs on another device that can do more. */
public enum DeviceProfile {
    /** No such limits: the context uses the device as it is. */
    NONE,
    /** V3D 7.1 of the Raspberry Pi 5, with the limits that Mesa's driver states. */
    V3D;

    private static final int STORAGE_BUFFERS = 8;
    private static final int PUSH_CONSTANTS_BYTES = 128;
    private static final int INVOCATIONS = 256;
    private static final int SHARED_MEMORY_BYTES = 16 * 1024;
    private static final int OFFSET_ALIGNMENT_BYTES = 32;

    /** Returns the capabilities of a device, reduced to those of this profile. */
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
                device.dmabufImport(),
                device.foreignQueueFamily(),
                false,
                0,
                device.syncFdImport(),
                device.syncFdExport(),
                device.storage16Bit(),
                false,
                false,
                device.timestampValidBits(),
                device.timestampPeriodNanos(),
                Math.min(STORAGE_BUFFERS, device.maxStorageBuffersPerStage()),
                device.maxStorageBufferRangeBytes(),
                device.maxAllocationBytes(),
                Math.min(PUSH_CONSTANTS_BYTES, device.maxPushConstantsBytes()),
                Math.min(INVOCATIONS, device.maxWorkgroupInvocations()),
                Math.min(SHARED_MEMORY_BYTES, device.maxSharedMemoryBytes()),
                Math.max(OFFSET_ALIGNMENT_BYTES, device.storageBufferAlignmentBytes()),
                device.subgroupSize(),
                device.subgroupExchange());
    }
}
