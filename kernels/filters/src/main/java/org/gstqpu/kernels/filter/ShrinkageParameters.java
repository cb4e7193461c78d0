/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What shrinkage does to a picture: it transforms the picture at several shifts with the 8x8 transform of H.264, takes away
 * coefficients that are too small to have been coded, transforms back, and averages (A. Nosratinia, "Enhancement of JPEG-compressed
 * images by re-application of JPEG", 2001). Thresholds are unscaled: those for 8-bit video, whatever the bit depth. Immutable.
 *
 * <p>Averages are rounded to the nearest sample value. The exception is luma where no block has anything left but its mean. There 1/8 and
 * 5/8 are added in turn along even rows, 7/8 and 3/8 along odd ones, and the sum is rounded down, so that slow ramps do not become bands.
 *
 * @param shifts how many shifts are averaged: 4, 8 or 16. More shifts take more time
 * @param lumaThreshold size below which a coefficient of luma is taken away, in sixteenths of a sample value, 0 to {@link
 *     #LARGEST_THRESHOLD}; about the quantiser step. 0 leaves luma as it is
 * @param chromaThreshold the same for both components of chroma
 * @param bound how far a coefficient of the codec's own blocks may move from its decoded value, in percent of the threshold, 1 to
 *     100, or 0 for any distance. {@link #DEFAULT_BOUND} keeps noise and grain
 */
public record ShrinkageParameters(int shifts, int lumaThreshold, int chromaThreshold, int bound) {
    /** The largest threshold: 48 sample values. */
    public static final int LARGEST_THRESHOLD = 768;

    /** A bound, in percent of the threshold, that takes little from compressed video and much less from grain. */
    public static final int DEFAULT_BOUND = 35;

    /**
     * @throws IllegalArgumentException when a value is out of range
     */
    public ShrinkageParameters {
        if (shifts != 4 && shifts != 8 && shifts != 16) {
            throw new IllegalArgumentException("there are 4, 8 or 16 shifts, given " + shifts);
        }
        checkThreshold("luma", lumaThreshold);
        checkThreshold("chroma", chromaThreshold);
        if (bound < 0 || bound > 100) {
            throw new IllegalArgumentException("a bound is 0..100 percent, given " + bound);
        }
    }

    private static void checkThreshold(String plane, int threshold) {
        if (threshold < 0 || threshold > LARGEST_THRESHOLD) {
            throw new IllegalArgumentException(
                    "a threshold (" + plane + ") is 0.." + LARGEST_THRESHOLD + ", given " + threshold);
        }
    }
}
