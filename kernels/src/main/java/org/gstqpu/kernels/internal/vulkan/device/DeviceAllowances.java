/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/**
 * What a context may use of its device. {@link DeviceCapabilities} says what the device can do. Immutable.
 *
 * @param hostPointerImport true if the context may import memory of the process
 * @param dmabufImport true if the context may import dmabufs
 * @param syncFds true if the context may exchange fences with other drivers as sync files
 * @param pipelineCache true if compiled pipelines are kept on disk between runs
 * @param subgroupExchange true if kernels may exchange values by subgroup operations
 * @param timelineSemaphores true if the context may use timeline semaphores
 * @param timelineCompletion true if a timeline semaphore signals the end of work, false if fences do. A device without
 *     timeline semaphores uses fences. The default is false: Mesa's V3D driver (25.0) only emulates timeline semaphores, and on
 *     lavapipe both cost about 20 µs a submission.
 * @param queues the number of queues to open; a device with fewer queues opens all that it has
 * @param measurement what the device measures of the work
 * @param profile the device whose limits the context keeps
 */
public record DeviceAllowances(
        boolean hostPointerImport,
        boolean dmabufImport,
        boolean syncFds,
        boolean pipelineCache,
        boolean subgroupExchange,
        boolean timelineSemaphores,
        boolean timelineCompletion,
        int queues,
        GpuMeasurement measurement,
        DeviceProfile profile) {
    /** All that the device can do, on one queue. */
    public static final DeviceAllowances ALL = of(DeviceProfile.NONE);

    /**
     * The default for users: {@link #ALL}. With {@code -Dorg.gstqpu.copies=true} the context imports no memory, so that it
     * copies every picture, as with a device that cannot import.
     */
    public static DeviceAllowances usual() {
        return Boolean.getBoolean("org.gstqpu.copies") ? new DeviceAllowances(false, true).withoutDmabufs() : ALL;
    }

    /** {@link #ALL}, with or without import of memory of the process and subgroup operations. */
    public DeviceAllowances(boolean hostPointerImport, boolean subgroupExchange) {
        this(
                hostPointerImport,
                true,
                true,
                true,
                subgroupExchange,
                true,
                false,
                1,
                GpuMeasurement.NONE,
                DeviceProfile.NONE);
    }

    /** All that both the device and a profile can do, on one queue. */
    public static DeviceAllowances of(DeviceProfile profile) {
        return new DeviceAllowances(true, true, true, true, true, true, false, 1, GpuMeasurement.NONE, profile);
    }

    /** Returns a copy with which timeline semaphores signal the end of work. */
    public DeviceAllowances withTimelines() {
        return new DeviceAllowances(
                hostPointerImport,
                dmabufImport,
                syncFds,
                pipelineCache,
                subgroupExchange,
                true,
                true,
                queues,
                measurement,
                profile);
    }

    /** Returns a copy without timeline semaphores. */
    public DeviceAllowances withFences() {
        return new DeviceAllowances(
                hostPointerImport,
                dmabufImport,
                syncFds,
                pipelineCache,
                subgroupExchange,
                false,
                false,
                queues,
                measurement,
                profile);
    }

    /** Returns a copy without import of dmabufs. */
    public DeviceAllowances withoutDmabufs() {
        return new DeviceAllowances(
                hostPointerImport,
                false,
                syncFds,
                pipelineCache,
                subgroupExchange,
                timelineSemaphores,
                timelineCompletion,
                queues,
                measurement,
                profile);
    }

    /** Returns a copy without exchange of fences with other drivers. */
    public DeviceAllowances withoutSyncFds() {
        return new DeviceAllowances(
                hostPointerImport,
                dmabufImport,
                false,
                pipelineCache,
                subgroupExchange,
                timelineSemaphores,
                timelineCompletion,
                queues,
                measurement,
                profile);
    }

    /** Returns a copy with {@code count} queues. */
    public DeviceAllowances withQueues(int count) {
        return new DeviceAllowances(
                hostPointerImport,
                dmabufImport,
                syncFds,
                pipelineCache,
                subgroupExchange,
                timelineSemaphores,
                timelineCompletion,
                count,
                measurement,
                profile);
    }

    /** Returns a copy with which the device measures what {@code wanted} says. */
    public DeviceAllowances measuring(GpuMeasurement wanted) {
        return new DeviceAllowances(
                hostPointerImport,
                dmabufImport,
                syncFds,
                pipelineCache,
                subgroupExchange,
                timelineSemaphores,
                timelineCompletion,
                queues,
                wanted,
                profile);
    }
}
