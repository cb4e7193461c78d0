/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * Counters of all that ran on a {@link FilterContext} since it was opened. Any thread may read them at any time.
 */
public interface FilterCounters {
    /** Vulkan queue submissions; 0 on the CPU. */
    long submits();

    /** Command buffers that were recorded again after their first recording; 0 on the CPU. */
    long reRecords();

    /** Pictures and results that were copied only to bring them to the device or back; 0 on the CPU. */
    long copies();

    /** Bytes of those {@link #copies}; 0 on the CPU. */
    long bytesCopied();

    /** Times that the CPU waited for the device, or for another driver's work on a dmabuf; 0 on the CPU. */
    long cpuWaits();

    /** Fences of other drivers for which the device waited in place of the CPU; 0 on the CPU. */
    long fencesImported();

    /** Pictures that were {@linkplain PictureFilter#isHandedOver handed over} to other drivers with a fence; 0 on the CPU. */
    long fencesExported();

    /** Bytes that the context holds now: of the device's buffer pool, or on the CPU of scratch pictures. */
    long poolBytes();

    /**
     * True if the device measures how long each picture takes on it: the {@linkplain
     * org.gstqpu.kernels.substrate.SubstrateRequest#timing request} asked for that, and the device has timestamps. False on the
     * CPU.
     */
    boolean timesPictures();

    /**
     * Nanoseconds of the last picture that was seen to be done, by the device's clock, from the beginning of its work to the end.
     * 0 before the first picture, and if the device does not {@linkplain #timesPictures time pictures}.
     */
    long lastGpuNanos();

    /** Median of {@link #lastGpuNanos} over the last pictures, some hundred at most. Sorts them, and so allocates. */
    long medianGpuNanos();

    /**
     * Nanoseconds from the opening of the context until all was ready that {@linkplain FilterContext#expect was expected}. 0 until
     * then, and on a device.
     */
    default long warmUpNanos() {
        return 0;
    }

    /**
     * True while the JVM compiles kernels that {@linkplain FilterContext#expect were expected}, or what a {@linkplain
     * FilterContext#rehearse rehearsal} shows it: a picture takes many times what later ones will. It lasts some seconds at most. Always false on a device.
     */
    default boolean isWarmingUp() {
        return false;
    }
}
