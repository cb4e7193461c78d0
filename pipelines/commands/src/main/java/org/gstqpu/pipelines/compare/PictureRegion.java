/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import org.gstqpu.pipelines.media.I420Picture;

/** The upper left corner and size of a part of a picture, in luma samples. */
record PictureRegion(int x, int y, int width, int height) {
    private static final int STEP = 8;

    /** Finds the region of the given size in which a filter changed luma most, in steps of eight samples. */
    static PictureRegion mostChanged(I420Picture before, I420Picture after, int width, int height) {
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
        PictureRegion best = new PictureRegion(0, 0, width, height);
        long bestChange = -1;
        for (int y = 0; y + height <= before.height(); y += STEP) {
            for (int x = 0; x + width <= before.width(); x += STEP) {
                int above = y * stride + x;
                int below = above + height * stride;
                long change = sums[below + width] - sums[below] - sums[above + width] + sums[above];
                if (change > bestChange) {
                    bestChange = change;
                    best = new PictureRegion(x, y, width, height);
                }
            }
        }
        return best;
    }
}
