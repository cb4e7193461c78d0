/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/** The numbers of SSIM over windows of 8x8 samples that lie four apart. Holds nothing else. */
public final class SsimWindow {
    private static final int SAMPLES = 64;

    private SsimWindow() {}

    /** Windows across or down a component, 0 where it is smaller than one. */
    public static int count(int samples) {
        return Math.max(samples / 4 - 1, 0);
    }

    /**
     * What keeps the term of the means from division by 0, for the products of sums over a window's samples. Those are 64² times
     * the products of means; x264 and ffmpeg take the constant 64 times, and so does this, to equal them.
     */
    public static float c1(int peak) {
        return (float) Math.rint(0.01 * 0.01 * peak * peak * SAMPLES);
    }

    /** The same of the variances' term, which are multiplied by both the samples and one less. */
    public static float c2(int peak) {
        return (float) Math.rint(0.03 * 0.03 * peak * peak * SAMPLES * (SAMPLES - 1));
    }
}
