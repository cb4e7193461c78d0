/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.freedesktop.gstreamer.Caps;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PictureFormIT {
    @BeforeAll
    static void start() {
        GStreamer.start(Installation.current());
    }

    /** The numbers in names such as NV12 are no numbers of bits. */
    @ParameterizedTest
    @CsvSource({
        "I420, I420, false",
        "NV12, I420, false",
        "NV21, I420, false",
        "NV16, I420, true",
        "Y42B, I420, true",
        "GRAY8, I420, false",
        "I420_10LE, I420_10LE, false",
        "P010_10LE, I420_10LE, false",
        "I422_10LE, I420_10LE, true"
    })
    void theEncoderGetsAsManyBitsAsThePicturesHave(String format, String to, boolean told) {
        // Any element that takes both stands for an encoder.
        EncoderChoice encoder = new EncoderChoice(VideoFormat.H264, "videoconvert", "videoconvert");
        Caps caps = Caps.fromString("video/x-raw,format=" + format + ",width=64,height=48,framerate=25/1");
        PictureForm form = PictureForm.of(caps.getStructure(0), 0, encoder, Container.MATROSKA, Optional.empty());
        assertTrue(form.description().contains("video/x-raw,format=" + to + ","), form.description());
        assertEquals(told, !form.told().isEmpty(), form.told().toString());
    }
}
