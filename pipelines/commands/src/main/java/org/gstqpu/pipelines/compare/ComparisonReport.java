/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import java.util.List;
import org.gstqpu.pipelines.media.ElementChoice;

/**
 * The result of a comparison of filters. The components are the field names of the JSON. Immutable.
 *
 * @param processors processors that the filters could use
 * @param framesPerSecondThrough how speeds were measured; null if they were not
 * @param videos the videos, in the order of the command line
 */
record ComparisonReport(int processors, String framesPerSecondThrough, List<Video> videos) {
    /**
     * The result for one video.
     *
     * @param input the video
     * @param reference the video before it was coded; null if it was not given
     * @param width luma samples per row
     * @param height luma rows
     * @param pictures number of pictures that were filtered
     * @param rows one for the decoded pictures, then one for each filter
     */
    record Video(String input, String reference, int width, int height, int pictures, List<Row> rows) {}

    /**
     * The figures of one filter. A figure in dB is null if no sample differs. Figures that need a reference are null if there is
     * none.
     *
     * @param name name of the filter
     * @param missing why the filter was not measured; null if it was
     * @param unchanged whether the filter changed no sample
     * @param psnrY PSNR of luma against the reference, in dB
     * @param ssimY SSIM of luma against the reference
     * @param psnrHvs PSNR-HVS of luma against the reference, in dB
     * @param vmafV1 mean VMAF v1 against the reference; null if it was not measured, like the next four
     * @param cambi mean CAMBI, the index of bands, of the row's pictures: lower is better
     * @param vmaf mean VMAF v0.6.1 against the reference
     * @param msSsim mean MS-SSIM of luma against the reference
     * @param ssimulacra2 mean SSIMULACRA 2 against the reference
     * @param psnrYToInput PSNR of luma against the decoded pictures, in dB
     * @param blocking the ratio of {@link GridSteps}; null for flat pictures
     * @param framesPerSecond speed; null if it was not measured
     * @param note a remark for the reader, or empty
     * @param chosen what the element did and why; null for other filters
     * @param perPicture {@code psnrY} of each picture; {@code blocking} of each picture if there is no reference
     * @param vmafV1PerPicture {@code vmafV1} of each picture; empty if it was not measured, like the next four
     * @param cambiPerPicture {@code cambi} of each picture
     * @param vmafPerPicture {@code vmaf} of each picture
     * @param msSsimPerPicture {@code msSsim} of each picture
     * @param ssimulacra2PerPicture {@code ssimulacra2} of each picture
     */
    record Row(
            String name,
            String missing,
            boolean unchanged,
            Double psnrY,
            Double ssimY,
            Double psnrHvs,
            Double vmafV1,
            Double cambi,
            Double vmaf,
            Double msSsim,
            Double ssimulacra2,
            Double psnrYToInput,
            Double blocking,
            Double framesPerSecond,
            String note,
            ElementChoice chosen,
            List<Double> perPicture,
            List<Double> vmafV1PerPicture,
            List<Double> cambiPerPicture,
            List<Double> vmafPerPicture,
            List<Double> msSsimPerPicture,
            List<Double> ssimulacra2PerPicture) {
        static Row missing(String name, String why) {
            return new Row(
                    name, why, false, null, null, null, null, null, null, null, null, null, null, null, "", null,
                    List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
        }
    }
}
