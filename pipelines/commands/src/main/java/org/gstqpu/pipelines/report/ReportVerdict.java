/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.gstqpu.pipelines.report.MachineReport.Verified;

/** Says in words what measurements mean. Stateless. */
final class ReportVerdict {
    /** Frames a second of most cameras and of video on the web. */
    private static final int RATE = 30;

    /** A load of a quarter of the cores changes the speeds by more than measurements do from time to time. */
    private static final double BUSY = 0.25;

    private ReportVerdict() {}

    /** That other work made the figures worse, with the cure; empty if little else ran when the report began. */
    static Optional<String> busy(PowerState before, int cores) {
        return Optional.of(before.load())
                .filter(load -> load.matches("[0-9.]+") && Double.parseDouble(load) > BUSY * cores)
                .map(
                        load -> "the machine is busy (load " + load + ", " + cores
                                + " cores), so that the speeds are too low: end what else runs, wait a minute, and run qpu report again");
    }

    /** A sentence each: whether the kernels are right, and what runs in real time in each quality. */
    static List<String> of(List<Verified> verified, List<Speed> speeds, int cores) {
        List<String> all = new ArrayList<>();
        for (Verified one : verified) {
            all.add(one.substrate() + ": "
                    + (one.problem() != null
                            ? "not verified, " + one.problem()
                            : one.isRight()
                                    ? "right in all " + one.files() + " files of golden vectors"
                                    : "WRONG: " + one.mismatches() + " mismatches, please report it"));
        }
        for (String quality : List.of("best", "fast")) {
            List<Speed> own = speeds.stream()
                    .filter(speed -> speed.quality().equals(quality))
                    .toList();
            Optional<Integer> largest = own.stream().map(Speed::height).max(Comparator.naturalOrder());
            largest.ifPresent(height -> {
                all.add(sentence(quality, height, own, cores));
                if (!runs(own, height)) {
                    own.stream()
                            .map(Speed::height)
                            .filter(smaller -> runs(own, smaller))
                            .max(Comparator.naturalOrder())
                            .ifPresent(smaller -> all.add(sentence(quality, smaller, own, cores)));
                }
            });
        }
        return all;
    }

    private static boolean runs(List<Speed> speeds, int height) {
        return speeds.stream().anyMatch(speed -> speed.height() == height && speed.framesPerSecond() >= RATE);
    }

    private static String sentence(String quality, int height, List<Speed> speeds, int cores) {
        String places = speeds.stream()
                .filter(speed -> speed.height() == height)
                .map(speed -> place(speed, cores))
                .collect(Collectors.joining("; "));
        return height + "p" + RATE + ", quality " + quality + ": " + (runs(speeds, height) ? "yes" : "no") + ": "
                + places;
    }

    private static String place(Speed speed, int cores) {
        String where = speed.substrate().equals("cpu") ? "on the CPU" : "on " + speed.device();
        if (speed.problem() != null) {
            return "on " + speed.substrate() + " not measured, " + speed.problem();
        }
        if (speed.framesPerSecond() < RATE) {
            return where + " " + decimal(speed.framesPerSecond()) + " frames a second";
        }
        return where + " with " + decimal(speed.cores() * RATE / speed.framesPerSecond()) + " of " + cores + " cores";
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
