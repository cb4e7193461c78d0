/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Optional;
import org.gstqpu.pipelines.report.MachineReport.Verified;
import org.junit.jupiter.api.Test;

class ReportVerdictTest {
    private static Speed speed(String substrate, String quality, int height, double rate, double cores) {
        return new Speed(substrate, "V3D 7.1", quality, height * 16 / 9, height, rate / 2, rate, cores, 1, null);
    }

    private static Optional<String> busy(String load) {
        return ReportVerdict.busy(new PowerState("unknown", "unknown", "unknown", "unknown", load), 4);
    }

    @Test
    void aBusyMachineIsToldWithTheCure() {
        assertEquals(
                "the machine is busy (load 1.01, 4 cores), so that the speeds are too low: end what else runs, wait a minute,"
                        + " and run qpu report again",
                busy("1.01").orElseThrow());
        assertEquals(Optional.empty(), busy("1.00"));
        assertEquals(Optional.empty(), busy("unknown"));
    }

    @Test
    void wordsSayWhatRunsAndOnHowManyCores() {
        List<Speed> speeds = List.of(
                speed("cpu", "best", 1080, 20, 4),
                speed("qpu", "best", 1080, 9, 0.1),
                speed("cpu", "best", 720, 45, 4),
                speed("qpu", "best", 720, 19, 0.1),
                speed("cpu", "fast", 1080, 60, 4),
                new SpeedCase("qpu", "fast", 1920, 1080).failed("no Vulkan driver"));
        assertEquals(
                List.of(
                        "cpu: right in all 62 files of golden vectors",
                        "qpu: not verified, no Vulkan driver",
                        "1080p30, quality best: no: on the CPU 20.0 frames a second; on V3D 7.1 9.0 frames a second",
                        "720p30, quality best: yes: on the CPU with 2.7 of 4 cores; on V3D 7.1 19.0 frames a second",
                        "1080p30, quality fast: yes: on the CPU with 2.0 of 4 cores; on qpu not measured, no Vulkan driver"),
                ReportVerdict.of(
                        List.of(new Verified("cpu", 62, 0, null), new Verified("qpu", 0, 0, "no Vulkan driver")),
                        speeds,
                        4));
    }

    @Test
    void aWrongKernelIsTheFirstThingSaid() {
        Verified wrong = new Verified("cpu", 62, 3, null);
        assertFalse(wrong.isRight());
        assertEquals(
                List.of("cpu: WRONG: 3 mismatches, please report it"), ReportVerdict.of(List.of(wrong), List.of(), 2));
    }

    @Test
    void aCaseIsReadAsItIsWritten() {
        SpeedCase what = new SpeedCase("qpu", "best", 1280, 720);
        assertEquals("qpu,best,1280x720", what.text());
        assertEquals(what, SpeedCase.of(what.text()));
    }
}
