/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.List;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * Filters pictures less, so that they come in time: takes each picture's step from a {@link DegradeControl}, and tells the application
 * and the log of each change. Belongs to the streaming thread, but for the control.
 */
final class Degrading {
    private final ElementHost host;
    private final ServingSubstrate serving;
    private final ElementStatistics statistics;
    private final PicturePlans plans;
    private final DegradeControl control = new DegradeControl();

    /** The step of the last picture. */
    private int lastStep;

    /** The format for which {@link #expectLess} was done; null if it was for none. */
    private PixelFormat lessExpectedFor;

    /** How long the last picture took to begin, which on the CPU is all of it, in nanoseconds. */
    private long lastNanos;

    Degrading(ElementHost host, ServingSubstrate serving, ElementStatistics statistics, PicturePlans plans) {
        this.host = host;
        this.serving = serving;
        this.statistics = statistics;
        this.plans = plans;
    }

    /** What is given up so that pictures come in time; any thread. */
    DegradeControl control() {
        return control;
    }

    /** Adopts how long the last picture took to begin, in nanoseconds. */
    void took(long nanos) {
        lastNanos = nanos;
    }

    /**
     * The step of the next picture, an index into {@link PicturePlans#steps}.
     *
     * @param runningTime as {@link DegradeControl#next} takes it
     */
    int step(long runningTime, PixelFormat format) {
        List<DegradeStep> steps = plans.steps();
        int step = control.next(runningTime, steps.size(), serving.warming().isWarmingUp(), lastNanos);
        statistics.countStep(steps.get(step).lost());
        if (step != lastStep) {
            lastStep = step;
            expectLess(format);
            host.degraded(control.lateNanos(), step, steps.size() - 1, statistics.frames());
            if (host.logs(LogLevel.INFO)) {
                String running = steps.get(step).settings().running().names();
                host.log(
                        LogLevel.INFO,
                        step == 0
                                ? "pictures are filtered in full again: " + running
                                : "pictures are filtered less, so that they come in time: step " + step + " of "
                                        + (steps.size() - 1) + ", " + running);
            }
        }
        return step;
    }

    /** Lets the substrate make ready what pictures need that are filtered less. Once a format, because it allocates. */
    private void expectLess(PixelFormat format) {
        if (lessExpectedFor != format) {
            lessExpectedFor = format;
            for (int step = 1; step < plans.steps().size(); step++) {
                serving.warming().expect(format, plans.plan(step));
            }
        }
    }
}
