/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.freedesktop.gstreamer.Fraction;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.pipelines.measure.Conversion.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConversionTest {
    private static Video said(PixelFormat format, Optional<String> colorimetry, boolean fullRange) {
        return new Video(
                "said", PictureLayout.packed(format, 64, 64, 4), new Fraction(25, 1), colorimetry, fullRange, 0, null);
    }

    private static Video video(PixelFormat format) {
        return said(format, Optional.of("bt709"), false);
    }

    private static Video full(PixelFormat format) {
        return said(format, Optional.of("1:4:0:0"), true);
    }

    @Test
    void rangeAndChromaBecomeTheOriginals() {
        assertEquals(Optional.empty(), Conversion.of(video(PixelFormat.I420), video(PixelFormat.I420), false));
        assertEquals(
                Optional.of(new Conversion(PixelFormat.I420, Optional.of("bt709"), Range.SAME, Optional.empty())),
                Conversion.of(full(PixelFormat.I420), video(PixelFormat.I420), false));
        assertEquals(
                Optional.of(new Conversion(PixelFormat.I420, Optional.of("bt709"), Range.SAME, Optional.empty())),
                Conversion.of(full(PixelFormat.Y42B), video(PixelFormat.I420), false));
        assertEquals(
                Optional.of(new Conversion(PixelFormat.Y42B, Optional.of("bt709"), Range.SAME, Optional.empty())),
                Conversion.of(video(PixelFormat.Y444), video(PixelFormat.Y42B), false));
        assertEquals(
                Optional.of(new Conversion(PixelFormat.Y444, Optional.of("1:4:0:0"), Range.TO_VIDEO, Optional.empty())),
                Conversion.of(full(PixelFormat.I420), said(PixelFormat.Y444, Optional.empty(), false), false));
    }

    /** GStreamer would copy the samples. */
    @ParameterizedTest
    @CsvSource({"1:0:0:0, bt709", "1:4:0:0, bt601", "1:3:5:1, 2:3:0:0", "1:4:0:0, 1:0:0:0"})
    void aRangeAloneIsChangedHere(String full, String video) {
        Video ofFull = said(PixelFormat.I420, Optional.of(full), true);
        Video ofVideo = said(PixelFormat.I420, Optional.of(video), false);
        assertEquals(
                Optional.of(new Conversion(PixelFormat.I420, Optional.of(full), Range.TO_VIDEO, Optional.empty())),
                Conversion.of(ofFull, ofVideo, false));
        assertEquals(
                Optional.of(new Conversion(PixelFormat.I420, Optional.of(video), Range.TO_FULL, Optional.empty())),
                Conversion.of(ofVideo, ofFull, false));
    }

    @Test
    void bitsASampleStay() {
        assertEquals(Optional.empty(), Conversion.of(video(PixelFormat.I420), video(PixelFormat.I420_10LE), false));
        assertEquals(
                Optional.of(new Conversion(PixelFormat.I422_10LE, Optional.of("bt709"), Range.SAME, Optional.empty())),
                Conversion.of(video(PixelFormat.I420_10LE), video(PixelFormat.Y42B), false));
    }

    @Test
    void greyKeepsItsSamples() {
        assertEquals(Optional.empty(), Conversion.of(full(PixelFormat.GRAY8), video(PixelFormat.GRAY8), false));
        assertEquals(Optional.empty(), Conversion.of(video(PixelFormat.GRAY8), video(PixelFormat.I420), false));
    }

    @Test
    void sizeBecomesTheOriginalsOnRequest() {
        Video small = new Video(
                "small",
                PictureLayout.packed(PixelFormat.I420, 32, 48, 4),
                new Fraction(25, 1),
                Optional.of("bt601"),
                false,
                0,
                null);
        assertEquals(Optional.empty(), Conversion.of(small, video(PixelFormat.I420), false));
        assertEquals(
                Optional.of(new Conversion(
                        PixelFormat.I420, Optional.of("bt601"), Range.SAME, Optional.of(new Conversion.Size(64, 64)))),
                Conversion.of(small, video(PixelFormat.I420), true));
        assertEquals(Optional.empty(), Conversion.of(video(PixelFormat.I420), video(PixelFormat.I420), true));
        assertEquals(
                Optional.of(new Conversion.Size(64, 64)),
                Conversion.of(small, video(PixelFormat.GRAY8), true)
                        .orElseThrow()
                        .size());
    }
}
