/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A selection of the element's functions on every installed Java, with GStreamer's leak tracer on. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
final class JavaVersionsIT {
    static List<Path> javaHomes() throws IOException {
        return InstalledJdks.homes();
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void realStreamsAreFilteredExactly(Path javaHome, @TempDir Path folder) throws IOException {
        H264Stream h264 = H264Stream.all().get(10);
        Av1Stream av1 = Av1Stream.all().get(11);
        RawVideo undeblocked = ReferenceDecoder.h264(h264, false, folder.resolve("h264.yuv"));
        RawVideo deblocked = ReferenceDecoder.h264(h264, true, folder.resolve("h264.yuv"));
        RawVideo withoutCdef = ReferenceDecoder.av1(av1, false, folder.resolve("av1.yuv"));
        RawVideo withCdef = ReferenceDecoder.av1(av1, true, folder.resolve("av1.yuv"));

        FilterRun run = new FilterRun(folder);
        for (String substrate : List.of("cpu", "qpu")) {
            run.add(undeblocked, "substrate=" + substrate + " " + h264.properties());
            run.add(
                    withoutCdef,
                    "substrate=" + substrate + " " + av1.exactFrames().get(0).properties());
        }
        List<RawVideo> results =
                run.run(GstEnvironment.standard().withJavaHome(javaHome).withLeaksTracer());
        for (int i = 0; i < results.size(); i += 2) {
            deblocked.requireSame(results.get(i), "H.264, branch " + i);
            withCdef.requireSame(results.get(i + 1), "AV1, branch " + (i + 1));
        }
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void nothingLeaksThroughChangesOfSizeAndState(Path javaHome, @TempDir Path folder) throws IOException {
        RawVideo small = RawVideo.synthetic(VideoFormat.NV21, 50, 34, 3, 1);
        RawVideo large = RawVideo.synthetic(VideoFormat.I420_10LE, 98, 66, 3, 2);
        for (String substrate : List.of("cpu", "qpu")) {
            ElementHost host = new ElementHost(Files.createDirectory(folder.resolve(substrate)))
                    .then("set substrate " + substrate, "start video-meta");
            for (int round = 0; round < 3; round++) {
                host.caps(small).push(small, 0).caps(large).push(large, 200_000_000L);
                host.then("stats", "flush", "state null", "state playing", "flush");
            }
            ElementHost.Result result =
                    host.run(GstEnvironment.standard().withJavaHome(javaHome).withLeaksTracer());
            assertEquals(18, result.linesOf("buffer").size(), "pictures");
        }
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void inTheSteadyStateNoFrameAllocatesOrRecordsAnything(Path javaHome, @TempDir Path folder) throws IOException {
        String source = "videotestsrc num-buffers=60 ! video/x-raw,format=I420,width=320,height=240,framerate=25/1";
        PipelineHost.Result result = PipelineHost.run(
                GstEnvironment.standard().withJavaHome(javaHome),
                folder,
                List.of(
                        source + " ! qpuloopfilter name=on-cpu substrate=cpu ! fakesink",
                        source + " ! qpuloopfilter name=on-qpu substrate=qpu ! fakesink"),
                "play",
                "wait",
                "stats on-cpu",
                "stats on-qpu");
        List<Stats> stats = Stats.of(result.lines().stream()
                .filter(line -> line.startsWith("stats "))
                .toList());
        for (Stats of : stats) {
            assertEquals(60, of.frames(), of::toString);
            assertEquals(0, of.number("java-bytes"), of::toString);
            assertEquals(0, of.number("re-records"), of::toString);
        }
        assertEquals(List.of("cpu", "qpu"), stats.stream().map(Stats::substrate).toList());
        assertEquals(60, stats.get(1).submits(), "submits");
    }
}
