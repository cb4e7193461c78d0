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

/** The command {@code qpu bench commands}: ways to submit the same work again, side by side. Lives on the main thread. */
@Command(
        name = "commands",
        description = {
            "Measures what it costs to submit the same work again and again: recorded anew each time, recorded once, or"
                    + " recorded once as a secondary command buffer that primary ones execute.",
            "cpu: time on the CPU of the submitting thread, a replay; p50: half of the replays took no longer, with the"
                    + " waiting; resident: by how much the process grew for so many primary command buffers."
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
            description = "how often the work stands in a command buffer (default: ${DEFAULT-VALUE})")
    private List<Integer> executes;

    @Option(
            names = "--primaries",
            defaultValue = "64",
            description = "primary command buffers whose memory is measured in each case (default: ${DEFAULT-VALUE})")
    private int primaries;

    @Option(
            names = "--replays",
            defaultValue = "400",
            description = "submissions of each case (default: ${DEFAULT-VALUE})")
    private int replays;

    @Option(
            names = "--warm-up",
            defaultValue = "2000",
            description = "submissions in each mode before those that count, for the JVM to compile what they run"
                    + " (default: ${DEFAULT-VALUE})")
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
                "%s, %d replays of each case; resident: of %d primary command buffers%n%n",
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
