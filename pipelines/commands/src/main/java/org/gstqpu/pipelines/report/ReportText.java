/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.gstqpu.pipelines.cli.TextTable;

/** A report as text, and many as a table of Markdown. Stateless. */
final class ReportText {
    private ReportText() {}

    /** The whole report, for people. */
    static String of(MachineReport report) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        report.verdict().forEach(out::println);
        out.println();
        MachineFacts machine = report.machine();
        fact(out, "machine", machine.model());
        fact(out, "processor", machine.processor() + ", " + machine.cores() + " cores, " + machine.architecture());
        fact(out, "memory", machine.memoryMiB() + " MiB");
        fact(out, "system", machine.system() + ", Linux " + machine.kernel());
        fact(out, "Java", machine.java());
        fact(out, "GStreamer", machine.gstreamer());
        machine.devices().forEach(device -> fact(out, "Vulkan", device));
        fact(out, "power before", power(report.before()));
        fact(out, "power after", power(report.after()));
        out.println();
        TextTable speeds = new TextTable("size", "quality", "substrate", "cold", "warm", "cores", "device");
        for (Speed speed : report.speeds()) {
            speeds.row(
                    speed.width() + "x" + speed.height(),
                    speed.quality(),
                    speed.substrate(),
                    figure(speed, speed.coldFramesPerSecond()),
                    figure(speed, speed.framesPerSecond()),
                    figure(speed, speed.cores()),
                    speed.problem() == null ? speed.device() : speed.problem());
        }
        speeds.print(out);
        out.println();
        out.println("ways without a copy:");
        report.paths().forEach(path -> fact(out, path.usable() ? "works" : "no", path.name() + ": " + path.finding()));
        out.flush();
        return text.toString();
    }

    private static void fact(PrintWriter out, String name, String value) {
        out.printf("%-14s%s%n", name, value);
    }

    private static String power(PowerState state) {
        return "governor " + state.governor() + ", " + state.megahertz() + " MHz, " + state.celsius()
                + " degrees, throttled " + state.throttled() + ", load " + state.load();
    }

    private static String figure(Speed speed, double value) {
        return speed.problem() == null ? decimal(value) : "-";
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /**
     * A table of reports: a row for each machine, with the frames a second of its largest pictures.
     *
     * @param reports by name, each with a text file of that name beside the table
     */
    static String table(Map<String, MachineReport> reports) {
        StringBuilder table = new StringBuilder("""
                | report | machine | processor | system | right | best, cpu | best, device | fast, cpu | fast, device |
                |---|---|---|---|---|---|---|---|---|
                """);
        reports.forEach((name, report) -> {
            MachineFacts machine = report.machine();
            table.append("| [" + name + "](" + name + ".txt) | ")
                    .append(machine.model())
                    .append(" | ")
                    .append(machine.processor())
                    .append(", ")
                    .append(machine.cores())
                    .append(" cores | ")
                    .append(machine.system())
                    .append(" | ")
                    .append(report.verified().stream().map(ReportText::right).collect(Collectors.joining(", ")));
            for (String quality : List.of("best", "fast")) {
                for (String substrate : List.of("cpu", "qpu")) {
                    table.append(" | ").append(cell(report.speeds(), quality, substrate));
                }
            }
            table.append(" |\n");
        });
        return table.toString();
    }

    private static String right(MachineReport.Verified verified) {
        if (verified.isRight()) {
            return verified.substrate();
        }
        return verified.substrate() + (verified.problem() == null ? " WRONG" : " not verified");
    }

    private static String cell(List<Speed> speeds, String quality, String substrate) {
        return speeds.stream()
                .filter(speed -> speed.problem() == null)
                .filter(speed ->
                        speed.quality().equals(quality) && speed.substrate().equals(substrate))
                .max((a, b) -> Integer.compare(a.height(), b.height()))
                .map(speed -> decimal(speed.framesPerSecond()) + " at " + speed.height() + "p"
                        + (substrate.equals("cpu") ? "" : " on " + speed.device()))
                .orElse("");
    }
}
