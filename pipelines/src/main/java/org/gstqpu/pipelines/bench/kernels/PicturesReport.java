/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.List;

/**
 * What {@link PicturesBenchmark} found, with the field names of its JSON. Times in nanoseconds.
 *
 * @param device name of the Vulkan device
 * @param driver name and version of its driver
 * @param deblockForm how pictures were deblocked
 * @param format of the pictures
 * @param width luma samples a row
 * @param height luma rows
 * @param pictures pictures of each case after the cold one
 * @param emptyP50Nanos half of the pictures of 16x16 samples took no longer: what submitting and waiting cost by themselves
 * @param cases the filters alone and together
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
     * @param filters what was applied
     * @param coldNanos the first picture with all that is made for it, pipelines included
     * @param p50Nanos half of the pictures took no longer, from before the submission until the device was seen to be done
     * @param p90Nanos nine in ten of the pictures took no longer
     * @param meanNanos mean of all pictures
     * @param gpuP50Nanos half of the pictures took no longer by the device's timestamps; null where it takes none
     * @param submits submissions a picture
     * @param dispatches dispatches a picture
     * @param leastBytes bytes of the samples, read once and written once: what memory must move at the least
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
