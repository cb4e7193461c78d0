/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Quality of service: what the element does when downstream says that pictures come late. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
final class QosIT {
    private static final RawVideo VIDEO = RawVideo.synthetic(VideoFormat.NV12, 64, 48, 2, 9);
    private static final RawVideo PICTURE = VIDEO.select(List.of(0));
    private static final long PICTURE_NANOS = 40_000_000;

    private static Stats last(List<String> lines) {
        List<Stats> stats = Stats.of(lines);
        return stats.get(stats.size() - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void picturesThatWouldComeTooLateAreDroppedIfTheyMayNotBeFilteredLess(String substrate, @TempDir Path folder)
            throws IOException {
        ElementHost.Result result = new ElementHost(folder)
                .then("set substrate " + substrate, "set degrade false", "start")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("qos 60000000 80000000")
                .push(VIDEO, 80_000_000)
                .push(VIDEO, 400_000_000)
                .then("stats")
                .run();
        // Downstream was 60 ms late at 80 ms: the pictures at 80 and 120 ms would come too late.
        List<String> buffers = result.linesOf("buffer");
        assertEquals(4, buffers.size(), "pictures that came out");
        assertEquals(2, result.lines().stream().filter("dropped"::equals).count(), "pictures dropped");
        assertTrue(buffers.get(2).contains("pts=400000000 "), buffers.get(2));
        assertTrue(buffers.get(2).contains(" discont=1 "), buffers.get(2));
        assertEquals(4, Stats.of(result.linesOf("stats")).get(0).frames(), "frames filtered");
        assertTrue(result.linesOf("qos").size() >= 1, "no QoS message was posted");
    }

    /** Pushes a picture and says that it was late, and one that passes then and was in time. */
    private static void late(ElementHost host, int number) throws IOException {
        long time = 2L * number * PICTURE_NANOS;
        host.push(PICTURE, time)
                .then("qos 10000000 " + time)
                .push(PICTURE, time + PICTURE_NANOS)
                .then("qos -10000000 " + (time + PICTURE_NANOS), "stats");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void latePicturesAreFilteredLessAndNeverDropped(String substrate, @TempDir Path folder) throws IOException {
        ElementHost host = new ElementHost(folder)
                .then("set substrate " + substrate, "set quality best", "start")
                .caps(VIDEO)
                .push(PICTURE, 0);
        for (int i = 1; i <= 6; i++) {
            late(host, i);
        }
        ElementHost.Result result = host.run();
        assertEquals(13, result.linesOf("buffer").size(), "pictures that came out");
        assertEquals(
                List.of("1 cdef+shrinkage", "2 deblock+cdef", "3 deblock", "4 none", "4 none", "4 none"),
                Stats.of(result.linesOf("stats")).stream()
                        .map(stats -> stats.number("degrade-step") + " " + stats.text("filters"))
                        .toList());
        assertEquals(
                List.of(
                        "quality=0",
                        "quality=750000",
                        "quality=0",
                        "quality=500000",
                        "quality=0",
                        "quality=250000",
                        "quality=0"),
                result.linesOf("qos").stream()
                        .map(line -> line.replaceAll(".* ", ""))
                        .toList());
        // As long as the element can do less, the elements before it need not. What came in time they may know.
        assertEquals(2 + 6, Collections.frequency(result.lines(), "passed-on"), "events that went on");
        List<byte[]> frames = result.video(VIDEO.format(), 64, 48).frames();
        assertArrayEquals(PICTURE.frames().get(0), frames.get(12), "the last picture passes as it is");
        Stats stats = last(result.linesOf("stats"));
        assertEquals(0, stats.number("dropped"));
        assertEquals(6, stats.number("frames-late"));
        assertEquals("late by 10 ms", stats.text("degrade-reason"));
    }

    @ParameterizedTest
    @CsvSource({"cpu, 1", "qpu, 1", "qpu, 3"})
    void picturesThatPassAsTheyAreAreNeitherSubmittedNorWaitedFor(String substrate, int depth, @TempDir Path folder)
            throws IOException {
        requireThatPicturesPass(
                new ElementHost(folder).then("set substrate " + substrate, "set queue-depth " + depth, "start"));
    }

    /**
     * Brings an element that was started to its last step of degrading, and requires that it leaves the pictures after that alone.
     *
     * @return its stats then
     */
    static Stats requireThatPicturesPass(ElementHost host) throws IOException {
        host.caps(VIDEO).push(PICTURE, 0);
        for (int i = 1; i <= 4; i++) {
            late(host, i);
        }
        ElementHost.Result result = host.push(VIDEO, 10 * PICTURE_NANOS)
                .then("stats", "eos", "take")
                .run();
        List<Stats> stats = Stats.of(result.linesOf("stats"));
        Stats before = stats.get(3);
        Stats after = stats.get(4);
        assertEquals(3, before.number("degrade-step"));
        assertEquals(before.frames() + 2, after.frames());
        for (String counter : List.of("submits", "cpu-waits", "copies")) {
            assertEquals(before.number(counter), after.number(counter), counter);
        }
        List<String> buffers = result.linesOf("buffer");
        assertEquals(11, buffers.size(), "pictures that came out");
        for (int i = 0; i < buffers.size(); i++) {
            long time = i == 0 ? 0 : (i + 1) * PICTURE_NANOS;
            assertTrue(buffers.get(i).startsWith("buffer pts=" + time + " "), buffers.get(i));
        }
        List<byte[]> frames = result.video(VIDEO.format(), 64, 48).frames();
        assertArrayEquals(VIDEO.frames().get(0), frames.get(9));
        assertArrayEquals(VIDEO.frames().get(1), frames.get(10));
        return after;
    }

    @ParameterizedTest
    @CsvSource({
        "set qos false, 0",
        "set qp 30, 1",
        "set degrade true, 4",
    })
    void onlyWhatMayBeGivenUpIs(String command, int steps, @TempDir Path folder) throws IOException {
        ElementHost host = new ElementHost(folder)
                .then("set substrate cpu", "set quality best", command, "start")
                .caps(VIDEO)
                .push(PICTURE, 0);
        for (int i = 1; i <= 6; i++) {
            late(host, i);
        }
        ElementHost.Result result = host.run();
        assertEquals(13, result.linesOf("buffer").size(), "pictures that came out");
        assertEquals(steps, last(result.linesOf("stats")).number("degrade-step"));
        assertEquals(6 - steps + 6, Collections.frequency(result.lines(), "passed-on"), "events that went on");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            value = {"flush", "state paused, state playing", "state ready, state playing, flush", "set qos false"})
    void allFiltersRunAgainAfter(String commands, @TempDir Path folder) throws IOException {
        ElementHost host = new ElementHost(folder)
                .then("set substrate cpu", "start")
                .caps(VIDEO)
                .push(PICTURE, 0);
        for (int i = 1; i <= 3; i++) {
            late(host, i);
        }
        ElementHost.Result result = host.then(commands.split(", ", -1))
                .caps(VIDEO)
                .push(PICTURE, 0)
                .then("stats")
                .run();
        assertEquals(3, Stats.of(result.linesOf("stats")).get(2).number("degrade-step"));
        assertEquals(0, last(result.linesOf("stats")).number("degrade-step"));
        List<byte[]> frames = result.video(VIDEO.format(), 64, 48).frames();
        assertArrayEquals(frames.get(0), frames.get(7));
    }

    /** A sink that keeps time is found behind any element and bin; then pictures may pass while the kernels are compiled. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "fakesink sync=true qos=true; keeps time",
                "queue ! videoconvert ! fakesink sync=true qos=true; keeps time",
                "tee name=t t. ! queue ! fakesink t. ! queue ! bin.( videoconvert ! fakesink sync=true qos=true ); keeps time",
                "queue ! fakesink sync=true; takes its time",
                "queue ! fakesink qos=true; takes its time",
                "tee name=t t. ! queue ! fakesink t. ! queue ! filesink location=/dev/null; takes its time",
            })
    void asksWhetherDownstreamKeepsTime(String downstream, String expected) throws IOException {
        ProcessOutcome outcome = GstLaunch.run(
                        GstEnvironment.standard().with("GST_DEBUG", "qpuloopfilter:4"),
                        // Live, because the element says what it found where one of both is so.
                        List.of("videotestsrc is-live=true num-buffers=2 ! video/x-raw,format=NV12,width=64,height=64"
                                + " ! qpuloopfilter substrate=cpu ! " + downstream))
                .requireSuccess();
        assertEquals(
                1,
                outcome.standardError()
                        .lines()
                        .filter(line -> line.contains("upstream is live, downstream " + expected))
                        .count(),
                () -> outcome.describe(expected));
    }

    /** Pictures so frequent that no machine filters them in time. */
    private static PipelineHost.Result play(Path folder, String properties, String sink) throws IOException {
        return PipelineHost.run(
                GstEnvironment.standard(),
                folder,
                List.of("videotestsrc num-buffers=120 pattern=ball ! video/x-raw,format=NV12,width=320,height=240,"
                        + "framerate=5000/1 ! qpuloopfilter name=filter substrate=cpu " + properties
                        + " ! identity name=probe ! fakesink " + sink),
                "play",
                "wait",
                "stats filter");
    }

    @Test
    void inPlaybackThatIsTooFastFiltersAreGivenUpAndNoPictureIsLost(@TempDir Path folder) throws IOException {
        PipelineHost.Result result = play(folder, "", "sync=true qos=true");
        assertEquals(120, result.at("probe", "").size(), "pictures");
        Stats stats = last(result.lines().stream()
                .filter(line -> line.startsWith("stats "))
                .toList());
        assertTrue(stats.number("frames-late") > 0, stats::toString);
        assertTrue(stats.number("frames-without-deblock") > 0, stats::toString);
        assertEquals(120, stats.frames());
    }

    /** Nobody waits for the pictures of a transcode, however slow it is: they are filtered in full, byte for byte. */
    @ParameterizedTest
    @ValueSource(strings = {"sync=false qos=true", "sync=true qos=false"})
    void withoutAnEventNothingIsGivenUp(String sink, @TempDir Path folder) throws IOException {
        PipelineHost.Result result = play(folder, "", sink);
        Stats stats = last(result.lines().stream()
                .filter(line -> line.startsWith("stats "))
                .toList());
        assertEquals(0, stats.number("frames-late"));
        assertEquals(0, stats.number("degrade-step"));
        assertEquals(play(folder, "degrade=false", "sync=false").at("probe", ""), result.at("probe", ""), "pictures");
    }
}
