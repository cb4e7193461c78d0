/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes out of the element with a buffer: metadata, layout, the picture before cropping, passed-through memory. */
class BuffersIT {
    /** From here on, Java tells at once of memory that is gone. */
    private static final int TELLS_AT_ONCE = 25;

    private static GstProcess program(String property) {
        GstProcess program = new GstProcess(TestProgram.build("buffers"), property);
        return Runtime.version().feature() < TELLS_AT_ONCE ? program.with("BUFFERS_LATE", "yes") : program;
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void everythingOnABufferComesOut(String substrate) {
        GstProcess.Result result = program("substrate=" + substrate).run();
        assertFalse(result.output().contains("FAILED"), result::output);
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("ok GstVideoCropMeta kept"), result::output);
    }

    @Test
    void noObjectIsLeft() {
        GstProcess.Result result = program("substrate=cpu")
                .with("GST_TRACERS", "leaks")
                .with("GST_DEBUG", "GST_TRACER:7")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("GST_TRACER"), "the tracer did not run");
        assertFalse(result.output().contains("object-alive, type-name=(string)Gst"), result::output);
    }
}
