/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthRule;

/** An estimate as two words, so that the CPU can read it at any time while a device writes it. */
public final class PackedEstimate {
    private static final int TIER_BITS = 8;
    private static final int STEP_BITS = 11;
    private static final int TEXTURE_BITS = 11;
    private static final int DRAWING = 1 << 30;

    private PackedEstimate() {}

    /**
     * An estimate without its grid.
     *
     * @param step in sixteenths of a sample value ({@link StrengthRule#UNIT})
     */
    public static int pack(boolean comb, boolean drawing, int step, int texture, int tier) {
        return tier
                | Math.min(step, (1 << STEP_BITS) - 1) << TIER_BITS
                | Math.min(texture, (1 << TEXTURE_BITS) - 1) << (TIER_BITS + STEP_BITS)
                | (drawing ? DRAWING : 0)
                | (comb ? Integer.MIN_VALUE : 0);
    }

    /** The place in which a grid of 8x8 blocks begins, in a column and a row from 0 to 7. */
    public static int packOffset(int column, int row) {
        return column | row << 3;
    }

    /** The estimate in a word of {@link #pack} and a number of {@link #packOffset}. */
    public static StrengthEstimate unpack(int word, int offset) {
        return new StrengthEstimate(
                word < 0,
                (word & DRAWING) != 0,
                (word >>> TIER_BITS & (1 << STEP_BITS) - 1) / (double) StrengthRule.UNIT,
                word >>> (TIER_BITS + STEP_BITS) & (1 << TEXTURE_BITS) - 1,
                word & (1 << TIER_BITS) - 1,
                offset & 7,
                offset >> 3);
    }
}
