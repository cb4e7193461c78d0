/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import org.gstqpu.pipelines.media.I420Picture;

/**
 * Measures how visible the grid of 8x8 blocks is in pictures. The measure is the mean step of luma between neighbouring samples
 * across the grid's lines, divided by the mean step one sample before and one sample after these lines. It is 1 if no grid is
 * visible, and greater with the blocks that codecs leave. Lines at the picture's border do not count. Belongs to one thread.
 */
final class GridSteps {
    private static final int GRID = 8;

    private long across;
    private long beside;

    /** Adds the vertical and horizontal grid lines of a picture. */
    void add(I420Picture picture) {
        int width = picture.width();
        int height = picture.height();
        byte[] luma = picture.plane(0);
        for (int y = 0; y < height; y++) {
            for (int x = GRID; x + 1 < width; x += GRID) {
                add(luma, y * width + x, 1);
            }
        }
        for (int y = GRID; y + 1 < height; y += GRID) {
            for (int x = 0; x < width; x++) {
                add(luma, y * width + x, width);
            }
        }
    }

    private void add(byte[] luma, int at, int step) {
        int before = luma[at - step] & 0xff;
        int after = luma[at] & 0xff;
        across += 2L * Math.abs(after - before);
        beside += Math.abs(before - (luma[at - 2 * step] & 0xff)) + Math.abs((luma[at + step] & 0xff) - after);
    }

    /** The measure over all pictures so far; NaN if they are flat. */
    double ratio() {
        return (double) across / beside;
    }
}
