/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.util.List;
import org.gstqpu.pipelines.cli.VideoSize;

/**
 * What {@link ElementBenchmark} found, with the field names of its JSON. Lists are empty where a part was not asked for.
 *
 * @param device name of the Vulkan device, null where none was used
 * @param overheads what a frame costs beside the kernels
 * @param starts what the element adds to the start of a process
 * @param scan what a scan for the registry takes, null where it was not asked for
 * @param comparisons 1080p I420 on two threads of the CPU, with ffmpeg's filters
 * @param scalings sizes and numbers of elements in one process
 */
record ElementReport(
        String device,
        List<Overhead> overheads,
        List<Start> starts,
        Scan scan,
        List<Comparison> comparisons,
        List<Scaling> scalings) {
    /**
     * What a frame costs on the CPU over one that goes through {@code identity}, medians of the rounds.
     *
     * @param substrate cpu or qpu
     * @param picture size of the pictures
     * @param time what is measured: process, with the kernels where these are on the CPU; or thread, of the streaming thread,
     *     which leaves the kernels to the device
     * @param cpuMicros microseconds a frame
     * @param barMicros what it should be at most
     * @param javaBytesPerFrame Java heap that the streaming thread took; the least of the rounds, since the JVM compiles when
     *     it likes
     * @param copiesPerFrame pictures or results that were copied
     */
    record Overhead(
            String substrate,
            String picture,
            String time,
            double cpuMicros,
            double barMicros,
            double javaBytesPerFrame,
            double copiesPerFrame) {}

    /**
     * A {@code gst-launch-1.0} of one frame, medians of the rounds.
     *
     * @param substrate cpu or qpu
     * @param seconds with the element
     * @param identitySeconds with {@code identity} in its place
     * @param addedSeconds the difference
     * @param barSeconds what that should be at most
     * @param missing why it was not measured, null where it was
     */
    record Start(
            String substrate,
            Double seconds,
            Double identitySeconds,
            Double addedSeconds,
            double barSeconds,
            String missing) {}

    /**
     * Loading the plugin file into a fresh process; the median of the rounds.
     *
     * @param millis it took
     * @param barMillis what it should take at most
     */
    record Scan(double millis, double barMillis) {}

    /**
     * A filter on the CPU, medians of the rounds.
     *
     * @param name what filters
     * @param framesPerSecond null where it is not here
     * @param cpuSecondsPerFrame null where it is not here
     */
    record Comparison(String name, Double framesPerSecond, Double cpuSecondsPerFrame) {}

    /**
     * Elements that filter at once in one process, medians of the rounds.
     *
     * @param substrate cpu or qpu
     * @param size name of the {@link VideoSize}
     * @param instances how many
     * @param millisPerFrame time for a frame of any of them
     * @param nanosPerPixel the same for a luma sample
     */
    record Scaling(String substrate, String size, int instances, double millisPerFrame, double nanosPerPixel) {}
}
