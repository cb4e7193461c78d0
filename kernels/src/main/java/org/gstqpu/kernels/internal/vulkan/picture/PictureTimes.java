/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Keeps how long the last pictures took on the device. Written by the context's thread, which allocates nothing; read by
 * any, which may see a picture more or less while others end.
 */
public final class PictureTimes {
    /** Pictures that are remembered: enough for a steady median, few enough that it follows a change within seconds. */
    static final int CAPACITY = 255;

    private final AtomicLongArray nanos = new AtomicLongArray(CAPACITY);
    private volatile long count;

    /** Adds that of one more picture. */
    // Written by one thread alone.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void add(long pictureNanos) {
        nanos.set((int) (count % CAPACITY), pictureNanos);
        count++;
    }

    /** That of the last picture, 0 before the first. */
    public long lastNanos() {
        long added = count;
        return added == 0 ? 0 : nanos.get((int) ((added - 1) % CAPACITY));
    }

    /** The median of those that are remembered, the lesser of two in the middle; 0 before the first. */
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
