/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The element's own pools of dmabufs: for its input, which the element upstream writes, and for its output. */
@Tag(RealDmabufs.TAG)
final class DmabufPoolIT {
    /** Largest number of dmabufs in a pool. */
    private static final int MAX_DMABUFS = 64;

    /** Sources whose pictures lie in memory that downstream offers. */
    static List<String> producers() throws IOException {
        String h264 = H264Stream.all().get(5).path().toString();
        String av1 = Av1Stream.all().get(8).path().toString();
        String test = "videotestsrc pattern=ball num-buffers=12 ! video/x-raw,";
        return Sample.of(
                3,
                List.of(
                        "filesrc location=" + h264 + " ! h264parse ! avdec_h264",
                        "filesrc location=" + av1 + " ! av1parse ! av1dec",
                        test + "format=I420,width=320,height=240 ! vp9enc deadline=1 cpu-used=8 ! avdec_vp9",
                        test + "format=I420,width=352,height=288 ! avenc_mpeg2video ! avdec_mpeg2video",
                        test + "format=NV12,width=162,height=98",
                        test + "format=I420,width=161,height=99",
                        test + "format=P010_10LE,width=160,height=90"));
    }

    @ParameterizedTest
    @MethodSource("producers")
    void whatUpstreamWritesIntoOurPoolIsFilteredWhereItLies(String producer, @TempDir Path folder) throws IOException {
        PipelineHost.Result result = run(
                folder,
                List.of(
                        producer + " ! qpuloopfilter name=qpu substrate=qpu ! identity name=probe-qpu ! fakesink",
                        producer + " ! qpuloopfilter substrate=cpu ! identity name=probe-cpu ! fakesink"),
                "play",
                "wait",
                "stats qpu");
        requireSame(result.at("probe-cpu", ""), result.at("probe-qpu", ""));
        requireZeroCopy(stats(result).get(0));
    }

    @Test
    void requireZeroCopyIsMet(@TempDir Path folder) throws IOException {
        PipelineHost.Result result = run(
                folder,
                List.of("videotestsrc num-buffers=40 ! video/x-raw,format=NV12,width=320,height=240"
                        + " ! qpuloopfilter name=qpu substrate=qpu require-zero-copy=true ! fakesink"),
                "play",
                "wait",
                "stats qpu");
        Stats stats = stats(result).get(0);
        requireZeroCopy(stats);
        assertTrue(stats.number("imports-pool") < 10, () -> "buffers do not come again: " + stats);
    }

    @Test
    void aStreamMayChangeItsSize(@TempDir Path folder) throws IOException {
        String large = H264Stream.all().get(5).path().toString();
        String small = H264Stream.all().stream()
                .filter(stream -> stream.codedWidth() < 320)
                .findFirst()
                .orElseThrow()
                .path()
                .toString();
        List<String> branches = new ArrayList<>();
        for (String substrate : List.of("qpu", "cpu")) {
            branches.add("concat name=c-" + substrate + " ! h264parse ! avdec_h264 ! qpuloopfilter name=" + substrate
                    + " substrate=" + substrate + " ! identity name=probe-" + substrate + " ! fakesink");
            for (String file : List.of(large, small, large)) {
                branches.add("filesrc location=" + file + " ! h264parse ! c-" + substrate + ".");
            }
        }
        PipelineHost.Result result = run(folder, branches, "play", "wait", "stats qpu");
        List<PipelineHost.Probed> pictures = result.at("probe-qpu", "");
        requireSame(result.at("probe-cpu", ""), pictures);
        assertEquals(
                2,
                pictures.stream().map(PipelineHost.Probed::picture).distinct().count(),
                "sizes");
        requireZeroCopy(stats(result).get(0));
    }

    @Test
    void downstreamMayHoldMoreBuffersThanThereAreDmabufs(@TempDir Path folder) throws IOException {
        int held = MAX_DMABUFS + 20;
        ProcessOutcome outcome = GstLaunch.run(
                        GstEnvironment.standard().with("GST_DEBUG", "qpuloopfilter:4"),
                        List.of("videotestsrc num-buffers=" + (held + 5)
                                + " ! video/x-raw,format=NV12,width=64,height=64 ! qpuloopfilter substrate=qpu"
                                + " ! queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 min-threshold-buffers="
                                + held + " ! fakesink"))
                .requireSuccess();
        assertEquals(
                1,
                outcome.complaints().stream()
                        .filter(line -> line.contains(MAX_DMABUFS + " dmabufs are out at once"))
                        .count(),
                () -> outcome.describe("the limit should be logged once"));
        assertEquals(1, outcome.complaints().size(), () -> outcome.describe("other complaints"));
        assertTrue(
                outcome.standardError().contains("frames=(guint64)" + (held + 5) + ","),
                () -> outcome.describe("frames are missing"));
    }

    @Test
    void picturesGoOutInDmabufsToWhoTakesNothingElse(@TempDir Path folder) throws IOException {
        String source = "videotestsrc pattern=ball num-buffers=80 ! video/x-raw,format=NV12,width=162,height=98";
        PipelineHost.Result result = run(
                folder,
                List.of(
                        source + " ! qpuloopfilter name=plain substrate=qpu ! video/x-raw(memory:DMABuf),format=NV12"
                                + " ! identity name=probe-plain ! queue max-size-buffers=3 ! fakesink",
                        source + " ! qpuloopfilter name=drm substrate=qpu ! video/x-raw(memory:DMABuf),format=DMA_DRM"
                                + " ! fakesink",
                        source + " ! qpuloopfilter substrate=cpu ! identity name=probe-cpu ! fakesink"),
                "play",
                "wait",
                "stats plain",
                "stats drm");
        requireSame(result.at("probe-cpu", ""), result.at("probe-plain", ""));
        for (Stats stats : stats(result)) {
            assertEquals(80, stats.frames(), stats::toString);
            requireZeroCopy(stats);
        }
    }

