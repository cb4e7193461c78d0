/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

/** Owns the four bands of a wavelet transform, each with {@code width} coefficients a row. */
final class AdmBands {
    /** Low-pass both ways. */
    final int[] low;
    /** Low-pass along the row, high-pass down the column. */
    final int[] horizontal;
    /** High-pass along the row, low-pass down the column. */
    final int[] vertical;
    /** High-pass both ways. */
    final int[] diagonal;

    AdmBands(int width, int height) {
        low = new int[width * height];
        horizontal = new int[width * height];
        vertical = new int[width * height];
        diagonal = new int[width * height];
    }
}
