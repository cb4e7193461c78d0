/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.Set;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.MemoryImporter;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;

/**
 * An opened substrate, the CPU's threads or a Vulkan device, that measures pictures. Made by {@link
 * org.gstqpu.kernels.metrics.Metrics#open Metrics.open}. The caller owns the context and all that the context makes, and closes the
 * context last. All of them belong to one thread at a time.
 */
public interface MeterContext extends MemoryImporter, AutoCloseable {
    /** {@link Substrate#CPU} or {@link Substrate#QPU}. */
    Substrate substrate();

    /** Name of the Vulkan device, or {@code "CPU, N threads"}. */
    String deviceName();

    /**
     * Makes a meter for pictures of one format and size. On a device, pictures that are cut into columns must lie in {@link
     * HostMemory}. The CPU measures whole rows only.
     *
     * @param width luma samples a row, at least 1
     * @param height luma rows, at least 1
     * @param metrics what the meter measures, at least one metric
     * @throws IllegalArgumentException when a metric is not defined for pictures so small or without chroma
     * @throws DeviceException when the device has not enough memory, or failed
     */
    default QualityMeter newMeter(PixelFormat format, int width, int height, Set<QualityMetric> metrics) {
        return newMeter(format, width, height, metrics, MetricOptions.USUAL);
    }

    /**
     * {@link #newMeter(PixelFormat, int, int, Set)} with other options than the usual ones.
     *
     * @param options of CAMBI and SpEED, where these are measured
     */
    QualityMeter newMeter(PixelFormat format, int width, int height, Set<QualityMetric> metrics, MetricOptions options);

    /** What the device has counted so far; none on the CPU. Any thread. */
    default DeviceCounters counters() {
        return DeviceCounters.NONE;
    }

    /** Releases the substrate, after all that this context made was closed. A second call does nothing. */
    @Override
    void close();
}
