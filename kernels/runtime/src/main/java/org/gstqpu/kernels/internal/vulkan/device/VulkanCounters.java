/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.substrate.DeviceCounters;

/** Counts what a context asks of Vulkan. The context's thread counts, any thread reads. */
public final class VulkanCounters {
    private final Map<Counted, AtomicLong> counts = new EnumMap<>(Counted.class);

    /** What is counted. */
    public enum Counted {
        /** Calls of vkCreate*. */
        OBJECTS_CREATED,
        /** Calls of vkAllocate*. */
        ALLOCATIONS,
        /** Calls of vkUpdateDescriptorSets. */
        DESCRIPTOR_WRITES,
        /** Calls of vkQueueSubmit. */
        SUBMITS,
        /** Dispatches of submitted command buffers. */
        DISPATCHES,
        /** Calls of vkWaitForFences and vkWaitSemaphores. */
        WAITS,
        /** Command buffers that were recorded again. */
        RE_RECORDS,
        /** Pictures that the CPU copied from or to staging memory. */
        COPIES,
        /** Bytes of these pictures' samples. */
        BYTES_COPIED,
        /** Pictures whose planes lay in buffers of their own, and which work on the device put together. */
        GATHERED,
        /** Submissions that the device measured or timed. */
        MEASURED_SUBMITS,
        /** How long the device worked on the submissions that it timed, in nanoseconds. */
        GPU_NANOS,
        /** Waits of the CPU for fences of other drivers. */
        FENCE_WAITS,
        /** Fences of other drivers that work on the device waited for. */
        FENCES_IMPORTED,
        /** Fences that told other drivers the end of work. */
        FENCES_EXPORTED
    }

    /** Nothing is counted yet. */
    public VulkanCounters() {
        for (Counted what : Counted.values()) {
            counts.put(what, new AtomicLong());
        }
    }

    /** Counts one more. */
    public void add(Counted what) {
        add(what, 1);
    }

    /** Counts so many more. */
    public void add(Counted what, long count) {
        counts.get(what).addAndGet(count);
    }

    /** Counts a picture that the CPU copied from or to staging memory. {@code bytes} are those of its samples. */
    public void addCopy(long bytes) {
        add(Counted.COPIES);
        add(Counted.BYTES_COPIED, bytes);
    }

    /** How many were counted. */
    public long get(Counted what) {
        return counts.get(what).get();
    }

    /** What users of a context are told of it. */
    public DeviceCounters summary() {
        return new DeviceCounters(
                get(Counted.SUBMITS),
                get(Counted.RE_RECORDS),
                get(Counted.COPIES),
                get(Counted.BYTES_COPIED),
                get(Counted.WAITS) + get(Counted.FENCE_WAITS),
                get(Counted.FENCES_IMPORTED),
                get(Counted.FENCES_EXPORTED),
                get(Counted.GATHERED));
    }
}
