/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.JsonReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code pipelines/bench v3d}: what the kernels cost on V3D by the count of its compiler. Needs no V3D. Lives on the main thread. */
@Command(
        name = "v3d",
        description = {
            "Compiles every kernel for V3D 7.1, the GPU of a Raspberry Pi 5, and counts what an 8x8 block of luma samples costs"
                    + " there. No Raspberry Pi is needed.",
            "inst, requests, read, stored: counts over the whole kernel, each instruction once; slots/8x8: issue slots for the"
                    + " invocations of an 8x8 block, 16 at a time, with every loop and both sides of every branch; bar: the"
                    + " limit for slots/8x8."
        })
public final class BenchV3dCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--tool",
            required = true,
            paramLabel = "PATH",
            description =
                    "the offline compiler v3dstat: it takes SPIR-V and constants as ID=VALUE, and prints JSON with -j and the"
                            + " assembly with -a")
    private Path tool;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        return Measurement.measure(() -> {
            V3dReport report = V3dReport.of(new V3dCompiler(tool));
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                JsonReport.print(out, report);
            } else {
                out.print(report.table());
                out.flush();
            }
        });
    }
}
