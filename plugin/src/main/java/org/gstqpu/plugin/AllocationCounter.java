/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Owns the count of the Java bytes that the streaming thread allocates while it filters. {@link #enter} and {@link #leave} belong to
 * the streaming thread, the other methods to any thread.
 *
 * <p>Counting begins when the count is first read. To prepare the JVM's counter takes about 20 ms, which a pipeline should not spend
 * at its start. So the count covers the steady state only.
 */
final class AllocationCounter {
    /** Returned by {@link #bytes} if counting has not begun, or if the JVM cannot count. */
    static final long UNKNOWN = -1;

    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong frames = new AtomicLong();
    private volatile ThreadMXBean bean;

    /** Begins to count; a second call does nothing. A Java runtime without the module {@code jdk.management} cannot count. */
    void begin() {
        if (bean == null
                && ModuleLayer.boot().findModule("jdk.management").isPresent()
                && ManagementFactory.getThreadMXBean() instanceof ThreadMXBean counting
                && counting.isThreadAllocatedMemorySupported()) {
            counting.setThreadAllocatedMemoryEnabled(true);
            bean = counting;
        }
    }

    /** Called before a frame is filtered; the caller passes the result to {@link #leave}. */
    long enter() {
        ThreadMXBean counting = bean;
        return counting == null ? UNKNOWN : counting.getCurrentThreadAllocatedBytes();
    }

    /** Called after a frame was filtered. */
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

    /** Number of frames over which {@link #bytes} were counted. */
    long frames() {
        return frames.get();
    }
}
