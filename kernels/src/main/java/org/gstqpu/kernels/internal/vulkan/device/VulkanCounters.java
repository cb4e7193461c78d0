/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what a context asks of Vulkan; written by the context's thread, readable by any. */
public final class VulkanCounters {
    private final AtomicLong objectsCreated = new AtomicLong();
    private final AtomicLong allocations = new AtomicLong();
    private final AtomicLong descriptorWrites = new AtomicLong();
    private final AtomicLong submits = new AtomicLong();
    private final AtomicLong dispatches = new AtomicLong();
    private final AtomicLong waits = new AtomicLong();
    private final AtomicLong reRecords = new AtomicLong();
    private final AtomicLong copies = new AtomicLong();
    private final AtomicLong bytesCopied = new AtomicLong();
    private final AtomicLong measuredSubmits = new AtomicLong();
    private final AtomicLong gpuNanos = new AtomicLong();
    private final AtomicLong fenceWaits = new AtomicLong();
    private final AtomicLong fencesImported = new AtomicLong();
    private final AtomicLong fencesExported = new AtomicLong();

    /** A vkCreate* call. */
    public void countCreated() {
        objectsCreated.incrementAndGet();
    }

    /** A vkAllocate* call. */
    public void countAllocation() {
        allocations.incrementAndGet();
    }

    /** A vkUpdateDescriptorSets call. */
    public void countDescriptorWrite() {
        descriptorWrites.incrementAndGet();
    }

    /** A vkQueueSubmit call. */
    public void countSubmit() {
        submits.incrementAndGet();
    }

    /** What a ring's submitted command buffer dispatches. */
    public void countDispatches(int count) {
        dispatches.addAndGet(count);
    }

    /** A vkWaitForFences or vkWaitSemaphores call. */
    public void countWait() {
        waits.incrementAndGet();
    }

    /** A command buffer recorded again. */
    public void countReRecord() {
        reRecords.incrementAndGet();
    }

    /** A picture of that many bytes that the CPU copied from or to staging memory. */
    public void countCopied(long bytes) {
        copies.incrementAndGet();
        bytesCopied.addAndGet(bytes);
    }

    /** A wait of the CPU for fences of other drivers. */
    public void countFenceWait() {
        fenceWaits.incrementAndGet();
    }

    /** A submission that the device measured. */
    public void countMeasured() {
        measuredSubmits.incrementAndGet();
    }

    /** A submission that the device timed. */
    public void countGpuTime(long nanos) {
        countMeasured();
        gpuNanos.addAndGet(nanos);
    }

    public long measuredSubmits() {
        return measuredSubmits.get();
    }

    public long gpuNanos() {
        return gpuNanos.get();
    }

    /** A fence of another driver that work waits for. */
    public void countFenceImported() {
        fencesImported.incrementAndGet();
    }

    /** The end of work handed to other drivers as a fence. */
    public void countFenceExported() {
        fencesExported.incrementAndGet();
    }

    public long objectsCreated() {
        return objectsCreated.get();
    }

    public long allocations() {
        return allocations.get();
    }

    public long descriptorWrites() {
        return descriptorWrites.get();
    }

    public long submits() {
        return submits.get();
    }

    public long dispatches() {
        return dispatches.get();
    }

    public long waits() {
        return waits.get();
    }

    public long reRecords() {
        return reRecords.get();
    }

    public long copies() {
        return copies.get();
    }

    public long fencesImported() {
        return fencesImported.get();
    }

    public long fencesExported() {
        return fencesExported.get();
    }

    public long fenceWaits() {
        return fenceWaits.get();
    }

    public long bytesCopied() {
        return bytesCopied.get();
    }
}
