/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementStats;

/**
 * Measures GStreamer pipelines, each in a process of its own, by the program in {@code pipelines/src/main/c/meter}. Immutable;
 * any thread.
 *
 * @param program that program, built
 * @param environment what its processes get beside this one's
 */
record PipelineMeter(Path program, Map<String, String> environment) {
    private static final long BUILD_LIMIT_SECONDS = 120;
    private static final long RUN_LIMIT_SECONDS = 600;

    /** The program's exit status after an error of the pipeline. */
    private static final int PIPELINE_FAILED = 1;

    PipelineMeter {
        environment = Map.copyOf(environment);
    }

    /**
     * How long is measured.
     *
     * @param warmUpSeconds before the measurement, in which the JVM compiles
     * @param seconds length of the measurement
     * @param least pictures that it has at least
     */
    record Window(double warmUpSeconds, double seconds, int least) {}

    /**
     * What a pipeline did in its steady state.
     *
     * @param pictures that arrived
     * @param wallNanos in which they did
     * @param cpuNanos the process's time on the CPU meanwhile
     * @param threadCpuNanos that of the thread on which they arrived, 0 where they arrived on several
     * @param last number of the last of them, from 0 on
     * @param begin statistics of the element named "filter" at the begin, empty where there is none
     * @param end the same at the end
     */
    record Reading(
            long pictures,
            long wallNanos,
            long cpuNanos,
            long threadCpuNanos,
            long last,
            Optional<ElementStats> begin,
            Optional<ElementStats> end) {
        double picturesPerSecond() {
            return pictures * 1e9 / wallNanos;
        }

        double cpuSecondsPerPicture() {
            return cpuNanos / 1e9 / pictures;
        }
    }

    /** A process that a signal ended has this plus the signal as its status. */
    private static final int SIGNALLED = 128;

    /** A pipeline did not run; the message is its error. */
    static final class PipelineFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean crashed;

        PipelineFailedException(String message, boolean crashed) {
            super(message);
            this.crashed = crashed;
        }

        /** Whether a signal ended the process; else it said an error. */
        boolean crashed() {
            return crashed;
        }
    }

    /**
     * Builds the program.
     *
     * @param folder where to leave it
     * @throws CommandFailedException when there is nothing to build it with, or the plugin is not built
     */
    static PipelineMeter build(Installation installation, Path folder) {
        installation.requirePlugin();
        Path program = folder.resolve("pipelinemeter");
        Path script = installation.sources().resolve("meter/build");
        ChildProcess.Result built = new ChildProcess(List.of("bash", script.toString(), program.toString()), Map.of())
                .run(BUILD_LIMIT_SECONDS)
                .orElseThrow(() -> new CommandFailedException(
                        ExitStatus.UNAVAILABLE, "there is no bash to build the meter with: apt install bash"));
        if (built.status() != 0) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    "the program that measures cannot be built: "
                            + built.lastLines(1).strip());
        }
        return of(program, installation);
    }

    /** The program as it was built before. */
    static PipelineMeter of(Path program, Installation installation) {
        if (!Files.isExecutable(program)) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    program + ": no such program; build it with pipelines/src/main/c/meter/build");
        }
        Map<String, String> environment = new HashMap<>(installation.environment());
        environment.put("GST_DEBUG", "0");
        return new PipelineMeter(program, environment);
    }

    /** The same with one environment variable more. */
    PipelineMeter with(String variable, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(variable, value);
        return new PipelineMeter(program, more);
    }

    /**
     * Runs a pipeline and measures it.
     *
     * @param options of the program, for pictures that go in and come out
     * @param pipeline as gst-launch-1.0 takes it
     * @throws PipelineFailedException when the pipeline does not run
     */
    Reading measure(Window window, List<String> options, List<String> pipeline) throws PipelineFailedException {
        List<String> arguments = new ArrayList<>(List.of(
                "--warm-up",
                Double.toString(window.warmUpSeconds()),
                "--measure",
                Double.toString(window.seconds()),
                "--least",
                Integer.toString(window.least())));
        arguments.addAll(options);
        arguments.addAll(pipeline);
        Map<String, String> lines = run(arguments);
        return new Reading(
                number(lines, "pictures"),
                number(lines, "wall-ns"),
                number(lines, "cpu-ns"),
                number(lines, "thread-cpu-ns"),
                number(lines, "last"),
                Optional.ofNullable(lines.get("stats-begin")).flatMap(ElementStats::find),
                Optional.ofNullable(lines.get("stats-end")).flatMap(ElementStats::find));
    }

    /**
     * Nanoseconds that a fresh process takes to load a plugin file, as for a scan of the registry.
     *
     * @throws CommandFailedException when it cannot be loaded
     */
    long scanNanos(Path plugin) {
        try {
            return number(run(List.of("--scan", plugin.toString())), "wall-ns");
        } catch (PipelineFailedException e) {
            throw new CommandFailedException(ExitStatus.PROBLEM, e.getMessage(), e);
        }
    }

    /** What the program printed, by the first word of each line. */
    private Map<String, String> run(List<String> arguments) throws PipelineFailedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        ChildProcess child = new ChildProcess(command, environment);
        ChildProcess.Result result = child.run(RUN_LIMIT_SECONDS)
                .orElseThrow(() -> new CommandFailedException(ExitStatus.UNAVAILABLE, program + ": no such program"));
        Map<String, String> lines = new HashMap<>();
        result.output().lines().forEach(line -> {
            int space = line.indexOf(' ');
            if (space > 0) {
                lines.put(line.substring(0, space), line.substring(space + 1));
            }
        });
        if (result.status() == PIPELINE_FAILED && lines.containsKey("error")) {
            throw new PipelineFailedException(lines.get("error"), false);
        }
        if (result.status() > SIGNALLED) {
            throw new PipelineFailedException(
                    "signal " + (result.status() - SIGNALLED) + " ended " + child.commandLine(), true);
        }
        if (result.status() != 0) {
            throw new CommandFailedException(
                    ExitStatus.PROBLEM,
                    "this failed with status " + result.status() + ": " + child.commandLine() + ": "
                            + result.lastLines(8));
        }
        return lines;
    }

    private long number(Map<String, String> lines, String word) {
        String text = lines.get(word);
        if (text == null) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    program + " is not what pipelines/src/main/c/meter/build makes, it printed no " + word
                            + ": build it anew");
        }
        return Long.parseLong(text);
    }

    /** A folder for what a benchmark makes, made where it is not there. */
    static Path workFolder(Path folder) {
        try {
            return Files.createDirectories(folder).toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
