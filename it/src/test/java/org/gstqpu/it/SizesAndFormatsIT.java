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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One element filters pictures of every format and of any size, one after the other, with equal results on the CPU and the QPU. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
final class SizesAndFormatsIT {
    private static final int[][] SIZES = {
        {1, 1}, {1, 2}, {2, 1}, {3, 17}, {17, 3}, {8, 8}, {15, 15}, {16, 16}, {33, 35}, {64, 1}, {1, 64}, {130, 66}
    };
    private static final long SEED = 20_261_120;

    /** Each combination of a size and a format. */
    private static List<RawVideo> pictures() {
        List<RawVideo> pictures = new ArrayList<>();
        for (int i = 0; i < SIZES.length; i++) {
            for (VideoFormat format : VideoFormat.values()) {
                pictures.add(RawVideo.synthetic(format, SIZES[i][0], SIZES[i][1], 2, SEED + pictures.size()));
            }
        }
        // One large picture whose last row and column of blocks are cut.
        pictures.add(RawVideo.synthetic(VideoFormat.NV12, 1918, 1078, 1, SEED));
        return pictures;
    }

    static List<String> properties() {
        return Sample.of(
                2,
                List.of(
                        "",
                        "qp=41 alpha-offset=2 beta-offset=-1 chroma-qp-offset=3 cdef-damping=5 cdef-y-primary=9"
                                + " cdef-y-secondary=4 cdef-uv-primary=5 cdef-uv-secondary=2",
                        "qp=51 grid=8x8 cdef=false",
                        "deblock=false cdef-damping=3 cdef-y-primary=15 cdef-y-secondary=0 cdef-uv-primary=0"
                                + " cdef-uv-secondary=4"));
    }

    @ParameterizedTest
    @MethodSource("properties")
    void cpuAndQpuAgreeOnEveryByteThroughEveryChange(String properties, @TempDir Path folder) throws IOException {
        List<RawVideo> pictures = pictures();
        byte[] cpu = filter("cpu", properties, pictures, Files.createDirectory(folder.resolve("cpu")));
        byte[] qpu = filter("qpu", properties, pictures, Files.createDirectory(folder.resolve("qpu")));

        int at = 0;
        for (RawVideo input : pictures) {
            int bytes = input.frames().get(0).length * input.frames().size();
            RawVideo expected = video(input, Arrays.copyOfRange(cpu, at, at + bytes));
            expected.requireSame(video(input, Arrays.copyOfRange(qpu, at, at + bytes)), "QPU against CPU");
            // With no property set, some of these pictures pass unfiltered.
            if (!properties.isEmpty() && input.width() >= 16 && input.height() >= 16) {
                assertTrue(
                        !Arrays.equals(input.frames().get(0), expected.frames().get(0)),
                        () -> "nothing was filtered in " + input.width() + "x" + input.height() + " " + input.format());
            }
            at += bytes;
        }
        assertEquals(at, cpu.length, "bytes from the CPU");
        assertArrayEquals(cpu, qpu);
    }

    private static byte[] filter(String substrate, String properties, List<RawVideo> pictures, Path folder)
            throws IOException {
        ElementHost host = new ElementHost(folder).then("set substrate " + substrate);
        for (String property : properties.split(" ", -1)) {
            if (!property.isEmpty()) {
                host.then("set " + property.replace('=', ' '));
            }
        }
        host.then("start video-meta");
        long frames = 0;
        for (RawVideo video : pictures) {
            host.caps(video).push(video, frames * 40_000_000L);
            frames += video.frames().size();
        }
        ElementHost.Result result = host.then("eos").run();
        assertEquals(frames, result.linesOf("buffer").size(), "pictures that came out");
        return result.pictures();
    }

    private static RawVideo video(RawVideo like, byte[] bytes) {
        return RawVideo.of(bytes, like.format(), like.width(), like.height());
    }

    @Test
    void aPipelineOfTestSourcesRunsThroughSizesAndFormats(@TempDir Path folder) throws IOException {
        List<String> sources = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int[] size : new int[][] {{1, 1}, {17, 3}, {33, 35}, {1918, 1078}, {320, 240}}) {
            for (VideoFormat format : size[0] < 1000 ? VideoFormat.values() : new VideoFormat[] {VideoFormat.I420}) {
                sources.add("videotestsrc num-buffers=2 pattern=snow ! video/x-raw,format=" + format + ",width="
                        + size[0] + ",height=" + size[1] + ",framerate=25/1 ! c.");
                expected.add(format + ":" + size[0] + "x" + size[1]);
                expected.add(format + ":" + size[0] + "x" + size[1]);
            }
        }
        List<String> branches = new ArrayList<>();
        branches.add("concat name=c ! tee name=t");
        branches.add("t. ! queue ! qpuloopfilter substrate=cpu ! identity name=probe-cpu ! fakesink");
        branches.add("t. ! queue ! qpuloopfilter substrate=qpu ! identity name=probe-qpu ! fakesink");
        branches.addAll(sources);
        PipelineHost.Result result = PipelineHost.run(GstEnvironment.standard(), folder, branches, "play", "wait");
        List<String> cpu = sums(result.at("probe-cpu", ""));
        assertEquals(expected, pictures(result.at("probe-cpu", "")));
        assertEquals(cpu, sums(result.at("probe-qpu", "")));

        List<String> launch = new ArrayList<>(List.of("concat name=c ! qpuloopfilter ! fakesink"));
        launch.addAll(sources);
        GstLaunch.succeed(GstEnvironment.standard(), launch);
    }

    private static List<String> sums(List<PipelineHost.Probed> buffers) {
        return buffers.stream().map(PipelineHost.Probed::md5).toList();
    }

    private static List<String> pictures(List<PipelineHost.Probed> buffers) {
        return buffers.stream().map(PipelineHost.Probed::picture).toList();
    }
}
