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
            description = "turns of every case, of which the median is printed (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "2",
            description = "length of each measurement (default: ${DEFAULT-VALUE})")
    private double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "8",
            description = "before each measurement, for the JVM to compile (default: ${DEFAULT-VALUE})")
    private double warmUpSeconds;

    @Option(
            names = "--work",
            paramLabel = "FOLDER",
            description =
                    "where test pictures are made and kept (default: pipelines/target/bench in a working copy, else qpu-bench)")
    private Optional<Path> work;

    @Option(
            names = "--meter",
            paramLabel = "FILE",
            description =
                    "the program that measures, as pipelines/src/main/c/meter/build makes it (default: built now)")
    private Optional<Path> program;

    @Option(names = "--plot", paramLabel = "FILE.png", description = "draw the results, too")
    private Optional<Path> plot;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    private Optional<PipelineMeter> made = Optional.empty();

    int rounds() {
        Measurement.require("--rounds", 1, rounds);
        return rounds;
    }

    /** How long is measured. */
    PipelineMeter.Window window() {
        if (!(seconds > 0) || !(warmUpSeconds >= 0)) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    "--seconds is more than 0 and --warm-up not less, given " + seconds + " and " + warmUpSeconds);
        }
        return new PipelineMeter.Window(warmUpSeconds, seconds, 5);
    }

    /** The folder, which is there. */
    Path folder() {
        return PipelineMeter.workFolder(
                work.orElseGet(() -> Installation.current().benchFolder()));
    }

    /** The program that measures, built where none was named. */
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

    /** Says what is done, to someone who looks on; not where a program reads. */
    void progress(CommandSpec spec, String line) {
        if (!json) {
            spec.commandLine().getErr().println(line);
            spec.commandLine().getErr().flush();
        }
    }
}
