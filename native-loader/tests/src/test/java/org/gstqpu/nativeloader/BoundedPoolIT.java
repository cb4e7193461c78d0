/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several pictures under way, and a sink whose pool has fewer buffers than that. */
class BoundedPoolIT {
    /** Exit status of the program if the element cannot start. */
    private static final int NOT_STARTED = 77;

    @ParameterizedTest
    @CsvSource({"open,2", "open,4", "open,8", "fixed,2", "fixed,4", "open,1", "fixed,1"})
    void picturesUnderWayDoNotExhaustIt(String pool, int depth) {
        GstProcess.Result result = new GstProcess(
                        TestProgram.build("bounded"), pool, "substrate=qpu", "qp=30", "queue-depth=" + depth)
                .run();
        assumeFalse(result.exitCode() == NOT_STARTED, "a Vulkan device is missing: apt install mesa-vulkan-drivers");
        assertEquals(0, result.exitCode(), result::output);
    }
}
