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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.TemporaryFile;
import org.gstqpu.pipelines.media.ElementStats;

/**
 * A run of {@code gst-launch-1.0} with GStreamer's tracer of latencies, which writes a line for each picture that leaves an element.
 * Immutable.
 *
 * @param pictures those that left an element whose name begins with {@code filter}, in their order
 * @param cores processors that the process used while it was measured, on average; 0 if it was not
 * @param log what the elements log up to level DEBUG
 */
record TracedRun(List<Traced> pictures, double cores, String log) {
    private static final long LIMIT_SECONDS = 600;
    private static final Pattern LATENCY = Pattern.compile(
            "element-latency, .*element=\\(string\\)filter\\d*, .*time=\\(guint64\\)(\\d+), ts=\\(guint64\\)(\\d+);");

    TracedRun {
        pictures = List.copyOf(pictures);
    }

    /**
     * A picture.
     *
     * @param nanos how long it was in the element
     * @param leftAt when it left the element, in nanoseconds since GStreamer's start
     */
    record Traced(long nanos, long leftAt) {}

    /** A pipeline did not run. The message says why. */
    static final class PipelineFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        PipelineFailedException(String message) {
            super(message);
        }
    }

    /**
     * Runs a pipeline to its end, or for some time.
     *
     * @param pipeline as gst-launch-1.0 takes it, without quotes
     * @param warmUpSeconds before it is measured, from the start of the process on
     * @param seconds for which it is measured, and then interrupted; 0 to let it run to its end
     * @throws PipelineFailedException when it does not run
     */
    static TracedRun of(Installation installation, String pipeline, double warmUpSeconds, double seconds)
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
            double cores = 0;
            if (seconds > 0) {
                sleep(process, warmUpSeconds);
                Duration before = cpu(process);
                long begin = System.nanoTime();
                sleep(process, seconds);
                cores = (double) cpu(process).minus(before).toNanos() / (System.nanoTime() - begin);
                new ChildProcess(words("kill -INT %s", process.pid()), Map.of()).run(LIMIT_SECONDS);
            }
            sleep(process, LIMIT_SECONDS);
            return read(log.path(), cores, !process.isAlive() && process.exitValue() == 0);
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

    /** Waits so long, or until the process ends. */
    private static void sleep(Process process, double seconds) throws InterruptedException {
        process.waitFor(Math.round(seconds * 1000), TimeUnit.MILLISECONDS);
    }

    private static Duration cpu(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static TracedRun read(Path file, double cores, boolean succeeded)
            throws IOException, PipelineFailedException {
        List<Traced> pictures = new ArrayList<>();
        StringBuilder log = new StringBuilder();
        // The names of devices are UTF-8, but lines that a crash cuts off may not be.
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher latency = LATENCY.matcher(line);
                if (latency.find()) {
                    pictures.add(new Traced(Long.parseLong(latency.group(1)), Long.parseLong(latency.group(2))));
                } else if (!line.contains(" GST_TRACER ")) {
                    log.append(line).append('\n');
                }
            }
        }
        if (!succeeded) {
            throw new PipelineFailedException(log.toString()
                    .lines()
                    .filter(line -> line.startsWith("ERROR") || line.startsWith("WARNING"))
                    .findFirst()
                    .orElse("the pipeline did not end well: " + log));
        }
        return new TracedRun(pictures, cores, log.toString());
    }

    /** Pictures a second among those of the last seconds. */
    double picturesPerSecond(double seconds) {
        long end = pictures.isEmpty() ? 0 : pictures.get(pictures.size() - 1).leftAt;
        List<Traced> last = pictures.stream()
                .filter(picture -> end - picture.leftAt <= seconds * 1e9)
                .toList();
        if (last.size() < 2) {
            throw problem("fewer than two pictures within " + seconds + " s: give more --seconds, and more --warm-up");
        }
        return (last.size() - 1) * 1e9 / (end - last.get(0).leftAt);
    }

    /** The statistics of the element that ended last. */
    ElementStats stats() {
        return ElementStats.find(log)
                .orElseThrow(() -> problem("the element printed no statistics; see GST_DEBUG=qpuloopfilter:4"));
    }
}
