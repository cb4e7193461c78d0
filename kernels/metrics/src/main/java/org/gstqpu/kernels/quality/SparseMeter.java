/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.EnumSet;
import java.util.Set;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Measures one of so many pictures of a sequence, as libvmaf's {@code n_subsample} does. Metrics that compare a picture with the one
 * before it see all pictures, so the figures of a picture are those that a {@link QualityMeter} finds that measures all. A device gets a
 * submission for those metrics, and another one for the rest. Owns its meters; belongs to one thread at a time.
 */
public final class SparseMeter implements AutoCloseable {
    private final int every;

    /** Sees every picture; null if nothing is measured that needs it. */
    private final QualityMeter each;

    /** Sees those that are measured; null if it would measure nothing. */
    private final QualityMeter some;

    private final QualityFigures ofSome = new QualityFigures();

    /**
     * Makes the meters.
     *
     * @param every of so many pictures one is measured, from 1
     * @throws IllegalArgumentException as {@link MeterContext#newMeter} does
     * @throws DeviceException likewise; nothing is left behind
     */
    public SparseMeter(
            MeterContext context,
            PixelFormat format,
            int width,
            int height,
            Set<QualityMetric> metrics,
            MetricOptions options,
            int every) {
        if (every < 1) {
            throw new IllegalArgumentException("one of 1 picture or more is measured, given " + every);
        }
        this.every = every;
        Set<QualityMetric> ofEach = EnumSet.copyOf(metrics);
        if (every > 1) {
            ofEach.removeIf(metric -> !metric.comparesPictures());
        }
        Set<QualityMetric> rest = EnumSet.copyOf(metrics);
        rest.removeAll(ofEach);
        each = ofEach.isEmpty() ? null : context.newMeter(format, width, height, ofEach, options);
        try {
            some = rest.isEmpty() ? null : context.newMeter(format, width, height, rest, options);
        } catch (DeviceException e) {
            if (each != null) {
                each.close();
            }
            throw e;
        }
    }

    /**
     * Measures a picture, or what has to be known of it for others. Nothing is allocated in the steady state.
     *
     * @param number of the picture in its {@link QualityLog}
     * @param figures receives the figures; those that were not measured are NaN
     * @throws DeviceException as {@link QualityMeter#measure} does, and what else it throws
     */
    public void measure(int number, Picture reference, Picture picture, QualityFigures figures) {
        if (each == null) {
            figures.clear();
        } else {
            each.measure(reference, picture, figures);
        }
        if (some != null && number % every == 0) {
            some.measure(reference, picture, ofSome);
            figures.addAll(ofSome, some.metrics());
        }
    }

    /** Begins a new sequence: see {@link QualityMeter#restart}. */
    public void restart() {
        if (each != null) {
            each.restart();
        }
    }

    /** Releases everything that this meter owns. A second call does nothing. */
    @Override
    public void close() {
        try (some) {
            if (each != null) {
                each.close();
            }
        }
    }
}
