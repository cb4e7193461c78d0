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
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementStats;

/**
 * Measures GStreamer pipelines. Each runs in its own process, in the program of {@code pipelines/src/main/c/meter}. Immutable;
 * any thread.
 *
 * @param program the compiled program
 * @param environment environment variables of its processes, in addition to those of this process
 */
record PipelineMeter(Path program, Map<String, String> environment) {
    private static final long BUILD_LIMIT_SECONDS = 120;
    private static final long RUN_LIMIT_SECONDS = 600;

    /** Exit status of the program after an error of the pipeline. */
    private static final int PIPELINE_FAILED = 1;

    PipelineMeter {
        environment = Map.copyOf(environment);
    }

    /**
     * The length of a measurement.
     *
     * @param warmUpSeconds time before the measurement, in which the JVM compiles
     * @param seconds length of the measurement
     * @param least least number of pictures; the measurement takes longer if necessary
     */
    record Window(double warmUpSeconds, double seconds, int least) {}

    /**
     * The measurement of a pipeline in its steady state.
     *
     * @param pictures pictures that arrived at the sinks
     * @param wallNanos length of the measurement
     * @param cpuNanos CPU time of the process during the measurement
     * @param threadCpuNanos CPU time of the thread on which the pictures arrived; 0 if there were several such threads
     * @param last number of the last picture, counted from 0
     * @param begin statistics of the element named "filter" at the beginning; empty if there is no such element
     * @param end statistics of that element at the end
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

    /**
     * The first pictures of a pipeline.
     *
     * @param firstNanos from PLAYING until the first picture left the element named "filter"
     * @param nanos time of each picture in that element
     * @param last number of the last picture, counted from 0
     * @param end statistics of that element at the end
     */
    record FirstPictures(long firstNanos, List<Long> nanos, long last, ElementStats end) {
        FirstPictures {
            nanos = List.copyOf(nanos);
        }
    }

    /** The exit status of a process that a signal ended is this plus the number of the signal. */
    private static final int SIGNALLED = 128;

    /** A pipeline did not run. The message is the error of the pipeline. */
    static final class PipelineFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean crashed;

        PipelineFailedException(String message, boolean crashed) {
            super(message);
            this.crashed = crashed;
        }

        /** True if a signal ended the process, false if the pipeline reported an error. */
        boolean crashed() {
            return crashed;
        }
    }

    /**
     * Builds the program.
     *
     * @param folder the folder for the built program
     * @throws CommandFailedException when a compiler or headers are missing, or the plugin is not built
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
                    "the measuring program cannot be built: "
                            + built.lastLines(1).strip());
        }
        return of(program, installation);
    }

    /** Uses a program that was built before. */
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

    /** Returns a copy with one more environment variable. */
    PipelineMeter with(String variable, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(variable, value);
        return new PipelineMeter(program, more);
    }

    /**
     * Runs a pipeline and measures it.
     *
     * @param options options of the program, for input pictures and for pictures to write
     * @param pipeline the words of the pipeline, as gst-launch-1.0 takes them
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
     * Runs a pipeline, in a new process, and takes the time of each of its first pictures.
     *
     * @param options options of the program, for input pictures and for pictures to write
     * @param pipeline the words of the pipeline, as gst-launch-1.0 takes them
     * @throws PipelineFailedException when the pipeline does not run
     */
    FirstPictures timeEach(int pictures, List<String> options, List<String> pipeline) throws PipelineFailedException {
        List<String> arguments = new ArrayList<>(List.of("--each", Integer.toString(pictures)));
        arguments.addAll(options);
        arguments.addAll(pipeline);
        Map<String, String> lines = run(arguments);
        long firstNanos = number(lines, "first-ns");
        return new FirstPictures(
                firstNanos,
                Stream.of(lines.get("each").split(",", -1)).map(Long::valueOf).toList(),
                number(lines, "last"),
                ElementStats.find(lines.get("stats-end")).orElseThrow());
    }

    /**
     * Measures how many nanoseconds a new process takes to load a plugin file, as a scan for the registry does.
     *
     * @throws CommandFailedException when the file cannot be loaded
     */
    long scanNanos(Path plugin) {
        try {
            return number(run(List.of("--scan", plugin.toString())), "wall-ns");
        } catch (PipelineFailedException e) {
            throw new CommandFailedException(ExitStatus.PROBLEM, e.getMessage(), e);
        }
    }

    /** Runs the program. Returns the lines of its output, with the first word of each as its key. */
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

    /** Creates the folder for the files of a benchmark, unless it exists. */
    static Path workFolder(Path folder) {
        try {
            return Files.createDirectories(folder).toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
