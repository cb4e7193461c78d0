/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;

/** What {@code qpu doctor} says of the machine that runs this test, and of one without a decoder. */
class DoctorCommandIT {
    private static final long LIMIT_SECONDS = 1200;

    /** A terminal has 24 lines and the prompt. */
    private static final int LINES = 25;

    private static ChildProcess.Result doctor(Map<String, String> environment, String... options) {
        Installation installation = Installation.current();
        List<String> command = new ArrayList<>(
                List.of(installation.root().resolve("pipelines/qpu").toString(), "doctor"));
        command.addAll(List.of(options));
        return new ChildProcess(command, environment).run(LIMIT_SECONDS).orElseThrow();
    }

    @Test
    void theVerdictIsFirstAndEachPipelineHasALine() {
        ChildProcess.Result result = doctor(Map.of());
        List<String> lines = result.output().lines().toList();
        assertEquals(0, result.status(), result.output());
        assertTrue(lines.get(0).startsWith("qpuloopfilter works here, on the "), result.output());
        assertTrue(lines.size() <= LINES, result.output());
        for (String subject : List.of("plugin", "decoders", "encoders", "window", "transcode", "dvd", "play")) {
            assertEquals(
                    1,
                    lines.stream()
                            .filter(line -> line.matches("(ok|none) +" + subject + " .*"))
                            .count(),
                    subject + ": " + result.output());
        }
        assertFalse(result.output().contains("vp9_mc"), result.output());
    }

    @Test
    void theKernelsAreShownWhereTheyAreAskedFor() {
        ChildProcess.Result result = doctor(Map.of(), "--kernels");
        assertEquals(0, result.status(), result.output());
        assertTrue(result.output().contains("auto runs "), result.output());
    }

    /** GStreamer's own variable leaves elements out that are installed. */
    @Test
    void withoutADecoderThePackageIsNamed() {
        String ranks =
                "avdec_h264:NONE,openh264dec:NONE,v4l2h264dec:NONE,v4l2slh264dec:NONE,vah264dec:NONE,vaapih264dec:NONE"
                        + ",nvh264dec:NONE";
        ChildProcess.Result result = doctor(Map.of("GST_PLUGIN_FEATURE_RANK", ranks));
        assertEquals(0, result.status(), result.output());
        assertTrue(
                result.output().lines().anyMatch(line -> line.matches("none +decoders +none of H\\.264.*libav.*")),
                result.output());
        assertTrue(
                result.output().lines().anyMatch(line -> line.matches("none +transcode +no decoder of H\\.264; .*")),
                result.output());
        assertTrue(result.output().lines().findFirst().orElseThrow().contains("'none' below"), result.output());
    }
}
