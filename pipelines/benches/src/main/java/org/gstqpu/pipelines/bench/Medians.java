/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Computes medians. Unlike a mean, a median is not moved by a busy moment of the machine. Stateless. */
public final class Medians {
    private Medians() {}

    /** The median of {@code function} over the values. For an even number of values, the mean of the two in the middle. */
    public static <T> double of(List<T> values, ToDoubleFunction<T> function) {
        double[] sorted = values.stream().mapToDouble(function).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("the median of nothing");
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
