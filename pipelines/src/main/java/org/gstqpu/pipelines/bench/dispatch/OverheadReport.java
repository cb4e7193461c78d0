/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.List;
import org.gstqpu.pipelines.bench.DispatchTimes;

/**
 * The result of {@link OverheadBenchmark}. The components are the field names of the JSON. Times are in nanoseconds.
 *
 * @param device name of the Vulkan device
 * @param driver name and version of its driver
 * @param kernel name of the kernel
 * @param blocks blocks per dispatch
 * @param dispatches dispatches per stage after the cold one
 * @param stages the stages that the device supports, in the order of {@link
 *     org.gstqpu.pipelines.bench.dispatch.DispatchStage}
 * @param c the last stage in C; null if C was not measured
 * @param javaOverC p50 of the last stage in Java divided by its p50 in C; null if C was not measured
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
    /** This report with the times of the last stage in C. */
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
     * @param p50Nanos median time of a dispatch
     * @param p90Nanos 90th percentile of the dispatches
     * @param meanNanos mean of all dispatches
     */
    record C(long p50Nanos, long p90Nanos, long meanNanos) {}

    /**
     * One stage.
     *
     * @param name the stage's title
     * @param coldNanos the first dispatch with everything that the stage makes before it, pipeline included
     * @param p50Nanos median time of a dispatch after the cold one
     * @param p90Nanos 90th percentile of these dispatches
     * @param meanNanos mean of these dispatches
     * @param vkCreate calls of vkCreate* per dispatch
     * @param vkAllocate calls of vkAllocate* per dispatch
     * @param descriptorWrites calls of vkUpdateDescriptorSets per dispatch
     * @param submits calls of vkQueueSubmit per dispatch
     * @param waits calls of vkWaitForFences per dispatch
     * @param javaBytes bytes allocated on the Java heap per dispatch
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
