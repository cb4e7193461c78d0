/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.gstqpu.pipelines.bench.BenchReport;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.bench.stream.ElementBenchmark.Part;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.VideoSize;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code pipelines/bench element}: measures the element in whole pipelines. Lives on the main thread. */
@Command(
        name = "element",
        description = {
            "Measures the element in pipelines of gst-launch-1.0: its share of the start of a process; its qualities beside ffmpeg's"
                    + " filters on two CPU threads; the first pictures of a process; and several sizes of pictures and numbers of"
                    + " elements in one process.",
            "The time of a frame without the kernels is that of the part scaling at the size 16x16.",
            "The run fails if a picture is wrong, or if the element's statistics show another substrate than asked for."
        })
public final class BenchElementCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--part",
            split = ",",
            paramLabel = "PART",
            defaultValue = "start,comparison,warm-up,scaling",
            description = "the parts to measure (default: ${DEFAULT-VALUE})")
    private List<Part> parts;

    @Option(
            names = "--size",
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "16x16,480p,720p,1080p,4K",
            description = "the sizes of pictures for the part scaling (default: ${DEFAULT-VALUE})")
    private List<String> sizes;

    @Option(
            names = "--compared-size",
            paramLabel = "SIZE",
            defaultValue = "1080p",
            description = "the size of pictures for the parts comparison and warm-up (default: ${DEFAULT-VALUE})")
    private String comparedSize;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "measurements of each case; their median is printed (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "2",
            description = "length of each measurement, in seconds (default: ${DEFAULT-VALUE})")
    private double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description =
                    "time before each measurement, for the process to start and the JVM to compile (default: ${DEFAULT-VALUE})")
    private double warmUpSeconds;

    @Option(
            names = "--work",
            paramLabel = "FOLDER",
            description = "the folder that keeps test pictures (default: pipelines/target/bench)")
    private Optional<Path> work;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        List<VideoSize> wanted = sizes.stream().map(VideoSize::named).toList();
        VideoSize compared = VideoSize.named(comparedSize);
        Measurement.require("--rounds", 1, rounds);
        if (!(seconds > 0) || !(warmUpSeconds >= 0)) {
            throw unusable(
                    "--seconds is more than 0 and --warm-up is 0 or more, given " + seconds + " and " + warmUpSeconds);
        }
        Installation installation = Installation.current();
        installation.requirePlugin();
        Path folder =
                Files.createDirectories(work.orElseGet(() -> installation.root().resolve("pipelines/target/bench")));
        ElementBenchmark benchmark = new ElementBenchmark(
                installation, folder.toAbsolutePath(), warmUpSeconds, seconds, compared, rounds, this::progress);
        return Measurement.measure(
                () -> BenchReport.print(spec.commandLine().getOut(), json, benchmark.run(parts, wanted)));
    }

    private void progress(String line) {
        if (!json) {
            spec.commandLine().getErr().println(line);
            spec.commandLine().getErr().flush();
        }
    }
}
