/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What a device has counted since its {@link FilterContext} was opened. All are 0 on the CPU. Immutable.
 *
 * @param submits Vulkan queue submissions
 * @param reRecords command buffers that were recorded again after their first recording
 * @param copies pictures and results that were copied only to bring them to the device or back
 * @param bytesCopied bytes of those copies
 * @param cpuWaits times that the CPU waited for the device, or for another driver's work on a dmabuf
 * @param fencesImported fences of other drivers for which the device waited in place of the CPU
 * @param fencesExported pictures that were {@linkplain PictureRun#isHandedOver handed over} to other drivers with a fence
 */
public record FilterCounters(
        long submits,
        long reRecords,
        long copies,
        long bytesCopied,
        long cpuWaits,
        long fencesImported,
        long fencesExported) {
    /** Before the first picture, and on the CPU. */
    public static final FilterCounters NONE = new FilterCounters(0, 0, 0, 0, 0, 0, 0);

    /** What both have counted together. */
    public FilterCounters plus(FilterCounters more) {
        return new FilterCounters(
                submits + more.submits,
                reRecords + more.reRecords,
                copies + more.copies,
                bytesCopied + more.bytesCopied,
                cpuWaits + more.cpuWaits,
                fencesImported + more.fencesImported,
                fencesExported + more.fencesExported);
    }
}
