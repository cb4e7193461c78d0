/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.bench.Medians;
import org.gstqpu.pipelines.bench.stream.PipelineMeter.FirstPictures;
import org.gstqpu.pipelines.bench.stream.PipelineMeter.PipelineFailedException;
import org.gstqpu.pipelines.bench.stream.PipelineMeter.Reading;
import org.gstqpu.pipelines.bench.stream.PipelineMeter.Window;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.cli.WrongResultException;
import org.gstqpu.pipelines.media.ElementStats;
import org.gstqpu.pipelines.media.Ffmpeg;

/**
 * Measures what the element itself costs: a frame without the kernels, the start of a process, its first pictures, and a scan of
 * the plugin registry. Compares the element with ffmpeg's filters, and measures several sizes and several elements in one process. The pipelines that
 * are compared take turns. Used by one thread.
 */
final class ElementBenchmark {
    private static final double BAR_MICROS = 100;
    private static final double CPU_START_BAR_SECONDS = 0.30;
    private static final double QPU_START_BAR_SECONDS = 0.45;
    private static final double SCAN_BAR_MILLIS = 20;
    private static final int MOST_INSTANCES = 4;
    /** Least number of frames per measurement. An overhead of microseconds shows only over many, as kernels take much longer. */
    private static final int ENOUGH = 100;

    private static final long LAUNCH_LIMIT_SECONDS = 120;

    /** A size at which the kernels have nearly nothing to do. */
    private static final VideoSize TINY = new VideoSize("16x16", 16, 16);

    private static final List<String> FFMPEG_FILTERS =
            List.of("null", "deblock=filter=strong:block=4", "pp=ac", "spp=4:12");

    /** The element with deblocking and CDEF of set strengths, and with automatic strength in each quality. */
    private static final List<Compared> COMPARED = List.of(
            new Compared("qpuloopfilter, strengths of deblocking and CDEF set", PipelineCase.FILTER),
            new Compared("qpuloopfilter quality=fast", "qpuloopfilter name=filter quality=fast"),
            new Compared("qpuloopfilter quality=balanced", "qpuloopfilter name=filter quality=balanced"),
            new Compared("qpuloopfilter quality=best", "qpuloopfilter name=filter quality=best"));

    /** The elements whose first pictures are timed. */
    private static final List<Compared> WARMED = List.of(COMPARED.get(0), COMPARED.get(COMPARED.size() - 1));

    private static final int FIRST_PICTURES = 200;

    /** Of these pictures the slow ones are counted. */
    private static final int COUNTED_PICTURES = 100;

    // What the loader logs of the JVM that it starts.
    private static final Pattern JAVA = Pattern.compile("(?:chosen|JAVA_HOME): Java (\\d+) in (.+)");
    private static final Pattern ARCHIVE = Pattern.compile("JVM option -XX:SharedArchiveFile=(.+)");

    /**
     * An element beside ffmpeg's filters.
     *
     * @param name name in the report
     * @param element as gst-launch-1.0 takes it
     */
    private record Compared(String name, String element) {}

    private final Installation installation;
    private final PipelineMeter meter;
    private final Path folder;
    private final Window window;
    private final VideoSize comparedSize;
    private final int rounds;
    private final Consumer<String> progress;
    private String device;

