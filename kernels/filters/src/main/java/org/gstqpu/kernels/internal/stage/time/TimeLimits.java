/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import org.gstqpu.kernels.internal.stage.ShrinkageLimits;

/**
 * The numbers of fusion for luma or chroma of one picture. All that is counted in samples is scaled to the pictures' bit depth. Belongs to its maker's
 * thread.
 */
public final class TimeLimits {
    /** How many levels of threshold there are: the more coefficients a block has, the higher. */
    public static final int LEVELS = 5;

    /** The most coefficients of each level but the last, the first coefficient not counted. */
    private static final int[] MOST = {0, 2, 5, 9};

    /** Thresholds of the coefficients of each level. */
    public final int[][] thresholds = new int[LEVELS][64];

    /** A coefficient of the picture that is larger than this counts for the level. */
    public final int[] large = new int[64];

    /** How far a coefficient of the codec's blocks may be from the decoded one. */
    public final ShrinkageLimits bound;

    private final int depthShift;
    private int noise;

    public TimeLimits(int bitDepth) {
        depthShift = bitDepth - 8;
        bound = new ShrinkageLimits(bitDepth);
    }

    /**
     * Sets the limits.
     *
     * @param unscaled threshold of shrinkage for the component, in sixteenths of an 8-bit sample
     * @param luma that for luma
     * @param combs whether coefficients of this picture, or of any of the stream, stand on the comb of a quantiser
     * @param intra whether those of this picture and of all its references do
     */
    public void set(int unscaled, int luma, boolean combs, boolean intra) {
        int threshold = unscaled << depthShift;
        int factor = intra ? Math.max(16, Math.min(12 + luma / 20, 20)) : combs ? 16 : 12;
        int strength = (threshold * factor + 4) >> 3;
        for (int k = 0; k < 64; k++) {
            large[k] = (threshold * ShrinkageLimits.NORMS[k] + 2048) >> 12;
            for (int level = 0; level < LEVELS; level++) {
                thresholds[level][k] = (((strength * (4 + level) + 4) >> 3) * ShrinkageLimits.NORMS[k] + 2048) >> 12;
            }
        }
        bound.setBounds((threshold * (intra ? 10 : 6) + 8) >> 4);
        noise = 8 * threshold;
    }

    /** What noise may add to the difference of two windows. */
    int noise() {
        return noise;
    }

    /** The price of a vector other than zero on the smaller pictures; on the whole one it is four times as much. */
    int price() {
        return 4 << depthShift;
    }

    /** The change of the mean at which a picture is left out. */
    int mostChange() {
        return 1 << depthShift;
    }

    /** The level of a block with so many large coefficients, the first of them counted. */
    static int level(int large) {
        int level = 0;
        while (level < LEVELS - 1 && large - 1 > MOST[level]) {
            level++;
        }
        return level;
    }
}
