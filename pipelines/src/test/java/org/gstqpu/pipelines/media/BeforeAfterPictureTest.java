/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class BeforeAfterPictureTest {
    private static final int BLACK = 0x000000;
    private static final int WHITE = 0xffffff;

    @Test
    void leftHalfIsBeforeRightHalfIsAfterAndBelowAreThreeDetails() {
        BufferedImage image = BeforeAfterPicture.compose(
                filled(320, 192, 16), filled(320, 192, 235), filled(320, 192, 126), "a", "b");
        assertEquals(1280, image.getWidth());
        // Points that are not on a label, the line between the halves or the frame around the detail.
        assertEquals(BLACK, rgb(image, 600, 700));
        assertEquals(WHITE, rgb(image, 700, 700));
        int below = 192 * 4 + 16 + 200;
        assertEquals(BLACK, rgb(image, 200, below));
        assertEquals(WHITE, rgb(image, 650, below));
        assertEquals(0x808080, rgb(image, 1100, below));
    }

    @Test
    void coloursAreThoseOfBt709() {
        I420Picture red = filled(320, 192, 63);
        Arrays.fill(red.plane(1), (byte) 102);
        Arrays.fill(red.plane(2), (byte) 240);
        BufferedImage image = BeforeAfterPicture.compose(red, red, red, "a", "b");
        int pixel = rgb(image, 600, 700);
        assertTrue((pixel >> 16) >= 253 && (pixel >> 8 & 0xff) <= 2 && (pixel & 0xff) <= 2, Integer.toHexString(pixel));
    }

    @Test
    void theDetailIsWhereTheFilterChangedMost() {
        I420Picture before = filled(320, 192, 100);
        I420Picture after = filled(320, 192, 100);
        after.plane(0)[100 * 320 + 200] = 120;
        after.plane(0)[20 * 320 + 20] = 101;
        BeforeAfterPicture.Region region = BeforeAfterPicture.mostChanged(before, after, 40, 30);
        assertTrue(region.x() <= 200 && region.x() + region.width() > 200, region.toString());
        assertTrue(region.y() <= 100 && region.y() + region.height() > 100, region.toString());
    }

    @Test
    void labelsAreWritten() {
        I420Picture black = filled(320, 192, 16);
        BufferedImage blank = BeforeAfterPicture.compose(black, black, black, "", "");
        BufferedImage labelled = BeforeAfterPicture.compose(black, black, black, "BEFORE", "AFTER");
        assertEquals(0, inked(blank));
        // The letter B has 21 pixels, E has 18, … and each takes nine pixels of the image.
        assertTrue(inked(labelled) > 9 * 80, "white pixels in the label: " + inked(labelled));
        assertTrue(PixelFont.isInked('b', 0, 0));
        assertTrue(!PixelFont.isInked('b', 4, 0) && !PixelFont.isInked('?', 0, 0));
    }

    @Test
    void anySizeGivesAnImageThatCanBeWrittenAsPng() throws IOException {
        for (int[] size : new int[][] {{1, 1}, {17, 3}, {33, 35}, {1918, 1078}}) {
            I420Picture picture = filled(size[0], size[1], 100);
            BufferedImage image = BeforeAfterPicture.compose(picture, picture, picture, "before", "after");
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            assertTrue(ImageIO.write(image, "png", png));
            BufferedImage read = ImageIO.read(new ByteArrayInputStream(png.toByteArray()));
            assertEquals(image.getWidth(), read.getWidth());
            assertTrue(read.getWidth() >= 1280, "width " + read.getWidth());
        }
    }

    @Test
    void picturesOfDifferentSizesAreRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> BeforeAfterPicture.compose(filled(8, 8, 1), filled(8, 8, 1), filled(8, 9, 1), "a", "b"));
    }

    /** The number of white pixels in the area of the first label, whose dots have 3x3 pixels. */
    private static long inked(BufferedImage image) {
        long count = 0;
        for (int y = 16; y < 49; y++) {
            for (int x = 16; x < 133; x++) {
                count += rgb(image, x, y) == WHITE ? 1 : 0;
            }
        }
        return count;
    }

    private static int rgb(BufferedImage image, int x, int y) {
        return image.getRGB(x, y) & 0xffffff;
    }

    private static I420Picture filled(int width, int height, int luma) {
        I420Picture picture = new I420Picture(width, height);
        Arrays.fill(picture.plane(0), (byte) luma);
        Arrays.fill(picture.plane(1), (byte) 128);
        Arrays.fill(picture.plane(2), (byte) 128);
        return picture;
    }
}
