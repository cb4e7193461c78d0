/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import org.gstqpu.pipelines.media.I420Picture;

/**
 * Sums up how much a picture shows the grid of 8x8 blocks: the mean step of luma from a sample to the next across the grid's
 * lines, over the mean step beside them, one sample before and one after. 1 where there is no grid to be seen; what codecs
 * leave is more. Lines at the picture's border do not count. Belongs to one thread.
 */
final class GridSteps {
    private static final int GRID = 8;

    private long across;
    private long beside;

    /** Adds a picture's lines, those down and those across. */
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

    /** NaN of flat pictures. */
    double ratio() {
        return (double) across / beside;
    }
}
