/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import static org.gstqpu.pipelines.cli.ChildProcess.words;
import static org.gstqpu.pipelines.cli.CommandFailedException.problem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gstqpu.pipelines.bench.Medians;
import org.gstqpu.pipelines.bench.stream.TracedRun.PipelineFailedException;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.cli.WrongResultException;
import org.gstqpu.pipelines.media.ElementStats;
import org.gstqpu.pipelines.media.Ffmpeg;

/**
 * Measures the element in pipelines of {@code gst-launch-1.0}: the start of a process, its first pictures, the qualities beside ffmpeg's
 * filters, and several sizes and several elements in one process. A source gives the same picture again and again, in the same memory.
 * The pipelines that are compared take turns. Used by one thread.
 */
final class ElementBenchmark {
    private static final Map<String, Double> START_BAR_SECONDS = Map.of("cpu", 0.30, "qpu", 0.45);
    private static final String ELEMENT = "qpuloopfilter substrate=";
    private static final int MOST_INSTANCES = 4;
    private static final long LAUNCH_LIMIT_SECONDS = 600;
    /** The quantiser of the test picture: it is coded coarsely, so that it has visible blocks. */
    private static final int QP = 36;
    /** Properties that set the strengths: with automatic strength, the same picture would not always give the same result. */
    private static final String SET =
            "qp=34 cdef-damping=5 cdef-y-primary=4 cdef-uv-primary=4 cdef-y-secondary=2 cdef-uv-secondary=2";
    /** Properties of the element that is measured beside ffmpeg's filters. */
    private static final List<String> COMPARED = List.of(SET, "quality=fast", "quality=balanced", "quality=best");

    /** Properties of the element whose first pictures are timed. */
    private static final List<String> WARMED = List.of(SET, "quality=best");

    private static final List<String> FFMPEG_FILTERS =
            List.of("null", "deblock=filter=strong:block=4", "pp=ac", "spp=4:12");
    private static final int FIRST_PICTURES = 200;
    /** Of these pictures the slow ones are counted. */
    private static final int COUNTED_PICTURES = 100;

    // What the loader logs of the JVM that it starts.
    private static final Pattern JAVA = Pattern.compile("(?:chosen|JAVA_HOME): Java (\\d+) in (.+)");
    private static final Pattern ARCHIVE = Pattern.compile("JVM option -XX:SharedArchiveFile=(.+)");

    private final Installation installation;
    private final Path folder;
    private final double warmUpSeconds;
    private final double seconds;
    private final VideoSize comparedSize;
    private final int rounds;
    private final Consumer<String> progress;
    private String device;
    private ElementReport.JavaUsed java;

    /** The parts of the measurement, which can be chosen. */
    enum Part {
        START,
        COMPARISON,
        WARM_UP,
        SCALING;

        /** The part as the option spells it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * @param folder keeps the test pictures; pictures of an earlier run are used again
     * @param warmUpSeconds time before a measurement, in which the JVM compiles
     * @param seconds length of a measurement
     * @param comparedSize size of the pictures for {@link Part#COMPARISON} and {@link Part#WARM_UP}
     * @param rounds measurements of each pipeline, whose median is reported
     * @param progress receives lines of progress
     */
    ElementBenchmark(
            Installation installation,
            Path folder,
            double warmUpSeconds,
            double seconds,
            VideoSize comparedSize,
            int rounds,
            Consumer<String> progress) {
        this.installation = installation;
        this.folder = folder;
        this.warmUpSeconds = warmUpSeconds;
        this.seconds = seconds;
        this.comparedSize = comparedSize;
        this.rounds = rounds;
        this.progress = progress;
    }

    /**
     * Measures the given parts.
     *
     * @param sizes picture sizes for {@link Part#SCALING}
     * @throws WrongResultException when a picture was wrong, or was filtered on another substrate than asked for
     */
    ElementReport run(List<Part> parts, List<VideoSize> sizes) {
        List<ElementReport.Start> starts = parts.contains(Part.START) ? starts() : List.of();
        List<ElementReport.Comparison> comparisons = parts.contains(Part.COMPARISON) ? comparisons() : List.of();
        List<ElementReport.WarmUp> warmUps = parts.contains(Part.WARM_UP) ? warmUps() : List.of();
        List<ElementReport.Scaling> scalings = parts.contains(Part.SCALING) ? scalings(sizes) : List.of();
        return new ElementReport(device, starts, comparedSize.name(), comparisons, java, warmUps, scalings);
    }

