/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanMeterContext;
import org.gstqpu.kernels.metrics.Metrics;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.pipelines.bench.BenchReport;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.DeviceOptions;
import org.gstqpu.pipelines.cli.VideoSize;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code pipelines/bench metrics}: what a pair of pictures costs in each metric. Lives on the main thread. */
@Command(
        name = "metrics",
        description = {
            "Measures the quality metrics: milliseconds a pair of 8-bit 4:2:0 pictures, on the CPU and on the device, and beside them"
                    + " libvmaf's tool vmaf where it is installed. The figures of CPU and device are compared first, and submissions counted.",
            "cpu: median on the CPU; device: median with submission and wait, pictures in the device's own memory; gpu: median"
                    + " by the device's timestamps; staged: as qpu, with pictures in the memory of the process; libvmaf: its tool,"
                    + " reading the pictures from a file, and plain, without its assembler."
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
                    "what to measure: vmaf, vmaf+vmaf_neg, vmaf_v1, all (together), or a metric of qpu measure (default: each of them)")
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
                throw unusable("--metrics takes some of " + String.join(", ", choices.keySet()) + ", given " + name);
            }
        }
        if (!metrics.isEmpty()) {
            choices.keySet().retainAll(metrics);
        }
        return Measurement.measure(() -> {
            try (VulkanMeterContext context = VulkanMeterContext.open(device.timedOptions());
                    MeterContext cpu =
                            Metrics.open(SubstrateRequest.of(Substrate.CPU).withThreads(threads))) {
                BenchReport.print(
                        spec.commandLine().getOut(),
                        json,
                        new MetricsBenchmark(context, cpu, threads, pairs).run(wanted, choices));
            }
        });
    }
}
