/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Finds the value in the middle, which a busy moment of the machine does not move. Holds nothing. */
public final class Medians {
    private Medians() {}

    /** The median of what the function says of each; of an even number of values the mean of the two in the middle. */
    public static <T> double of(List<T> values, ToDoubleFunction<T> function) {
        double[] sorted = values.stream().mapToDouble(function).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("the median of nothing");
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
