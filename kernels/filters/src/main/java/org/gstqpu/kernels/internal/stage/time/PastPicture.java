/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

/** One picture of the past, or the one at hand: what motion is looked for in, and what is taken over. Owned by the stage. */
final class PastPicture {
    /** Places of a sample between whole ones, down and across. */
    static final int PHASES = 16;

    /** What shrinkage left. */
    final TimePlane source;

    /** The same, half and a quarter as wide and high. */
    final TimePlane half;

    final TimePlane quarter;

    /** What fusion made of it. */
    final TimePlane result;

    /** The source at each quarter of a sample; the first is the source itself. Null before the picture is a reference. */
    final short[][] between = new short[PHASES][];

    /** The smaller planes in the same form: whole samples alone. */
    final short[][] wholeHalf;

    final short[][] wholeQuarter;

    /** True once {@link #between} is this picture's. */
    boolean isBetween;

    /** The threshold of fusion, as in {@link TimeLimits#set}. */
    int threshold;

    /** Whether its coefficients stand on the comb of a quantiser, and whether those of any picture of the stream do. */
    boolean comb;

    boolean combs;

    PastPicture(int width, int height) {
        source = new TimePlane(width, height);
        half = new TimePlane((width + 1) / 2, (height + 1) / 2);
        quarter = new TimePlane((half.width + 1) / 2, (half.height + 1) / 2);
        result = new TimePlane(width, height);
        between[0] = source.samples;
        wholeHalf = new short[][] {half.samples};
        wholeQuarter = new short[][] {quarter.samples};
    }

    /** Bytes of the planes that exist. */
    long bytes() {
        long between = this.between[1] == null ? 0 : (PHASES - 1L) * source.samples.length;
        return Short.BYTES
                * (between
                        + source.samples.length
                        + half.samples.length
                        + quarter.samples.length
                        + result.samples.length);
    }

    /** Makes the memory of {@link #between}. Returns its bytes, 0 if it is there. */
    long makeBetween() {
        if (between[1] != null) {
            return 0;
        }
        for (int phase = 1; phase < PHASES; phase++) {
            between[phase] = new short[source.samples.length];
        }
        return (PHASES - 1L) * Short.BYTES * source.samples.length;
    }
}
