/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.gstqpu.pipelines.bench.BenchPlot;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.bench.stream.ElementBenchmark.Part;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.cli.TextTable;
import org.gstqpu.pipelines.cli.VideoSize;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code qpu bench element}: measures what the element itself costs. Lives on the main thread. */
@Command(
        name = "element",
        description = {
            "Measures what the element costs apart from its kernels: CPU time and Java memory per frame, its share of the start"
                    + " of gst-launch-1.0, and a scan of the plugin registry. Also measures 1080p, or another size, on two CPU threads beside"
                    + " ffmpeg's filters, the time of each of the first pictures of a process, and the time for several sizes of pictures and numbers of elements in one process.",
            "The cost per frame is the difference to the element identity, on pictures so small that kernels hardly count. If the"
                    + " Vulkan device is the CPU, its kernels also push the element's code and data out of the CPU's caches;"
                    + " the figures for 480p show that.",
            "The run fails unless the element's statistics show one submission per frame on a device, and none on the CPU."
        })
public final class BenchElementCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MeterOptions meter;

    @Option(
            names = "--part",
            split = ",",
            paramLabel = "PART",
            defaultValue = "overhead,start,scan,comparison,warm-up,scaling",
            description = "the parts to measure (default: ${DEFAULT-VALUE})")
    private List<Part> parts;

    @Option(
            names = "--size",
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "480p,720p,1080p,4K",
            description = "the sizes of pictures for the part scaling (default: ${DEFAULT-VALUE})")
    private List<String> sizes;

    @Option(
            names = "--compared-size",
            paramLabel = "SIZE",
            defaultValue = "1080p",
            description = "the size of pictures for the parts comparison and warm-up (default: ${DEFAULT-VALUE})")
    private String comparedSize;

    @Override
    public Integer call() {
        List<VideoSize> wanted = sizes.stream().map(VideoSize::named).toList();
        VideoSize compared = VideoSize.named(comparedSize);
        if (meter.plot().isPresent() && !parts.contains(Part.SCALING) && !parts.contains(Part.WARM_UP)) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, "--plot draws the parts warm-up and scaling, which --part leaves out");
        }
        return Measurement.measure(() -> {
            ElementReport report = new ElementBenchmark(
                            Installation.current(),
                            meter.meter(),
                            meter.folder(),
                            meter.window(),
                            compared,
                            meter.rounds(),
                            line -> meter.progress(spec, line))
                    .run(parts, wanted);
            print(report);
            meter.plot().ifPresent(file -> plot(report, file));
        });
    }

    private void print(ElementReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (meter.json()) {
            JsonReport.print(out, report);
            return;
        }
        if (report.device() != null) {
            out.println(report.device());
        }
        printOverheads(out, report);
        printStarts(out, report);
        if (report.scan() != null) {
            out.printf(
                    Locale.ROOT,
                    "%nA scan of the plugin for the registry: %.2f ms (bar %.0f ms)%n",
                    report.scan().millis(),
                    report.scan().barMillis());
        }
        if (!report.comparisons().isEmpty()) {
            out.printf("%n%s I420 on two threads of the CPU%n%n", report.comparedSize());
            TextTable table = new TextTable("filter", "frames/s", "cpu ms/frame");
            for (ElementReport.Comparison one : report.comparisons()) {
                boolean here = one.framesPerSecond() != null;
                table.row(
                        one.name(),
                        here ? decimals(1, one.framesPerSecond()) : "not available",
                        here ? decimals(2, one.cpuSecondsPerFrame() * 1e3) : "-");
            }
            table.print(out);
        }
        printWarmUps(out, report);
        if (!report.scalings().isEmpty()) {
            out.printf(
                    "%nSeveral elements in one process: milliseconds per frame of any element, nanoseconds per luma sample%n%n");
            TextTable table = new TextTable("substrate", "size", "elements", "ms/frame", "ns/sample");
            for (ElementReport.Scaling one : report.scalings()) {
                table.row(
                        one.substrate(),
                        one.size(),
                        Integer.toString(one.instances()),
                        decimals(2, one.millisPerFrame()),
                        decimals(2, one.nanosPerPixel()));
            }
            table.print(out);
        }
        out.flush();
    }

    private static void printOverheads(PrintWriter out, ElementReport report) {
        if (report.overheads().isEmpty()) {
            return;
        }
        out.printf("%nA frame without the kernels: CPU time more than with identity%n%n");
        TextTable table =
                new TextTable("substrate", "pictures", "time of", "us/frame", "bar us", "java bytes", "copies");
        for (ElementReport.Overhead one : report.overheads()) {
            table.row(
                    one.substrate(),
                    one.picture(),
                    one.time(),
                    decimals(1, one.cpuMicros()),
                    decimals(0, one.barMicros()),
                    decimals(1, one.javaBytesPerFrame()),
                    decimals(0, one.copiesPerFrame()));
        }
        table.print(out);
    }

    private static void printStarts(PrintWriter out, ElementReport report) {
        if (report.starts().isEmpty()) {
            return;
        }
        out.printf("%ngst-launch-1.0 of one frame, seconds%n%n");
        TextTable table = new TextTable("substrate", "with it", "identity", "added", "bar");
        for (ElementReport.Start one : report.starts()) {
            boolean here = one.missing() == null;
            table.row(
                    one.substrate(),
                    here ? decimals(3, one.seconds()) : "not available",
                    decimals(3, one.identitySeconds()),
                    here ? decimals(3, one.addedSeconds()) : "-",
                    decimals(2, one.barSeconds()));
        }
        table.print(out);
    }

    private static void printWarmUps(PrintWriter out, ElementReport report) {
        if (report.warmUps().isEmpty()) {
            return;
        }
        ElementReport.JavaUsed java = report.java();
        out.printf(
                "%nThe first %d pictures of a process, %s I420 on two threads of the CPU; Java %d in %s, %s%n%n",
                report.warmUps().get(0).millis().size(),
                report.comparedSize(),
                java.version(),
                java.home(),
                java.archive() == null ? "no archive of classes" : "archive " + java.archive());
        TextTable table = new TextTable("filter", "first after s", "warm after s", "median ms", "slow of 100");
        for (ElementReport.WarmUp one : report.warmUps()) {
            table.row(
                    one.name(),
                    decimals(2, one.firstSeconds()),
                    one.warmSeconds() == 0 ? "never" : decimals(2, one.warmSeconds()),
                    decimals(1, one.medianMillis()),
                    Integer.toString(one.slow()));
        }
        table.print(out);
    }

    private static XYChart warmUpChart(ElementReport report) {
        XYChart chart = new XYChartBuilder()
                .width(BenchPlot.WIDTH)
                .height(BenchPlot.HEIGHT)
                .title("The first pictures of a process, Java " + report.java().version())
                .xAxisTitle("picture")
                .yAxisTitle("milliseconds")
                .build();
        chart.getStyler().setYAxisMin(0.0).setXAxisMin(0.0);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNE);
        chart.getStyler().setMarkerSize(0);
        for (ElementReport.WarmUp one : report.warmUps()) {
            chart.addSeries(
                    one.name(),
                    IntStream.rangeClosed(1, one.millis().size()).boxed().toList(),
                    one.millis());
        }
        return chart;
    }

    private static void plot(ElementReport report, Path file) {
        List<Chart<?, ?>> charts = new ArrayList<>();
        if (!report.warmUps().isEmpty()) {
            charts.add(warmUpChart(report));
        }
        for (String substrate : report.scalings().stream()
                .map(ElementReport.Scaling::substrate)
                .distinct()
                .toList()) {
            charts.add(chart(report, substrate));
        }
        BenchPlot.save(charts, file);
    }

    private static XYChart chart(ElementReport report, String substrate) {
        XYChart chart = new XYChartBuilder()
                .width(BenchPlot.WIDTH)
                .height(BenchPlot.HEIGHT)
                .title(substrate.equals("cpu") ? "CPU" : report.device())
                .xAxisTitle("megapixels")
                .yAxisTitle("milliseconds per frame of any element")
                .build();
        chart.getStyler().setYAxisMin(0.0).setXAxisMin(0.0);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
        for (int instances : report.scalings().stream()
                .map(ElementReport.Scaling::instances)
                .distinct()
                .toList()) {
            List<ElementReport.Scaling> points = report.scalings().stream()
                    .filter(one -> one.substrate().equals(substrate) && one.instances() == instances)
                    .toList();
            chart.addSeries(
                    instances == 1 ? "1 element" : instances + " elements",
                    points.stream()
                            .map(one -> VideoSize.named(one.size()))
                            .map(size -> size.width() * size.height() / 1e6)
                            .toList(),
                    points.stream().map(ElementReport.Scaling::millisPerFrame).toList());
        }
        return chart;
    }

    private static String decimals(int count, double value) {
        return String.format(Locale.ROOT, "%." + count + "f", value);
    }
}
