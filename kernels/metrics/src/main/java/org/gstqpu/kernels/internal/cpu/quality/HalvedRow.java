/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Arrays;

/**
 * Makes a plane of half the width and height: every second sample of every second row of the plane filtered. The filter is a product of
 * two equal ones, one down and one across. Owns its memory, for one row.
 */
final class HalvedRow {
    private final float[] taps;
    private final int radius;
    private final boolean repeats;
    private final float[] column;

    /**
     * @param taps an odd number of weights
     * @param repeats whether the plane, mirrored beyond its edges, repeats its outermost samples there
     * @param width samples in a row of the widest plane
     */
    HalvedRow(float[] taps, boolean repeats, int width) {
        this.taps = taps;
        this.repeats = repeats;
        radius = taps.length / 2;
        column = new float[width + 2 * radius];
    }

    /** Makes row {@code row} of {@code to}, from rows around row {@code 2 * row} of {@code from}. */
    void make(FloatPlane from, FloatPlane to, int row) {
        int width = from.width;
        Arrays.fill(column, radius, radius + width, 0);
        for (int tap = 0; tap < taps.length; tap++) {
            addRow(from.samples, from.at(within(2 * row - radius + tap, from.height)), taps[tap], width);
        }
        int shift = repeats ? 1 : 0;
        for (int i = 1; i <= radius; i++) {
            column[radius - i] = column[radius + i - shift];
            column[radius + width - 1 + i] = column[radius + width - 1 - i + shift];
        }
        int at = to.at(row);
        for (int x = 0; x < to.width; x++) {
            float sum = 0;
            for (int tap = 0; tap < taps.length; tap++) {
                sum += taps[tap] * column[2 * x + tap];
            }
            to.samples[at + x] = sum;
        }
    }

    private int within(int row, int height) {
        if (row < 0) {
            return repeats ? -1 - row : -row;
        }
        if (row >= height) {
            return repeats ? 2 * height - 1 - row : 2 * height - 2 - row;
        }
        return row;
    }

    private void addRow(float[] samples, int at, float weight, int width) {
        for (int x = 0; x < width; x++) {
            column[radius + x] += weight * samples[at + x];
        }
    }
}
