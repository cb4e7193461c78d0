/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.picture.PixelFormat;

/** Luma of pictures on the scale of {@link FloatScale}, less an offset. */
final class FloatLuma {
    private final float factor;
    private final float offset;

    FloatLuma(PixelFormat format, float offset) {
        this.offset = offset;
        factor = FloatScale.factor(format.bitDepth());
    }

    /** Sets all samples of {@code to}. */
    void convert(SamplePlanes from, FloatPlane to) {
        int[] samples = from.luma();
        for (int i = 0; i < to.samples.length; i++) {
            to.samples[i] = samples[i] * factor - offset;
        }
    }
}
