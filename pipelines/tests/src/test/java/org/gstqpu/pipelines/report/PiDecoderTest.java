/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Machines as their owners described them: what is known to be wrong with each. */
class PiDecoderTest {
    private static final String TEN_BITS = "NC30";
    private static final String FAILED = "rpi-hevc-dec 1000800000.codec: phase1_cb: Post wait: 0xffffffff";

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "Raspberry Pi 5 Model B Rev 1.0, 6.6.51+rpt-rpi-2712, GStreamer 1.22.0, 1.22.0-4+deb12u5, '', columns NC30",
                "Raspberry Pi 5 Model B Rev 1.0, 6.18.50, GStreamer 1.26.2, 1.26.2-3, '', rows NC30",
                "Raspberry Pi 5 Model B Rev 1.0, 6.18.3, GStreamer 1.26.2, 1.26.2-3+rpt3+deb13u1, '', rows",
                "Raspberry Pi Compute Module 5 Rev 1.0, 6.12.75+rpt-rpi-2712, GStreamer 1.26.2, 1.26.2-3+rpt3+deb13u1, '"
                        + FAILED + "', fails rows",
                "Raspberry Pi 5 Model B Rev 1.0, 6.12.47+rpt-rpi-v8, GStreamer 1.26.11, 1.26.11-1+rpt1, '', may",
                "Raspberry Pi 4 Model B Rev 1.5, 6.18.3, GStreamer 1.28.0, 1.28.0-1, '" + FAILED + "', fails NC30",
                // Of reference picture sets, which 1.28.6 gives to drivers that ask: the Pi's does not ask.
                "Raspberry Pi 5 Model B Rev 1.1, 6.18.50, GStreamer 1.28.5, 1.28.5-1+rpt1, '', ''",
                "Raspberry Pi 5 Model B Rev 1.1, 6.18.50, GStreamer 1.28.7, 1.28.7-1+rpt1, '', ''",
                "Raspberry Pi 5 Model B Rev 1.1, 6.18.50, '', '', '', ''",
                "ThinkPad, 6.12.48+deb13-amd64, GStreamer 1.22.0, 1.22.0-4, '" + FAILED + "', ''",
            })
    void aDescribedMachinesFaultsAreNamed(
            String model, String kernel, String gstreamer, String plugins, String log, String faults) {
        List<String> found = new PiDecoder(model, kernel, gstreamer, plugins, log)
                .faults().stream()
                        .map(PiDecoder.Fault::finding)
                        .map(finding -> Stream.of("may", "fails", "columns", "rows", TEN_BITS)
                                .filter(finding::contains)
                                .findFirst()
                                .orElseThrow())
                        .toList();
        assertEquals(faults, String.join(" ", found));
    }
}
