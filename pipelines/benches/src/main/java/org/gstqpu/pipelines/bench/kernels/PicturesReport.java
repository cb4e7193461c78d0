/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.List;

/**
 * The result of {@link PicturesBenchmark}. The components are the field names of the JSON. Times are in nanoseconds.
 *
 * @param device name of the Vulkan device
 * @param driver name and version of its driver
 * @param deblockForm the form of deblocking
 * @param format format of the pictures
 * @param width luma samples per row
 * @param height luma rows
 * @param pictures pictures per case after the cold one
 * @param emptyP50Nanos median time of a picture of 16x16 samples, which is nearly all submission and wait
 * @param cases one for each filter alone, and one for some together
 */
record PicturesReport(
        String device,
        String driver,
        String deblockForm,
        String format,
        int width,
        int height,
        int pictures,
        long emptyP50Nanos,
        List<Case> cases) {
    /**
     * One choice of filters.
     *
     * @param filters the filters that were applied
     * @param coldNanos the first picture with everything that is made for it, pipelines included
     * @param p50Nanos median time of a picture after the cold one, from before the submission to the end of the wait
     * @param p90Nanos 90th percentile of these pictures
     * @param meanNanos mean of these pictures
     * @param gpuP50Nanos median time of a picture by the device's timestamps; null if the device has none
     * @param submits submissions per picture
     * @param dispatches dispatches per picture
     * @param leastBytes bytes of all samples, read once and written once: the least that memory must transfer
     */
    record Case(
            String filters,
            long coldNanos,
            long p50Nanos,
            long p90Nanos,
            long meanNanos,
            Long gpuP50Nanos,
            double submits,
            double dispatches,
            long leastBytes) {}
}