    /** The parts of the measurement, which can be chosen. */
    enum Part {
        OVERHEAD,
        START,
        SCAN,
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
     * @param comparedSize size of the pictures for {@link Part#COMPARISON} and {@link Part#WARM_UP}
     * @param rounds measurements of each pipeline, whose median is reported
     * @param progress receives lines of progress
     */
    ElementBenchmark(
            Installation installation,
            PipelineMeter meter,
            Path folder,
            Window window,
            VideoSize comparedSize,
            int rounds,
            Consumer<String> progress) {
        this.installation = installation;
        this.meter = meter;
        this.folder = folder;
        this.window = window;
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
        List<ElementReport.Overhead> overheads = parts.contains(Part.OVERHEAD) ? overheads() : List.of();
        List<ElementReport.Start> starts = parts.contains(Part.START) ? starts() : List.of();
        ElementReport.Scan scan = parts.contains(Part.SCAN) ? scan() : null;
        List<ElementReport.Comparison> comparisons = parts.contains(Part.COMPARISON) ? comparisons() : List.of();
        ElementReport.JavaUsed java = parts.contains(Part.WARM_UP) ? javaUsed() : null;
        List<ElementReport.WarmUp> warmUps = parts.contains(Part.WARM_UP) ? warmUps() : List.of();
        List<ElementReport.Scaling> scalings = parts.contains(Part.SCALING) ? scalings(sizes) : List.of();
        return new ElementReport(
                device, overheads, starts, scan, comparedSize.name(), comparisons, java, warmUps, scalings);
    }

    // A frame without the kernels

    /** A pipeline whose overhead is measured: in CPU time of its streaming thread, or of the whole process. */
    private record Loaded(String substrate, VideoSize size, boolean ofThread) {
        long cpuNanos(Reading reading) {
            return ofThread ? reading.threadCpuNanos() : reading.cpuNanos();
        }
    }

    private List<ElementReport.Overhead> overheads() {
        List<ElementReport.Overhead> results = new ArrayList<>();
        for (Loaded loaded : List.of(
                new Loaded("cpu", TINY, false),
                new Loaded("qpu", TINY, true),
                new Loaded("qpu", VideoSize.named("480p"), true))) {
            List<Double> micros = new ArrayList<>();
            double leastBytes = Double.MAX_VALUE;
            double mostCopies = 0;
            for (int round = 0; round < rounds; round++) {
                progress.accept("overhead: " + loaded.substrate + ", " + loaded.size.name() + ", round " + (round + 1));
                Optional<Reading> bare = filtered(loaded, "identity");
                Optional<Reading> with = filtered(loaded, PipelineCase.FILTER + " substrate=" + loaded.substrate);
                if (with.isEmpty()) {
                    break;
                }
                Reading reading = with.get();
                check(loaded.substrate, reading);
                micros.add(loaded.cpuNanos(reading) / 1e3 / reading.pictures()
                        - loaded.cpuNanos(bare.orElseThrow())
                                / 1e3
                                / bare.orElseThrow().pictures());
                leastBytes = Math.min(leastBytes, perPicture(reading, "java-bytes"));
                mostCopies = Math.max(mostCopies, perPicture(reading, "copies"));
            }
            if (!micros.isEmpty()) {
                results.add(new ElementReport.Overhead(
                        loaded.substrate,
                        loaded.size.name(),
                        loaded.ofThread ? "thread" : "process",
                        Medians.of(micros, Double::doubleValue),
                        BAR_MICROS,
                        leastBytes,
                        mostCopies));
            }
        }
        return results;
    }

    /** Measures the pipeline with this element. Empty if there is no device. */
    private Optional<Reading> filtered(Loaded loaded, String element) {
        TestPictures pictures = TestPictures.in(folder, loaded.size);
        try {
            return Optional.of(meter.measure(
                    new Window(window.warmUpSeconds(), window.seconds(), ENOUGH),
                    pictures.asSource("NV12", "system"),
                    line("appsrc name=source ! " + element + " ! fakesink name=sink")));
        } catch (PipelineFailedException e) {
            return withoutDevice(loaded.substrate, e);
        }
    }

    private <T> Optional<T> withoutDevice(String substrate, PipelineFailedException e) {
        if (!substrate.equals("qpu")) {
            throw new CommandFailedException(ExitStatus.PROBLEM, e.getMessage(), e);
        }
        progress.accept("not measured: " + e.getMessage());
        return Optional.empty();
    }

    /** Checks by the element's statistics that it ran on this substrate, with one submission per frame on a device. */
    private void check(String substrate, Reading reading) {
        ElementStats begin = reading.begin().orElseThrow();
        ElementStats end = reading.end().orElseThrow();
        long frames = end.since(begin, "frames");
        long submits = end.since(begin, "submits");
        if (!end.substrate().equals(substrate) || submits != (substrate.equals("qpu") ? frames : 0) || frames == 0) {
            throw new WrongResultException("asked for " + substrate + ", ran on " + end.substrate() + ": " + frames
                    + " frames, " + submits + " submissions");
        }
        if (substrate.equals("qpu")) {
            device = end.device();
        }
    }

    private static double perPicture(Reading reading, String field) {
        return (double) reading.end().orElseThrow().since(reading.begin().orElseThrow(), field) / reading.pictures();
    }

    /** Splits a pipeline into its words. */
    private static List<String> line(String text) {
        return List.of(text.split(" ", -1));
    }

    // The start of a process

    private List<ElementReport.Start> starts() {
        List<Double> identity = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        List<Double> qpu = new ArrayList<>();
        // The first run of each pipeline only fills caches.
        String missing = null;
        for (int round = 0; round <= 2 * rounds; round++) {
            progress.accept("start, round " + round + " of " + 2 * rounds);
            identity.add(launchSeconds("identity").orElseThrow());
            cpu.add(launchSeconds("qpuloopfilter substrate=cpu").orElseThrow());
            Optional<Double> onDevice =
                    missing == null ? launchSeconds("qpuloopfilter substrate=qpu") : Optional.empty();
            if (onDevice.isPresent()) {
                qpu.add(onDevice.get());
            } else {
                missing = "substrate=qpu does not run here";
            }
        }
        double bare = median(identity);
        return List.of(
                new ElementReport.Start("cpu", median(cpu), bare, median(cpu) - bare, CPU_START_BAR_SECONDS, null),
                missing == null
                        ? new ElementReport.Start(
                                "qpu", median(qpu), bare, median(qpu) - bare, QPU_START_BAR_SECONDS, null)
                        : new ElementReport.Start("qpu", null, bare, null, QPU_START_BAR_SECONDS, missing));
    }

    private static double median(List<Double> seconds) {
        return Medians.of(seconds.subList(1, seconds.size()), Double::doubleValue);
    }

    /** Measures a start in seconds. Empty if the pipeline does not run on the device. */
    private Optional<Double> launchSeconds(String element) {
        ChildProcess launch = new ChildProcess(
                line("gst-launch-1.0 -q videotestsrc num-buffers=1 ! " + element + " ! fakesink"),
                installation.environment());
        long begin = System.nanoTime();
        ChildProcess.Result result = launch.run(LAUNCH_LIMIT_SECONDS)
                .orElseThrow(() -> new CommandFailedException(
                        ExitStatus.UNAVAILABLE, "there is no gst-launch-1.0: apt install gstreamer1.0-tools"));
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (result.status() == 0) {
            return Optional.of(seconds);
        }
        if (element.endsWith("qpu")) {
            return Optional.empty();
        }
        throw new CommandFailedException(
                ExitStatus.PROBLEM, "this failed: " + launch.commandLine() + ": " + result.lastLines(4));
    }

    private ElementReport.Scan scan() {
        List<Long> nanos = new ArrayList<>();
        for (int round = 0; round < 3 * rounds; round++) {
            nanos.add(meter.scanNanos(installation.pluginFolder().resolve("libgstqpu.so")));
        }
        return new ElementReport.Scan(Medians.of(nanos, Long::doubleValue) / 1e6, SCAN_BAR_MILLIS);
    }

    // Beside ffmpeg

    private List<ElementReport.Comparison> comparisons() {
        TestPictures pictures = TestPictures.in(folder, comparedSize);
        List<List<Reading>> own = new ArrayList<>();
        COMPARED.forEach(compared -> own.add(new ArrayList<>()));
        List<List<Ffmpeg.Speed>> others = new ArrayList<>();
        FFMPEG_FILTERS.forEach(filter -> others.add(new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            progress.accept("beside ffmpeg, round " + (round + 1) + " of " + rounds);
            for (int i = 0; i < COMPARED.size(); i++) {
                own.get(i).add(compared(COMPARED.get(i), pictures));
            }
            int enough = (int) Math.max(30, own.get(0).get(round).picturesPerSecond() * window.seconds());
            for (int i = 0; i < others.size(); i++) {
                Ffmpeg.measure(pictures.i420(), comparedSize, FFMPEG_FILTERS.get(i), enough)
                        .ifPresent(others.get(i)::add);
            }
        }
        List<ElementReport.Comparison> results = new ArrayList<>();
        for (int i = 0; i < COMPARED.size(); i++) {
            results.add(new ElementReport.Comparison(
                    COMPARED.get(i).name,
                    Medians.of(own.get(i), Reading::picturesPerSecond),
                    Medians.of(own.get(i), Reading::cpuSecondsPerPicture)));
        }
        for (int i = 0; i < FFMPEG_FILTERS.size(); i++) {
            List<Ffmpeg.Speed> speeds = others.get(i);
            results.add(new ElementReport.Comparison(
                    "ffmpeg " + FFMPEG_FILTERS.get(i),
                    speeds.isEmpty() ? null : Medians.of(speeds, Ffmpeg.Speed::picturesPerSecond),
                    speeds.isEmpty() ? null : Medians.of(speeds, Ffmpeg.Speed::cpuSecondsPerPicture)));
        }
        return results;
    }

    /** Measures the element on two threads of the CPU, and checks that it filtered the pictures. */
    private Reading compared(Compared compared, TestPictures pictures) {
        PictureFile first = new PictureFile(
                folder.resolve("comparison.raw"), pictures.size().pictureBytes());
        List<String> options = new ArrayList<>(pictures.asSource("I420", "system"));
        options.addAll(List.of("--first", first.file() + ",1"));
        Reading reading;
        try {
            reading = meter.measure(
                    window,
                    options,
                    line("appsrc name=source ! " + compared.element + " substrate=cpu threads=2 ! fakesink name=sink"));
        } catch (PipelineFailedException e) {
            throw new CommandFailedException(ExitStatus.PROBLEM, e.getMessage(), e);
        }
        check("cpu", reading);
        PictureFile unfiltered =
                new PictureFile(pictures.i420(), pictures.size().pictureBytes());
        if (first.differs(0, unfiltered, 0, 0).isEmpty()) {
            throw new WrongResultException(compared.name + " does not change the test picture: "
                    + reading.end().orElseThrow().choice().strengths());
        }
        return reading;
    }

    // The first pictures of a process

    /** What the log of a short pipeline says of its JVM. */
    private ElementReport.JavaUsed javaUsed() {
        Map<String, String> environment = new HashMap<>(installation.environment());
        environment.put("GST_DEBUG", "qpuloopfilter:5");
        environment.put("GST_DEBUG_NO_COLOR", "1");
        ChildProcess launch = new ChildProcess(
                line("gst-launch-1.0 -q videotestsrc num-buffers=1 ! qpuloopfilter substrate=cpu ! fakesink"),
                environment);
        ChildProcess.Result result = launch.run(LAUNCH_LIMIT_SECONDS)
                .orElseThrow(() -> new CommandFailedException(
                        ExitStatus.UNAVAILABLE, "there is no gst-launch-1.0: apt install gstreamer1.0-tools"));
        Matcher java = JAVA.matcher(result.output());
        if (result.status() != 0 || !java.find()) {
            throw new CommandFailedException(
                    ExitStatus.PROBLEM, "this failed: " + launch.commandLine() + ": " + result.lastLines(4));
        }
        Matcher archive = ARCHIVE.matcher(result.output());
        return new ElementReport.JavaUsed(
                Integer.parseInt(java.group(1)), java.group(2), archive.find() ? archive.group(1) : null);
    }

    private List<ElementReport.WarmUp> warmUps() {
        TestPictures pictures = TestPictures.in(folder, comparedSize);
        List<List<FirstPictures>> runs = new ArrayList<>();
        WARMED.forEach(warmed -> runs.add(new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < WARMED.size(); i++) {
                progress.accept("warm-up: " + WARMED.get(i).name + ", round " + (round + 1));
                runs.get(i).add(firstPictures(WARMED.get(i), pictures));
            }
        }
        List<ElementReport.WarmUp> results = new ArrayList<>();
        for (int i = 0; i < WARMED.size(); i++) {
            String name = WARMED.get(i).name;
            List<ElementReport.WarmUp> rounds = runs.get(i).stream()
                    .map(run -> warmUp(name, run))
                    .sorted(Comparator.comparingInt(ElementReport.WarmUp::slow))
                    .toList();
            results.add(rounds.get(rounds.size() / 2));
        }
        return results;
    }

    private static ElementReport.WarmUp warmUp(String name, FirstPictures run) {
        List<Double> millis = run.nanos().stream().map(nanos -> nanos / 1e6).toList();
        double median = Medians.of(millis.subList(millis.size() / 2, millis.size()), Double::doubleValue);
        return new ElementReport.WarmUp(
                name,
                run.firstNanos() / 1e9,
                median,
                (int) millis.stream()
                        .limit(COUNTED_PICTURES)
                        .filter(one -> one > 2 * median)
                        .count(),
                run.end().number("warm-up-time") / 1e9,
                millis);
    }

    /** Times the first pictures, and checks that a cold process filters as a warm one does. */
    private FirstPictures firstPictures(Compared warmed, TestPictures pictures) {
        int bytes = pictures.size().pictureBytes();
        PictureFile first = new PictureFile(folder.resolve("warm-up-first.raw"), bytes);
        PictureFile last = new PictureFile(folder.resolve("warm-up-last.raw"), bytes);
        List<String> options = new ArrayList<>(pictures.asSource("I420", "system"));
        options.addAll(List.of(
                "--first",
                first.file() + "," + TestPictures.COUNT,
                "--last",
                last.file().toString()));
        FirstPictures run;
        try {
            run = meter.timeEach(
                    FIRST_PICTURES,
                    options,
                    line("appsrc name=source ! " + warmed.element + " substrate=cpu threads=2 ! fakesink name=sink"));
        } catch (PipelineFailedException e) {
            throw new CommandFailedException(ExitStatus.PROBLEM, e.getMessage(), e);
        }
        if (!run.end().substrate().equals("cpu") || run.nanos().size() != FIRST_PICTURES) {
            throw new WrongResultException("asked for " + FIRST_PICTURES + " pictures on cpu, got "
                    + run.nanos().size() + " on " + run.end().substrate());
        }
        int index = (int) (run.last() % TestPictures.COUNT);
        if (first.differs(index, new PictureFile(pictures.i420(), bytes), index, 0)
                .isEmpty()) {
            throw new WrongResultException(warmed.name + " does not change the test picture");
        }
        // Automatic strength learns from picture to picture, so that a picture that comes again may be filtered
        // otherwise.
        Optional<String> wrong =
                warmed.element.equals(PipelineCase.FILTER) ? first.differs(index, last, 0, 0) : Optional.empty();
        if (wrong.isPresent()) {
            throw new WrongResultException(warmed.name + ", picture " + index + " cold and warm: " + wrong.get());
        }
        return run;
    }

    // Sizes and instances

    private List<ElementReport.Scaling> scalings(List<VideoSize> sizes) {
        List<ElementReport.Scaling> results = new ArrayList<>();
        for (VideoSize size : sizes) {
            TestPictures pictures = TestPictures.in(folder, size);
            Optional<PictureFile> expected = Optional.empty();
            for (String substrate : List.of("cpu", "qpu")) {
                for (int instances = 1; instances <= MOST_INSTANCES; instances++) {
                    List<Reading> readings = new ArrayList<>();
                    PictureFile first = new PictureFile(
                            folder.resolve("scaling-" + substrate + "-" + instances + ".raw"), size.pictureBytes());
                    for (int round = 0; round < rounds; round++) {
                        progress.accept("scaling: " + substrate + ", " + size.name() + ", " + instances
                                + " at once, round " + (round + 1));
                        many(pictures, substrate, instances, first.file()).ifPresent(readings::add);
                    }
                    if (readings.isEmpty()) {
                        break;
                    }
                    // The first run is one element on the CPU, and must change the pictures. All others must give the
                    // same.
                    PictureFile unfiltered = new PictureFile(pictures.nv12(), size.pictureBytes());
                    if (expected.isEmpty() && first.differs(0, unfiltered, 0, 0).isEmpty()) {
                        throw new WrongResultException(
                                "the filter does not change the test picture: there is nothing to measure");
                    }
                    Optional<String> wrong = first.differs(0, expected.orElse(first), 0, 0);
                    if (wrong.isPresent()) {
                        throw new WrongResultException(
                                substrate + ", " + size.name() + ", " + instances + " at once: " + wrong.get());
                    }
                    expected = expected.or(() -> Optional.of(first));
                    double nanos = Medians.of(readings, reading -> (double) reading.wallNanos() / reading.pictures());
                    results.add(new ElementReport.Scaling(
                            substrate, size.name(), instances, nanos / 1e6, nanos / size.width() / size.height()));
                }
            }
        }
        return results;
    }

    private Optional<Reading> many(TestPictures pictures, String substrate, int instances, Path first) {
        StringBuilder pipeline = new StringBuilder(
                "appsrc name=source ! " + PipelineCase.FILTER + " substrate=" + substrate + " ! fakesink name=sink");
        for (int i = 2; i <= instances; i++) {
            pipeline.append(" appsrc name=source" + i + " ! " + PipelineCase.FILTER.replace(" name=filter", "")
                    + " substrate=" + substrate + " ! fakesink name=sink" + i);
        }
        List<String> options = new ArrayList<>(pictures.asSource("NV12", "system"));
        options.addAll(List.of("--first", first + ",1"));
        try {
            Reading reading = meter.measure(
                    new Window(window.warmUpSeconds(), window.seconds(), 2), options, line(pipeline.toString()));
            check(substrate, reading);
            return Optional.of(reading);
        } catch (PipelineFailedException e) {
            return withoutDevice(substrate, e);
        }
    }
}
