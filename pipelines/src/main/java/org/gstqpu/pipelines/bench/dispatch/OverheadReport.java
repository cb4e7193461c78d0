/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.List;
import org.gstqpu.pipelines.bench.DispatchTimes;

/**
 * What {@link OverheadBenchmark} found, with the field names of its JSON. Times in nanoseconds.
 *
 * @param device name of the Vulkan device
 * @param driver name and version of its driver
 * @param kernel what was dispatched
 * @param blocks blocks of a dispatch
 * @param dispatches dispatches of each stage after the cold one
 * @param stages in the order of {@link org.gstqpu.pipelines.bench.dispatch.DispatchStage}; without those that the device cannot do
 * @param c the last stage in C; null where that was left out
 * @param javaOverC p50 of the last stage over p50 of the same in C; null where that was left out
 */
public record OverheadReport(
        String device,
        String driver,
        String kernel,
        int blocks,
        int dispatches,
        List<Stage> stages,
        C c,
        Double javaOverC) {
    /** This report with what the last stage took in C. */
    OverheadReport with(DispatchTimes times) {
        Stage last = stages.get(stages.size() - 1);
        return new OverheadReport(
                device,
                driver,
                kernel,
                blocks,
                dispatches,
                stages,
                new C(times.p50Nanos(), times.p90Nanos(), times.meanNanos()),
                (double) last.p50Nanos() / times.p50Nanos());
    }

    /**
     * The last stage in C.
     *
     * @param p50Nanos half of the dispatches took no longer
     * @param p90Nanos nine in ten of the dispatches took no longer
     * @param meanNanos mean of all dispatches
     */
    record C(long p50Nanos, long p90Nanos, long meanNanos) {}

    /**
     * One stage.
     *
     * @param name the stage's title
     * @param coldNanos the first dispatch with all that the stage makes before it, pipeline included
     * @param p50Nanos half of the dispatches took no longer
     * @param p90Nanos nine in ten of the dispatches took no longer
     * @param meanNanos mean of all dispatches
     * @param vkCreate calls of vkCreate* a dispatch
     * @param vkAllocate calls of vkAllocate* a dispatch
     * @param descriptorWrites calls of vkUpdateDescriptorSets a dispatch
     * @param submits calls of vkQueueSubmit a dispatch
     * @param waits calls of vkWaitForFences a dispatch
     * @param javaBytes bytes that a dispatch allocated on the Java heap
     */
    record Stage(
            String name,
            long coldNanos,
            long p50Nanos,
            long p90Nanos,
            long meanNanos,
            double vkCreate,
            double vkAllocate,
            double descriptorWrites,
            double submits,
            double waits,
            double javaBytes) {}
}
