/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.util.List;
import org.gstqpu.pipelines.cli.VideoSize;

/**
 * The result of {@link PipelineBenchmark}. The components are the field names of the JSON.
 *
 * @param device name of the Vulkan device that the element used; null if it used none
 * @param rounds measurements per case
 * @param seconds length of each measurement
 * @param cases one for each case and size
 */
record PipelineReport(String device, int rounds, double seconds, List<Case> cases) {
    /**
     * One case at one size.
     *
     * @param size name of the {@link VideoSize}
     * @param name name of the {@link PipelineCase}
     * @param pipeline the pipeline, as gst-launch-1.0 takes it
     * @param framesPerSecond median of the rounds; null if the case was not measured
     * @param cpuSecondsPerFrame CPU time of the process, median of the rounds; null if the case was not measured
     * @param submitsPerFrame submissions to the device; null for pipelines without the element
     * @param copiesPerFrame pictures or results that the CPU copied; null for pipelines without the element
     * @param missing why the case was not measured, and the cure; null if it was
     */
    record Case(
            String size,
            String name,
            String pipeline,
            Double framesPerSecond,
            Double cpuSecondsPerFrame,
            Double submitsPerFrame,
            Double copiesPerFrame,
            String missing) {}
}
