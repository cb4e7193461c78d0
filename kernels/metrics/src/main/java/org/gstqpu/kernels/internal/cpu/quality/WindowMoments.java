/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Arrays;

/**
 * Weighted means over windows: of the samples of two planes, of the squares of both, and of their products. The window is a product
 * of two equal symmetric filters, one down and one across. SSIM and VIF compute variances from these means. Owns its memory, for one
 * row at a time.
 */
final class WindowMoments {
    /** What lies beyond the edges of a plane. */
    enum Border {
        /** Windows lie wholly in the plane. There are fewer of them than samples. */
        INSIDE,
        /** The plane mirrored at the centres of its outermost samples, which do not repeat. */
        MIRROR
    }

    /** Number of the means of one window. */
    static final int MEANS = 5;

    /** Index of each mean. */
    static final int A = 0;

    static final int B = 1;
    static final int AA = 2;
    static final int BB = 3;
    static final int AB = 4;

    /** The means of the row's windows. Index: one of the above, then the window. */
    final float[][] means;

    private final float[] taps;
    private final int radius;
    private final Border border;
    private final float[][] columns;

    /**
     * @param taps an odd number of weights, symmetric
     * @param width samples in a row of the widest plane
     */
    WindowMoments(float[] taps, Border border, int width) {
        this.taps = taps;
        this.border = border;
        radius = taps.length / 2;
        means = new float[MEANS][width];
        columns = new float[MEANS][width + 2 * radius];
    }

    /** Number of windows across or down a plane of so many samples. */
    int windows(int samples) {
        return border == Border.INSIDE ? samples - 2 * radius : samples;
    }

    /** Sets {@link #means} to those of a row of windows. The planes have one size. */
    void row(FloatPlane a, FloatPlane b, int row) {
        int width = a.width;
        int pad = border == Border.INSIDE ? 0 : radius;
        int centre = border == Border.INSIDE ? row + radius : row;
        for (float[] column : columns) {
            Arrays.fill(column, 0, width + 2 * pad, 0);
        }
        for (int tap = 0; tap < taps.length; tap++) {
            int from = within(centre - radius + tap, a.height);
            addRow(a.samples, a.at(from), b.samples, b.at(from), taps[tap], pad, width);
        }
        int windows = windows(width);
        for (int i = 0; i < MEANS; i++) {
            if (border == Border.MIRROR) {
                mirrorEnds(columns[i], radius, width);
            }
            across(columns[i], means[i], windows);
        }
    }

    /** The row that stands for {@code row}, which may lie beyond the plane. */
    private int within(int row, int height) {
        if (row >= 0 && row < height) {
            return row;
        }
        return row < 0 ? -row : 2 * height - 2 - row;
    }

    private void addRow(float[] a, int aAt, float[] b, int bAt, float weight, int pad, int width) {
        float[] sumA = columns[A];
        float[] sumB = columns[B];
        float[] sumAa = columns[AA];
        float[] sumBb = columns[BB];
        float[] sumAb = columns[AB];
        for (int x = 0; x < width; x++) {
            float p = a[aAt + x];
            float q = b[bAt + x];
            float weightedP = weight * p;
            float weightedQ = weight * q;
            sumA[pad + x] += weightedP;
            sumB[pad + x] += weightedQ;
            sumAa[pad + x] += weightedP * p;
            sumBb[pad + x] += weightedQ * q;
            sumAb[pad + x] += weightedP * q;
        }
    }

    private void across(float[] column, float[] mean, int windows) {
        Arrays.fill(mean, 0, windows, 0);
        for (int tap = 0; tap < taps.length; tap++) {
            addShifted(column, tap, taps[tap], mean, windows);
        }
    }

    /** Adds weighted samples that begin at {@code from}. */
    static void addShifted(float[] samples, int from, float weight, float[] sums, int count) {
        for (int x = 0; x < count; x++) {
            sums[x] += weight * samples[from + x];
        }
    }

    /** Fills {@code radius} samples on both sides of {@code width} ones, which begin at {@code radius}. */
    static void mirrorEnds(float[] samples, int radius, int width) {
        for (int i = 1; i <= radius; i++) {
            samples[radius - i] = samples[radius + i];
            samples[radius + width - 1 + i] = samples[radius + width - 1 - i];
        }
    }
}
