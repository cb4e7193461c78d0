/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * What the samples of a video are converted to, so that it can be measured against another one. Bits a sample stay the video's own.
 *
 * @param format the format of the other's chroma sampling
 * @param colorimetry GStreamer's name of the matrix, range and so on; empty for the video's own
 */
record Conversion(PixelFormat format, Optional<String> colorimetry) {
    /** GStreamer's names of ITU-R BT.601 with all values, as JPEG has it, and with those of video. */
    private static final String FULL_RANGE = "1:4:0:0";

    private static final String VIDEO_RANGE = "bt601";

    /**
     * The conversion of a video that differs from the original in range or in chroma sampling; empty if it differs in neither. Where one
     * has no chroma, there is none: GStreamer guesses the range of such videos.
     */
    static Optional<Conversion> of(Video made, Video original) {
        if (!made.layout().format().hasChroma() || !original.layout().format().hasChroma()) {
            return Optional.empty();
        }
        boolean sameRange = made.isFullRange() == original.isFullRange();
        PixelFormat format = format(made.layout().format(), original.layout().format());
        if (sameRange && format == made.layout().format()) {
            return Optional.empty();
        }
        return Optional.of(new Conversion(
                format,
                sameRange
                        ? made.colorimetry()
                        : Optional.of(
                                original.colorimetry().orElse(original.isFullRange() ? FULL_RANGE : VIDEO_RANGE))));
    }

    /** The other's chroma sampling at the own bits a sample. */
    private static PixelFormat format(PixelFormat own, PixelFormat other) {
        boolean halfAcross = other.chromaWidth(2) == 1;
        boolean halfDown = other.chromaHeight(2) == 1;
        List<PixelFormat> formats = own.bitDepth() == 8
                ? List.of(PixelFormat.I420, PixelFormat.Y42B, PixelFormat.Y444)
                : List.of(PixelFormat.I420_10LE, PixelFormat.I422_10LE, PixelFormat.Y444_10LE);
        return formats.get(halfDown ? 0 : halfAcross ? 1 : 2);
    }
}
