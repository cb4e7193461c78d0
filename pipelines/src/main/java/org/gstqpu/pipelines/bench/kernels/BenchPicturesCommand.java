/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.DeviceOptions;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.cli.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code qpu bench pictures}: measures whole pictures in the device's own memory. Lives on the main thread. */
@Command(
        name = "pictures",
        description = {
            "Measures CDEF, H.264 deblocking (intra, QP 36) and both in one submission, on pictures in the device's own"
                    + " memory. Every result is compared with the CPU's.",
            "cold: the first picture with everything that is made for it; p50, p90: of the other pictures, with submission and"
                    + " wait; device: median by the device's own timestamps; GB/s: the bytes of all samples, read once and"
                    + " written once, over the device's time, or over p50 if the device has no timestamps."
        })
public final class BenchPicturesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private DeviceOptions device;

    @Option(
            names = "--form",
            description = "the form of deblocking: ${COMPLETION-CANDIDATES} (default: the one that suits the device)")
    private Optional<DeblockForm> form;

    @Option(
            names = "--format",
            defaultValue = "NV12",
            description = "the format of the pictures: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private PixelFormat format;

    @Option(names = "--width", defaultValue = "3840", description = "luma samples per row (default: ${DEFAULT-VALUE})")
    private int width;

    @Option(names = "--height", defaultValue = "2160", description = "luma rows (default: ${DEFAULT-VALUE})")
    private int height;

    @Option(
            names = "--pictures",
            defaultValue = "100",
            description = "pictures per case after the cold one and the warm-up (default: ${DEFAULT-VALUE})")
    private int pictures;

    @Option(names = "--8x8", description = "deblock only the edges of 8x8 blocks")
    private boolean transform8x8;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        Measurement.require("--width", 1, width);
        Measurement.require("--height", 1, height);
        Measurement.require("--pictures", 1, pictures);
        return Measurement.measure(() -> {
            try (VulkanFilterContext context = device.openTimed(form);
                    CpuFilterContext cpu = new CpuFilterContext(
                            Runtime.getRuntime().availableProcessors(), "results to compare with")) {
                print(new PicturesBenchmark(context, cpu, format, pictures, transform8x8).run(width, height));
            }
        });
    }

    private void print(PicturesReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonReport.print(out, report);
            return;
        }
        out.printf("%s, %s%n", report.device(), report.driver());
        out.printf(
                "%s %dx%d, %d pictures per case, form of deblocking %s; milliseconds%n%n",
                report.format(), report.width(), report.height(), report.pictures(), report.deblockForm());
        TextTable table = new TextTable(
                "filters", "cold", "p50", "p90", "mean", "device", "submits", "dispatches", "least MB", "GB/s");
        for (PicturesReport.Case result : report.cases()) {
            table.row(
                    result.filters(),
                    millis(result.coldNanos()),
                    millis(result.p50Nanos()),
                    millis(result.p90Nanos()),
                    millis(result.meanNanos()),
                    result.gpuP50Nanos() == null ? "-" : millis(result.gpuP50Nanos()),
                    decimals(1, result.submits()),
                    decimals(1, result.dispatches()),
                    decimals(1, result.leastBytes() / 1e6),
                    decimals(
                            1,
                            (double) result.leastBytes()
                                    / (result.gpuP50Nanos() == null ? result.p50Nanos() : result.gpuP50Nanos())));
        }
        table.print(out);
        out.printf("%nA picture of 16x16 samples: %s%n", millis(report.emptyP50Nanos()));
        out.flush();
    }

    private static String millis(long nanos) {
        return decimals(3, nanos / 1e6);
    }

    private static String decimals(int count, double value) {
        return String.format(Locale.ROOT, "%." + count + "f", value);
    }
}
