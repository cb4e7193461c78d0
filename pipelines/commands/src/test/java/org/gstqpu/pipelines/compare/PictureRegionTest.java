/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.gstqpu.pipelines.media.I420Picture;
import org.junit.jupiter.api.Test;

class PictureRegionTest {
    @Test
    void theRegionIsWhereTheFilterChangedMost() {
        I420Picture before = filled(100, 128, 128);
        I420Picture after = filled(100, 128, 128);
        after.plane(0)[100 * 320 + 200] = 120;
        after.plane(0)[20 * 320 + 20] = 101;
        PictureRegion region = PictureRegion.mostChanged(before, after, 40, 30);
        assertTrue(region.x() <= 200 && region.x() + region.width() > 200, region.toString());
        assertTrue(region.y() <= 100 && region.y() + region.height() > 100, region.toString());
    }

    @Test
    void coloursAreThoseOfBt709() {
        int red = Rgb.of(filled(63, 102, 240), 5, 5, false);
        assertTrue((red >> 16) >= 253 && (red >> 8 & 0xff) <= 2 && (red & 0xff) <= 2, Integer.toHexString(red));
        assertEquals(0x000000, Rgb.of(filled(16, 128, 128), 0, 0, false));
        assertEquals(0xffffff, Rgb.of(filled(235, 128, 128), 0, 0, false));
        assertEquals(0x101010, Rgb.of(filled(16, 128, 128), 0, 0, true));
    }

    private static I420Picture filled(int y, int cb, int cr) {
        I420Picture picture = new I420Picture(320, 192);
        Arrays.fill(picture.plane(0), (byte) y);
        Arrays.fill(picture.plane(1), (byte) cb);
        Arrays.fill(picture.plane(2), (byte) cr);
        return picture;
    }
}
