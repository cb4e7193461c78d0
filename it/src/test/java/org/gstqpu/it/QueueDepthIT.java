/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several pictures on the device at once. */
final class QueueDepthIT {
    private static final RawVideo VIDEO = RawVideo.synthetic(VideoFormat.NV12, 64, 48, 6, 4);

    private static ElementHost playing(Path folder, String substrate, int depth) throws IOException {
        return new ElementHost(folder)
                .then("set substrate " + substrate, "set queue-depth " + depth, "set qp 43", "start")
                .caps(VIDEO);
    }

    /** What came out at each push, in order: 1 for a picture, 0 for none yet. */
    private static List<Integer> outcomes(ElementHost.Result result) {
        return result.lines().stream()
                .filter(line -> line.equals("dropped") || line.startsWith("buffer "))
                .map(line -> line.startsWith("buffer ") ? 1 : 0)
                .toList();
    }

    private static byte[] oneByOne(Path folder) throws IOException {
        return playing(Files.createDirectory(folder.resolve("one-by-one")), "qpu", 1)
                .push(VIDEO, 0)
                .run()
                .pictures();
    }

    @Test
    void picturesComeOutLaterByTheDepthAndAllAtTheEnd(@TempDir Path folder) throws IOException {
        ElementHost.Result result = playing(folder, "qpu", 3)
                .then("latency")
                .push(VIDEO, 0)
                .then("eos", "take", "stats")
                .run();
        assertEquals(List.of(0, 0, 1, 1, 1, 1, 1, 1), outcomes(result));
        assertEquals(List.of("latency 80000000"), result.linesOf("latency"));
        assertArrayEquals(oneByOne(folder), result.pictures());
        List<String> buffers = result.linesOf("buffer");
        for (int i = 0; i < buffers.size(); i++) {
            assertTrue(buffers.get(i).startsWith("buffer pts=" + i * 40_000_000L + " "), buffers.get(i));
        }
        Stats stats = Stats.of(result.linesOf("stats")).get(0);
        assertEquals(6, stats.frames());
        assertEquals(6, stats.number("submits"));
    }

    @Test
    void theCpuHasNoQueue(@TempDir Path folder) throws IOException {
        ElementHost.Result result =
                playing(folder, "cpu", 8).then("latency").push(VIDEO, 0).run();
        assertEquals(List.of(1, 1, 1, 1, 1, 1), outcomes(result));
        assertEquals(List.of("latency 0"), result.linesOf("latency"));
    }

    @Test
    void aFlushDropsWhatIsUnderWay(@TempDir Path folder) throws IOException {
        ElementHost.Result result = playing(folder, "qpu", 8)
                .push(VIDEO, 0)
                .then("flush", "take")
                .push(VIDEO, 0)
                .then("eos", "take")
                .run();
        assertEquals(6, result.linesOf("buffer").size());
        assertArrayEquals(oneByOne(folder), result.pictures());
    }

    @Test
    void switchingTheFiltersOffLetsThoseUnderWayGoFirst(@TempDir Path folder) throws IOException {
        RawVideo first = VIDEO;
        ElementHost.Result result = playing(folder, "qpu", 4)
                .push(first, 0)
                .then("set cdef false", "set deblock false", "set shrinkage false")
                .push(first, 240_000_000)
                .then("eos", "take")
                .run();
        List<byte[]> frames =
                result.video(VIDEO.format(), VIDEO.width(), VIDEO.height()).frames();
        assertEquals(12, frames.size());
        byte[] filtered = oneByOne(folder);
        int size = frames.get(0).length;
        for (int i = 0; i < 6; i++) {
            assertArrayEquals(Arrays.copyOfRange(filtered, i * size, (i + 1) * size), frames.get(i));
            assertArrayEquals(VIDEO.frames().get(i), frames.get(6 + i), "unfiltered picture " + i);
        }
    }

    @Test
    void stoppingAndStartingLeavesNothingBehind(@TempDir Path folder) throws IOException {
        ElementHost.Result result = playing(folder, "qpu", 4)
                .push(VIDEO, 0)
                .then("state ready", "state playing", "flush")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("state null", "state playing", "flush")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("eos", "take")
                .run();
        assertEquals(3 + 3 + 6, result.linesOf("buffer").size());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void newCapsComeAfterThePicturesOfTheOld(int depth, @TempDir Path folder) throws IOException {
        assertArrayEquals(concatenated(folder, 1), concatenated(folder, depth));
    }

    private static byte[] concatenated(Path folder, int depth) throws IOException {
        Path file = folder.resolve("depth" + depth + ".yuv");
        GstLaunch.succeed("concat name=c ! qpuloopfilter substrate=qpu queue-depth=" + depth + " ! filesink location="
                + file
                + " videotestsrc num-buffers=7 ! video/x-raw,format=I420,width=64,height=48 ! c."
                + " videotestsrc num-buffers=3 ! video/x-raw,format=NV12,width=52,height=36 ! c."
                + " videotestsrc num-buffers=5 ! video/x-raw,format=I420,width=64,height=48 ! c.");
        return Files.readAllBytes(file);
    }
}
