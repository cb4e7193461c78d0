/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Where the stream is, for whoever asks at any time. GStreamer's base class fails here within some thousand seeks. */
class PositionIT {
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @Test
    void positionIsRightAndAskedForWithoutCriticalMessagesDuringSeeks() {
        GstProcess.Result result = new GstProcess(TestProgram.build("positions"), "qpuloopfilter", "300000")
                .with("G_DEBUG", "fatal-criticals")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertEquals(
                List.of("ok after a picture: 4040000000", "ok after a seek: 7080000000", "ok seeks"),
                result.output().lines().toList());
    }
}
