/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * What a video is converted to, so that it can be measured against another one. Bits a sample stay the video's own.
 *
 * @param format the format of the other's chroma sampling
 * @param colorimetry GStreamer's name of the matrix, range and so on; empty if neither video says one
 * @param range how samples change beside what GStreamer does
 * @param size the size to scale to; empty for the video's own
 */
record Conversion(PixelFormat format, Optional<String> colorimetry, Range range, Optional<Size> size) {
    /** A change of range alone: GStreamer changes the range only of videos whose matrix changes, too. */
    enum Range {
        SAME,
        TO_FULL,
        TO_VIDEO;

        /** The video that the conversion gives. */
        Video of(Video video) {
            return this == SAME ? video : MappedVideo.toRange(video, this == TO_FULL);
        }
    }

    /**
     * A size of pictures.
     *
     * @param width luma samples a row
     * @param height luma rows
     */
    record Size(int width, int height) {
        static Size of(Video video) {
            return new Size(video.layout().width(), video.layout().height());
        }
    }

    private static final int UNKNOWN = 0;

    /**
     * The conversion of a video that differs from the original in range or in chroma sampling, or in size if it is to be scaled; empty
     * if it differs in none. Where one has no chroma, only its size is converted: GStreamer guesses the range of such videos.
     *
     * @param scales whether a video of another size is scaled to that of the original
     */
    static Optional<Conversion> of(Video made, Video original, boolean scales) {
        Optional<Size> size = Optional.of(Size.of(original)).filter(of -> scales && !of.equals(Size.of(made)));
        if (!made.layout().format().hasChroma() || !original.layout().format().hasChroma()) {
            return size.map(of -> new Conversion(made.layout().format(), made.colorimetry(), Range.SAME, size));
        }
        boolean sameRange = made.isFullRange() == original.isFullRange();
        PixelFormat format = format(made.layout().format(), original.layout().format());
        if (sameRange && format == made.layout().format() && size.isEmpty()) {
            return Optional.empty();
        }
        boolean otherMatrix = !sameRange
                && matrix(made) != UNKNOWN
                && matrix(original) != UNKNOWN
                && matrix(made) != matrix(original);
        Range range = sameRange || otherMatrix ? Range.SAME : original.isFullRange() ? Range.TO_FULL : Range.TO_VIDEO;
        return Optional.of(
                new Conversion(format, otherMatrix ? original.colorimetry() : made.colorimetry(), range, size));
    }

    /** GStreamer's number of the matrix, which is the second one of four, or in a name. */
    private static int matrix(Video video) {
        String text = video.colorimetry().orElse("");
        String[] numbers = text.split(":", -1);
        return switch (text) {
            case "bt709" -> 3;
            case "bt601" -> 4;
            case "smpte240m" -> 5;
            default -> numbers.length == 4 ? Integer.parseInt(numbers[1]) : text.startsWith("bt2") ? 6 : UNKNOWN;
        };
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
