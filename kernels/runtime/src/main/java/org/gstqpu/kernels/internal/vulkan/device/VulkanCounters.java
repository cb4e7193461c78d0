/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what a context asks of Vulkan. The context's thread counts, any thread reads. */
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

    /** Counts a call of vkCreate*. */
    public void countCreated() {
        objectsCreated.incrementAndGet();
    }

    /** Counts a call of vkAllocate*. */
    public void countAllocation() {
        allocations.incrementAndGet();
    }

    /** Counts a call of vkUpdateDescriptorSets. */
    public void countDescriptorWrite() {
        descriptorWrites.incrementAndGet();
    }

    /** Counts a call of vkQueueSubmit. */
    public void countSubmit() {
        submits.incrementAndGet();
    }

    /** Counts the dispatches of a submitted command buffer. */
    public void countDispatches(int count) {
        dispatches.addAndGet(count);
    }

    /** Counts a call of vkWaitForFences or vkWaitSemaphores. */
    public void countWait() {
        waits.incrementAndGet();
    }

    /** Counts a command buffer that is recorded again. */
    public void countReRecord() {
        reRecords.incrementAndGet();
    }

    /** Counts a picture that the CPU copied from or to staging memory. {@code bytes} are those of its samples. */
    public void countCopied(long bytes) {
        copies.incrementAndGet();
        bytesCopied.addAndGet(bytes);
    }

    /** Counts a wait of the CPU for fences of other drivers. */
    public void countFenceWait() {
        fenceWaits.incrementAndGet();
    }

    /** Counts a submission that the device measured. */
    public void countMeasured() {
        measuredSubmits.incrementAndGet();
    }

    /** Counts a submission that the device timed, as measured too. */
    public void countGpuTime(long nanos) {
        countMeasured();
        gpuNanos.addAndGet(nanos);
    }

    /** Returns the number of submissions that the device measured. */
    public long measuredSubmits() {
        return measuredSubmits.get();
    }

    /** Returns how long the device worked on the submissions that it timed. */
    public long gpuNanos() {
        return gpuNanos.get();
    }

    /** Counts a fence of another driver that work on the device waits for. */
    public void countFenceImported() {
        fencesImported.incrementAndGet();
    }

    /** Counts a fence that tells other drivers the end of work. */
    public void countFenceExported() {
        fencesExported.incrementAndGet();
    }

    /** Returns the number of calls of vkCreate*. */
    public long objectsCreated() {
        return objectsCreated.get();
    }

    /** Returns the number of calls of vkAllocate*. */
    public long allocations() {
        return allocations.get();
    }

    /** Returns the number of calls of vkUpdateDescriptorSets. */
    public long descriptorWrites() {
        return descriptorWrites.get();
    }

    /** Returns the number of calls of vkQueueSubmit. */
    public long submits() {
        return submits.get();
    }

    /** Returns the number of dispatches that were submitted. */
    public long dispatches() {
        return dispatches.get();
    }

    /** Returns the number of calls of vkWaitForFences and vkWaitSemaphores. */
    public long waits() {
        return waits.get();
    }

    /** Returns how often a command buffer was recorded again. */
    public long reRecords() {
        return reRecords.get();
    }

    /** Returns the number of pictures that the CPU copied from or to staging memory. */
    public long copies() {
        return copies.get();
    }

    /** Returns the number of fences of other drivers that work on the device waited for. */
    public long fencesImported() {
        return fencesImported.get();
    }

    /** Returns the number of fences that told other drivers the end of work. */
    public long fencesExported() {
        return fencesExported.get();
    }

    /** Returns how often the CPU waited for fences of other drivers. */
    public long fenceWaits() {
        return fenceWaits.get();
    }

    /** Returns the bytes of samples that the CPU copied from or to staging memory. */
    public long bytesCopied() {
        return bytesCopied.get();
    }
}
