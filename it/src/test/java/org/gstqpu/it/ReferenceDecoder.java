package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Decodes streams with ffmpeg and dav1d, with and without the loop filter under test, on the caller's thread. */
final class ReferenceDecoder {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(1);

    private ReferenceDecoder() {}

    /** Pictures at coded size, since deblocking reads samples that a crop hides. */
    static RawVideo h264(H264Stream stream, boolean deblocked, Path target) throws IOException {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-y", "-v", "error", "-nostdin"));
        if (!deblocked) {
            command.addAll(List.of("-skip_loop_filter", "all"));
        }
        command.addAll(List.of("-flags2", "ignorecrop", "-i", stream.path().toString()));
        command.addAll(List.of("-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", target.toString()));
        decode(command);
        return RawVideo.read(target, VideoFormat.I420, stream.codedWidth(), stream.codedHeight());
    }

    /** All frames of a stream, with or without CDEF. */
    static RawVideo av1(Av1Stream stream, boolean cdef, Path target) throws IOException {
        List<String> command = new ArrayList<>(List.of("dav1d", "-q", "--inloopfilters", cdef ? "all" : "nocdef"));
        command.addAll(List.of("-i", stream.path().toString(), "--muxer", "yuv", "-o", target.toString()));
        decode(command);
        return RawVideo.read(target, stream.planarFormat(), stream.width(), stream.height());
    }

    private static void decode(List<String> command) throws IOException {
        Processes.run(command, Processes.plainEnvironment(), Path.of("/dev/null"), TIME_LIMIT)
                .requireSuccess();
    }
}
