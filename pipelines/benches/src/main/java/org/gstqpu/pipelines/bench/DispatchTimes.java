/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import java.util.Arrays;

/**
 * The times of a series of dispatches, in nanoseconds. A percentile is by nearest rank: the p-th is the smallest measured
 * time that p percent of the dispatches did not exceed.
 *
 * @param coldNanos the first dispatch with everything that had to be made for it; no other figure includes it
 * @param p50Nanos of the dispatches after the cold one
 * @param p90Nanos of the dispatches after the cold one
 * @param meanNanos of the dispatches after the cold one
 */
public record DispatchTimes(long coldNanos, long p50Nanos, long p90Nanos, long meanNanos) {
    /**
     * Computes the figures from measured times.
     *
     * @param nanos one time for each dispatch after the cold one, 1 or more; not changed
     */
    public static DispatchTimes of(long coldNanos, long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("at least 1 dispatch must have been timed, given 0");
        }
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new DispatchTimes(
                coldNanos,
                percentile(sorted, 50),
                percentile(sorted, 90),
                Math.round(Arrays.stream(sorted).average().orElseThrow()));
    }

    private static long percentile(long[] sorted, int percent) {
        return sorted[(int) (((long) sorted.length * percent + 99) / 100) - 1];
    }
}
