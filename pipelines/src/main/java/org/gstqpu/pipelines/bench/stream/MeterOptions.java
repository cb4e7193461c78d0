/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.nio.file.Path;
import java.util.Optional;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of the commands that measure pipelines. Lives on the main thread. */
final class MeterOptions {
    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "measurements of each case; their median is printed (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "2",
            description = "length of each measurement, in seconds (default: ${DEFAULT-VALUE})")
    private double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "8",
            description = "warm-up before each measurement, for the JVM to compile (default: ${DEFAULT-VALUE})")
    private double warmUpSeconds;

    @Option(
            names = "--work",
            paramLabel = "FOLDER",
            description =
                    "the folder that keeps test pictures (default: pipelines/target/bench in a source tree, else qpu-bench)")
    private Optional<Path> work;

    @Option(
            names = "--meter",
            paramLabel = "FILE",
            description =
                    "the measuring program, if pipelines/src/main/c/meter/build has built it already (default: built now)")
    private Optional<Path> program;

    @Option(names = "--plot", paramLabel = "FILE.png", description = "also draw the results into this file")
    private Optional<Path> plot;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    private Optional<PipelineMeter> made = Optional.empty();

    int rounds() {
        Measurement.require("--rounds", 1, rounds);
        return rounds;
    }

    /** The length of warm-up and measurement. */
    PipelineMeter.Window window() {
        if (!(seconds > 0) || !(warmUpSeconds >= 0)) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    "--seconds is more than 0 and --warm-up is 0 or more, given " + seconds + " and " + warmUpSeconds);
        }
        return new PipelineMeter.Window(warmUpSeconds, seconds, 5);
    }

    /** The folder for test pictures, created if it does not exist. */
    Path folder() {
        return PipelineMeter.workFolder(
                work.orElseGet(() -> Installation.current().benchFolder()));
    }

    /** The measuring program that was named; if none was, it is built once. */
    PipelineMeter meter() {
        if (made.isEmpty()) {
            Installation installation = Installation.current();
            made = Optional.of(
                    program.isPresent()
                            ? PipelineMeter.of(program.get().toAbsolutePath(), installation)
                            : PipelineMeter.build(installation, folder()));
        }
        return made.get();
    }

    Optional<Path> plot() {
        return plot;
    }

    boolean json() {
        return json;
    }

    /** Prints a line of progress, unless the output is JSON. */
    void progress(CommandSpec spec, String line) {
        if (!json) {
            spec.commandLine().getErr().println(line);
            spec.commandLine().getErr().flush();
        }
    }
}
