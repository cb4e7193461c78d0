/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;
import static org.gstqpu.pipelines.cli.Wording.counted;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.play.CutOffFile;
import org.gstqpu.pipelines.play.CutTimes;
import org.gstqpu.pipelines.play.TranscodeOptions;
import org.gstqpu.pipelines.play.TranscodeSettings;
import org.gstqpu.pipelines.play.Transcoder;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The options that say what is planned. Filled by picocli. */
final class PlanOptions {
    @Parameters(
            arity = "0..*",
            paramLabel = "IN... OUT",
            hideParamSyntax = true,
            description =
                    "the inputs: folders, files, addresses, patterns in quotes, or lists (.txt or .list) with one of these in each"
                            + " line; then the folder to write to")
    private List<String> paths = new ArrayList<>();

    @Mixin
    private TranscodeOptions transcode;

    @Option(
            names = "--suffix",
            paramLabel = "SUFFIX",
            defaultValue = ".mkv",
            description = "the suffix of the outputs, which selects the container (default: ${DEFAULT-VALUE})")
    private String suffix;

    @Option(
            names = "--segment",
            paramLabel = "TIME",
            converter = SegmentTime.class,
            description =
                    "cut longer inputs at the key frames that follow these times, such as 5min or 90s; segments are units of their own,"
                            + " and are put together in the end (default: inputs are not cut)")
    private Long segment;

    @Option(names = "--overwrite", description = "overwrite outputs that exist already")
    private boolean overwrite;

    /**
     * Makes a plan and says what it has.
     *
     * @return the plan's file
     */
    Path plan(CommandSpec spec) throws IOException {
        if (paths.size() < 2) {
            throw unusable("name the inputs and a folder for the outputs: IN OUT");
        }
        Path out = Path.of(paths.get(paths.size() - 1)).toAbsolutePath().normalize();
        List<BatchInputs.Input> inputs = BatchInputs.find(paths.subList(0, paths.size() - 1), out);
        TranscodeSettings settings = transcode.settings();
        String dotted = suffix.startsWith(".") ? suffix : "." + suffix;
        Transcoder.of(Installation.current(), settings).checkFile("out" + dotted);
        PrintWriter report = spec.commandLine().getOut();
        for (BatchInputs.Input input : inputs) {
            CutOffFile.notice(input.source()).ifPresent(report::println);
        }
        BatchPlan plan = Planner.plan(
                inputs,
                out,
                new Planner.Wish(software(spec), settings, dotted, segment, overwrite),
                input -> cuts(input, report));
        report.println(out.resolve(BatchPlan.FILE) + ": " + counted(plan.units().size(), "unit") + " of "
                + plan.units().stream().map(BatchTask.Unit::input).distinct().count() + " inputs");
        report.flush();
        return out.resolve(BatchPlan.FILE);
    }

    private CutTimes cuts(String input, PrintWriter report) throws IOException {
        CutTimes cuts = CutTimes.of(Installation.current(), input, segment);
        cuts.whole().ifPresent(why -> report.println(input + " is not cut: " + why));
        return cuts;
    }

    /** Lets picocli read the length of a segment. */
    static final class SegmentTime implements ITypeConverter<Long> {
        private static final Pattern TIME = Pattern.compile("(\\d{1,6})(s|min|h)?");
        private static final long MOST_SECONDS = 1_000_000;

        @Override
        public Long convert(String value) {
            Matcher time = TIME.matcher(value);
            if (time.matches()) {
                String unit = time.group(2) == null ? "s" : time.group(2);
                long seconds = Long.parseLong(time.group(1))
                        * switch (unit) {
                            case "h" -> 3600;
                            case "min" -> 60;
                            default -> 1;
                        };
                if (seconds >= 1 && seconds <= MOST_SECONDS) {
                    return TimeUnit.SECONDS.toNanos(seconds);
                }
            }
            throw new TypeConversionException(
                    "'" + value + "' is no length of a segment: write seconds, or 90s, 5min or 1h");
        }
    }

    /** The version of this program. */
    static String software(CommandSpec spec) {
        String version = spec.root().version()[0];
        return version.substring(version.indexOf(' ') + 1);
    }
}
