/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

/** Samples of a plane in floating point. Owns its memory. */
final class FloatPlane {
    /** The samples, row by row without gaps. */
    final float[] samples;

    final int width;
    final int height;

    FloatPlane(int width, int height) {
        this.width = width;
        this.height = height;
        samples = new float[width * height];
    }

    /** Index of the first sample of a row. */
    int at(int row) {
        return row * width;
    }
}
