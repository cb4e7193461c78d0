/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gstqpu.it.PipelineHost.Probed;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pipeline that a user types, {@code filesrc ! decodebin ! videoconvert ! qpuloopfilter}, on files of several codecs. */
final class DecodedStreamsIT {
    private static final int FRAMES = 10;

    @TempDir
    static Path files;

    @BeforeAll
    static void encode() throws IOException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        H264Stream footage = H264Stream.all().get(0);
        RawVideo video = ReferenceDecoder.h264(footage, true, files.resolve("footage.yuv"));
        assertEquals(FRAMES, video.frames().size());
        // Coded as 208x144 and cropped: the decoder's buffers have a part that is not shown.
        Files.copy(
                BuildTree.testSource("resources/streams/h264_200x136_qp36_a0_b0_c0.h264"),
                files.resolve("cropped.h264"));
        GstLaunch.succeed(
                GstEnvironment.standard(),
                List.of(
                        video.parserFor(files.resolve("footage.yuv")) + " ! tee name=t",
                        "t. ! queue ! x264enc bitrate=150 speed-preset=fast ! h264parse ! mp4mux ! filesink location="
                                + files.resolve("h264.mp4"),
                        "t. ! queue ! vp9enc deadline=1 cpu-used=8 target-bitrate=150000 ! webmmux ! filesink location="
                                + files.resolve("vp9.webm"),
                        "t. ! queue ! jpegenc quality=25 ! avimux ! filesink location=" + files.resolve("mjpeg.avi")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h264.mp4", "vp9.webm", "mjpeg.avi", "cropped.h264"})
    void anUntunedPipelineFiltersTheFileAlikeOnCpuAndQpu(String file, @TempDir Path folder) throws IOException {
        String source = "filesrc location=" + files.resolve(file) + " ! decodebin ! videoconvert";
        GstLaunch.succeed(source + " ! qpuloopfilter ! videoconvert ! fakesink");

        PipelineHost.Result result = PipelineHost.run(
                GstEnvironment.standard(),
                folder,
                List.of(
                        source + " ! identity name=probe-in ! tee name=t",
                        "t. ! queue ! qpuloopfilter substrate=cpu ! identity name=probe-cpu ! fakesink",
                        "t. ! queue ! qpuloopfilter substrate=qpu ! identity name=probe-qpu ! fakesink"),
                "play",
                "wait");
        List<Probed> cpu = result.at("probe-cpu", "");
        assertEquals(FRAMES, cpu.size(), "frames");
        assertEquals(sums(cpu), sums(result.at("probe-qpu", "")), "QPU against CPU");
        if (file.equals("mjpeg.avi")) {
            // The loop filters of the other codecs may have left nothing to filter.
            assertNotEquals(sums(result.at("probe-in", "")), sums(cpu), "nothing was filtered");
        }
        assertEquals(stamps(result.at("probe-in", "")), stamps(cpu), "time stamps");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void seekingPlaysTheSamePicturesAgain(String substrate, @TempDir Path folder) throws IOException {
        PipelineHost.Result result = PipelineHost.run(
                GstEnvironment.standard(),
                folder,
                List.of("filesrc location=" + files.resolve("h264.mp4")
                        + " ! decodebin ! videoconvert ! qpuloopfilter name=filter substrate=" + substrate
                        + " ! identity name=probe ! fakesink sync=false"),
                "play",
                "wait",
                "mark first-seek",
                "seek 200000000",
                "wait",
                "pause",
                "seek 0",
                "seek 80000000",
                "mark last-seek",
                "play",
                "wait");
        List<Probed> whole = result.at("probe", "").subList(0, FRAMES);
        Map<String, String> sumOfStamp = whole.stream().collect(Collectors.toMap(Probed::pts, Probed::md5));
        List<Probed> afterFirstSeek = result.at("probe", "first-seek");
        for (Probed buffer : afterFirstSeek) {
            assertEquals(sumOfStamp.get(buffer.pts()), buffer.md5(), "picture at " + buffer.pts());
        }
        assertEquals(
                stamps(whole).subList(5, FRAMES),
                stamps(afterFirstSeek).subList(0, FRAMES - 5),
                "pictures after a seek at the end of the stream");
        List<String> afterLastSeek = stamps(result.at("probe", "last-seek"));
        assertEquals(stamps(whole).get(FRAMES - 1), afterLastSeek.get(afterLastSeek.size() - 1), "last picture of all");
    }

    private static List<String> sums(List<Probed> buffers) {
        return list(buffers, Probed::md5);
    }

    private static List<String> stamps(List<Probed> buffers) {
        return list(buffers, Probed::pts);
    }

    private static List<String> list(List<Probed> buffers, Function<Probed, String> field) {
        return buffers.stream().map(field).toList();
    }
}
