/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * How contrasts of {@link Cambi} are ordered: a positive float's bits rise with it. High bits number a coarse bin, the low bits what is in it.
 */
public final class ContrastBins {
    /** Bits of a contrast within a bin. */
    public static final int LOW_BITS = 14;

    /** Numbers within a bin. */
    public static final int LOW = 1 << LOW_BITS;

    /** The bits of the least contrast, with which bin 0 begins. */
    public static final int LEAST_BITS = Float.floatToRawIntBits(Cambi.LEAST_CONTRAST);

    private ContrastBins() {}

    /** Number of bins for contrasts up to that of a whole window, which has a quarter of four times its samples. */
    public static int bins(int windowRadius) {
        int side = 2 * windowRadius + 1;
        return ((Float.floatToRawIntBits(side * side + 1f) - LEAST_BITS) >> LOW_BITS) + 1;
    }

    /** The contrast with this number in a bin. */
    public static float contrast(int bin, int low) {
        return Float.intBitsToFloat((bin << LOW_BITS) + low + LEAST_BITS);
    }
}
