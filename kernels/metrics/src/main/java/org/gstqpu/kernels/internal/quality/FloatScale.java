/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/** The scale of luma for metrics in floating point: that of 8 bits, less {@link #OFFSET} or, for MS-SSIM, as it is. */
public final class FloatScale {
    /** Brings values near 0, where squares lose least to rounding. */
    public static final float OFFSET = 128;

    private FloatScale() {}

    /** What a sample is multiplied by. */
    public static float factor(int bitDepth) {
        return 1f / (1 << (bitDepth - 8));
    }
}
