/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import static org.gstqpu.kernels.internal.quality.AdmScale.HIGH_0;
import static org.gstqpu.kernels.internal.quality.AdmScale.HIGH_1;
import static org.gstqpu.kernels.internal.quality.AdmScale.HIGH_2;
import static org.gstqpu.kernels.internal.quality.AdmScale.HIGH_3;
import static org.gstqpu.kernels.internal.quality.AdmScale.LOW_0;
import static org.gstqpu.kernels.internal.quality.AdmScale.LOW_1;
import static org.gstqpu.kernels.internal.quality.AdmScale.LOW_2;
import static org.gstqpu.kernels.internal.quality.AdmScale.LOW_3;

import org.gstqpu.kernels.internal.quality.AdmScale;

/** The wavelet transform of one scale. Owns the bands of the reference and of the picture. */
final class AdmWavelet {
    final AdmBands reference;
    final AdmBands picture;
    private final AdmScale scale;

    // Sums down the columns, with one coefficient before the first and two after the last.
    private final int[] low;
    private final int[] high;

    AdmWavelet(AdmScale scale) {
        this.scale = scale;
        reference = new AdmBands(scale.width(), scale.height());
        picture = new AdmBands(scale.width(), scale.height());
        low = new int[scale.sourceWidth() + 3];
        high = new int[scale.sourceWidth() + 3];
    }

    void transform(int[] source, AdmBands bands) {
        int width = scale.sourceWidth();
        int height = scale.sourceHeight();
        for (int y = 0; y < scale.height(); y++) {
            int a = AdmScale.sourceIndex(2 * y - 1, height) * width;
            int b = 2 * y * width;
            int c = AdmScale.sourceIndex(2 * y + 1, height) * width;
            int d = AdmScale.sourceIndex(2 * y + 2, height) * width;
            if (scale.columnShift() < 16) {
                columns(source, a, b, c, d);
            } else {
                wideColumns(source, a, b, c, d);
            }
            extend(low);
            extend(high);
            if (scale.readsOn()) {
                int end = scale.sourceWidth() + 1;
                low[end] = high[1];
                low[end + 1] = high[2];
            }
            int at = y * scale.width();
            if (scale.scale() == 0) {
                row(low, bands.low, bands.vertical, at);
                row(high, bands.horizontal, bands.diagonal, at);
            } else {
                wideRow(low, bands.low, bands.vertical, at);
                wideRow(high, bands.horizontal, bands.diagonal, at);
            }
        }
    }

    private void extend(int[] row) {
        int width = scale.sourceWidth();
        row[0] = row[2];
        row[width + 1] = row[AdmScale.sourceIndex(width, width) + 1];
        row[width + 2] = row[AdmScale.sourceIndex(width + 1, width) + 1];
    }

    /** Sums of 32 bits. */
    private void columns(int[] source, int a, int b, int c, int d) {
        int shift = scale.columnShift();
        int lowRound = scale.lowColumnRound();
        int round = scale.columnRound();
        int width = scale.sourceWidth();
        for (int x = 0; x < width; x++) {
            int p = source[a + x];
            int q = source[b + x];
            int r = source[c + x];
            int s = source[d + x];
            low[x + 1] = (LOW_0 * p + LOW_1 * q + LOW_2 * r + LOW_3 * s + lowRound) >> shift;
            high[x + 1] = (HIGH_0 * p + HIGH_1 * q + HIGH_2 * r + HIGH_3 * s + round) >> shift;
        }
    }

    private void wideColumns(int[] source, int a, int b, int c, int d) {
        int shift = scale.columnShift();
        long round = scale.columnRound();
        int width = scale.sourceWidth();
        for (int x = 0; x < width; x++) {
            long p = source[a + x];
            long q = source[b + x];
            long r = source[c + x];
            long s = source[d + x];
            low[x + 1] = (int) ((LOW_0 * p + LOW_1 * q + LOW_2 * r + LOW_3 * s + round) >> shift);
            high[x + 1] = (int) ((HIGH_0 * p + HIGH_1 * q + HIGH_2 * r + HIGH_3 * s + round) >> shift);
        }
    }

    /** Sums of 32 bits. */
    private void row(int[] from, int[] lowInto, int[] highInto, int at) {
        int shift = scale.rowShift();
        int round = 1 << (shift - 1);
        int width = scale.width();
        for (int x = 0; x < width; x++) {
            int p = from[2 * x];
            int q = from[2 * x + 1];
            int r = from[2 * x + 2];
            int s = from[2 * x + 3];
            lowInto[at + x] = (LOW_0 * p + LOW_1 * q + LOW_2 * r + LOW_3 * s + round) >> shift;
            highInto[at + x] = (HIGH_0 * p + HIGH_1 * q + HIGH_2 * r + HIGH_3 * s + round) >> shift;
        }
    }

    private void wideRow(int[] from, int[] lowInto, int[] highInto, int at) {
        int shift = scale.rowShift();
        long round = 1L << (shift - 1);
        int width = scale.width();
        for (int x = 0; x < width; x++) {
            long p = from[2 * x];
            long q = from[2 * x + 1];
            long r = from[2 * x + 2];
            long s = from[2 * x + 3];
            lowInto[at + x] = (int) ((LOW_0 * p + LOW_1 * q + LOW_2 * r + LOW_3 * s + round) >> shift);
            highInto[at + x] = (int) ((HIGH_0 * p + HIGH_1 * q + HIGH_2 * r + HIGH_3 * s + round) >> shift);
        }
    }
}
