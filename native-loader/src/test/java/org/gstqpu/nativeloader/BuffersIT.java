/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What comes out of the element with a buffer: metadata, layout, the picture before cropping, passed-through memory. */
class BuffersIT {
    @Test
    void everythingOnABufferComesOut() {
        GstProcess.Result result = new GstProcess(TestProgram.build("buffers"), "substrate=cpu").run();
        assertFalse(result.output().contains("FAILED"), result::output);
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("ok GstVideoCropMeta kept"), result::output);
    }

    @Test
    void noObjectIsLeft() {
        GstProcess.Result result = new GstProcess(TestProgram.build("buffers"), "substrate=cpu")
                .with("GST_TRACERS", "leaks")
                .with("GST_DEBUG", "GST_TRACER:7")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("GST_TRACER"), "the tracer did not run");
        assertFalse(result.output().contains("object-alive, type-name=(string)Gst"), result::output);
    }
}
