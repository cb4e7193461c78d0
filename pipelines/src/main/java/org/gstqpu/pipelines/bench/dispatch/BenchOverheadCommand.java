/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.DeviceOptions;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.cli.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code qpu bench overhead}: measures a dispatch stage by stage, and the last stage in C. Lives on the main thread. */
@Command(
        name = "overhead",
        description = {
            "Measures what a dispatch of 8 VP9 IDCT 8x8 blocks costs, in stages. The first stage makes all Vulkan objects but the"
                    + " pipeline for each dispatch; each later stage keeps more of them. The last stage is also measured in C,"
                    + " taking turns with Java.",
            "cold: the first dispatch with everything that is made for it, pipeline included; p50, p90, mean: of the other"
                    + " dispatches."
        })
public final class BenchOverheadCommand implements Callable<Integer> {
    /** Largest absolute coefficient. With it, every intermediate value fits 16 bits. */
    private static final int COEFFICIENT_LIMIT = 255;

    @Spec
    private CommandSpec spec;

    @Mixin
    private DeviceOptions device;

    @Option(
            names = "--dispatches",
            defaultValue = "200",
            description = "dispatches per stage after the cold one (default: ${DEFAULT-VALUE})")
    private int dispatches;

    @Option(
            names = "--warm-up",
            defaultValue = "5000",
            description =
                    "dispatches per stage before the measurement, for the JVM to compile (default: ${DEFAULT-VALUE})")
    private int warmUp;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Option(
            names = "--c-peer",
            paramLabel = "FILE",
            description = "the loop in C, if pipelines/src/main/c/build has built it already (default: built now)")
    private Optional<Path> peer;

    @Option(
            names = "--cc",
            paramLabel = "PROGRAM",
            description = "the C compiler (default: $CC, then cc); without a compiler the comparison is left out")
    private Optional<String> compiler;

    @Option(names = "--no-c", description = "leave out the comparison with C")
    private boolean withoutC;

    @Override
    public Integer call() {
        Measurement.require("--dispatches", 1, dispatches);
        Measurement.require("--warm-up", 0, warmUp);
        return Measurement.measure(() -> {
            try (VulkanFilterContext context = device.open();
                    CpuFilterContext cpu = new CpuFilterContext(1, "results to compare with")) {
                IdctInputs inputs = new IdctInputs(cpu, COEFFICIENT_LIMIT, 1);
                print(measure(
                        new OverheadBenchmark(context, new DispatchLadder(context).vp9Idct8x8(), inputs, dispatches)));
            }
        });
    }

    private OverheadReport measure(OverheadBenchmark benchmark) {
        if (withoutC) {
            return benchmark.run(warmUp, Optional.empty());
        }
        Optional<Path> library = peer.isPresent() ? peer : buildPeer();
        if (library.isEmpty()) {
            return benchmark.run(warmUp, Optional.empty());
        }
        try (DispatchLoopInC loop = DispatchLoopInC.load(library.get())) {
            return benchmark.run(warmUp, Optional.of(loop));
        }
    }

    /** Builds the loop in C. Returns empty, and prints the reason, if this machine has nothing to build it with. */
    private Optional<Path> buildPeer() {
        Installation installation = Installation.current();
        Path library = installation.benchFolder().resolve("libdispatchloop.so");
        Optional<String> lacking = DispatchLoopInC.build(installation.sources(), library, compiler);
        if (lacking.isPresent()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("qpu bench overhead: no comparison with C: " + lacking.get());
            err.flush();
            return Optional.empty();
        }
        return Optional.of(library);
    }

    private void print(OverheadReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonReport.print(out, report);
            return;
        }
        out.printf("%s, %s%n", report.device(), report.driver());
        out.printf(
                "%s, %d blocks per dispatch, %d dispatches after the cold one; microseconds%n%n",
                report.kernel(), report.blocks(), report.dispatches());
        TextTable table = new TextTable(
                "stage",
                "cold",
                "p50",
                "p90",
                "mean",
                "to previous",
                "to first",
                "vkCreate",
                "vkAllocate",
                "descriptor writes",
                "submits",
                "waits",
                "Java bytes");
        List<OverheadReport.Stage> stages = report.stages();
        for (int i = 0; i < stages.size(); i++) {
            OverheadReport.Stage stage = stages.get(i);
            table.row(
                    stage.name(),
                    micros(stage.coldNanos()),
                    micros(stage.p50Nanos()),
                    micros(stage.p90Nanos()),
                    micros(stage.meanNanos()),
                    ratio(stage.p50Nanos(), stages.get(Math.max(0, i - 1)).p50Nanos()),
                    ratio(stage.p50Nanos(), stages.get(0).p50Nanos()),
                    count(stage.vkCreate()),
                    count(stage.vkAllocate()),
                    count(stage.descriptorWrites()),
                    count(stage.submits()),
                    count(stage.waits()),
                    count(stage.javaBytes()));
        }
        OverheadReport.C c = report.c();
        if (c != null) {
            table.row(
                    "the last stage in C",
                    "",
                    micros(c.p50Nanos()),
                    micros(c.p90Nanos()),
                    micros(c.meanNanos()),
                    "",
                    ratio(c.p50Nanos(), stages.get(0).p50Nanos()),
                    "",
                    "",
                    "",
                    "",
                    "",
                    "");
        }
        table.print(out);
        if (report.javaOverC() != null) {
            out.printf("%nJava over C, p50 of the last stage: %.3f%n", report.javaOverC());
        }
        out.flush();
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1000.0);
    }

    private static String ratio(long nanos, long other) {
        return String.format(Locale.ROOT, "%.3f", (double) nanos / other);
    }

    private static String count(double perDispatch) {
        return perDispatch == Math.rint(perDispatch)
                ? Long.toString((long) perDispatch)
                : String.format(Locale.ROOT, "%.2f", perDispatch);
    }
}
