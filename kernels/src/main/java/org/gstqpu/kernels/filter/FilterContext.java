/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Optional;
import java.util.Set;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;

/**
 * An opened substrate, the CPU's threads or a Vulkan device, that filters pictures and runs blocks. Made by {@link
 * org.gstqpu.kernels.Substrates#open Substrates.open}. The caller owns the context and all that the context makes, and closes the
 * context last.
 *
 * <p>A context and all that it makes belong to one thread at a time. Any thread may read the {@link FilterCounters}, and
 * {@linkplain #hurry hurry} the device.
 */
public interface FilterContext extends BlockContext, FilterCounters {
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
     * Begins to make ready what pictures of this format and plan need, so that the first of them take no longer than the others.
     * Returns at once; threads of the context go on until all is ready, or the context is closed. Call it as soon as a format and a
     * plan are likely, and again when they are known. No picture depends on it.
     *
     * <p>On the CPU, the Java virtual machine compiles kernels only after they have run for some time. The threads run them on small
     * pictures of their own. A device needs nothing: its driver keeps the compiled kernels.
     */
    default void expect(PixelFormat format, PicturePlan plan) {}

    /**
     * Shows a picture of the stream to what {@link #expect} has begun: a copy of it is filtered in the background, so that the first
     * pictures that are filtered in earnest take no longer than the others. {@link #isWarmingUp} is true until then, for some seconds
     * at most. Returns once the copy is made. Does nothing if a picture of this format was shown before, and on a device.
     *
     * @param picture in the process's memory
     * @param plan the stream's
     */
    default void rehearse(Picture picture, PicturePlan plan) {}

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
    QualityMeter newQualityMeter(PixelFormat format, int width, int height, Set<QualityMetric> metrics);

    /**
     * Lets the device use memory of the process, so that pictures in it need no copy. An import takes tens of microseconds, so it
     * pays only for memory that is used again and again, such as a buffer pool's.
     *
     * @param address of the first byte; the device gets the whole pages that hold the range
     * @param sizeBytes at least 1
     * @return the import, which the caller closes; empty if the device cannot import this memory, and always on the CPU. Pictures
     *     there are then passed as {@link HostMemory}
     * @throws DeviceException when the device failed
     */
    Optional<DeviceMemory> importHost(long address, long sizeBytes);

    /** False if {@link #importDmabuf} refuses every dmabuf here; always false on the CPU. */
    boolean importsDmabufs();

    /**
     * Lets the device use the dmabufs of a picture, so that pictures in them need no copy and no mapping. An import takes tens of
     * microseconds, so it pays only for dmabufs that are used again and again, such as a buffer pool's. The import holds the
     * dmabufs: the caller may close the descriptors.
     *
     * <p>Other drivers may have attached fences to a dmabuf for their own work in it. Each use by a {@link PictureFilter} waits for
     * these fences: on the device, or on the CPU if the device or Linux (before 6.0) cannot.
     *
     * @param picture the first picture that lies there. Other layouts may follow if {@link DeviceMemory#obstacle} has nothing
     *     against them
     * @return the import, which the caller closes
     * @throws DmabufRefusedException when a check fails, which the exception names; on the CPU always
     * @throws DeviceException when the device failed
     */
    DeviceMemory importDmabuf(DmabufPicture picture) throws DmabufRefusedException;

    /**
     * Lets waits for the device, and for other drivers that use a dmabuf, take a small part of their time only, those under way
     * included: a picture that does not end then is given up as one that never ends. For an application that wants to stop. Any
     * thread. Does nothing on the CPU, where pictures always end.
     *
     * @param hurried false if waits may take their whole time again
     */
    default void hurry(boolean hurried) {}

    /** Releases the substrate, after all that this context made was closed. A second call does nothing. */
    @Override
    void close();
}
