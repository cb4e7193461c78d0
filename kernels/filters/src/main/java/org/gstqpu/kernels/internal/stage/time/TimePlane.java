/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import java.util.Arrays;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * A component of a picture, or luma of a smaller one that was made of it, with the samples of its borders repeated all around. Samples are less
 * half of their range, so that sums of 8-bit samples fit in 16 bits. Owned by the stage.
 */
final class TimePlane {
    /** Samples around the picture: as far as a vector points, and what a window and a filter reach beyond. */
    static final int MARGIN = 48;

    final int width;
    final int height;

    /** Blocks of 8x8 samples across, and down. */
    final int columns;

    final int rows;

    /** Samples from one row to the next. */
    final int stride;

    final short[] samples;

    TimePlane(int width, int height) {
        this.width = width;
        this.height = height;
        columns = (width + 7) / 8;
        rows = (height + 7) / 8;
        stride = (8 * columns + 2 * MARGIN + 15) & -16;
        samples = new short[stride * (8 * rows + 2 * MARGIN)];
    }

    /** A plane for a component of pictures. */
    static TimePlane of(PixelFormat format, int component, int width, int height) {
        return component == 0
                ? new TimePlane(width, height)
                : new TimePlane(format.chromaWidth(width), format.chromaHeight(height));
    }

    /** Where a sample of the picture or of its margins lies. */
    int at(int x, int y) {
        return (y + MARGIN) * stride + x + MARGIN;
    }

    /** Repeats the border samples of a row of the picture. */
    void repeatAcross(int y) {
        int at = at(0, y);
        Arrays.fill(samples, at - MARGIN, at, samples[at]);
        Arrays.fill(samples, at + width, at - MARGIN + stride, samples[at + width - 1]);
    }

    /** Repeats the first and the last row, whose ends are repeated already. */
    void repeatDown() {
        int first = at(-MARGIN, 0);
        for (int y = 1; y <= MARGIN; y++) {
            System.arraycopy(samples, first, samples, first - y * stride, stride);
        }
        int last = at(-MARGIN, height - 1);
        for (int to = last + stride; to < samples.length; to += stride) {
            System.arraycopy(samples, last, samples, to, stride);
        }
    }

    /** Makes a row of this plane of two rows of one that is twice as wide and high. */
    void halve(TimePlane from, int y) {
        int to = at(0, y);
        int upper = from.at(0, 2 * y);
        for (int x = 0; x < width; x++) {
            int sum = from.samples[upper + 2 * x]
                    + from.samples[upper + 2 * x + 1]
                    + from.samples[upper + from.stride + 2 * x]
                    + from.samples[upper + from.stride + 2 * x + 1];
            samples[to + x] = (short) ((sum + 2) >> 2);
        }
        repeatAcross(y);
    }
}
