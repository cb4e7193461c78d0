/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Places, and how long buffers are kept at them: the C that follows pictures, with callbacks that fail as they are told. */
class PicturesIT {
    @Test
    void buffersAreKeptUntilTheirPictureIsFinished() {
        GstProcess.Result result = new GstProcess(TestProgram.build("pictures", "gstqpupictures"))
                .with("G_DEBUG", "fatal-criticals")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("ok it is finished before the older ones"), result::output);
    }
}
