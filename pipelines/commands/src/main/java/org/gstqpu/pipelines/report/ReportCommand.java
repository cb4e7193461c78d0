/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.report.MachineReport.Verified;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code qpu report}: verifies and measures a machine, and writes what it found. Lives on the main thread. */
@Command(
        name = "report",
        description = {
            "Verifies the kernels on this machine, measures frames a second, tries the ways without a copy, and writes a text file"
                    + " and a JSON file. Takes about a minute. Nothing in them identifies you or your machine.",
            "Both files can be sent to the project: attach them to an issue."
        })
public final class ReportCommand implements Callable<Integer> {
    private static final List<String> SUBSTRATES = List.of("cpu", "qpu");
    private static final List<String> QUALITIES = List.of("best", "fast");
    private static final List<String> SIZES = List.of("854x480", "1280x720", "1920x1080");
    private static final long VERIFY_SECONDS = 20;
    private static final long MEASURE_SECONDS = 12;
    private static final long GSTREAMER_SECONDS = 20;

    /** How many times as long everything may take where the user has time. */
    private static final int UNHURRIED = 60;

    /** After so long, what is left is not measured: a report that takes for ever is not made. */
    private static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(75);

    private static final Pattern VERIFIED = Pattern.compile("  (\\d+) mismatch(?:es)?(?:; first: .*)?$");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--output",
            paramLabel = "NAME",
            defaultValue = "qpu-report",
            description = "write NAME.txt and NAME.json, over those of before (default: ${DEFAULT-VALUE})")
    private Path output;

    @Option(
            names = "--unhurried",
            description =
                    "leave nothing out, however long it takes: for machines on which the report says that a limit was reached,"
                            + " such as emulated ones")
    private boolean unhurried;

    @Option(
            names = "--table",
            arity = "1..*",
            paramLabel = "REPORT",
            description = "instead: print a table, in Markdown, of JSON reports")
    private List<Path> table = List.of();

    /** What a process does that this command starts: one measurement. */
    @Option(names = "--part", hidden = true)
    private Optional<String> part;

    /** For tests of the report, whose figures nobody reads. */
    @Option(names = "--milliseconds", hidden = true, defaultValue = "" + SpeedCase.USUAL_MILLIS)
    private long milliseconds;

    @Override
    public Integer call() throws IOException, SubstrateUnavailableException {
        PrintWriter out = spec.commandLine().getOut();
        if (part.isPresent()) {
            out.println(new Gson().toJson(SpeedCase.of(part.get()).measure(milliseconds)));
            out.flush();
            return ExitStatus.OK;
        }
        if (!table.isEmpty()) {
            Map<String, MachineReport> reports = new LinkedHashMap<>();
            for (Path file : table) {
                reports.put(String.valueOf(file.getFileName()).replaceFirst("\\.json$", ""), read(file));
            }
            out.print(ReportText.table(reports));
            out.flush();
            return ExitStatus.OK;
        }
        checkOutput();
        MachineReport report = make();
        String text = ReportText.of(report);
        Path textFile = Path.of(output + ".txt");
        Path jsonFile = Path.of(output + ".json");
        Files.writeString(textFile, text);
        try (PrintWriter json = new PrintWriter(Files.newBufferedWriter(jsonFile))) {
            JsonReport.print(json, report);
        }
        out.print(text);
        out.println();
        out.println("Written to " + textFile + " and " + jsonFile
                + "; to share them, attach both to an issue of the project.");
        out.flush();
        boolean right = report.verified().stream()
                .filter(verified -> verified.problem() == null)
                .allMatch(Verified::isRight);
        return right ? ExitStatus.OK : ExitStatus.PROBLEM;
    }

    private static MachineReport read(Path file) throws IOException {
        MachineReport report;
        try (BufferedReader json = Files.newBufferedReader(file)) {
            report = new Gson().fromJson(json, MachineReport.class);
        } catch (JsonParseException e) {
            throw unusable(file + " is no report of qpu report: it is not in its JSON form", e);
        }
        if (report == null || report.schema() < 1 || report.schema() > MachineReport.SCHEMA) {
            throw unusable(file + " is no report of this version of qpu: its schema is "
                    + (report == null ? "missing" : report.schema()) + ", and 1 to " + MachineReport.SCHEMA
                    + " are known");
        }
        return report;
    }

    private void checkOutput() {
        Path folder = output.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw unusable(
                    output + ": its folder does not exist, or this user may not write to it; give another --output");
        }
    }

    private MachineReport make() {
        Installation installation = Installation.current();
        installation.requirePlugin();
        long start = System.nanoTime();
        say("the machine");
        PowerState before = PowerState.look();
        MachineFacts machine = MachineFacts.look(longer(GSTREAMER_SECONDS));
        Optional<String> busy = ReportVerdict.busy(before, machine.cores());
        busy.ifPresent(this::say);
        List<Verified> verified = new ArrayList<>();
        for (String substrate : SUBSTRATES) {
            say("golden vectors on " + substrate);
            verified.add(verify(substrate));
        }
        List<Speed> speeds = measure(verified, start);
        PowerState after = PowerState.look();
        say("ways without a copy");
        List<CopyFreePath> paths = CopyFreePath.look(installation, longer(GSTREAMER_SECONDS));
        return new MachineReport(
                MachineReport.SCHEMA,
                Stream.concat(busy.stream(), ReportVerdict.of(verified, speeds, machine.cores()).stream())
                        .toList(),
                machine,
                verified,
                before,
                speeds,
                after,
                paths);
    }

    private void say(String what) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("qpu report: " + what);
        err.flush();
    }

    private Verified verify(String substrate) {
        ChildProcess.Result result;
        long limit = longer(VERIFY_SECONDS);
        try {
            result = child(limit, "verify", "--substrate", substrate);
        } catch (CommandFailedException e) {
            return new Verified(substrate, 0, 0, notDone(limit));
        }
        int files = 0;
        long mismatches = 0;
        for (String line : result.output().lines().toList()) {
            Matcher matcher = VERIFIED.matcher(line);
            if (matcher.find()) {
                files++;
                mismatches += Long.parseLong(matcher.group(1));
            }
        }
        boolean ran = result.status() == ExitStatus.OK || mismatches > 0;
        return new Verified(substrate, files, mismatches, ran ? null : firstLine(result));
    }

    /** Largest pictures first: if a machine is slow, they are what counts. */
    private List<Speed> measure(List<Verified> verified, long start) {
        List<Speed> speeds = new ArrayList<>();
        for (String size : List.of(SIZES.get(2), SIZES.get(1), SIZES.get(0))) {
            for (String quality : QUALITIES) {
                Optional<Speed> first = Optional.empty();
                for (Verified one : verified) {
                    SpeedCase what = SpeedCase.of(one.substrate() + "," + quality + "," + size);
                    boolean late = System.nanoTime() - start > longer(ENOUGH_NANOS);
                    say(what.text());
                    Speed speed =
                            late ? what.failed("left out, because the time was up") : checked(measure(what), first);
                    speeds.add(speed);
                    first = first.or(() -> Optional.of(speed));
                }
            }
        }
        return speeds;
    }

    /** A result that differs from the other substrate's has no speed. */
    private static Speed checked(Speed speed, Optional<Speed> other) {
        boolean differs = other.isPresent()
                && other.get().problem() == null
                && speed.problem() == null
                && speed.checksum() != other.get().checksum();
        return differs
                ? new SpeedCase(speed.substrate(), speed.quality(), speed.width(), speed.height())
                        .failed("the pictures are not those of the other substrate, please report it")
                : speed;
    }

    private Speed measure(SpeedCase what) {
        long limit = longer(MEASURE_SECONDS);
        try {
            ChildProcess.Result result =
                    child(limit, "report", "--part", what.text(), "--milliseconds", Long.toString(milliseconds));
            Optional<String> json =
                    result.output().lines().filter(line -> line.startsWith("{")).findFirst();
            return json.map(line -> new Gson().fromJson(line, Speed.class))
                    .orElseGet(() -> what.failed(firstLine(result)));
        } catch (CommandFailedException e) {
            return what.failed(notDone(limit));
        }
    }

    private long longer(long limit) {
        return unhurried ? UNHURRIED * limit : limit;
    }

    private static String notDone(long seconds) {
        return "not done within " + seconds + " s";
    }

    /** What a command complains of, without what a JVM says at its start. */
    private static String firstLine(ChildProcess.Result result) {
        return result.output()
                .lines()
                .filter(line -> !line.startsWith("WARNING"))
                .findFirst()
                .orElse("status " + result.status());
    }

    /** Another command of this program, in a process of its own: a measurement begins with a new JVM, and may fail alone. */
    private static ChildProcess.Result child(long limitSeconds, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.gstqpu.pipelines.QpuCommand"));
        command.addAll(List.of(arguments));
        return new ChildProcess(command, Map.of()).run(limitSeconds).orElseThrow();
    }
}
