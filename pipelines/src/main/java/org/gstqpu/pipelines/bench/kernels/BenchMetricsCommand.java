/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.DeviceOptions;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.cli.TextTable;
import org.gstqpu.pipelines.cli.VideoSize;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code qpu bench metrics}: what a pair of pictures costs in each metric. Lives on the main thread. */
@Command(
        name = "metrics",
        description = {
            "Measures the quality metrics: milliseconds a pair of 8-bit 4:2:0 pictures, on the CPU and on the device, and beside them"
                    + " libvmaf's tool vmaf where it is installed. The figures of all are compared first, and submissions counted.",
            "cpu: median on the CPU; qpu: median with submission and wait, pictures in the device's own memory; device: median"
                    + " by the device's timestamps; staged: as qpu, with pictures in the memory of the process; libvmaf: its tool,"
                    + " reading the pictures from a file, and the same without its assembler."
        })
public final class BenchMetricsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private DeviceOptions device;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "480p|720p|1080p|4K",
            defaultValue = "1080p,4K",
            description = "the sizes to measure (default: ${DEFAULT-VALUE})")
    private List<String> sizes;

    @Option(
            names = "--metrics",
            split = ",",
            paramLabel = "NAME",
            description =
                    "what to measure: vmaf, vmaf+vmaf_neg, all (together), or a metric of qpu measure (default: each of them)")
    private List<String> metrics = List.of();

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "40",
            description = "most pairs a case; one that takes long ends after some seconds (default: ${DEFAULT-VALUE})")
    private int pairs;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "threads for the CPU and for libvmaf (default: ${DEFAULT-VALUE})")
    private int threads;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        Measurement.require("--pairs", 1, pairs);
        Measurement.require("--threads", 1, threads);
        List<VideoSize> wanted = sizes.stream().map(VideoSize::named).toList();
        Map<String, Set<QualityMetric>> choices = MetricsBenchmark.choices();
        for (String name : metrics) {
            if (!choices.containsKey(name)) {
                throw new CommandFailedException(
                        ExitStatus.UNUSABLE_INPUT,
                        "--metrics takes some of " + String.join(", ", choices.keySet()) + ", given " + name);
            }
        }
        if (!metrics.isEmpty()) {
            choices.keySet().retainAll(metrics);
        }
        return Measurement.measure(() -> {
            try (VulkanFilterContext context = device.openTimed(Optional.empty());
                    CpuFilterContext cpu = new CpuFilterContext(threads, "results to compare with")) {
                print(new MetricsBenchmark(context, cpu, threads, pairs).run(wanted, choices));
            }
        });
    }

    private void print(MetricsReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonReport.print(out, report);
            return;
        }
        out.printf("%s, %s%n", report.device(), report.driver());
        out.printf(
                "%s; milliseconds a pair, threads of the CPU: %d%n%n",
                report.libvmaf() == null ? "libvmaf's tool vmaf is not installed" : "libvmaf " + report.libvmaf(),
                report.threads());
        TextTable table = new TextTable(
                "metrics",
                "size",
                "cpu",
                "qpu",
                "device",
                "staged",
                "submits",
                "dispatches",
                "libvmaf",
                "no assembler");
        for (MetricsReport.Case result : report.cases()) {
            table.row(
                    result.metrics(),
                    result.width() + "x" + result.height(),
                    millis(result.cpuP50Nanos()),
                    millis(result.deviceP50Nanos()),
                    millis(result.gpuP50Nanos()),
                    millis(result.stagedP50Nanos()),
                    String.format(Locale.ROOT, "%.0f", result.submits()),
                    String.format(Locale.ROOT, "%.0f", result.dispatches()),
                    millis(result.libvmafNanos()),
                    millis(result.libvmafPlainNanos()));
        }
        table.print(out);
        out.flush();
    }

    private static String millis(Long nanos) {
        return nanos == null ? "-" : String.format(Locale.ROOT, "%.3f", nanos / 1e6);
    }
}
