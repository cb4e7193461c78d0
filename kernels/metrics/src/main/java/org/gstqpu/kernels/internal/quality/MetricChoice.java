/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityMetric;

/** The metrics of a meter, checked against the pictures that it is for. */
public final class MetricChoice {
    private MetricChoice() {}

    /**
     * Returns the metrics in the order of {@link QualityMetric}, as a set of its own.
     *
     * @throws IllegalArgumentException when there is none, or one is not defined for such pictures
     */
    public static Set<QualityMetric> checked(
            Set<QualityMetric> metrics, MetricOptions options, PixelFormat format, int width, int height) {
        if (metrics.isEmpty()) {
            throw new IllegalArgumentException("a meter needs at least one metric");
        }
        for (QualityMetric metric : metrics) {
            if (!metric.isDefinedFor(format, width, height, options)) {
                throw new IllegalArgumentException(
                        metric.label() + " is defined for pictures of " + metric.needs(format, options)
                                + " and more, these are " + format + " " + width + "x" + height + "; leave it out");
            }
        }
        return Collections.unmodifiableSet(EnumSet.copyOf(metrics));
    }
}
