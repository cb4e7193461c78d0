/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import org.gstqpu.kernels.picture.MemoryImporter;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;

/**
 * An opened substrate, the CPU's threads or a Vulkan device, that filters pictures. Made by {@link
 * org.gstqpu.kernels.Substrates#open Substrates.open}. The caller owns the context and all that the context makes, and closes the
 * context last.
 *
 * <p>A context and all that it makes belong to one thread at a time. Any thread may read the {@link #counters}, the pool's bytes
 * and the times, and {@linkplain #hurry hurry} the device.
 */
public interface FilterContext extends MemoryImporter, AutoCloseable {
    /** {@link Substrate#CPU} or {@link Substrate#QPU}; never {@link Substrate#AUTO}. */
    Substrate substrate();

    /** Name of the Vulkan device, or {@code "CPU, N threads"}. */
    String deviceName();

    /** One line: why this substrate and this device were chosen. */
    String reason();

    /**
     * Makes a filter for pictures of one format and size. On a device, source and destination may each be {@linkplain PictureLayout
     * cut into columns}. The CPU filters whole rows only.
     *
     * @param width luma samples a row, at least 1
     * @param height luma rows, at least 1
     * @throws DeviceException when the device has not enough memory, or failed
     */
    PictureFilter newPictureFilter(PixelFormat format, int width, int height);

    /**
     * Lets waits for the device, and for other drivers that use a dmabuf, take a small part of their time only, those under way
     * included: a picture that does not end then is given up as one that never ends. For an application that wants to stop. Any
     * thread. Does nothing on the CPU, where pictures always end.
     *
     * @param hurried false if waits may take their whole time again
     */
    default void hurry(boolean hurried) {}

    /** What the device has counted so far. */
    default DeviceCounters counters() {
        return DeviceCounters.NONE;
    }

    /** Bytes that the context holds now: of the device's buffer pool, or on the CPU of scratch pictures. */
    long poolBytes();

    /**
     * True if the device measures how long each picture takes on it: the {@linkplain
     * org.gstqpu.kernels.substrate.SubstrateRequest#timing request} asked for that, and the device has timestamps. False on the
     * CPU.
     */
    default boolean timesPictures() {
        return false;
    }

    /**
     * Nanoseconds of the last picture that was seen to be done, by the device's clock, from the beginning of its work to the end.
     * 0 before the first picture, and if the device does not {@linkplain #timesPictures time pictures}.
     */
    default long lastGpuNanos() {
        return 0;
    }

    /** Median of {@link #lastGpuNanos} over the last pictures, some hundred at most. Sorts them, and so allocates. */
    default long medianGpuNanos() {
        return 0;
    }

    /** Releases the substrate, after all that this context made was closed. A second call does nothing. */
    @Override
    void close();
}
