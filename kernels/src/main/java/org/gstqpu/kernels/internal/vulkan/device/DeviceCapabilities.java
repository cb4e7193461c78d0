/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.Optional;

/**
 * What a Vulkan device <em>can</em> do, probed once; what a context is <em>allowed</em> to use of it is in {@link
 * DeviceAllowances}. Immutable.
 *
 * @param index the device's place in the loader's list, by which a user may name it
 * @param name VkPhysicalDeviceProperties.deviceName
 * @param uuid deviceUUID in the usual 8-4-4-4-12 hexadecimal form
 * @param type kind of device
 * @param driver name and version of the driver, as the driver words them
 * @param apiVersion Vulkan version, as {@code 1.3.230}
 * @param unusable why the kernels cannot run there, empty where they can
 * @param computeQueueFamily the queue family that is used, -1 where there is none
 * @param computeQueues queues of that family
 * @param dmabufImport whether dmabufs can be imported as storage buffers
 * @param dmabufExport whether storage buffers can be exported as dmabufs
 * @param foreignQueueFamily whether buffers can change hands with drivers of other devices, VK_EXT_queue_family_foreign
 * @param hostPointerImport whether memory of the process can be imported as storage buffers
 * @param hostPointerAlignmentBytes alignment of such memory, 0 where it cannot
 * @param timelineSemaphores whether there are timeline semaphores
 * @param syncFdImport whether a binary semaphore can be made from a SYNC_FD
 * @param syncFdExport whether a binary semaphore can be turned into a SYNC_FD
 * @param opaqueFdSemaphores whether two devices of one driver can share a binary semaphore through an opaque descriptor
 * @param storage8Bit storageBuffer8BitAccess
 * @param storage16Bit storageBuffer16BitAccess
 * @param arithmetic8Bit shaderInt8
 * @param arithmetic16Bit shaderInt16
 * @param pushDescriptors whether there are push descriptors
 * @param performanceCounters counters that performance queries can read, 0 without such queries
 * @param timestampValidBits low bits of a timestamp that count, 0 where the queue writes none
 * @param timestampPeriodNanos nanoseconds a timestamp tick, 0 without timestamps
 * @param maxStorageBuffersPerStage maxPerStageDescriptorStorageBuffers
 * @param maxStorageBufferRangeBytes maxStorageBufferRange
 * @param maxTexelBufferElements maxTexelBufferElements
 * @param maxAllocationBytes maxMemoryAllocationSize
 * @param maxPushConstantsBytes maxPushConstantsSize
 * @param maxWorkgroupInvocations maxComputeWorkGroupInvocations
 * @param maxSharedMemoryBytes maxComputeSharedMemorySize
 * @param storageBufferAlignmentBytes minStorageBufferOffsetAlignment
 * @param uniformBufferAlignmentBytes minUniformBufferOffsetAlignment
 * @param subgroupSize subgroupSize
 * @param subgroupExchange whether compute shaders have shuffles and votes, in subgroups of a multiple of 8
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
        int computeQueues,
        boolean dmabufImport,
        boolean dmabufExport,
        boolean foreignQueueFamily,
        boolean hostPointerImport,
        long hostPointerAlignmentBytes,
        boolean timelineSemaphores,
        boolean syncFdImport,
        boolean syncFdExport,
        boolean opaqueFdSemaphores,
        boolean storage8Bit,
        boolean storage16Bit,
        boolean arithmetic8Bit,
        boolean arithmetic16Bit,
        boolean pushDescriptors,
        int performanceCounters,
        int timestampValidBits,
        float timestampPeriodNanos,
        int maxStorageBuffersPerStage,
        long maxStorageBufferRangeBytes,
        long maxTexelBufferElements,
        long maxAllocationBytes,
        int maxPushConstantsBytes,
        int maxWorkgroupInvocations,
        int maxSharedMemoryBytes,
        int storageBufferAlignmentBytes,
        int uniformBufferAlignmentBytes,
        int subgroupSize,
        boolean subgroupExchange) {

    /** Whether the queue writes timestamps. */
    public boolean timestamps() {
        return timestampValidBits > 0;
    }

    /** Whether a whole storage buffer can be seen as texels that are 32-bit words. */
    public boolean texelsReachAllWords() {
        return maxTexelBufferElements * Integer.BYTES >= maxStorageBufferRangeBytes;
    }

    /** Index, name, UUID and type in a line, as error messages and lists show a device. */
    public String summary() {
        return index + ": " + name + " (" + type + ", " + uuid + ")";
    }
}
