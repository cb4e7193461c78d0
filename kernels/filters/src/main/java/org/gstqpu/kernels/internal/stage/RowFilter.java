/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * A filter in the row of stages: how each substrate runs it, and how the CPU's warm-up exercises it. There is one object of each
 * filter, which holds nothing. Any thread.
 */
public interface RowFilter {
    /** How many sequences of pictures a stage knows apart: one of frames, or those of the upper and the lower fields. */
    int SEQUENCES = 2;

    /** Names the filter in what is kept of trials. */
    String name();

    /** Makes the stage of a device, for pictures of one format and size. */
    FilterStage onDevice(DeviceRuntime runtime, PixelFormat format, int width, int height);

    /**
     * Makes the stage of the CPU, for pictures of one format and size.
     *
     * @param threads most threads that work on a picture
     * @param scratchBytes counts the memory that the stage holds
     */
    CpuStage onCpu(PixelFormat format, int width, int height, int threads, VectorUse vectors, AtomicLong scratchBytes);

    /** True if the filter has a form in vectors for this format, where the JVM offers vectors. */
    default boolean hasVectors(PixelFormat format) {
        return true;
    }

    /** Parameters of this filter alone, for a stream of which nothing is known. */
    FilterParameters usual();

    /** Of a stream's parameters those of this filter alone; empty if the stream does not run it, or it changes nothing. */
    Optional<FilterParameters> alone(FilterParameters stream);
}
