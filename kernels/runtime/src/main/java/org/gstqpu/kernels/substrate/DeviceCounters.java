/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/**
 * What a device has counted since its context was opened. All are 0 on the CPU. Immutable.
 *
 * @param submits Vulkan queue submissions
 * @param reRecords command buffers that were recorded again after their first recording
 * @param copies pictures and results that were copied only to bring them to the device or back
 * @param bytesCopied bytes of those copies
 * @param cpuWaits times that the CPU waited for the device, or for another driver's work on a dmabuf
 * @param fencesImported fences of other drivers for which the device waited in place of the CPU
 * @param fencesExported pictures that were handed over to other drivers with a fence, before they were done
 * @param gathered pictures in dmabufs of which a plane has its own, and which the device put together in its memory to measure them
 */
public record DeviceCounters(
        long submits,
        long reRecords,
        long copies,
        long bytesCopied,
        long cpuWaits,
        long fencesImported,
        long fencesExported,
        long gathered) {
    /** Before the first picture, and on the CPU. */
    public static final DeviceCounters NONE = new DeviceCounters(0, 0, 0, 0, 0, 0, 0, 0);

    /** What both have counted together. */
    public DeviceCounters plus(DeviceCounters more) {
        return with(more, 1);
    }

    /** What this has counted beyond another one. */
    public DeviceCounters minus(DeviceCounters less) {
        return with(less, -1);
    }

    private DeviceCounters with(DeviceCounters other, int times) {
        return new DeviceCounters(
                submits + times * other.submits,
                reRecords + times * other.reRecords,
                copies + times * other.copies,
                bytesCopied + times * other.bytesCopied,
                cpuWaits + times * other.cpuWaits,
                fencesImported + times * other.fencesImported,
                fencesExported + times * other.fencesExported,
                gathered + times * other.gathered);
    }
}
