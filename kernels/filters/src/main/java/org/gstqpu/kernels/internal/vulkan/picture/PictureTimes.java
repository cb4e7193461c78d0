/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Owns the times that the last pictures took on the device. The context's thread adds times, which allocates nothing.
 * Any thread may read them; while pictures end, a reader may miss the newest.
 */
public final class PictureTimes {
    /**
     * Number of pictures that are remembered. It is large enough for a steady median, and small enough that the median
     * follows a change within seconds.
     */
    static final int CAPACITY = 255;

    private final AtomicLongArray nanos = new AtomicLongArray(CAPACITY);
    private volatile long count;

    /** Adds the time of one picture, in nanoseconds. */
    // Only the context's thread writes the count.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void add(long pictureNanos) {
        nanos.set((int) (count % CAPACITY), pictureNanos);
        count++;
    }

    /** Time of the last picture, in nanoseconds. 0 before the first picture. */
    public long lastNanos() {
        long added = count;
        return added == 0 ? 0 : nanos.get((int) ((added - 1) % CAPACITY));
    }

    /**
     * Median of the remembered times, in nanoseconds; the lower one if two lie in the middle. 0 before the first
     * picture.
     */
    public long medianNanos() {
        int known = (int) Math.min(count, CAPACITY);
        if (known == 0) {
            return 0;
        }
        long[] sorted = new long[known];
        for (int i = 0; i < known; i++) {
            sorted[i] = nanos.get(i);
        }
        Arrays.sort(sorted);
        return sorted[(known - 1) / 2];
    }
}
