/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.Arrays;

/** One figure of each picture of a sequence, put into one number in several ways, as libvmaf does it. Immutable. */
public final class PooledFigures {
    private final double[] sorted;
    private final double mean;
    private final double harmonicMean;

    /**
     * @param values one for each picture
     * @throws IllegalArgumentException when there is none
     */
    public PooledFigures(double[] values) {
        this(values, Arrays.stream(values).sum() / values.length);
    }

    /** Figures whose mean is another than the arithmetic one. */
    PooledFigures(double[] values, double mean) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no picture was measured, so there is nothing to pool");
        }
        double reciprocals = 0;
        for (double value : values) {
            reciprocals += 1 / (value + 1);
        }
        this.mean = mean;
        harmonicMean = values.length / reciprocals - 1;
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    /** Arithmetic mean; of XPSNR that which FFmpeg has, of amplitudes and not of decibels. */
    public double mean() {
        return mean;
    }

    /** Harmonic mean of the values plus 1, less 1: a value of 0 does not make it 0. */
    public double harmonicMean() {
        return harmonicMean;
    }

    /** The least value. */
    public double min() {
        return sorted[0];
    }

    /** The greatest value. */
    public double max() {
        return sorted[sorted.length - 1];
    }

    /**
     * The value below which so many percent of the pictures lie, interpolated between the two nearest.
     *
     * @param percent from 0, which is the least value, to 100, which is the greatest
     * @throws IllegalArgumentException when it is not 0 to 100
     */
    public double percentile(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("a percentile is from 0 to 100, given " + percent);
        }
        double at = percent * (sorted.length - 1) / 100;
        int below = (int) Math.floor(at);
        int above = (int) Math.ceil(at);
        return below == above ? sorted[below] : sorted[below] * (above - at) + sorted[above] * (at - below);
    }
}
