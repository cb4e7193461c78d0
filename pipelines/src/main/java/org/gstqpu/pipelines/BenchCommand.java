/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import org.gstqpu.pipelines.bench.dispatch.BenchCommandsCommand;
import org.gstqpu.pipelines.bench.dispatch.BenchOverheadCommand;
import org.gstqpu.pipelines.bench.kernels.BenchKernelsCommand;
import org.gstqpu.pipelines.bench.kernels.BenchMetricsCommand;
import org.gstqpu.pipelines.bench.kernels.BenchPicturesCommand;
import org.gstqpu.pipelines.bench.kernels.BenchV3dCommand;
import org.gstqpu.pipelines.bench.stream.BenchElementCommand;
import org.gstqpu.pipelines.bench.stream.BenchPipelineCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code qpu bench}, the parent of the benchmarks. Lives on the main thread. */
@Command(
        name = "bench",
        description = {
            "Measures what the kernels, their dispatch and the element cost on this machine.",
            "Every result is checked and every submission is counted before a time is printed."
        },
        subcommands = {
            BenchOverheadCommand.class,
            BenchCommandsCommand.class,
            BenchKernelsCommand.class,
            BenchPicturesCommand.class,
            BenchMetricsCommand.class,
            BenchPipelineCommand.class,
            BenchElementCommand.class,
            BenchV3dCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine commandLine = spec.commandLine();
        throw new ParameterException(
                commandLine,
                "name a benchmark: one of "
                        + String.join(", ", commandLine.getSubcommands().keySet()));
    }
}
