/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Optional;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;

/**
 * An opened substrate: the CPU's threads or a Vulkan device, and the counters of all that ran on it. Made by {@link
 * org.gstqpu.kernels.Substrates#open Substrates.open}; closed by its user, after every filter made from it. Filters of one context belong to one thread at
 * a time; the counters may be read by any thread.
 */
public interface FilterContext extends BlockContext {
    /** {@link Substrate#CPU} or {@link Substrate#QPU}: what runs here, never {@link Substrate#AUTO}. */
    Substrate substrate();

    /** The Vulkan device's name, or for the CPU {@code "CPU, N threads"}. */
    String deviceName();

    /** One line: why this substrate and this device were chosen. */
    String reason();

    /**
     * Makes a filter for pictures of one format and size. On a device they may be {@linkplain PictureLayout cut into columns},
     * source and destination each on its own; the CPU filters whole rows only.
     *
     * @throws DeviceException when the device has not the memory, or failed
     */
    PictureFilter newPictureFilter(PixelFormat format, int width, int height);

    /**
     * Makes a meter for pictures of one format and size. On a device, pictures that are cut into columns are measured where they
     * are {@link HostMemory}; the CPU measures whole rows only.
     *
     * @throws DeviceException when the device has not the memory, or failed
     */
    QualityMeter newQualityMeter(PixelFormat format, int width, int height);

    /**
     * Makes memory of the process known to the device, so that pictures in it need no copy. Worth its price (tens of
     * microseconds) only for memory that is used again and again, as that of a buffer pool.
     *
     * @param address of the first byte; the device gets the whole pages that hold the range
     * @param sizeBytes at least 1
     * @return empty where the device cannot import this memory (the CPU never can); pictures there are then given as
     *     {@link HostMemory}
     */
    Optional<DeviceMemory> importHost(long address, long sizeBytes);

    /** Whether {@link #importDmabuf} can succeed at all; never on the CPU. */
    boolean importsDmabufs();

    /**
     * Lets the device into a dmabuf, or those of a picture whose planes have one each, so that pictures in it need no copy and no mapping. Worth its price (tens of
     * microseconds) only for memory that is used again and again, as that of a buffer pool. The import holds the dmabuf's
     * memory by itself: the caller may close its descriptors.
     *
     * <p>Before each use of the memory, a {@link PictureFilter} waits for what other drivers still do in it, as far as they
     * have attached fences to the dmabuf: on the device, or where that or Linux (before 6.0) cannot, on the CPU.
     *
     * @param picture the first that lies there; others may follow that {@link DeviceMemory#obstacle} has nothing against
     * @throws DmabufRefusedException when a check fails, which the exception names
     */
    DeviceMemory importDmabuf(DmabufPicture picture) throws DmabufRefusedException;

    /** Vulkan queue submissions made so far; 0 on the CPU. */
    long submits();

    /** Bytes of pictures that were copied only to bring them to the device or back; 0 on the CPU. */
    long bytesCopied();

    /** Pictures, or results, that were copied only to bring them to the device or back; 0 on the CPU. */
    long copies();

    /** Times that the CPU waited for the device, or for another driver's work on a dmabuf; 0 on the CPU. */
    long cpuWaits();

    /** Fences of other drivers that the device waited for, so that the CPU had not to; 0 on the CPU. */
    long fencesImported();

    /** Pictures that were handed over to other drivers with a fence; 0 on the CPU. */
    long fencesExported();

    /**
     * Whether the device times the pictures that it filters: that was asked for, and it writes timestamps. Never on the CPU.
     */
    boolean timesPictures();

    /**
     * Nanoseconds on the device of the picture that was last seen to be done, from the begin of its submission's work to the
     * end, by the device's clock; 0 before the first, and where it does not {@linkplain #timesPictures time}.
     */
    long lastGpuNanos();

    /** The median of that over the last pictures, at most some hundred; sorts them, and so allocates. */
    long medianGpuNanos();

    /** Command buffers recorded again after their first recording; 0 on the CPU. */
    long reRecords();

    /** Bytes held in the device buffer pool; on the CPU, bytes of the scratch pictures. */
    long poolBytes();

    /** Releases the substrate; a second call does nothing. */
    @Override
    void close();
}
