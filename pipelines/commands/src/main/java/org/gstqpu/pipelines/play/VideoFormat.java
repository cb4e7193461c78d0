/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A format of coded video that {@code qpu transcode} writes. Its name in lower case is what a command line says. */
enum VideoFormat {
    H264("video/x-h264", "h264parse"),
    H265("video/x-h265", "h265parse"),
    VP9("video/x-vp9", "vp9parse"),
    VP8("video/x-vp8", ""),
    AV1("video/x-av1", "av1parse"),
    /** Without a parser: behind it, GStreamer 1.22 loses all pictures of a Matroska file but the first. */
    MPEG4("video/mpeg,mpegversion=4", "");

    private final String caps;
    private final String parser;

    VideoFormat(String caps, String parser) {
        this.caps = caps;
        this.parser = parser;
    }

    /** The format as GStreamer names it. */
    String caps() {
        return caps;
    }

    /** The element that cuts and frames the coded video as the muxer wants it; empty if none is needed or it is not installed. */
    Optional<String> parser() {
        return Optional.of(parser).filter(name -> !name.isEmpty() && GStreamer.has(name));
    }

    /** The format of this name, if there is one. */
    static Optional<VideoFormat> named(String name) {
        return Arrays.stream(values())
                .filter(format -> format.word().equals(name))
                .findFirst();
    }

    /** The name on a command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The names on a command line of all formats, separated by commas. */
    static String words() {
        return Arrays.stream(values()).map(VideoFormat::word).collect(Collectors.joining(", "));
    }
}
