/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import static org.gstqpu.pipelines.cli.ChildProcess.words;
import static org.gstqpu.pipelines.cli.CommandFailedException.problem;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.TemporaryFile;
import org.gstqpu.pipelines.media.ElementStats;

/**
 * A run of {@code gst-launch-1.0} with GStreamer's tracer of latencies, which writes a line for each picture that leaves an element.
 * Immutable.
 *
 * @param pictures those that left an element whose name begins with {@code filter}, in their order; of a run that was measured
 *     those after its warm-up
 * @param cores processors that the process used while it was measured, on average; 0 if it was not
 * @param log what the elements log up to level DEBUG
 */
record TracedRun(List<Traced> pictures, double cores, String log) {
    private static final long LIMIT_SECONDS = 600;
    private static final Pattern LATENCY = Pattern.compile(
            "element-latency, .*element=\\(string\\)(filter\\d*), .*time=\\(guint64\\)(\\d+), ts=\\(guint64\\)(\\d+);");

    TracedRun {
        pictures = List.copyOf(pictures);
    }

    /**
     * A picture.
     *
     * @param element the name of the element
     * @param nanos how long it was in the element
     * @param leftAt when it left the element, in nanoseconds since GStreamer's start
     */
    record Traced(String element, long nanos, long leftAt) {}

    /** A pipeline did not run. The message says why. */
    static final class PipelineFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        PipelineFailedException(String message) {
            super(message);
        }
    }

    /** How long a run is measured. */
    private record Measuring(int elements, double warmUpSeconds, double seconds) {}

    /**
     * Runs a pipeline to its end.
     *
     * @param pipeline as gst-launch-1.0 takes it, without quotes
     * @throws PipelineFailedException when it does not run
     */
    static TracedRun whole(Installation installation, String pipeline) throws PipelineFailedException {
        return of(installation, pipeline, Optional.empty());
    }

    /**
     * Runs a pipeline for some time. On a slow or busy machine that becomes longer: warm-up ends when each element has given a
     * picture, and measuring when each has given two more, which is what {@link #picturesPerSecond} needs.
     *
     * @param pipeline as gst-launch-1.0 takes it, without quotes; it does not end by itself
     * @param elements of the pipeline that are measured, whose names begin with {@code filter}
     * @param warmUpSeconds before it is measured, from the start of the process on
     * @param seconds for which it is measured, and then interrupted
     * @throws PipelineFailedException when it does not run
     */
    static TracedRun measured(
            Installation installation, String pipeline, int elements, double warmUpSeconds, double seconds)
            throws PipelineFailedException {
        return of(installation, pipeline, Optional.of(new Measuring(elements, warmUpSeconds, seconds)));
    }

    private static TracedRun of(Installation installation, String pipeline, Optional<Measuring> measuring)
            throws PipelineFailedException {
        List<String> command = words("gst-launch-1.0 -q " + pipeline);
        Process process = null;
        try (TemporaryFile log = TemporaryFile.create(".log")) {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.path().toFile());
            builder.environment().putAll(installation.environment());
            builder.environment()
                    .putAll(Map.of(
                            "GST_TRACERS", "latency(flags=element)",
                            "GST_DEBUG", "GST_TRACER:7,qpuloopfilter:5",
                            "GST_DEBUG_NO_COLOR", "1"));
            process = builder.start();
            int warmUps = 0;
            double cores = 0;
            if (measuring.isPresent()) {
                Measuring how = measuring.get();
                warmUps = await(process, log.path(), how.warmUpSeconds, how.elements, 0, 1);
                Duration before = cpu(process);
                long begin = System.nanoTime();
                await(process, log.path(), how.seconds, how.elements, warmUps, 2);
                cores = (double) cpu(process).minus(before).toNanos() / (System.nanoTime() - begin);
                new ChildProcess(words("kill -INT %s", process.pid()), Map.of()).run(LIMIT_SECONDS);
            }
            sleep(process, LIMIT_SECONDS);
            TracedRun run = read(log.path());
            if (process.isAlive() || process.exitValue() != 0) {
                throw new PipelineFailedException(run.log
                        .lines()
                        .filter(line -> line.startsWith("ERROR") || line.startsWith("WARNING"))
                        .findFirst()
                        .orElse("the pipeline did not end well: " + run.log));
            }
            return new TracedRun(run.pictures.subList(warmUps, run.pictures.size()), cores, run.log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw problem("interrupted during: " + pipeline, e);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    /**
     * Waits so long, and then until each element has given so many pictures, or until the process ends. The log is read after
     * that time alone: it costs what is measured a processor.
     *
     * @param skipped pictures from the beginning that do not count
     * @return all pictures until now
     */
    private static int await(Process process, Path log, double seconds, int elements, int skipped, int each)
            throws InterruptedException, IOException {
        long begin = System.nanoTime();
        sleep(process, seconds);
        while (true) {
            List<Traced> pictures = read(log).pictures;
            Collection<List<Traced>> came =
                    byElement(pictures.subList(skipped, pictures.size())).values();
            if ((came.size() >= elements && came.stream().allMatch(one -> one.size() >= each)) || !process.isAlive()) {
                return pictures.size();
            }
            if (System.nanoTime() - begin > (seconds + LIMIT_SECONDS) * 1e9) {
                throw tooFew();
            }
            sleep(process, 0.2);
        }
    }

    private static Map<String, List<Traced>> byElement(List<Traced> pictures) {
        return pictures.stream().collect(Collectors.groupingBy(Traced::element));
    }

    /** Waits so long, or until the process ends. */
    private static void sleep(Process process, double seconds) throws InterruptedException {
        process.waitFor(Math.round(seconds * 1000), TimeUnit.MILLISECONDS);
    }

    private static Duration cpu(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static TracedRun read(Path file) throws IOException {
        List<Traced> pictures = new ArrayList<>();
        StringBuilder log = new StringBuilder();
        // The names of devices are UTF-8, but lines that a crash cuts off may not be.
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher latency = LATENCY.matcher(line);
                if (latency.find()) {
                    pictures.add(new Traced(
                            latency.group(1), Long.parseLong(latency.group(2)), Long.parseLong(latency.group(3))));
                } else if (!line.contains(" GST_TRACER ")) {
                    log.append(line).append('\n');
                }
            }
        }
        return new TracedRun(pictures, 0, log.toString());
    }

    /** Pictures a second, of all elements together. */
    double picturesPerSecond() {
        return byElement(pictures).values().stream()
                .mapToDouble(TracedRun::rate)
                .sum();
    }

    private static double rate(List<Traced> ofAnElement) {
        int intervals = ofAnElement.size() - 1;
        if (intervals < 1) {
            throw tooFew();
        }
        return intervals * 1e9 / (ofAnElement.get(intervals).leftAt - ofAnElement.get(0).leftAt);
    }

    private static CommandFailedException tooFew() {
        return problem("an element gave fewer than two pictures within " + LIMIT_SECONDS + " s");
    }

    /** The statistics of the element that ended last. */
    ElementStats stats() {
        return ElementStats.find(log)
                .orElseThrow(() -> problem("the element printed no statistics; see GST_DEBUG=qpuloopfilter:4"));
    }
}
