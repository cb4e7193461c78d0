/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Temporal fusion in the element: which pictures know which, on both substrates. */
final class TemporalIT {
    private static final int PICTURES = 8;
    private static final int CUT = 4;
    private static final long PICTURE_NANOS = 40_000_000;

    @TempDir
    private static Path files;

    private static RawVideo coded;

    @BeforeAll
    static void code() throws IOException {
        RawVideo footage = ReferenceDecoder.h264(H264Stream.all().get(0), true, files.resolve("footage.yuv"));
        Path jpeg = files.resolve("jpeg.yuv");
        GstLaunch.succeed(footage.parserFor(files.resolve("footage.yuv")) + " ! jpegenc quality=25 ! jpegdec"
                + " ! video/x-raw,format=I420 ! filesink location=" + jpeg);
        coded = RawVideo.read(jpeg, VideoFormat.I420, footage.width(), footage.height())
                .select(IntStream.range(0, PICTURES).boxed().toList());
    }

    /** The coded video, with a command in the middle. */
    private static RawVideo filtered(Path folder, String substrate, String setting, String inTheMiddle)
            throws IOException {
        ElementHost host = new ElementHost(folder)
                .then("set substrate " + substrate, setting, "start")
                .caps(coded)
                .push(coded.select(IntStream.range(0, CUT).boxed().toList()), 0);
        switch (inTheMiddle) {
            case "" -> host.then("stats");
            case "caps" -> host.caps(coded);
            default -> host.then(inTheMiddle);
        }
        return host.push(coded.select(IntStream.range(CUT, PICTURES).boxed().toList()), CUT * PICTURE_NANOS)
                .run()
                .video(VideoFormat.I420, coded.width(), coded.height());
    }

