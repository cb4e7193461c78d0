/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Sees that something comes to allocate nothing on the Java heap. The JVM links code when it first runs, and compiles it later, on a busy
 * machine much later: both may allocate on the thread at hand, once for each piece of code. What allocates by itself does so in
 * every round.
 */
public final class SteadyAllocations {
    private static final int STEADY_ROUNDS = 5;
    private static final int MOST_ROUNDS = 100;

    private SteadyAllocations() {}

    /** Runs rounds until {@value #STEADY_ROUNDS} in a row have allocated nothing on this thread. Returns how many it took. */
    public static int reach(Runnable round) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<Long> allocated = new ArrayList<>();
        int steady = 0;
        while (steady < STEADY_ROUNDS && allocated.size() < MOST_ROUNDS) {
            long before = threads.getCurrentThreadAllocatedBytes();
            round.run();
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            allocated.add(bytes);
            steady = bytes == 0 ? steady + 1 : 0;
        }
        assertTrue(steady == STEADY_ROUNDS, () -> "bytes by round: " + allocated);
        return allocated.size();
    }
}
