/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool that has no buffer for a filtered picture, when the stream begins or later. */
class ShortageIT {
    /** Buffers that the pool makes before it makes none. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void theElementSaysSoOnce(int buffers) {
        GstProcess.Result result = new GstProcess(TestProgram.build("shortage"), String.valueOf(buffers)).run();
        assertEquals(0, result.exitCode(), result::output);
        assertFalse(result.output().contains("FAILED"), result::output);
    }
}