    /** Numbers of the pictures that are not as they are when each is filtered by itself. */
    private static String fused(RawVideo video, RawVideo alone) {
        assertEquals(PICTURES, video.frames().size());
        return IntStream.range(0, PICTURES)
                .filter(i ->
                        !Arrays.equals(alone.frames().get(i), video.frames().get(i)))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @CsvSource(
            delimiter = ':',
            value = {
                "'' : 1 2 3 4 5 6 7",
                "flush : 1 2 3 5 6 7",
                "gap 160000000 : 1 2 3 5 6 7",
                "discont : 1 2 3 5 6 7",
                "caps : 1 2 3 5 6 7",
                "set temporal off : 1 2 3",
            })
    void noPictureKnowsAnotherAcrossACut(String inTheMiddle, String expected, @TempDir Path folder) throws IOException {
        String command = inTheMiddle.trim();
        RawVideo alone = filtered(Files.createDirectory(folder.resolve("alone")), "cpu", "set temporal off", command);
        RawVideo cpu = filtered(Files.createDirectory(folder.resolve("cpu")), "cpu", "set temporal past", command);
        RawVideo qpu = filtered(Files.createDirectory(folder.resolve("qpu")), "qpu", "set temporal past", command);
        cpu.requireSame(qpu, "cpu and qpu");
        assertEquals(expected, fused(cpu, alone));
    }

    /** What it holds of five pictures and four predictions takes 115 MB. */
    @Test
    void fusionFitsInItsMemoryAndTheLackOfItEndsThePipeline() throws IOException {
        List<String> fused = List.of("videotestsrc num-buffers=4 pattern=snow"
                + " ! video/x-raw,format=I420,width=1920,height=1080 ! jpegenc quality=30 ! jpegdec"
                + " ! qpuloopfilter substrate=cpu temporal=two ! fakesink");
        GstEnvironment standard = GstEnvironment.standard();
        GstLaunch.succeed(standard.with("GST_QPU_JVM_OPTIONS", "-Xmx192m"), fused);
        ProcessOutcome outcome = GstLaunch.run(standard.with("GST_QPU_JVM_OPTIONS", "-Xmx64m"), fused);
        assertEquals(1, outcome.exitCode(), () -> outcome.describe("the pipeline did not end by itself"));
        assertTrue(
                outcome.standardError().contains("Java is out of memory (Java heap space): give it more with"),
                () -> outcome.describe("no cause and cure"));
        assertFalse(outcome.standardError().contains("CRITICAL"), () -> outcome.describe("elements did not stop"));
    }

    private static ElementHost.Result playing(Path folder, String substrate, String temporal, String... inTheMiddle)
            throws IOException {
        return new ElementHost(Files.createDirectory(folder))
                .then("set substrate " + substrate, "set temporal " + temporal, "start")
                .caps(coded)
                .then("latency")
                .push(coded.select(IntStream.range(0, CUT).boxed().toList()), 0)
                .then(inTheMiddle)
                .then("latency")
                .push(coded.select(IntStream.range(CUT, PICTURES).boxed().toList()), CUT * PICTURE_NANOS)
                .then("eos", "take", "stats")
                .run();
    }

    /** What came out at each push and at the end, in order: 1 for a picture, 0 for none yet. */
    private static String outcomes(ElementHost.Result result) {
        return result.lines().stream()
                .filter(line -> line.equals("dropped") || line.startsWith("buffer "))
                .map(line -> line.startsWith("buffer ") ? "1" : "0")
                .collect(Collectors.joining(" "));
    }

    private static List<Integer> times(ElementHost.Result result) {
        return result.linesOf("buffer").stream()
                .map(line -> (int) (Long.parseLong(line.replaceAll("buffer pts=(\\d+) .*", "$1")) / PICTURE_NANOS))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            value = {
                "one : 0 1 1 1 1 1 1 1 1 : 40000000 : 1 : 14",
                "two : 0 0 1 1 1 1 1 1 1 1 : 80000000 : 2 : 26",
            })
    void picturesWaitForThoseAfterThem(
            String temporal, String expected, String latency, int held, int references, @TempDir Path folder)
            throws IOException {
        ElementHost.Result cpu = playing(folder.resolve("cpu"), "cpu", temporal);
        ElementHost.Result qpu = playing(folder.resolve("qpu"), "qpu", temporal);
        assertEquals(expected, outcomes(cpu));
        assertEquals(expected, outcomes(qpu));
        assertEquals(List.of("latency " + latency, "latency " + latency), cpu.linesOf("latency"));
        assertEquals(List.of("latency " + latency, "latency " + latency), qpu.linesOf("latency"));
        assertEquals(IntStream.range(0, PICTURES).boxed().toList(), times(cpu));
        assertEquals(IntStream.range(0, PICTURES).boxed().toList(), times(qpu));
        RawVideo video = cpu.video(VideoFormat.I420, coded.width(), coded.height());
        video.requireSame(qpu.video(VideoFormat.I420, coded.width(), coded.height()), "cpu and qpu");
        RawVideo alone =
                playing(folder.resolve("alone"), "cpu", "off").video(VideoFormat.I420, coded.width(), coded.height());
        assertEquals("0 1 2 3 4 5 6 7", fused(video, alone));
        Stats stats = Stats.of(qpu.linesOf("stats")).get(0);
        assertEquals(PICTURES, stats.frames());
        Stats own = Stats.of(cpu.linesOf("stats")).get(0);
        for (Stats one : List.of(stats, own)) {
            assertEquals(held, one.number("held"));
            assertEquals(references, one.number("references"));
        }
        assertEquals(0, own.number("dropped-references"));
        assertEquals(-1, stats.number("dropped-references"));
    }

    /** The pictures before a cut are those of a stream that ends there. */
    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @CsvSource({"gap 160000000", "discont", "caps"})
    void whatWaitsEndsBeforeACut(String inTheMiddle, @TempDir Path folder) throws IOException {
        for (String substrate : List.of("cpu", "qpu")) {
            RawVideo ending = new ElementHost(Files.createDirectory(folder.resolve("ending-" + substrate)))
                    .then("set substrate " + substrate, "set temporal two", "start")
                    .caps(coded)
                    .push(coded.select(IntStream.range(0, CUT).boxed().toList()), 0)
                    .then("eos", "take")
                    .run()
                    .video(VideoFormat.I420, coded.width(), coded.height());
            ElementHost host = new ElementHost(Files.createDirectory(folder.resolve("going-" + substrate)))
                    .then("set substrate " + substrate, "set temporal two", "start")
                    .caps(coded)
                    .push(coded.select(IntStream.range(0, CUT).boxed().toList()), 0);
            if (inTheMiddle.equals("caps")) {
                host.caps(coded);
            } else {
                host.then(inTheMiddle);
            }
            RawVideo going = host.push(
                            coded.select(IntStream.range(CUT, PICTURES).boxed().toList()), CUT * PICTURE_NANOS)
                    .then("eos", "take")
                    .run()
                    .video(VideoFormat.I420, coded.width(), coded.height());
            assertEquals(PICTURES, going.frames().size());
            going.select(IntStream.range(0, CUT).boxed().toList()).requireSame(ending, substrate);
        }
    }

    @Test
    void aFlushDropsWhatWaits(@TempDir Path folder) throws IOException {
        ElementHost.Result result = playing(folder.resolve("cpu"), "cpu", "two", "flush");
        assertEquals(List.of(0, 1, 4, 5, 6, 7), times(result));
    }

    /** A first picture that is coded coarsely, as with rate control, spoils those after it no more than they were. */
    @Test
    void aCoarsePictureIsNoReferenceOfFinerOnes(@TempDir Path folder) throws IOException {
        RawVideo footage = ReferenceDecoder.h264(H264Stream.all().get(0), true, folder.resolve("footage.yuv"));
        List<RawVideo> parts = new ArrayList<>();
        for (int quality : new int[] {8, 60}) {
            Path jpeg = folder.resolve("quality-" + quality + ".yuv");
            GstLaunch.succeed(footage.parserFor(folder.resolve("footage.yuv")) + " ! jpegenc quality=" + quality
                    + " ! jpegdec ! video/x-raw,format=I420 ! filesink location=" + jpeg);
            parts.add(RawVideo.read(jpeg, VideoFormat.I420, footage.width(), footage.height()));
        }
        RawVideo first = parts.get(0).select(List.of(0));
        RawVideo others = parts.get(1).select(List.of(1, 2, 3));
        List<ElementHost.Result> results = new ArrayList<>();
        for (String setting : List.of("cpu off", "cpu past", "qpu past")) {
            String[] words = setting.split(" ", -1);
            results.add(new ElementHost(Files.createDirectory(folder.resolve(String.join("-", words))))
                    .then("set substrate " + words[0], "set temporal " + words[1], "start")
                    .caps(first)
                    .push(first, 0)
                    .push(others, PICTURE_NANOS)
                    .then("stats")
                    .run());
        }
        List<RawVideo> videos = results.stream()
                .map(result -> result.video(VideoFormat.I420, coded.width(), coded.height()))
                .toList();
        videos.get(1).requireSame(videos.get(2), "cpu and qpu");
        String changed = IntStream.range(0, 4)
                .filter(i -> !Arrays.equals(
                        videos.get(0).frames().get(i), videos.get(1).frames().get(i)))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
        assertEquals("2 3", changed);
        assertEquals(2, Stats.of(results.get(1).linesOf("stats")).get(0).number("dropped-references"));
    }

    private static ElementHost.Result automatic(GstEnvironment environment, Path folder, String... settings)
            throws IOException {
        return new ElementHost(Files.createDirectory(folder))
                .then(settings)
                .then("start")
                .caps(coded)
                .push(coded, 0)
                .then("latency", "eos", "take", "stats")
                .run(environment);
    }

    private static String choice(ElementHost.Result result) {
        Stats stats = Stats.of(result.linesOf("stats")).get(0);
        return stats.text("temporal") + ", " + stats.text("temporal-reason");
    }

    @Test
    void autoIsOffWhereTheCpuFiltersAndWhereStrengthsAreSet(@TempDir Path folder) throws IOException {
        GstEnvironment standard = GstEnvironment.standard();
        for (String substrate : List.of("cpu", "qpu")) {
            ElementHost.Result result = automatic(standard, folder.resolve(substrate), "set substrate " + substrate);
            assertEquals("off, auto: no GPU filters", choice(result));
            assertEquals(List.of("latency 0"), result.linesOf("latency"));
        }
        assertEquals(
                "off, no shrinkage of automatic strength",
                choice(automatic(standard, folder.resolve("exact"), "set substrate cpu", "set qp 36")));
    }

    /** The first process measures, the others find what a forged record says of nanoseconds without fusion and with it. */
    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @CsvSource(
            delimiter = ';',
            value = {
                "1000000; 2000000,2100000,3900000; two",
                "1000000; 2000000,2100000; one",
                "1000000; 2000000; past",
                "1000000; ''; off",
            })
    void autoIsWhatTheGpuHasTimeFor(String without, String fused, String expected, @TempDir Path folder)
            throws IOException {
        VulkanFaults layer = VulkanFaults.in(folder);
        played(layer, folder, "", "auto", "sync=false");
        layer.letFusionTake(without + "\t" + fused);
        PipelineHost.Result found = played(layer, folder, "", "auto", "sync=false");
        PipelineHost.Result asked = played(layer, folder, "", expected, "sync=false");
        Stats stats = stats(found);
        assertEquals(expected, stats.text("temporal"), stats::toString);
        assertTrue(stats.text("temporal-reason").startsWith("auto: a picture takes "), stats::toString);
        assertEquals("set", stats(asked).text("temporal-reason"));
        assertEquals(asked.at("probe", ""), found.at("probe", ""), "pictures");
    }

    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @CsvSource(
            delimiter = ';',
            value = {
                "1000000,1000000,1000000; is-live=true; sync=false; past",
                "1000000,1000000,1000000; is-live=false; sync=true qos=true; past",
                "1000000,1000000,1000000; is-live=false; sync=false; two",
                "60000000; is-live=true; sync=false; off",
            })
    void autoDelaysNothingThatIsAwaited(String fused, String source, String sink, String expected, @TempDir Path folder)
            throws IOException {
        VulkanFaults layer = VulkanFaults.in(folder);
        Stats measured = stats(played(layer, folder, source, "auto", sink));
        assertTrue(measured.text("temporal-reason").startsWith("auto: "), measured::toString);
        assertTrue(measured.submits() <= 2 * measured.frames(), () -> "the race is counted: " + measured);
        layer.letFusionTake("20000000\t" + fused);
        Stats stats = stats(played(layer, folder, source, "auto", sink));
        assertEquals(expected, stats.text("temporal"), stats::toString);
        assertEquals(20, stats.frames());
    }

    private static PipelineHost.Result played(
            VulkanFaults layer, Path folder, String source, String temporal, String sink) throws IOException {
        return PipelineHost.run(
                layer.environment(),
                folder,
                List.of("videotestsrc num-buffers=20 pattern=ball " + source
                        + " ! video/x-raw,format=I420,width=64,height=48,framerate=10/1 ! jpegenc quality=25 ! jpegdec"
                        + " ! qpuloopfilter name=filter substrate=qpu temporal=" + temporal
                        + " ! identity name=probe ! fakesink " + sink),
                "play",
                "wait",
                "stats filter");
    }

    private static Stats stats(PipelineHost.Result result) {
        return Stats.of(result.lines().stream()
                        .filter(line -> line.startsWith("stats "))
                        .toList())
                .get(0);
    }

    @Test
    void theDelayChangesWhilePlaying(@TempDir Path folder) throws IOException {
        ElementHost.Result result = playing(folder.resolve("cpu"), "cpu", "two", "set temporal past");
        assertEquals(IntStream.range(0, PICTURES).boxed().toList(), times(result));
        assertEquals("0 0 1 1 1 1 1 1 1 1", outcomes(result));
        // The property is adopted with the next picture.
        assertEquals(List.of("latency 80000000", "latency 80000000"), result.linesOf("latency"));
    }
}
