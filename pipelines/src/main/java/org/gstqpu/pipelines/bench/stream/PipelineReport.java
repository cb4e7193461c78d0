/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.util.List;
import org.gstqpu.pipelines.cli.VideoSize;

/**
 * What {@link PipelineBenchmark} found, with the field names of its JSON.
 *
 * @param device name of the Vulkan device that the element used, null where it used none
 * @param rounds turns that each case had
 * @param seconds length of each measurement
 * @param cases every case at every size
 */
record PipelineReport(String device, int rounds, double seconds, List<Case> cases) {
    /**
     * One case at one size.
     *
     * @param size name of the {@link VideoSize}
     * @param name what brings the pictures through
     * @param pipeline as gst-launch-1.0 takes it
     * @param framesPerSecond the median of the rounds, null where there is none
     * @param cpuSecondsPerFrame time of the process on the CPU, the median of the rounds, null where there is none
     * @param submitsPerFrame submissions to the device, null for pipelines without the element
     * @param copiesPerFrame pictures or results that the CPU copied, null for pipelines without the element
     * @param missing why there is no measurement, and the cure; null where there is one
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
