/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import java.util.List;

/**
 * What a comparison of filters found, with the field names of its JSON. Immutable.
 *
 * @param processors that the filters could use
 * @param framesPerSecondThrough how speeds were measured, null where they were not
 * @param videos in the order in which they were given
 */
record ComparisonReport(int processors, String framesPerSecondThrough, List<Video> videos) {
    /**
     * What was found with one video.
     *
     * @param input the video
     * @param reference what its pictures should be, null where that is not known
     * @param width luma samples of a row
     * @param height luma rows
     * @param pictures that were filtered
     * @param rows the decoded pictures, then each filter
     */
    record Video(String input, String reference, int width, int height, int pictures, List<Row> rows) {}

    /**
     * One filter's pictures. Decibels are null where no sample differs, and all that needs a reference is null where there is
     * none.
     *
     * @param name of the filter
     * @param missing why there is nothing, null where there is
     * @param unchanged whether every sample is as it was decoded
     * @param psnrY of luma, against the reference, in dB
     * @param ssimY of luma, against the reference
     * @param psnrHvs of luma, against the reference, in dB
     * @param psnrYToInput of luma, against the decoded pictures, in dB
     * @param blocking mean step across the grid of 8x8 over the mean step beside it, null of flat pictures
     * @param framesPerSecond null where it was not measured
     * @param note what else is to be known, empty for nothing
     * @param perPicture {@code psnrY} of each picture, or {@code blocking} where there is no reference
     */
    record Row(
            String name,
            String missing,
            boolean unchanged,
            Double psnrY,
            Double ssimY,
            Double psnrHvs,
            Double psnrYToInput,
            Double blocking,
            Double framesPerSecond,
            String note,
            List<Double> perPicture) {
        static Row missing(String name, String why) {
            return new Row(name, why, false, null, null, null, null, null, null, "", List.of());
        }
    }
}
