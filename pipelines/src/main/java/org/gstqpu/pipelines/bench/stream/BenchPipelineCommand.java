/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.gstqpu.pipelines.bench.BenchPlot;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.cli.TextTable;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.media.ElementSettings;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code qpu bench pipeline}: measures whole pipelines, for each way to reach a picture. Lives on the main thread. */
@Command(
        name = "pipeline",
        description = {
            "Measures pipelines with the element, both filters on, for each way in which the device reaches a picture: copies,"
                    + " import of host memory, dmabufs, and the element's buffer pool under a software decoder. Pipelines with"
                    + " GStreamer's vulkanupload, vulkancolorconvert and vulkandownload take turns with these.",
            "The pictures of every case are checked before and after the measurement, and the element's statistics must show"
                    + " one submission per picture. If a case cannot run here, or takes another way, the reason is printed."
        })
public final class BenchPipelineCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MeterOptions meter;

    @Option(
            names = "--size",
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "480p,720p,1080p,4K",
            description = "the sizes of the pictures (default: ${DEFAULT-VALUE})")
    private List<String> sizes;

    @Option(
            names = "--set",
            paramLabel = "PROPERTY=VALUE",
            description =
                    "set a property of the element, such as queue-depth=2; may be repeated (default: no property is set)")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Override
    public Integer call() {
        ElementSettings.check(properties);
        List<VideoSize> wanted = sizes.stream().map(VideoSize::named).toList();
        return Measurement.measure(() -> {
            StringBuilder filter = new StringBuilder(PipelineCase.FILTER);
            properties.forEach((property, value) -> filter.append(" " + property + "=" + value));
            PipelineReport report = new PipelineBenchmark(
                            meter.meter(),
                            meter.folder(),
                            meter.window(),
                            filter.toString(),
                            line -> meter.progress(spec, line))
                    .run(wanted, meter.rounds());
            print(report);
            meter.plot().ifPresent(file -> plot(report, file));
        });
    }

    private void print(PipelineReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (meter.json()) {
            JsonReport.print(out, report);
            return;
        }
        out.printf("%s%n", Optional.ofNullable(report.device()).orElse("no Vulkan device"));
        out.printf(
                Locale.ROOT,
                "medians of %d rounds of %.1f s; cpu: CPU time of the whole process%n%n",
                report.rounds(),
                report.seconds());
        TextTable table = new TextTable("pictures from, way", "size", "frames/s", "cpu ms/frame", "submits", "copies");
        for (PipelineReport.Case result : report.cases()) {
            if (result.missing() == null) {
                table.row(
                        result.name(),
                        result.size(),
                        decimals(1, result.framesPerSecond()),
                        decimals(2, result.cpuSecondsPerFrame() * 1e3),
                        result.submitsPerFrame() == null ? "-" : decimals(0, result.submitsPerFrame()),
                        result.copiesPerFrame() == null ? "-" : decimals(0, result.copiesPerFrame()));
            } else {
                table.row(result.name(), result.size(), "-", "-", "-", "-");
            }
        }
        table.print(out);
        Map<String, String> missing = new LinkedHashMap<>();
        report.cases().stream()
                .filter(result -> result.missing() != null)
                .forEach(result -> missing.putIfAbsent(result.name(), result.missing()));
        if (!missing.isEmpty()) {
            out.println();
            missing.forEach((name, why) -> out.println(name + ": not measured: " + why));
        }
        out.flush();
    }

    private static void plot(PipelineReport report, Path file) {
        BenchPlot.save(
                List.of(
                        chart(report, "Frames per second", PipelineReport.Case::framesPerSecond, 1),
                        chart(report, "CPU milliseconds per frame", PipelineReport.Case::cpuSecondsPerFrame, 1e3)),
                file);
    }

    /** Selects the figure that a chart shows. */
    @FunctionalInterface
    private interface Value {
        /** The figure of a case; null if the chart shows no bar for that case. */
        Double of(PipelineReport.Case result);
    }

    private static CategoryChart chart(PipelineReport report, String title, Value value, double scale) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(BenchPlot.WIDTH)
                .height(BenchPlot.HEIGHT)
                .title(title + ", " + report.device())
                .build();
        chart.getStyler()
                .setYAxisLogarithmic(true)
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Vertical);
        List<String> sizes = report.cases().stream()
                .map(PipelineReport.Case::size)
                .distinct()
                .toList();
        List<String> names = report.cases().stream()
                .map(PipelineReport.Case::name)
                .distinct()
                .filter(name -> !name.equals(PipelineCase.NOTHING))
                .toList();
        double least = Double.MAX_VALUE;
        for (String name : names) {
            List<Double> values = report.cases().stream()
                    .filter(result -> result.name().equals(name) && result.missing() == null)
                    .map(result -> value.of(result) * scale)
                    .toList();
            if (values.size() == sizes.size()) {
                chart.addSeries(name, sizes, values);
                least = values.stream().reduce(least, Math::min);
            }
        }
        // The axis is logarithmic, so it begins at a power of ten.
        chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(least))));
        return chart;
    }

    private static String decimals(int count, double value) {
        return String.format(Locale.ROOT, "%." + count + "f", value);
    }
}
