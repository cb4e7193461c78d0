package org.gstqpu.kernels.vulkan;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what a context asks of Vulkan; written by the context's thread, readable by any. */
final class VulkanCounters {
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
    void countCreated() {
        objectsCreated.incrementAndGet();
    }

    /** A vkAllocate* call. */
    void countAllocation() {
        allocations.incrementAndGet();
    }

    /** A vkUpdateDescriptorSets call. */
    void countDescriptorWrite() {
        descriptorWrites.incrementAndGet();
    }

    /** A vkQueueSubmit call. */
    void countSubmit() {
        submits.incrementAndGet();
    }

    /** What a ring's submitted command buffer dispatches. */
    void countDispatches(int count) {
        dispatches.addAndGet(count);
    }

    /** A vkWaitForFences or vkWaitSemaphores call. */
    void countWait() {
        waits.incrementAndGet();
    }

    /** A command buffer recorded again. */
    void countReRecord() {
        reRecords.incrementAndGet();
    }

    /** A picture of that many bytes that the CPU copied from or to staging memory. */
    void countCopied(long bytes) {
        copies.incrementAndGet();
        bytesCopied.addAndGet(bytes);
    }

    /** A wait of the CPU for fences of other drivers. */
    void countFenceWait() {
        fenceWaits.incrementAndGet();
    }

    /** A submission that the device measured. */
    void countMeasured() {
        measuredSubmits.incrementAndGet();
    }

    /** A submission that the device timed. */
    void countGpuTime(long nanos) {
        countMeasured();
        gpuNanos.addAndGet(nanos);
    }

    long measuredSubmits() {
        return measuredSubmits.get();
    }

    long gpuNanos() {
        return gpuNanos.get();
    }

    /** A fence of another driver that work waits for. */
    void countFenceImported() {
        fencesImported.incrementAndGet();
    }

    /** The end of work handed to other drivers as a fence. */
    void countFenceExported() {
        fencesExported.incrementAndGet();
    }

    long objectsCreated() {
        return objectsCreated.get();
    }

    long allocations() {
        return allocations.get();
    }

    long descriptorWrites() {
        return descriptorWrites.get();
    }

    long submits() {
        return submits.get();
    }

    long dispatches() {
        return dispatches.get();
    }

    long waits() {
        return waits.get();
    }

    long reRecords() {
        return reRecords.get();
    }

    long copies() {
        return copies.get();
    }

    long fencesImported() {
        return fencesImported.get();
    }

    long fencesExported() {
        return fencesExported.get();
    }

    long fenceWaits() {
        return fenceWaits.get();
    }

    long bytesCopied() {
        return bytesCopied.get();
    }
}
