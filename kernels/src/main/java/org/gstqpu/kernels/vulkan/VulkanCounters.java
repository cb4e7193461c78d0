package org.gstqpu.kernels.vulkan;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what a context asks of Vulkan; written by the context's thread, readable by any. */
final class VulkanCounters {
    private final AtomicLong objectsCreated = new AtomicLong();
    private final AtomicLong allocations = new AtomicLong();
    private final AtomicLong descriptorWrites = new AtomicLong();
    private final AtomicLong submits = new AtomicLong();
    private final AtomicLong waits = new AtomicLong();
    private final AtomicLong reRecords = new AtomicLong();
    private final AtomicLong bytesCopied = new AtomicLong();

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

    /** A vkWaitForFences or vkWaitSemaphores call. */
    void countWait() {
        waits.incrementAndGet();
    }

    /** A command buffer recorded again. */
    void countReRecord() {
        reRecords.incrementAndGet();
    }

    /** Bytes that the CPU copied between a picture and staging memory. */
    void countCopied(long bytes) {
        bytesCopied.addAndGet(bytes);
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

    long waits() {
        return waits.get();
    }

    long reRecords() {
        return reRecords.get();
    }

    long bytesCopied() {
        return bytesCopied.get();
    }
}
