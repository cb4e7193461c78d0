/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Decodes streams with ffmpeg and dav1d, with and without the loop filter under test, on the caller's thread. */
final class ReferenceDecoder {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);

    private ReferenceDecoder() {}

    /** Decodes pictures at coded size, because deblocking reads samples that a crop hides. */
    static RawVideo h264(H264Stream stream, boolean deblocked, Path target) throws IOException {
        return h264(stream.path(), VideoFormat.I420, stream.codedWidth(), stream.codedHeight(), deblocked, target);
    }

    /** Decodes pictures at the coded size {@code width} times {@code height}, in the stream's planar format. */
    static RawVideo h264(Path stream, VideoFormat format, int width, int height, boolean deblocked, Path target)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-y", "-v", "error", "-nostdin"));
        if (!deblocked) {
            command.addAll(List.of("-skip_loop_filter", "all"));
        }
        command.addAll(List.of("-flags2", "ignorecrop", "-i", stream.toString()));
        command.addAll(List.of("-fps_mode", "passthrough", "-f", "rawvideo", target.toString()));
        decode(command);
        return RawVideo.read(target, format, width, height);
    }

    /** Decodes all frames of a stream, with or without CDEF. */
    static RawVideo av1(Av1Stream stream, boolean cdef, Path target) throws IOException {
        return av1(stream.path(), stream.planarFormat(), stream.width(), stream.height(), cdef, target);
    }

    /** Decodes all frames of a stream of this size, with or without CDEF, in the stream's planar format. */
    static RawVideo av1(Path stream, VideoFormat format, int width, int height, boolean cdef, Path target)
            throws IOException {
        CheckPackages.needProgram("dav1d", "dav1d");
        List<String> command = new ArrayList<>(List.of("dav1d", "-q", "--inloopfilters", cdef ? "all" : "nocdef"));
        command.addAll(List.of("-i", stream.toString(), "--muxer", "yuv", "-o", target.toString()));
        decode(command);
        return RawVideo.read(target, format, width, height);
    }

    private static void decode(List<String> command) throws IOException {
        Processes.run(command, Processes.plainEnvironment(), Path.of("/dev/null"), TIME_LIMIT)
                .requireSuccess();
    }
}
