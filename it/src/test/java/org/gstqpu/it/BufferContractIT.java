/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The element keeps time stamps, flags and metas of a buffer, and follows the buffer's layout. */
final class BufferContractIT {
    private static final int WIDTH = 66;
    private static final int HEIGHT = 50;
    private static final String STRONG_QP = "set qp 45";

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void everythingButThePixelsComesThrough(String substrate, @TempDir Path folder) throws IOException {
        RawVideo video = RawVideo.synthetic(VideoFormat.I420, WIDTH, HEIGHT, 2, 1);
        ElementHost.Result result = new ElementHost(folder)
                .then("set substrate " + substrate, STRONG_QP, "start video-meta")
                .caps(video)
                .then("crop 4,2,40,30")
                .push(video, 1_000_000_000L)
                .then("eos")
                .run();

        List<String> expected = new ArrayList<>();
        for (long pts : new long[] {1_000_000_000L, 1_040_000_000L}) {
            expected.add("buffer pts=" + pts + " dts=" + (pts + 1) + " duration=40000000 offset=" + (pts + 2)
                    + " offset-end=" + (pts + 3) + " marker=1 droppable=1 discont=0 picture=I420:66x50 same-memory=0"
                    + " custom=" + pts + " reference=" + (pts + 4) + " region=1,2,3,4 crop=4,2,40,30");
        }
        assertEquals(expected, result.linesOf("buffer"));
        assertEquals(List.of("eos taken"), result.linesOf("eos"));
    }

    @Test
    void paddedStridesAndSplitMemoriesGiveTheSamePicture(@TempDir Path folder) throws IOException {
        List<byte[]> results = new ArrayList<>();
        for (String substrate : List.of("cpu", "qpu")) {
            for (String start : List.of("start", "start video-meta")) {
                ElementHost host = new ElementHost(Files.createDirectory(folder.resolve("run" + results.size())))
                        .then("set substrate " + substrate, STRONG_QP, "set cdef-y-primary 8", start);
                for (VideoFormat format : VideoFormat.values()) {
                    RawVideo video = RawVideo.synthetic(format, WIDTH, HEIGHT, 1, 2);
                    host.caps(video).push(video, 0);
                    // Odd offsets and strides, which no allocator would choose. 10-bit samples need even ones.
                    host.then(layout(format, 3, 7)).push(video, 0);
                    host.then(layout(format, 64, 256)).push(video, 0);
                    host.then("split on").push(video, 0).then("layout none").push(video, 0);
                    host.then("split off");
                }
                results.add(host.run().pictures());
            }
        }
        int at = 0;
        for (VideoFormat format : VideoFormat.values()) {
            int pictureBytes = format.pictureBytes(WIDTH, HEIGHT);
            byte[] packed = Arrays.copyOfRange(results.get(0), at, at + pictureBytes);
            RawVideo same = new RawVideo(format, WIDTH, HEIGHT, Collections.nCopies(5, packed));
            for (int i = 0; i < results.size(); i++) {
                byte[] result = Arrays.copyOfRange(results.get(i), at, at + 5 * pictureBytes);
                same.requireSame(RawVideo.of(result, format, WIDTH, HEIGHT), "run " + i);
            }
            at += 5 * pictureBytes;
        }
        assertEquals(at, results.get(0).length, "bytes");
    }

    /** A layout with {@code gapBytes} between one plane and the next, and {@code paddingBytes} between one row and the next. */
    private static String layout(VideoFormat format, int gapBytes, int paddingBytes) {
        int sampleBytes = format.bitDepth() > 8 ? 2 : 1;
        StringBuilder planes = new StringBuilder();
        int at = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            at += gapBytes * sampleBytes;
            int stride = (format.planeRowSamples(plane, WIDTH) + paddingBytes) * sampleBytes;
            planes.append(' ').append(at).append(':').append(stride);
            at += stride * format.planeRows(plane, HEIGHT);
        }
        return "layout " + at + planes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void aPictureThatAnotherElementCroppedIsFilteredAsIfItStoodAlone(String substrate, @TempDir Path folder)
            throws IOException {
        RawVideo video = RawVideo.synthetic(VideoFormat.I420, 120, 90, 2, 5);
        Path source = folder.resolve("source.raw");
        video.write(source);
        String crop = video.parserFor(source) + " ! videocrop left=12 right=44 top=16 bottom=26";
        // Writing it to a file and reading it back makes the picture packed.
        Path packed = folder.resolve("packed.raw");
        GstLaunch.succeed(crop + " ! filesink location=" + packed);
        RawVideo cropped = RawVideo.read(packed, VideoFormat.I420, 64, 48);

        FilterRun alone = new FilterRun(folder);
        alone.add(cropped, "substrate=cpu qp=45");
        Path target = folder.resolve("target.raw");
        GstLaunch.succeed(crop + " ! qpuloopfilter qp=45 substrate=" + substrate + " ! filesink location=" + target);
        alone.run(GstEnvironment.standard())
                .get(0)
                .requireSame(RawVideo.read(target, VideoFormat.I420, 64, 48), "cropped by videocrop");
    }

    @ParameterizedTest
    @CsvSource({"cpu,I420", "cpu,P010_10LE", "qpu,I420", "qpu,P010_10LE"})
    void withAllFiltersOffTheBufferItselfPasses(String substrate, VideoFormat format, @TempDir Path folder)
            throws IOException {
        RawVideo video = RawVideo.synthetic(format, WIDTH, HEIGHT, 3, 4);
        ElementHost.Result result = new ElementHost(folder)
                .then(
                        "set substrate " + substrate,
                        "set deblock false",
                        "set cdef false",
                        "set shrinkage false",
                        "start")
                .caps(video)
                .push(video, 0)
                .then("stats")
                .run();

        video.requireSame(result.video(format, WIDTH, HEIGHT), "passed through");
        assertEquals(3, result.linesOf("buffer").size());
        for (String line : result.linesOf("buffer")) {
            assertTrue(line.contains(" same-memory=1 "), line);
        }
        assertEquals(0, Stats.of(result.linesOf("stats")).get(0).submits(), "submits");
    }
}
