/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryUtil.memAllocInt;
import static org.lwjgl.system.MemoryUtil.memAllocLong;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.VK11.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.List;
import org.lwjgl.vulkan.VkSubmitInfo;

/**
 * Owns the arrays that tell a submission which semaphores to wait for and which to signal. {@link SubmitSlot#submit}
 * only points at them. The semaphores belong to others, and are of the slot's device. Belongs to the context's thread.
 */
public final class SubmitDependencies implements AutoCloseable {
    private final LongBuffer waits;
    private final IntBuffer waitStages;
    private final LongBuffer signals;
    private boolean closed;

    /**
     * Makes the arrays.
     *
     * @param waits the work's compute shaders wait for these
     * @param signals the end of the work signals these
     */
    public SubmitDependencies(List<DeviceSemaphore> waits, List<DeviceSemaphore> signals) {
        this.waits = handles(waits);
        this.signals = handles(signals);
        waitStages = memAllocInt(waits.size());
        for (int i = 0; i < waits.size(); i++) {
            waitStages.put(i, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
        }
    }

    private static LongBuffer handles(List<DeviceSemaphore> semaphores) {
        LongBuffer handles = memAllocLong(semaphores.size());
        semaphores.forEach(semaphore -> handles.put(semaphore.handle()));
        return handles.flip();
    }

    /** Points a submission at the arrays. */
    void describe(VkSubmitInfo submit) {
        long at = submit.address();
        VkSubmitInfo.npWaitSemaphores(at, waits);
        VkSubmitInfo.npWaitDstStageMask(at, waitStages);
        VkSubmitInfo.nwaitSemaphoreCount(at, waits.limit());
        VkSubmitInfo.npSignalSemaphores(at, signals);
        VkSubmitInfo.nsignalSemaphoreCount(at, signals.limit());
    }

    /** Frees the arrays. No submission that uses them may be under way. A second call does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        memFree(waits);
        memFree(waitStages);
        memFree(signals);
    }
}
