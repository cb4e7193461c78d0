/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.pipelines.bench.BenchReport;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.DeviceOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code pipelines/bench pictures}: measures whole pictures in the device's own memory. Lives on the main thread. */
@Command(
        name = "pictures",
        description = {
            "Measures CDEF, H.264 deblocking (intra, QP 36) and both in one submission, on pictures in the device's own"
                    + " memory. Every result is compared with the CPU's.",
            "cold: the first picture with everything that is made for it; p50, p90: of the other pictures, with submission and"
                    + " wait; gpu: median by the device's own timestamps; least bytes: those of all samples, read once and"
                    + " written once; empty: a picture of 16x16 samples."
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
                BenchReport.print(
                        spec.commandLine().getOut(),
                        json,
                        new PicturesBenchmark(context, cpu, format, pictures, transform8x8).run(width, height));
            }
        });
    }
}
