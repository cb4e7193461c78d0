package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the element leaves as it is: time stamps, flags and metas of a buffer, and the meaning of its layout. */
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

    @ParameterizedTest
    @EnumSource(VideoFormat.class)
    void paddedStridesAndSplitMemoriesGiveTheSamePicture(VideoFormat format, @TempDir Path folder) throws IOException {
        RawVideo video = RawVideo.synthetic(format, WIDTH, HEIGHT, 1, 2);
        List<RawVideo> results = new ArrayList<>();
        for (String substrate : List.of("cpu", "qpu")) {
            for (String start : List.of("start", "start video-meta")) {
                ElementHost host = new ElementHost(Files.createDirectory(folder.resolve(substrate + results.size())))
                        .then("set substrate " + substrate, STRONG_QP, "set cdef-y-primary 8", start)
                        .caps(video)
                        .push(video, 0);
                // Odd offsets and strides that no allocator would choose; 10-bit samples need even ones.
                host.then(layout(format, 3, 7)).push(video, 0);
                host.then(layout(format, 64, 256)).push(video, 0);
                host.then("split on").push(video, 0).then("layout none").push(video, 0);
                results.add(host.run().video(format, WIDTH, HEIGHT));
            }
        }
        byte[] expected = results.get(0).frames().get(0);
        RawVideo same = new RawVideo(format, WIDTH, HEIGHT, List.of(expected, expected, expected, expected, expected));
        for (int i = 0; i < results.size(); i++) {
            same.requireSame(results.get(i), "run " + i);
        }
    }

    /** Every plane begins {@code gapBytes} after the end of the one before, its rows {@code paddingBytes} apart. */
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
    @CsvSource({"cpu,I420", "cpu,P010_10LE", "qpu,I420", "qpu,P010_10LE"})
    void withBothFiltersOffTheBufferItselfPasses(String substrate, VideoFormat format, @TempDir Path folder)
            throws IOException {
        RawVideo video = RawVideo.synthetic(format, WIDTH, HEIGHT, 3, 4);
        ElementHost.Result result = new ElementHost(folder)
                .then("set substrate " + substrate, "set deblock false", "set cdef false", "start")
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
