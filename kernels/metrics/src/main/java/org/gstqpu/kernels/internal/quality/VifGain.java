/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * How a window of the picture follows from the reference: as the reference times a gain, plus noise. libvmaf computes both in double
 * precision and cuts them to integers. This computes the same integers exactly, by rules that a device without double precision can
 * follow, too:
 *
 * <p>With the variances v and w of reference and picture, their covariance c and libvmaf's small e = 65536e-10, the gain is g = c / (v +
 * e), the noise w - g c, and what is left of the reference g² v. So with k and r from w v - c² = k v + r, 0 &lt;= r &lt; v, the noise is k
 * + (r + e q) / v and the rest is w - k - (r + 2 e q) / v, where q = w - k is c² / v but for a fraction.
 */
public final class VifGain {
    /** e times 2^49. */
    public static final long EPSILON = 3689348815L;

    /** Bits behind the point of {@link #EPSILON}. */
    public static final int EPSILON_BITS = 49;

    private VifGain() {}

    /** The noise, cut to an integer; 0 if it is negative. */
    public static int noise(int reference, int picture, int covariance) {
        long excess = (long) picture * reference - (long) covariance * covariance;
        long quotient = Math.floorDiv(excess, reference);
        long rest = excess - quotient * reference;
        long more = ((picture - quotient) * EPSILON) >> EPSILON_BITS;
        return (int) Math.max(quotient + (rest + more >= reference ? 1 : 0), 0);
    }

    /** The square of the gain times the variance of the reference, cut to an integer. */
    public static long gained(int reference, int picture, int covariance) {
        long excess = (long) picture * reference - (long) covariance * covariance;
        long quotient = Math.floorDiv(excess, reference);
        long rest = excess - quotient * reference;
        long more = ((picture - quotient) * EPSILON) >> (EPSILON_BITS - 1);
        return picture - quotient - 1 - (rest + more >= reference ? 1 : 0);
    }
}
