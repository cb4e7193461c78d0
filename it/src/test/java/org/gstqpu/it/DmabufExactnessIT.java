/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gstqpu.it.Av1Stream.ExactFrame;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real streams are filtered in dmabufs from end to end. Pictures decoded without the loop filter are written into buffers that the
 * element offers. The pictures in the element's output buffers equal the decoder's output with the loop filter.
 */
@Tag(RealDmabufs.TAG)
final class DmabufExactnessIT {
    private final List<RawVideo> expected = new ArrayList<>();

    static List<VideoFormat> formats() {
        return Sample.of(2, List.of(VideoFormat.I420, VideoFormat.NV12));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void deblockingEqualsTheDecodersLoopFilter(VideoFormat format, @TempDir Path folder) throws IOException {
        ElementHost host = start(folder);
        for (H264Stream stream : H264Stream.all()) {
            push(
                    host,
                    stream.properties(),
                    ReferenceDecoder.h264(stream, false, folder.resolve("in.yuv"))
                            .in(format),
                    ReferenceDecoder.h264(stream, true, folder.resolve("out.yuv"))
                            .in(format));
        }
        requireExpected(host);
    }

    @Test
    void cdefEqualsTheDecodersOwn(@TempDir Path folder) throws IOException {
        ElementHost host = start(folder);
        for (Av1Stream stream : Av1Stream.all()) {
            RawVideo withoutCdef = ReferenceDecoder.av1(stream, false, folder.resolve("in.yuv"));
            RawVideo withCdef = ReferenceDecoder.av1(stream, true, folder.resolve("out.yuv"));
            for (ExactFrame frame : stream.exactFrames()) {
                List<Integer> number = List.of(frame.frame());
                push(host, frame.properties(), withoutCdef.select(number), withCdef.select(number));
            }
        }
        requireExpected(host);
    }

    private static ElementHost start(Path folder) {
        return new ElementHost(folder)
                .then("set substrate qpu", "set require-zero-copy true", "start video-meta", "memory offered");
    }

    private void push(ElementHost host, String properties, RawVideo input, RawVideo output) throws IOException {
        for (String property : properties.split(" ", -1)) {
            host.then("set " + property.replace('=', ' '));
        }
        host.caps(input).push(input, 0);
        expected.add(output);
    }

    private void requireExpected(ElementHost host) throws IOException {
        ElementHost.Result result = host.then("stats").run();
        byte[] pictures = result.pictures();
        int at = 0;
        long frames = 0;
        for (RawVideo video : expected) {
            int bytes = video.frames().size() * video.format().pictureBytes(video.width(), video.height());
            byte[] part = Arrays.copyOfRange(pictures, at, at + bytes);
            video.requireSame(
                    RawVideo.of(part, video.format(), video.width(), video.height()), "pictures " + frames + " and on");
            at += bytes;
            frames += video.frames().size();
        }
        assertEquals(at, pictures.length, "bytes that came out");
        Stats stats = Stats.of(result.linesOf("stats")).get(0);
        assertEquals(frames, stats.frames(), stats::toString);
        assertEquals(0, stats.number("bytes-copied"), stats::toString);
        assertEquals(2 * frames, stats.number("imports-pool") + stats.number("import-cache-hits"), stats::toString);
    }
}
