/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryUtil.memAllocInt;
import static org.lwjgl.system.MemoryUtil.memCallocLong;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.VK11.VK_NULL_HANDLE;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/**
 * Owns the arrays that tell a submission which semaphores to wait for and which to signal. {@link SubmitSlot#submit}
 * only points at them; only the values of timeline semaphores change. The semaphores belong to others. Belongs to the
 * context's thread.
 */
public final class SubmitDependencies implements AutoCloseable {
    /**
     * One semaphore to wait for.
     *
     * @param stages stages of the work that wait, VkPipelineStageFlags
     */
    public record Wait(DeviceSemaphore semaphore, int stages) {}

    private final List<Wait> waits;
    private final List<DeviceSemaphore> signals;
    private final boolean timelines;
    private final LongBuffer waitSemaphores;
    private final LongBuffer waitValues;
    private final IntBuffer waitStages;

    /** The semaphores to signal, then room for the one that tells the slot that its work is done. */
    private final LongBuffer signalSemaphores;

    private final LongBuffer signalValues;
    private final VkTimelineSemaphoreSubmitInfo timelineInfo = VkTimelineSemaphoreSubmitInfo.calloc();
    private boolean closed;

    public SubmitDependencies(List<Wait> waits, List<DeviceSemaphore> signals) {
        this.waits = List.copyOf(waits);
        this.signals = List.copyOf(signals);
        timelines = waits.stream().anyMatch(wait -> wait.semaphore().isTimeline())
                || signals.stream().anyMatch(DeviceSemaphore::isTimeline);
        waitSemaphores = memCallocLong(waits.size());
        waitValues = memCallocLong(waits.size());
        waitStages = memAllocInt(waits.size());
        for (int i = 0; i < waits.size(); i++) {
            waitSemaphores.put(i, waits.get(i).semaphore().handle());
            waitStages.put(i, waits.get(i).stages());
        }
        signalSemaphores = memCallocLong(signals.size() + 1);
        signalValues = memCallocLong(signals.size() + 1);
        for (int i = 0; i < signals.size(); i++) {
            signalSemaphores.put(i, signals.get(i).handle());
        }
        timelineInfo.sType$Default();
    }

    /**
     * Sets the value that the next submissions wait for.
     *
     * @param index of the wait; its semaphore must be a timeline
     */
    void waitFor(int index, long value) {
        checkTimeline(waits.get(index).semaphore());
        waitValues.put(index, value);
    }

    /**
     * Sets the value that the next submission signals.
     *
     * @param index of the signal; its semaphore must be a timeline
     * @param value more than the semaphore's value at the time of the signal
     */
    void signal(int index, long value) {
        checkTimeline(signals.get(index));
        signalValues.put(index, value);
    }

    private static void checkTimeline(DeviceSemaphore semaphore) {
        if (!semaphore.isTimeline()) {
            throw new IllegalArgumentException("a binary semaphore has no value");
        }
    }

    /** Throws if a semaphore belongs to another device. */
    void checkDevice(VulkanDevice device) {
        for (int i = 0; i < waits.size(); i++) {
            checkDevice(waits.get(i).semaphore(), device);
        }
        for (int i = 0; i < signals.size(); i++) {
            checkDevice(signals.get(i), device);
        }
    }

    private static void checkDevice(DeviceSemaphore semaphore, VulkanDevice device) {
        if (!semaphore.belongsTo(device)) {
            throw new IllegalArgumentException("a semaphore of another device");
        }
    }

    /**
     * Points a submission at the arrays.
     *
     * @param doneTimeline one more timeline semaphore to signal, or VK_NULL_HANDLE
     * @param doneValue the value that {@code doneTimeline} gets
     */
    void describe(VkSubmitInfo submit, long doneTimeline, long doneValue) {
        boolean own = doneTimeline != VK_NULL_HANDLE;
        int signalCount = signals.size() + (own ? 1 : 0);
        signalSemaphores.put(signals.size(), doneTimeline);
        signalValues.put(signals.size(), doneValue);
        long at = submit.address();
        VkSubmitInfo.npWaitSemaphores(at, waitSemaphores);
        VkSubmitInfo.npWaitDstStageMask(at, waitStages);
        VkSubmitInfo.nwaitSemaphoreCount(at, waits.size());
        VkSubmitInfo.npSignalSemaphores(at, signalSemaphores);
        VkSubmitInfo.nsignalSemaphoreCount(at, signalCount);
        if (timelines || own) {
            long values = timelineInfo.address();
            VkTimelineSemaphoreSubmitInfo.npWaitSemaphoreValues(values, waitValues);
            VkTimelineSemaphoreSubmitInfo.nwaitSemaphoreValueCount(values, waits.size());
            VkTimelineSemaphoreSubmitInfo.npSignalSemaphoreValues(values, signalValues);
            VkTimelineSemaphoreSubmitInfo.nsignalSemaphoreValueCount(values, signalCount);
            VkSubmitInfo.npNext(at, values);
        } else {
            VkSubmitInfo.npNext(at, 0);
        }
    }

    /** Frees the arrays. No submission that uses them may be under way. A second call does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        memFree(waitSemaphores);
        memFree(waitValues);
        memFree(waitStages);
        memFree(signalSemaphores);
        memFree(signalValues);
        timelineInfo.free();
    }
}
