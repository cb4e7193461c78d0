/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;

/** The constants of SSIM over windows of 8x8 samples, four samples apart. */
public final class SsimWindow {
    private static final int SAMPLES = 64;

    private SsimWindow() {}

    /** Number of windows across or down a component; 0 if the component is smaller than a window. */
    public static int count(int samples) {
        return Math.max(samples / 4 - 1, 0);
    }

    /** Number of windows of a component. */
    public static long count(PictureComponent component, PictureLayout layout) {
        return (long) count(component.rowSamples(layout)) * count(component.rows(layout));
    }

    /**
     * The constant that keeps the term of the means from a division by 0. It is scaled for products of sums over a
     * window. These are 64² times the products of means, but x264 and ffmpeg scale the constant by 64 only; this does
     * so, too, to give their figures.
     */
    public static float c1(int peak) {
        return (float) Math.rint(0.01 * 0.01 * peak * peak * SAMPLES);
    }

    /**
     * The constant that keeps the term of the variances from a division by 0. It is scaled for variances that are
     * multiplied by 64 and by 63, the samples of a window and one less.
     */
    public static float c2(int peak) {
        return (float) Math.rint(0.03 * 0.03 * peak * peak * SAMPLES * (SAMPLES - 1));
    }
}
