/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.DeviceOptions;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.cli.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code qpu bench commands}: compares ways to submit the same work again. Lives on the main thread. */
@Command(
        name = "commands",
        description = {
            "Measures what it costs to submit the same work repeatedly: with a command buffer that is recorded for each"
                    + " submission, recorded once, or recorded once as a secondary command buffer which primary ones execute.",
            "cpu: CPU time of the submitting thread per submission; p50: median time of a submission with the wait for it;"
                    + " resident: how much the resident memory of the process grew for all primary command buffers."
        })
public final class BenchCommandsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private DeviceOptions device;

    @Option(
            names = "--executes",
            split = ",",
            paramLabel = "N",
            defaultValue = "1,5,10,15,20",
            description = "how often each command buffer contains the work (default: ${DEFAULT-VALUE})")
    private List<Integer> executes;

    @Option(
            names = "--primaries",
            defaultValue = "64",
            description = "primary command buffers per case; their memory is measured (default: ${DEFAULT-VALUE})")
    private int primaries;

    @Option(names = "--replays", defaultValue = "400", description = "submissions per case (default: ${DEFAULT-VALUE})")
    private int replays;

    @Option(
            names = "--warm-up",
            defaultValue = "2000",
            description =
                    "submissions per mode before the measurement, for the JVM to compile (default: ${DEFAULT-VALUE})")
    private int warmUp;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        Measurement.require(
                "--executes",
                1,
                executes.stream().mapToInt(Integer::intValue).min().orElse(0));
        Measurement.require("--primaries", 1, primaries);
        Measurement.require("--replays", 1, replays);
        Measurement.require("--warm-up", 0, warmUp);
        return Measurement.measure(() -> {
            try (VulkanFilterContext context = device.open();
                    CpuFilterContext cpu = new CpuFilterContext(1, "results to compare with")) {
                CommandsBenchmark benchmark =
                        new CommandsBenchmark(context, new DispatchLadder(context).vp9Idct8x8(), cpu);
                print(benchmark.run(executes, primaries, replays, warmUp));
            }
        });
    }

    private void print(CommandsReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonReport.print(out, report);
            return;
        }
        out.printf("%s, %s%n", report.device(), report.driver());
        out.printf(
                "%s, %d submissions per case; resident: growth for %d primary command buffers%n%n",
                report.kernel(), report.replays(), report.primaries());
        TextTable table = new TextTable(
                "mode", "executes", "cpu us", "to re-record", "p50 us", "resident KiB", "a primary, KiB", "re-records");
        for (CommandsReport.Case result : report.cases()) {
            double reRecordNanos = report.cases().stream()
                    .filter(other -> other.executes() == result.executes()
                            && other.mode().equals(CommandMode.RE_RECORD.title()))
                    .findFirst()
                    .orElseThrow()
                    .cpuNanos();
            table.row(
                    result.mode(),
                    Integer.toString(result.executes()),
                    decimals(result.cpuNanos() / 1000.0),
                    String.format(Locale.ROOT, "%.3f", result.cpuNanos() / reRecordNanos),
                    decimals(result.p50Nanos() / 1000.0),
                    Long.toString(result.residentBytes() / 1024),
                    decimals(result.residentBytes() / 1024.0 / report.primaries()),
                    decimals(result.reRecords()));
        }
        table.print(out);
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
