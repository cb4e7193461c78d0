/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.freedesktop.gstreamer.Fraction;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Test;

class PicturePairsTest {
    private static final PictureLayout LAYOUT = PictureLayout.packed(PixelFormat.GRAY8, 2, 2, 1);
    private static final double RATE = 25;

    /** A video whose pictures are shown at these times in milliseconds; at no known time if that is negative. */
    private static Video video(String name, long... millis) {
        ByteBuffer samples = ByteBuffer.allocateDirect(Math.toIntExact(LAYOUT.sizeBytes()));
        return new Video(name, LAYOUT, new Fraction(0, 1), Optional.empty(), false, millis.length, new Video.Reader() {
            private int given;

            @Override
            public Optional<Picture> next() {
                return given++ < millis.length
                        ? Optional.of(Picture.of(HostMemory.of(samples), LAYOUT))
                        : Optional.empty();
            }

            @Override
            public long nanos() {
                return millis[given - 1] * 1_000_000;
            }

            @Override
            public void close() {}
        });
    }

    /** The times of the pairs in milliseconds, and what has no counterpart. */
    private static String pairs(Video made, Video original, PicturePairs pairs) {
        StringBuilder text = new StringBuilder();
        while (pairs.next()) {
            text.append(made.nanos() / 1_000_000)
                    .append('=')
                    .append(original.nanos() / 1_000_000)
                    .append(' ');
        }
        return text + "+" + pairs.madeOnly() + " -" + pairs.originalOnly();
    }

    @Test
    void aPictureThatIsLackingShiftsNothing() {
        Video made = video("made", 1000, 1080, 1121, 1160);
        Video original = video("original", 0, 40, 80, 120, 160);
        PicturePairs pairs = new PicturePairs(made, original, RATE);
        assertEquals("1000=0 1080=80 1121=120 1160=160 +0 -1", pairs(made, original, pairs));
        assertEquals(
                "made lacks 1 picture of original, which lacks 0 of it, by their times: these were left out, the first"
                        + " after 1 pair, at 0.040 s",
                pairs.leftOut().orElseThrow());
        assertTrue(pairs.longer().isEmpty());
    }

    @Test
    void aPictureTooMuchShiftsNothing() {
        Video made = video("made", 0, 19, 40, 80, 120);
        Video original = video("original", 0, 40, 80);
        PicturePairs pairs = new PicturePairs(made, original, RATE);
        assertEquals("0=0 40=40 80=80 +2 -0", pairs(made, original, pairs));
        assertTrue(pairs.leftOut().orElseThrow().contains("which lacks 1 of it"));
        assertTrue(
                pairs.longer().orElseThrow().startsWith("made goes on after 3 pairs, where original ends"),
                pairs.longer().orElseThrow());
    }

    /** Half of what a picture lasts is 20 ms. */
    @Test
    void timesAreNearIfTheyDifferByLessThanHalfAPicture() {
        Video made = video("made", 0, 59, 60);
        Video original = video("original", 0, 40);
        assertEquals("0=0 59=40 +1 -0", pairs(made, original, new PicturePairs(made, original, RATE)));
        Video later = video("later", 0, 60);
        Video same = video("original", 0, 40, 80);
        assertEquals("0=0 +1 -2", pairs(later, same, new PicturePairs(later, same, RATE)));
    }

    @Test
    void withoutTimesOrARateTheirOrderCounts() {
        Video made = video("made", -1, -1);
        Video original = video("original", 0, 40, 80);
        PicturePairs pairs = new PicturePairs(made, original, RATE);
        assertEquals("-1=0 -1=40 +0 -1", pairs(made, original, pairs));
        assertTrue(pairs.leftOut().isEmpty());
        assertTrue(pairs.longer().orElseThrow().startsWith("original goes on after 2 pairs, where made ends"));
        Video faster = video("faster", 0, 500);
        Video same = video("original", 0, 40);
        PicturePairs unrated = new PicturePairs(faster, same, 0);
        assertEquals("0=0 500=40 +0 -0", pairs(faster, same, unrated));
        assertTrue(unrated.longer().isEmpty());
    }
}
