/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What temporal fusion does to a picture: it looks for motion from the two pictures before, and takes over from these what is nearly
 * the same, in the transform of shrinkage. Luma only. Immutable.
 *
 * @param threshold that of shrinkage for luma, in sixteenths of an 8-bit sample value, 0 to {@link
 *     ShrinkageParameters#LARGEST_THRESHOLD}. 0 leaves the picture as it is: a clean one, or a drawing
 * @param comb whether the picture's coefficients stand on the comb of a quantiser. Automatic strength sees that itself
 * @param combs whether those of the stream's intra pictures do, likewise
 */
public record TimeParameters(int threshold, boolean comb, boolean combs) {
    /**
     * @throws IllegalArgumentException when the threshold is out of range
     */
    public TimeParameters {
        if (threshold < 0 || threshold > ShrinkageParameters.LARGEST_THRESHOLD) {
            throw new IllegalArgumentException(
                    "a threshold (fusion) is 0.." + ShrinkageParameters.LARGEST_THRESHOLD + ", given " + threshold);
        }
    }
}