    @Test
    void oneFilterWritesIntoTheNextOnesPool(@TempDir Path folder) throws IOException {
        String source = "videotestsrc pattern=ball num-buffers=20 ! video/x-raw,format=I420,width=162,height=98";
        PipelineHost.Result result = run(
                folder,
                List.of(
                        source + " ! qpuloopfilter name=first substrate=qpu cdef=false"
                                + " ! qpuloopfilter name=second substrate=qpu deblock=false"
                                + " ! identity name=probe-qpu ! fakesink",
                        source + " ! qpuloopfilter substrate=cpu cdef=false ! qpuloopfilter substrate=cpu deblock=false"
                                + " ! identity name=probe-cpu ! fakesink"),
                "play",
                "wait",
                "stats first",
                "stats second");
        requireSame(result.at("probe-cpu", ""), result.at("probe-qpu", ""));
        for (Stats stats : stats(result)) {
            requireZeroCopy(stats);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void picturesThatPassAsTheyAreStayWhereTheyLie(int depth, @TempDir Path folder) throws IOException {
        Stats stats = QosIT.requireThatPicturesPass(new ElementHost(folder)
                .then("set substrate qpu", "set queue-depth " + depth, "start video-meta", "memory offered"));
        assertTrue(stats.number("imports-pool") > 0, () -> "no picture lay in a dmabuf: " + stats);
        assertEquals(0, stats.number("copies"), stats::toString);
    }

    @Test
    void theSystemHeapMakesDmabufsWhereUdmabufDoesNot(@TempDir Path folder) throws IOException {
        String source = "videotestsrc pattern=ball num-buffers=10 ! video/x-raw,format=NV12,width=164,height=98";
        String file = "filesink location=" + folder;
        // In its own mount name space the process finds another file there, which can be opened but makes no dmabufs.
        List<String> command = new ArrayList<>(
                List.of("unshare", "--mount", "sh", "-c", "mount --bind /dev/null /dev/udmabuf && exec \"$@\"", "sh"));
        command.addAll(List.of("gst-launch-1.0", "--no-position"));
        command.addAll(List.of((source + " ! qpuloopfilter substrate=qpu require-zero-copy=true ! " + file + "/qpu.raw "
                        + source + " ! qpuloopfilter substrate=cpu ! " + file + "/cpu.raw")
                .split(" ", -1)));
        ProcessOutcome outcome = Processes.run(
                        command,
                        GstEnvironment.standard()
                                .with("GST_DEBUG", "qpuloopfilter:4")
                                .variables(),
                        Path.of("/dev/null"),
                        Duration.ofMinutes(2))
                .requireSuccess()
                .requireNoComplaint();
        assertTrue(
                outcome.standardError()
                        .lines()
                        .anyMatch(
                                line -> line.matches(
                                        ".*substrate=\\(string\\)qpu,.*frames=\\(guint64\\)10,.*copies=\\(guint64\\)0,.*imports-pool=\\(guint64\\)[1-9].*")),
                () -> outcome.describe("pictures are not in dmabufs of the heap"));
        RawVideo.read(folder.resolve("cpu.raw"), VideoFormat.NV12, 164, 98)
                .requireSame(RawVideo.read(folder.resolve("qpu.raw"), VideoFormat.NV12, 164, 98), "in the heap");
    }

    @Test
    void noDescriptorStaysOpenAfterAnyStream(@TempDir Path folder) throws IOException {
        List<String> script = new ArrayList<>();
        for (int round = 0; round < 6; round++) {
            script.add("set size caps video/x-raw,format=NV12,height=96,width=" + (128 + 32 * (round % 3)));
            script.addAll(List.of("play", "seek 0", "wait", "null", "descriptors"));
        }
        PipelineHost.Result result = run(
                folder,
                List.of("videotestsrc num-buffers=9 ! capsfilter name=size ! qpuloopfilter substrate=qpu ! fakesink"),
                script.toArray(String[]::new));
        List<String> counts = result.lines().stream()
                .filter(line -> line.startsWith("descriptors "))
                .toList();
        assertEquals(6, counts.size());
        // The first round opens the files that stay open for the life of the process.
        assertEquals(1, counts.stream().skip(1).distinct().count(), counts::toString);
    }

    private static PipelineHost.Result run(Path folder, List<String> branches, String... script) throws IOException {
        return PipelineHost.run(GstEnvironment.standard(), folder, branches, script);
    }

    private static List<Stats> stats(PipelineHost.Result result) {
        return Stats.of(result.lines().stream()
                .filter(line -> line.startsWith("stats "))
                .toList());
    }

    private static void requireSame(List<PipelineHost.Probed> expected, List<PipelineHost.Probed> actual) {
        assertFalse(expected.isEmpty(), "no picture came out");
        assertEquals(
                expected.stream().map(PipelineHost.Probed::md5).toList(),
                actual.stream().map(PipelineHost.Probed::md5).toList());
    }

    /** Every input and output picture lay in a dmabuf of the element's pools, and each dmabuf was imported once. */
    private static void requireZeroCopy(Stats stats) {
        assertEquals(0, stats.number("bytes-copied"), stats::toString);
        assertEquals(0, stats.number("copies"), stats::toString);
        assertEquals(0, stats.number("imports-dmabuf"), stats::toString);
        assertEquals(0, stats.number("imports-host"), stats::toString);
        assertEquals(
                2 * stats.frames(), stats.number("imports-pool") + stats.number("import-cache-hits"), stats::toString);
    }
}
