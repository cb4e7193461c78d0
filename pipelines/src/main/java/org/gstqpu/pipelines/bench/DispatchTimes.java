/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import java.util.Arrays;

/**
 * What a series of dispatches took, in nanoseconds. Percentiles by nearest rank: the smallest time that so many per cent
 * of the dispatches did not exceed.
 *
 * @param coldNanos the first dispatch with all that had to be made for it; in none of the others
 * @param p50Nanos of the dispatches after the cold one
 * @param p90Nanos of the dispatches after the cold one
 * @param meanNanos of the dispatches after the cold one
 */
public record DispatchTimes(long coldNanos, long p50Nanos, long p90Nanos, long meanNanos) {
    /**
     * Sums up measured times.
     *
     * @param nanos one time a dispatch after the cold one, 1 or more; not changed
     */
    public static DispatchTimes of(long coldNanos, long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("times are of 1 dispatch or more, given 0");
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
