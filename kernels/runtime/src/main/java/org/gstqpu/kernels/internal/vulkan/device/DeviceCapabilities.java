/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.Optional;

/**
 * What a Vulkan device can do, as probed once. {@link DeviceAllowances} says what a context may use of that. Immutable.
 *
 * @param index the place of the device in the loader's list; a user may name the device by it
 * @param name VkPhysicalDeviceProperties.deviceName
 * @param uuid deviceUUID in the usual 8-4-4-4-12 hexadecimal form
 * @param type the kind of device
 * @param driver name and version of the driver, in the driver's own words
 * @param apiVersion the Vulkan version, such as {@code 1.3.230}
 * @param unusable the reason why the kernels cannot run on this device; empty if they can
 * @param computeQueueFamily the queue family that contexts use; -1 if no family can compute
 * @param dmabufImport true if the device imports dmabufs as storage buffers
 * @param foreignQueueFamily true if the device passes the ownership of buffers to drivers of other devices and takes it from
 *     them (VK_EXT_queue_family_foreign)
 * @param hostPointerImport true if the device imports memory of the process as storage buffers
 * @param hostPointerAlignmentBytes the alignment of imported memory of the process; 0 if the device imports none
 * @param syncFdImport true if the device makes a binary semaphore from a SYNC_FD
 * @param syncFdExport true if the device turns a binary semaphore into a SYNC_FD
 * @param storage16Bit storageBuffer16BitAccess
 * @param arithmetic8Bit shaderInt8
 * @param arithmetic16Bit shaderInt16
 * @param timestampValidBits the number of low bits that are valid in a timestamp; 0 if the queue writes no timestamps
 * @param timestampPeriodNanos nanoseconds per timestamp tick; 0 without timestamps
 * @param maxStorageBuffersPerStage maxPerStageDescriptorStorageBuffers
 * @param maxStorageBufferRangeBytes maxStorageBufferRange
 * @param maxAllocationBytes maxMemoryAllocationSize
 * @param maxPushConstantsBytes maxPushConstantsSize
 * @param maxWorkgroupInvocations maxComputeWorkGroupInvocations
 * @param maxSharedMemoryBytes maxComputeSharedMemorySize
 * @param storageBufferAlignmentBytes minStorageBufferOffsetAlignment
 * @param subgroupSize subgroupSize
 * @param subgroupExchange true if compute shaders have shuffles and votes, and the subgroup size is a multiple of 8
 */
public record DeviceCapabilities(
        int index,
        String name,
        String uuid,
        DeviceType type,
        String driver,
        String apiVersion,
        Optional<String> unusable,
        int computeQueueFamily,
        boolean dmabufImport,
        boolean foreignQueueFamily,
        boolean hostPointerImport,
        long hostPointerAlignmentBytes,
        boolean syncFdImport,
        boolean syncFdExport,
        boolean storage16Bit,
        boolean arithmetic8Bit,
        boolean arithmetic16Bit,
        int timestampValidBits,
        float timestampPeriodNanos,
        int maxStorageBuffersPerStage,
        long maxStorageBufferRangeBytes,
        long maxAllocationBytes,
        int maxPushConstantsBytes,
        int maxWorkgroupInvocations,
        int maxSharedMemoryBytes,
        int storageBufferAlignmentBytes,
        int subgroupSize,
        boolean subgroupExchange) {

    /** Returns true if the queue writes timestamps. */
    public boolean timestamps() {
        return timestampValidBits > 0;
    }

    /** Returns index, name, type and UUID in one line, for error messages and lists. */
    public String summary() {
        return index + ": " + name + " (" + type + ", " + uuid + ")";
    }
}
