/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/**
 * What a context may use of what its device can do ({@link DeviceCapabilities}). Immutable.
 *
 * @param hostPointerImport whether memory of the process may be imported
 * @param dmabufImport whether dmabufs may be imported
 * @param syncFds whether fences may be exchanged with other drivers as sync files
 * @param pipelineCache whether compiled pipelines are kept on disk between runs
 * @param subgroupExchange whether kernels may exchange values by subgroup operations
 * @param timelineSemaphores whether timeline semaphores may be used
 * @param timelineCompletion whether the end of work is told by a timeline semaphore instead of fences, where there are
 *     such; not by default, since Mesa's V3D driver (25.0) only emulates them, and a fence costs no more (lavapipe, both about
 *     20 µs a submission)
 * @param queues queues to open, of which a device with fewer opens those that it has
 * @param measurement what the device measures of the work
 * @param profile the device that the context holds itself to
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
    /** Everything that the device can do, on one queue. */
    public static final DeviceAllowances ALL = of(DeviceProfile.NONE);

    /**
     * What a user is given: everything, on one queue; with {@code -Dorg.gstqpu.copies=true} without import of any memory, so
     * that every picture is copied, as where a device has none.
     */
    public static DeviceAllowances usual() {
        return Boolean.getBoolean("org.gstqpu.copies") ? new DeviceAllowances(false, true).withoutDmabufs() : ALL;
    }

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

    /** Everything that the device has in common with a profile, on one queue. */
    public static DeviceAllowances of(DeviceProfile profile) {
        return new DeviceAllowances(true, true, true, true, true, true, false, 1, GpuMeasurement.NONE, profile);
    }

    /** The same, the end of work told by timeline semaphores. */
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

    /** The same without timeline semaphores. */
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

    /** The same without import of dmabufs. */
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

    /** The same without exchange of fences. */
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

    /** The same with so many queues. */
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

    /** The same, measured. */
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
