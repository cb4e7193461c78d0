/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.awt.image.BufferedImage;
import java.util.Arrays;

/**
 * Composes one image from a picture before and after filtering. At the top are the left half of the picture before and the right
 * half of the picture after, enlarged. Below is one small detail before, after and in the source, enlarged further. Stateless.
 */
public final class BeforeAfterPicture {
    private static final int LEAST_WIDTH = 1280;
    private static final int GAP = 16;
    private static final int TILES = 3;
    private static final int DETAIL_ZOOM = 6;
    private static final int BACKGROUND = 0x16181c;
    private static final int LINE = 0xffffff;
    private static final int INK = 0xffffff;

    private BeforeAfterPicture() {}

    /** The upper left corner and size of a part of a picture, in luma samples. */
    public record Region(int x, int y, int width, int height) {}

    /**
     * Draws the image.
     *
     * @param beforeLabel label of the picture before filtering, in characters of {@link PixelFont}
     * @param afterLabel label of the picture after filtering, in characters of {@link PixelFont}
     * @throws IllegalArgumentException when the pictures differ in size
     */
    public static BufferedImage compose(
            I420Picture before, I420Picture after, I420Picture source, String beforeLabel, String afterLabel) {
        if (!before.isSizeOf(after) || !before.isSizeOf(source)) {
            throw new IllegalArgumentException("the three pictures must have one size");
        }
        int zoom = Math.max(1, (LEAST_WIDTH + before.width() - 1) / before.width());
        int width = before.width() * zoom;
        int top = before.height() * zoom;
        int tileWidth = (width - (TILES - 1) * GAP) / TILES;
        int detailZoom = Math.max(DETAIL_ZOOM, zoom);
        Region detail = mostChanged(
                before,
                after,
                Math.min(before.width(), Math.max(1, tileWidth / detailZoom)),
                Math.min(before.height(), Math.max(1, tileWidth * 3 / 4 / detailZoom)));
        int tileHeight = detail.height * detailZoom;

        Canvas canvas = new Canvas(width, top + GAP + tileHeight);
        Region whole = new Region(0, 0, before.width(), before.height());
        int half = before.width() / 2;
        canvas.paint(before, new Region(0, 0, half, whole.height), 0, 0, zoom);
        canvas.paint(after, new Region(half, 0, whole.width - half, whole.height), half * zoom, 0, zoom);
        canvas.fill(half * zoom - 1, 0, 2, top, LINE);
        canvas.frame(detail.x * zoom, detail.y * zoom, detail.width * zoom, detail.height * zoom, LINE);
        canvas.label(beforeLabel, GAP, GAP, 3);
        canvas.label(afterLabel, half * zoom + GAP, GAP, 3);

        I420Picture[] pictures = {before, after, source};
        String[] labels = {"before", "after", "source"};
        for (int tile = 0; tile < TILES; tile++) {
            int x = tile * (tileWidth + GAP);
            canvas.paint(pictures[tile], detail, x, top + GAP, detailZoom);
            canvas.label(labels[tile], x + GAP / 2, top + GAP + GAP / 2, 2);
        }
        return canvas.image();
    }

    /** Finds the region of the given size in which the filter changed luma most, in steps of eight samples. */
    public static Region mostChanged(I420Picture before, I420Picture after, int width, int height) {
        // sums[y * stride + x] is the change in all samples above y and left of x, so the sum of a region takes four
        // reads.
        int stride = before.width() + 1;
        long[] sums = new long[stride * (before.height() + 1)];
        for (int y = 0; y < before.height(); y++) {
            long row = 0;
            for (int x = 0; x < before.width(); x++) {
                row += Math.abs(before.sample(0, x, y) - after.sample(0, x, y));
                sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + row;
            }
        }
        Region best = new Region(0, 0, width, height);
        long bestChange = -1;
        for (int y = 0; y + height <= before.height(); y += 8) {
            for (int x = 0; x + width <= before.width(); x += 8) {
                int above = y * stride + x;
                int below = above + height * stride;
                long change = sums[below + width] - sums[below] - sums[above + width] + sums[above];
                if (change > bestChange) {
                    bestChange = change;
                    best = new Region(x, y, width, height);
                }
            }
        }
        return best;
    }

    /** Draws pixels without java.awt's graphics, which need fonts and the configuration of a display. */
    private static final class Canvas {
        private final int width;
        private final int height;
        private final int[] rgb;

        Canvas(int width, int height) {
            this.width = width;
            this.height = height;
            this.rgb = new int[width * height];
            Arrays.fill(rgb, BACKGROUND);
        }

        void paint(I420Picture picture, Region region, int left, int top, int zoom) {
            for (int y = 0; y < region.height * zoom && top + y < height; y++) {
                for (int x = 0; x < region.width * zoom && left + x < width; x++) {
                    rgb[(top + y) * width + left + x] =
                            Rgb.of(picture, region.x + x / zoom, region.y + y / zoom, false);
                }
            }
        }

        void fill(int left, int top, int fillWidth, int fillHeight, int colour) {
            for (int y = Math.max(0, top); y < Math.min(height, top + fillHeight); y++) {
                for (int x = Math.max(0, left); x < Math.min(width, left + fillWidth); x++) {
                    rgb[y * width + x] = colour;
                }
            }
        }

        void frame(int left, int top, int frameWidth, int frameHeight, int colour) {
            fill(left, top, frameWidth, 1, colour);
            fill(left, top + frameHeight - 1, frameWidth, 1, colour);
            fill(left, top, 1, frameHeight, colour);
            fill(left + frameWidth - 1, top, 1, frameHeight, colour);
        }

        /** Draws text on a dark rectangle. Text that does not fit the canvas is cut off. */
        void label(String text, int left, int top, int zoom) {
            fill(
                    left,
                    top,
                    (text.length() * PixelFont.ADVANCE + 3) * zoom,
                    (PixelFont.GLYPH_HEIGHT + 4) * zoom,
                    BACKGROUND);
            for (int i = 0; i < text.length(); i++) {
                for (int y = 0; y < PixelFont.GLYPH_HEIGHT; y++) {
                    for (int x = 0; x < PixelFont.GLYPH_WIDTH; x++) {
                        if (PixelFont.isInked(text.charAt(i), x, y)) {
                            int glyphX = 2 + i * PixelFont.ADVANCE + x;
                            fill(left + glyphX * zoom, top + (2 + y) * zoom, zoom, zoom, INK);
                        }
                    }
                }
            }
        }

        BufferedImage image() {
            BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
            image.setRGB(0, 0, width, height, rgb, 0, width);
            return image;
        }
    }
}
