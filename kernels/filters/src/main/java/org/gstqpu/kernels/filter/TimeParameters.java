/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What temporal fusion does to a picture: it looks for motion from the pictures around it, and takes over from these what is nearly
 * the same, in the transform of shrinkage. Chroma moves as luma does. Immutable.
 *
 * @param threshold that of shrinkage for luma, in sixteenths of an 8-bit sample value, 0 to {@link
 *     ShrinkageParameters#LARGEST_THRESHOLD}. 0 leaves the picture as it is, chroma included: a clean one, or a drawing
 * @param chromaThreshold that for chroma, likewise. 0 leaves chroma as it is
 * @param comb the step of the quantiser on whose comb the picture's coefficients stand, in sixteenths of an 8-bit sample value, 0 to {@link
 *     #LARGEST_COMB}; 0 if on none. A picture is not fused with one whose step is more than 5/3 of its own. Automatic strength sees the step
 *     itself
 * @param combs whether those of the stream's intra pictures do, likewise
 * @param ahead how many pictures after it the picture is fused with: 0, 1 or 2. It is fused with as many before it, but with two if
 *     there are none after it
 */
public record TimeParameters(int threshold, int chromaThreshold, int comb, boolean combs, int ahead) {
    /** Most pictures after it that a picture is fused with. */
    public static final int MOST_AHEAD = 2;

    /** The largest step of a comb. */
    public static final int LARGEST_COMB = 1 << 15;

    /**
     * @throws IllegalArgumentException when a threshold, the step of the comb or {@code ahead} is out of range
     */
    public TimeParameters {
        checkThreshold(threshold);
        checkThreshold(chromaThreshold);
        if (comb < 0 || comb > LARGEST_COMB) {
            throw new IllegalArgumentException("the step of a comb is 0.." + LARGEST_COMB + ", given " + comb);
        }
        if (ahead < 0 || ahead > MOST_AHEAD) {
            throw new IllegalArgumentException("fusion looks 0.." + MOST_AHEAD + " pictures ahead, given " + ahead);
        }
    }

    private static void checkThreshold(int threshold) {
        if (threshold < 0 || threshold > ShrinkageParameters.LARGEST_THRESHOLD) {
            throw new IllegalArgumentException(
                    "a threshold (fusion) is 0.." + ShrinkageParameters.LARGEST_THRESHOLD + ", given " + threshold);
        }
    }
}
