/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.util.List;
import org.gstqpu.pipelines.cli.VideoSize;

/**
 * The result of {@link ElementBenchmark}. The components are the field names of the JSON. The list of a part that was not asked for
 * is empty.
 *
 * @param device name of the Vulkan device; null if none was used
 * @param starts what the element adds to the start of a process
 * @param comparedSize size of the pictures of {@code comparisons} and {@code warmUps}
 * @param comparisons the element and ffmpeg's filters, I420 on two CPU threads
 * @param java the Java that the element's JVM is of, and its archive of classes; null if no warm-up was measured
 * @param warmUps the first pictures of a process
 * @param scalings several sizes, and several elements in one process
 */
record ElementReport(
        String device,
        List<Start> starts,
        String comparedSize,
        List<Comparison> comparisons,
        JavaUsed java,
        List<WarmUp> warmUps,
        List<Scaling> scalings) {
    /**
     * The time of a {@code gst-launch-1.0} with one frame. Medians of the rounds.
     *
     * @param substrate cpu or qpu
     * @param seconds with the element
     * @param identitySeconds with {@code identity} in place of the element
     * @param addedSeconds the difference
     * @param barSeconds limit for the difference
     */
    record Start(String substrate, double seconds, double identitySeconds, double addedSeconds, double barSeconds) {}

    /**
     * The speed of a filter on the CPU. Medians of the rounds.
     *
     * @param name name of the filter
     * @param framesPerSecond null if this ffmpeg does not have the filter
     * @param cpuSecondsPerFrame null if this ffmpeg does not have the filter
     */
    record Comparison(String name, Double framesPerSecond, Double cpuSecondsPerFrame) {}

    /**
     * The Java that a measured process ran.
     *
     * @param version its feature version
     * @param home its folder
     * @param archive file of the archive of classes; null if there was none
     */
    record JavaUsed(int version, String home, String archive) {}

    /**
     * The first pictures of a process, I420 on two CPU threads. From the round with the median count of slow pictures.
     *
     * @param name what runs
     * @param firstSeconds from GStreamer's start until the first picture left the element
     * @param medianMillis median time of a picture in the second half
     * @param slow how many of the first 100 pictures took over twice that median
     * @param warmSeconds from the opening of the element until its kernels were compiled, by its statistics; 0 if they were not
     * @param millis time of each picture
     */
    record WarmUp(
            String name, double firstSeconds, double medianMillis, int slow, double warmSeconds, List<Double> millis) {}

    /**
     * Elements that filter at the same time in one process. Medians of the rounds.
     *
     * @param substrate cpu or qpu
     * @param size name of the {@link VideoSize}
     * @param instances number of elements
     * @param millisPerFrame time divided by the frames of all elements
     * @param nanosPerPixel {@code millisPerFrame} divided by the luma samples of a frame, in nanoseconds
     */
    record Scaling(String substrate, String size, int instances, double millisPerFrame, double nanosPerPixel) {}
}
