/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the Java bytes that the streaming thread allocates while it filters. Counting begins when the count is first
 * read, because making the JVM's counter ready takes some 20 ms that a pipeline should not spend at its start; so what is
 * counted is the steady state, once a user looks. {@link #enter} and {@link #leave} belong to the streaming thread, the
 * rest to any thread.
 */
final class AllocationCounter {
    /** What {@link #bytes} says where the JVM cannot count. */
    static final long UNKNOWN = -1;

    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong frames = new AtomicLong();
    private volatile ThreadMXBean bean;

    /** Begins to count, if that has not been done. */
    void begin() {
        if (bean == null
                && ManagementFactory.getThreadMXBean() instanceof ThreadMXBean counting
                && counting.isThreadAllocatedMemorySupported()) {
            counting.setThreadAllocatedMemoryEnabled(true);
            bean = counting;
        }
    }

    /** To be called where filtering a frame begins; what it returns goes to {@link #leave}. */
    long enter() {
        ThreadMXBean counting = bean;
        return counting == null ? UNKNOWN : counting.getCurrentThreadAllocatedBytes();
    }

    /** To be called where filtering a frame ends. */
    void leave(long entered) {
        if (entered != UNKNOWN) {
            bytes.addAndGet(bean.getCurrentThreadAllocatedBytes() - entered);
            frames.incrementAndGet();
        }
    }

    /** Bytes counted so far, or {@link #UNKNOWN}. */
    long bytes() {
        return bean == null ? UNKNOWN : bytes.get();
    }

    /** Frames over which they were counted. */
    long frames() {
        return frames.get();
    }
}
