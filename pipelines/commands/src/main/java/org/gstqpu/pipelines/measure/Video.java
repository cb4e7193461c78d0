/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import java.util.Optional;
import org.freedesktop.gstreamer.Fraction;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.play.GStreamer;

/** A video whose pictures are read one by one. Belongs to one thread. */
interface Video extends AutoCloseable {
    /**
     * Opens a video: a file of YUV4MPEG2, or whatever GStreamer decodes.
     *
     * @param input a file or an address
     * @param conversion what samples are converted to; empty for the video's own
     * @throws org.gstqpu.pipelines.cli.CommandFailedException when it holds no video that can be decoded or converted
     */
    static Video open(String input, Optional<Conversion> conversion) {
        if (Y4mVideo.isOne(input) && conversion.isEmpty()) {
            return Y4mVideo.open(input);
        }
        GStreamer.start(Installation.current());
        return new DecodedVideo(input, conversion);
    }

    /** The file or address. */
    String name();

    /** The layout of every picture. */
    PictureLayout layout();

    /** Size and format in words. */
    default String shape() {
        return layout().width() + "x" + layout().height() + " "
                + layout().format().name();
    }

    /** Pictures a second; 0/1 if the video does not say. */
    Fraction rate();

    /** GStreamer's name of the matrix, range and so on of the samples; empty if the video does not say. */
    Optional<String> colorimetry();

    /** Whether samples use all values, as those of JPEG do. */
    boolean isFullRange();

    /** Number of pictures by what the container says; 0 if it says nothing. */
    long pictures();

    /**
     * The next picture, which can be read until the next call; empty at the end.
     *
     * @throws org.gstqpu.pipelines.cli.CommandFailedException when the video cannot be read further, or changes its size or format
     */
    Optional<Picture> next();

    @Override
    void close();
}
