/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import java.util.Optional;
import org.freedesktop.gstreamer.Fraction;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Owns an open video, whose pictures are read one by one. Belongs to one thread.
 *
 * @param name the file or address
 * @param layout the layout of every picture
 * @param rate pictures a second; 0/1 if the video does not say
 * @param colorimetry GStreamer's name of the matrix, range and so on of the samples; empty if the video does not say
 * @param isFullRange whether samples use all values, as those of JPEG do
 * @param pictures number of pictures by what the container says; 0 if it says nothing
 * @param reader gives the pictures
 */
record Video(
        String name,
        PictureLayout layout,
        Fraction rate,
        Optional<String> colorimetry,
        boolean isFullRange,
        long pictures,
        Reader reader)
        implements AutoCloseable {
    /** What gives the pictures of a video. */
    interface Reader extends AutoCloseable {
        /** See {@link Video#next}. */
        Optional<Picture> next();

        /** See {@link Video#nanos}. */
        default long nanos() {
            return -1;
        }

        /** See {@link Video#finerFormat}. */
        default Optional<String> finerFormat() {
            return Optional.empty();
        }

        @Override
        void close();
    }

    /** Size and format in words. */
    String shape() {
        return layout.width() + "x" + layout.height() + " " + layout.format().name();
    }

    /**
     * The next picture, which can be read until the next call; empty at the end.
     *
     * @throws org.gstqpu.pipelines.cli.CommandFailedException when the video cannot be read further, or changes its size or format
     */
    Optional<Picture> next() {
        return reader.next();
    }

    /** GStreamer's name of the format that the decoder gives, where the samples of {@link #layout} tell less; else empty. */
    Optional<String> finerFormat() {
        return reader.finerFormat();
    }

    /** When the picture that was given last is shown, in nanoseconds; negative if the video does not say. */
    long nanos() {
        return reader.nanos();
    }

    @Override
    public void close() {
        reader.close();
    }
}