    /** The file of a picture of this size in I420 without padding. It is made once and kept. */
    private Path picture(VideoSize size) {
        Path file = folder.resolve("picture-" + size.name() + ".i420");
        if (!Files.exists(file)) {
            Path stream = folder.resolve("picture-" + size.name() + ".h264");
            Path part = folder.resolve(file.getFileName() + ".part");
            Ffmpeg.encodeTestPictures(size.width(), size.height(), 1, QP, stream);
            Ffmpeg.unpackRaw(stream, "yuv420p", part);
            try {
                Files.move(part, file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return file;
    }

    /** The element with these properties, as the report calls it. */
    private static String name(String properties) {
        return properties.equals(SET)
                ? "qpuloopfilter, strengths of deblocking and CDEF set"
                : "qpuloopfilter " + properties;
    }

    /** A source that repeats the test picture, and the element behind it. */
    private String filtered(VideoSize size, String properties, String limit, int number) {
        return "filesrc location=" + picture(size) + " ! rawvideoparse format=i420 width=" + size.width() + " height="
                + size.height() + " ! imagefreeze" + limit + " ! qpuloopfilter name=filter" + number + " " + properties;
    }

    /** Checks by the element's statistics that it ran on this substrate, with each frame submitted on a device. */
    private TracedRun checked(String substrate, TracedRun run) {
        ElementStats stats = run.stats();
        boolean onDevice = substrate.equals("qpu");
        boolean submitted = onDevice ? stats.submits() >= stats.frames() : stats.submits() == 0;
        if (!stats.substrate().equals(substrate) || !submitted || stats.frames() == 0) {
            throw new WrongResultException("asked for " + substrate + ", ran on " + stats.substrate() + ": "
                    + stats.frames() + " frames, " + stats.submits() + " submissions");
        }
        device = onDevice ? stats.device() : device;
        return run;
    }

    /**
     * Writes the first picture to a file.
     *
     * @throws WrongResultException when the element does not change it: there would be nothing to measure
     */
    private Path first(VideoSize size, String substrate, String properties) throws PipelineFailedException {
        Path file = folder.resolve("first-" + substrate + ".raw");
        checked(
                substrate,
                TracedRun.whole(
                        installation,
                        filtered(size, properties + " substrate=" + substrate, " num-buffers=1", 1)
                                + " ! filesink location=" + file));
        if (same(file, picture(size))) {
            throw new WrongResultException("qpuloopfilter " + properties + " does not change the test picture");
        }
        return file;
    }

    private static boolean same(Path one, Path other) {
        try {
            return Files.mismatch(one, other) < 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // The start of a process

    private List<ElementReport.Start> starts() {
        Map<String, List<Double>> seconds = new LinkedHashMap<>();
        for (String element : List.of("identity", ELEMENT + "cpu", ELEMENT + "qpu")) {
            // The first run only fills caches.
            if (launchSeconds(element).isPresent()) {
                seconds.put(element, new ArrayList<>());
            }
        }
        for (int round = 1; round <= 2 * rounds; round++) {
            progress.accept("start, round " + round + " of " + 2 * rounds);
            seconds.forEach((element, taken) -> launchSeconds(element).ifPresent(taken::add));
        }
        double bare = Medians.of(seconds.remove("identity"), Double::doubleValue);
        return seconds.entrySet().stream()
                .map(entry -> {
                    String substrate = entry.getKey().substring(ELEMENT.length());
                    double with = Medians.of(entry.getValue(), Double::doubleValue);
                    return new ElementReport.Start(
                            substrate, with, bare, with - bare, START_BAR_SECONDS.get(substrate));
                })
                .toList();
    }

    /** Measures a start in seconds. Empty if the pipeline does not run on the device. */
    private Optional<Double> launchSeconds(String element) {
        List<String> command = words("gst-launch-1.0 -q videotestsrc num-buffers=1 ! " + element + " ! fakesink");
        ChildProcess launch = new ChildProcess(command, installation.environment());
        long begin = System.nanoTime();
        ChildProcess.Result result =
                launch.require(LAUNCH_LIMIT_SECONDS, "there is no gst-launch-1.0: apt install gstreamer1.0-tools");
        double taken = (System.nanoTime() - begin) / 1e9;
        if (result.status() == 0) {
            return Optional.of(taken);
        }
        if (element.endsWith("qpu")) {
            progress.accept("not measured: " + result.lastLines(1));
            return Optional.empty();
        }
        throw problem("this failed: " + launch.commandLine() + ": " + result.lastLines(4));
    }

    // Beside ffmpeg

    private List<ElementReport.Comparison> comparisons() {
        Map<String, List<Ffmpeg.Speed>> speeds = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            progress.accept("beside ffmpeg, round " + (round + 1) + " of " + rounds);
            COMPARED.forEach(properties -> add(speeds, name(properties), Optional.of(speed(properties))));
            double fastest = speeds.values().iterator().next().get(round).picturesPerSecond();
            for (String filter : FFMPEG_FILTERS) {
                int enough = (int) Math.max(30, fastest * seconds);
                add(speeds, "ffmpeg " + filter, Ffmpeg.measure(picture(comparedSize), comparedSize, filter, enough));
            }
        }
        return speeds.entrySet().stream()
                .map(entry -> entry.getValue().isEmpty()
                        ? new ElementReport.Comparison(entry.getKey(), null, null)
                        : new ElementReport.Comparison(
                                entry.getKey(),
                                Medians.of(entry.getValue(), Ffmpeg.Speed::picturesPerSecond),
                                Medians.of(entry.getValue(), Ffmpeg.Speed::cpuSecondsPerPicture)))
                .toList();
    }

    private static void add(Map<String, List<Ffmpeg.Speed>> speeds, String name, Optional<Ffmpeg.Speed> speed) {
        List<Ffmpeg.Speed> known = speeds.computeIfAbsent(name, unused -> new ArrayList<>());
        speed.ifPresent(known::add);
    }

    /** Measures the element on two threads of the CPU, and checks that it changes the picture. */
    private Ffmpeg.Speed speed(String properties) {
        try {
            first(comparedSize, "cpu", properties);
            TracedRun run = checked(
                    "cpu", TracedRun.measured(installation, onTwoThreads(properties, ""), 1, warmUpSeconds, seconds));
            double picturesPerSecond = run.picturesPerSecond();
            return new Ffmpeg.Speed(picturesPerSecond, run.cores() / picturesPerSecond);
        } catch (PipelineFailedException e) {
            throw problem(e.getMessage(), e);
        }
    }

    private String onTwoThreads(String properties, String limit) {
        return filtered(comparedSize, properties + " substrate=cpu threads=2", limit, 1) + " ! fakesink";
    }

    // The first pictures of a process

    private List<ElementReport.WarmUp> warmUps() {
        Map<String, List<ElementReport.WarmUp>> runs = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (String properties : WARMED) {
                progress.accept("warm-up: " + name(properties) + ", round " + (round + 1));
                TracedRun run = firstPictures(properties);
                java = javaUsed(run.log());
                runs.computeIfAbsent(properties, unused -> new ArrayList<>()).add(warmUp(name(properties), run));
            }
        }
        return runs.values().stream()
                .map(each -> each.stream()
                        .sorted(Comparator.comparingInt(ElementReport.WarmUp::slow))
                        .toList()
                        .get(each.size() / 2))
                .toList();
    }

    private TracedRun firstPictures(String properties) {
        String pipeline = onTwoThreads(properties, " num-buffers=" + FIRST_PICTURES);
        try {
            return checked("cpu", TracedRun.whole(installation, pipeline));
        } catch (PipelineFailedException e) {
            throw problem(e.getMessage(), e);
        }
    }

    private static ElementReport.JavaUsed javaUsed(String log) {
        Matcher found = JAVA.matcher(log);
        Matcher archive = ARCHIVE.matcher(log);
        return found.find()
                ? new ElementReport.JavaUsed(
                        Integer.parseInt(found.group(1)), found.group(2), archive.find() ? archive.group(1) : null)
                : null;
    }

    private static ElementReport.WarmUp warmUp(String name, TracedRun run) {
        List<Double> millis =
                run.pictures().stream().map(picture -> picture.nanos() / 1e6).toList();
        if (millis.size() != FIRST_PICTURES) {
            throw new WrongResultException("asked for " + FIRST_PICTURES + " pictures, got " + millis.size());
        }
        double median = Medians.of(millis.subList(millis.size() / 2, millis.size()), Double::doubleValue);
        return new ElementReport.WarmUp(
                name,
                run.pictures().get(0).leftAt() / 1e9,
                median,
                (int) millis.stream()
                        .limit(COUNTED_PICTURES)
                        .filter(one -> one > 2 * median)
                        .count(),
                run.stats().number("warm-up-time") / 1e9,
                millis);
    }

    // Sizes and instances

    private List<ElementReport.Scaling> scalings(List<VideoSize> sizes) {
        List<ElementReport.Scaling> results = new ArrayList<>();
        for (VideoSize size : sizes) {
            Optional<Path> expected = Optional.empty();
            for (String substrate : List.of("cpu", "qpu")) {
                try {
                    Path first = first(size, substrate, SET);
                    if (!same(first, expected.orElse(first))) {
                        throw new WrongResultException("cpu and qpu give different pictures of " + size.name());
                    }
                    expected = Optional.of(first);
                    for (int instances = 1; instances <= MOST_INSTANCES; instances++) {
                        results.add(scaling(size, substrate, instances));
                    }
                } catch (PipelineFailedException e) {
                    if (substrate.equals("cpu")) {
                        throw problem(e.getMessage(), e);
                    }
                    progress.accept("not measured: " + e.getMessage());
                }
            }
        }
        return results;
    }

    private ElementReport.Scaling scaling(VideoSize size, String substrate, int instances)
            throws PipelineFailedException {
        String pipeline = IntStream.rangeClosed(1, instances)
                .mapToObj(number -> filtered(size, SET + " substrate=" + substrate, "", number) + " ! fakesink")
                .collect(Collectors.joining(" "));
        List<Double> nanos = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            progress.accept(
                    "scaling: " + substrate + ", " + size.name() + ", " + instances + " at once, round " + (round + 1));
            TracedRun run =
                    checked(substrate, TracedRun.measured(installation, pipeline, instances, warmUpSeconds, seconds));
            nanos.add(1e9 / run.picturesPerSecond());
        }
        double median = Medians.of(nanos, Double::doubleValue);
        return new ElementReport.Scaling(
                substrate, size.name(), instances, median / 1e6, median / size.width() / size.height());
    }
}
