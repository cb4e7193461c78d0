/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.gstqpu.kernels.metrics.Metrics;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.cli.TextTable;
import org.gstqpu.pipelines.media.ElementSettings;
import org.gstqpu.pipelines.play.InputAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code qpu compare}: compares the element with ffmpeg's filters on the same pictures. Lives on the main thread. */
@Command(
        name = "compare",
        description = {
            "Decodes videos, gives the same pictures to the element and to ffmpeg's post-processing filters, and writes one page"
                    + " with quality, a measure of blocking, speed, pictures to flip between, and a plot over all pictures.",
            "Quality is measured against the reference. Without one, the page shows how much blocking is left and how much the"
                    + " pictures changed. Each speed is that of a whole process that reads and writes pictures through pipes."
        })
public final class CompareCommand implements Callable<Integer> {
    private static final int MOST_FRAMES = 500;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "INPUT", arity = "1..*", description = "videos that ffmpeg can decode")
    private List<String> inputs;

    @Option(
            names = "--reference",
            paramLabel = "FILE",
            description = "the video before it was coded: one for all inputs, or one for each input, in the same order")
    private List<String> references = List.of();

    @Option(
            names = "--output",
            paramLabel = "FILE.html",
            defaultValue = "compare.html",
            description = "the page to write (default: ${DEFAULT-VALUE})")
    private Path output;

    @Option(
            names = "--frames",
            defaultValue = "30",
            description = "use at most this many pictures of each video, 1 to " + MOST_FRAMES
                    + " (default: ${DEFAULT-VALUE})")
    private int frames;

    @Option(
            names = "--set",
            paramLabel = "PROPERTY=VALUE",
            description =
                    "set a property of the element, such as strength=1.5; may be repeated (default: no property is set)")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(
            names = "--also",
            paramLabel = "PROPERTY=VALUE,...",
            description =
                    "compare the element also with these properties, in addition to those of --set; may be repeated:"
                            + " --also quality=fast --also quality=balanced,strength=0.5")
    private List<String> also = new ArrayList<>();

    @Option(
            names = "--filters",
            split = ",",
            paramLabel = "FILTER",
            defaultValue = "deblock,pp=hb/vb/dr,pp=ac,spp,fspp",
            description =
                    "ffmpeg's filters, as its option -vf takes them; spp and fspp without a qp use the quantiser whose result is"
                            + " closest to the reference (default: ${DEFAULT-VALUE})")
    private List<String> filters;

    @Option(
            names = "--substrate",
            paramLabel = "auto|cpu|qpu",
            description = "the substrate of the element (default: the element chooses)")
    private Optional<Substrate> substrate;

    @Option(
            names = "--seconds",
            defaultValue = "2",
            description = "length of each measurement of speed; 0 measures none (default: ${DEFAULT-VALUE})")
    private double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "4",
            description = "warm-up before each measurement, for the JVM to compile (default: ${DEFAULT-VALUE})")
    private double warmUpSeconds;

    @Option(
            names = "--metrics",
            split = ",",
            paramLabel = "vmaf_v1|vmaf|ms_ssim|ssimulacra2|none",
            defaultValue = "vmaf_v1,vmaf,ms_ssim",
            description =
                    "what else is measured against the reference; ssimulacra2 is slow (default: ${DEFAULT-VALUE})")
    private List<String> metrics = List.of();

    @Option(names = "--json", description = "print JSON instead of a table")
    private boolean json;

    @Override
    public Integer call() {
        check();
        Installation installation = Installation.current();
        installation.requirePlugin();
        Comparison.Options options = new Comparison.Options(
                frames,
                substrate.map(wanted -> wanted.name().toLowerCase(Locale.ROOT)),
                elements(),
                filters.stream().filter(filter -> !filter.isBlank()).toList(),
                metrics(),
                warmUpSeconds,
                seconds,
                this::progress);
        Path folder = null;
        try (MeterContext context = openMeters()) {
            folder = Files.createTempDirectory("qpu-compare");
            ComparisonPage page = new ComparisonPage();
            List<ComparisonReport.Video> videos = new ArrayList<>();
            for (int i = 0; i < inputs.size(); i++) {
                Comparison comparison = new Comparison(context, options, path(inputs.get(i)), reference(i), folder);
                ComparisonReport.Video video = comparison.run(installation, folder);
                videos.add(video);
                page.add(video, comparison);
            }
            ComparisonReport report = new ComparisonReport(
                    Runtime.getRuntime().availableProcessors(), seconds > 0 ? "pipes" : null, videos);
            write(page.html(report));
            print(report);
            return ExitStatus.OK;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            delete(folder);
        }
    }

    /** The properties of each element to compare. */
    private List<Map<String, String>> elements() {
        List<Map<String, String>> elements = new ArrayList<>(List.of(properties));
        for (String one : also) {
            Map<String, String> with = new LinkedHashMap<>(properties);
            for (String setting : one.split(",", -1)) {
                int equals = setting.indexOf('=');
                if (equals <= 0) {
                    throw unusable("--also takes PROPERTY=VALUE, given " + setting);
                }
                with.put(setting.substring(0, equals), setting.substring(equals + 1));
            }
            elements.add(with);
        }
        elements.forEach(ElementSettings::check);
        return elements;
    }

    private Set<QualityMetric> metrics() {
        Set<QualityMetric> all = EnumSet.noneOf(QualityMetric.class);
        for (String name : metrics) {
            switch (name) {
                case "vmaf_v1" -> all.addAll(Comparison.Options.VMAF_V1.metrics());
                case "vmaf" -> all.addAll(Comparison.Options.VMAF.metrics());
                case "ms_ssim" -> all.add(QualityMetric.MS_SSIM);
                case "ssimulacra2" -> all.add(QualityMetric.SSIMULACRA_2);
                case "none" -> all.clear();
                default ->
                    throw unusable(
                            "--metrics takes some of vmaf_v1, vmaf, ms_ssim, ssimulacra2, or none, given " + name);
            }
        }
        return all;
    }

    private void check() {
        if (frames < 1 || frames > MOST_FRAMES) {
            throw unusable("--frames is 1 to " + MOST_FRAMES + ", given " + frames);
        }
        if (!(seconds >= 0) || !(warmUpSeconds >= 0)) {
            throw unusable("--seconds and --warm-up are 0 or more, given " + seconds + " and " + warmUpSeconds);
        }
        if (references.size() > 1 && references.size() != inputs.size()) {
            throw unusable("give one --reference, or one for each input: " + inputs.size() + " inputs, "
                    + references.size() + " references");
        }
        Path folder = output.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw unusable(folder + ": the folder of the page does not exist; create it, or give another --output");
        }
    }

    private static Path path(String name) {
        if (name.contains("://")) {
            throw unusable(name + " is an address: compare reads files; save it as one first");
        }
        try {
            Path path = Path.of(name);
            // ffmpeg goes round in one that names itself.
            InputAddress.refusePlaylist(name);
            return path;
        } catch (InvalidPathException e) {
            throw unusable("not a file name: " + e.getMessage(), e);
        }
    }

    private Optional<Path> reference(int input) {
        return references.isEmpty()
                ? Optional.empty()
                : Optional.of(path(references.get(references.size() == 1 ? 0 : input)));
    }

    /** Opens the CPU: quality figures are the same on every substrate, and the element needs the device while its speed is measured. */
    private static MeterContext openMeters() {
        try {
            return Metrics.open(SubstrateRequest.of(Substrate.CPU));
        } catch (SubstrateUnavailableException e) {
            throw unavailable(e.getMessage(), e);
        }
    }

    private void write(String html) {
        try {
            Files.writeString(output, html);
        } catch (IOException e) {
            throw unusable(output + " cannot be written: " + e + "; give another --output", e);
        }
    }

    private void print(ComparisonReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonReport.print(out, report);
            return;
        }
        for (ComparisonReport.Video video : report.videos()) {
            out.printf(
                    "%n%s, %dx%d, %d pictures%s%n",
                    video.input(),
                    video.width(),
                    video.height(),
                    video.pictures(),
                    video.reference() == null ? "" : ", against " + video.reference());
            TextTable table = new TextTable(
                    "",
                    "PSNR-Y",
                    "SSIM-Y",
                    "PSNR-HVS",
                    "VMAF v1",
                    "CAMBI",
                    "VMAF",
                    "MS-SSIM",
                    "SSIMULACRA 2",
                    "to input",
                    "blocking",
                    "frames/s");
            for (ComparisonReport.Row row : video.rows()) {
                boolean measured = row.missing() == null && video.reference() != null;
                table.row(
                        row.name(),
                        measured ? decimals(2, row.psnrY()) : "-",
                        measured ? decimals(4, row.ssimY()) : "-",
                        measured ? decimals(2, row.psnrHvs()) : "-",
                        row.vmafV1() == null ? "-" : decimals(2, row.vmafV1()),
                        row.cambi() == null ? "-" : decimals(2, row.cambi()),
                        row.vmaf() == null ? "-" : decimals(2, row.vmaf()),
                        row.msSsim() == null ? "-" : decimals(4, row.msSsim()),
                        row.ssimulacra2() == null ? "-" : decimals(2, row.ssimulacra2()),
                        row.missing() == null ? decimals(2, row.psnrYToInput()) : "-",
                        row.blocking() == null ? "-" : decimals(3, row.blocking()),
                        row.framesPerSecond() == null ? "-" : decimals(1, row.framesPerSecond()));
            }
            table.print(out);
            for (ComparisonReport.Row row : video.rows()) {
                if (row.missing() != null) {
                    out.println(row.name() + ": not measured: " + row.missing());
                } else if (!row.note().isEmpty()) {
                    out.println(row.name() + ": " + row.note());
                }
            }
        }
        out.println();
        out.println(output + "   the page, with pictures and plots");
        out.flush();
    }

    /** A figure in decibels is null if no sample differs; it is printed as infinite. */
    private static String decimals(int count, Double value) {
        return value == null ? "inf" : String.format(Locale.ROOT, "%." + count + "f", value);
    }

    private void progress(String line) {
        if (!json) {
            spec.commandLine().getErr().println(line);
            spec.commandLine().getErr().flush();
        }
    }

    private static void delete(Path folder) {
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
