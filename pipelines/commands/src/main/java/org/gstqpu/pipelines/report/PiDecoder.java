/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import java.lang.Runtime.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * A Raspberry Pi's decoder of HEVC, as far as software is known to keep pictures from coming out of it without a copy. The sources are
 * reports in the trackers of the Pi's kernel (raspberrypi/linux, 7363 and 7536) and packages (RPi-Distro/repo, 406), and GStreamer's
 * releases. Immutable.
 *
 * @param model what the firmware calls the machine
 * @param kernel the Linux kernel's version
 * @param gstreamer GStreamer's version, as {@code GStreamer 1.26.2}; without a number if unknown
 * @param plugins version of the package gstreamer1.0-plugins-bad, in which the decoder's element is; empty if unknown
 * @param log lines of the kernel's log that name the decoder; empty if this user may not read it
 */
public record PiDecoder(String model, String kernel, String gstreamer, String plugins, String log) {
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+){1,2}");
    private static final Version COLUMNS = Version.parse("1.26");
    private static final Version WITHOUT_CROPPING = Version.parse("1.26.11");
    private static final String FAILS = "phase1_cb: Post wait";
    private static final String ON_THE_CPU = "decode with avdec_h265 meanwhile";
    private static final long LIMIT_SECONDS = 20;

    /**
     * A fault that is known.
     *
     * @param finding what is wrong, and since when it is not
     * @param cure what helps
     */
    public record Fault(String finding, String cure) {}

    /** Asks this machine, if it is a Raspberry Pi; it has no faults otherwise. */
    public static List<Fault> look() {
        String model = MachineFacts.text("/proc/device-tree/model").orElse("");
        if (!isPi(model)) {
            return List.of();
        }
        return new PiDecoder(
                        model,
                        System.getProperty("os.version"),
                        MachineFacts.gstreamer(LIMIT_SECONDS),
                        output("dpkg-query", "--show", "--showformat=${Version}", "gstreamer1.0-plugins-bad"),
                        output("journalctl", "--quiet", "--dmesg", "--boot", "--no-pager", "--grep=hevc"))
                .faults();
    }

    private static boolean isPi(String model) {
        return model.startsWith("Raspberry Pi ");
    }

    /** Empty without the program, and if it fails: what it would have said is unknown then. */
    private static String output(String... command) {
        try {
            return new ChildProcess(List.of(command), Map.of())
                    .run(LIMIT_SECONDS)
                    .filter(result -> result.status() == 0)
                    .map(ChildProcess.Result::output)
                    .orElse("");
        } catch (CommandFailedException e) {
            return "";
        }
    }

    /** What is known to be wrong, the worst first. */
    List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        if (!isPi(model)) {
            return faults;
        }
        boolean fails = log.contains(FAILS);
        if (fails || kernel.startsWith("6.12.")) {
            faults.add(new Fault(
                    "with Linux " + kernel + " the decoder " + (fails ? "fails" : "may fail") + " at every picture ("
                            + (fails ? "the kernel's log says " : "in the kernel's log: ") + FAILS + ")",
                    "the Pi's Linux 6.18 or newer (apt full-upgrade); " + ON_THE_CPU));
        }
        Optional<Version> version = version();
        if (version.filter(known -> known.compareTo(COLUMNS) < 0).isPresent()) {
            faults.add(new Fault(
                    "GStreamer " + version.get()
                            + " does not know the columns (NC12) that the decoder writes; 1.26.0 does",
                    "Debian 13 or newer; " + ON_THE_CPU));
        } else if (version.filter(known -> known.compareTo(WITHOUT_CROPPING) < 0)
                .isPresent()) {
            faults.add(new Fault(
                    "GStreamer " + version.get()
                            + " copies 1920x1080 from the decoder into memory in rows, because 1088 rows are"
                            + " coded; 1.26.11 does not",
                    "GStreamer 1.26.11 or newer; pictures of 720, 1440 and 2160 rows are not copied"));
        }
        if (version.isPresent() && !plugins.contains("+rpt")) {
            faults.add(new Fault(
                    "no release of GStreamer takes 10-bit HEVC (NC30) from the decoder",
                    "the packages of Raspberry Pi OS (+rpt), or avdec_h265"));
        }
        return faults;
    }

    private Optional<Version> version() {
        Matcher matcher = VERSION.matcher(gstreamer);
        // A version of Java's ends in no 0.
        return matcher.find()
                ? Optional.of(Version.parse(matcher.group().replaceFirst("(\\.0)+$", "")))
                : Optional.empty();
    }
}
