/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import org.gstqpu.pipelines.bench.kernels.BenchMetricsCommand;
import org.gstqpu.pipelines.bench.kernels.BenchPicturesCommand;
import org.gstqpu.pipelines.bench.kernels.BenchV3dCommand;
import org.gstqpu.pipelines.bench.stream.BenchElementCommand;
import org.gstqpu.pipelines.cli.TopCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command {@code pipelines/bench}, the parent of the benchmarks. Lives on the main thread. */
@Command(
        name = "bench",
        description = {
            "Measures what the kernels and the element cost on this machine.",
            "Every result is checked and every submission is counted before a time is printed."
        },
        subcommands = {
            BenchPicturesCommand.class,
            BenchMetricsCommand.class,
            BenchElementCommand.class,
            BenchV3dCommand.class
        },
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        version = "of this source tree",
        synopsisSubcommandLabel = "COMMAND")
public final class BenchCommand {
    private BenchCommand() {}

    /** Runs the command line and ends the process with its exit status. */
    public static void main(String[] arguments) {
        TopCommand.run("bench", new BenchCommand(), arguments);
    }

    /** Makes a command line that can be executed any number of times, one after the other. */
    static CommandLine commandLine() {
        return TopCommand.commandLine(new BenchCommand());
    }
}
