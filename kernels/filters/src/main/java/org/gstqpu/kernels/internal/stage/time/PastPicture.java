/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

/** One picture of the past, or the one at hand: what motion is looked for in, and what is taken over. Owned by the stage. */
final class PastPicture {
    /** What shrinkage left. */
    final TimePlane source;

    /** The same, half and a quarter as wide and high. */
    final TimePlane half;

    final TimePlane quarter;

    /** What fusion made of it. */
    final TimePlane result;

    /** The threshold of fusion, as in {@link TimeLimits#set}. */
    int threshold;

    /** The step of the quantiser on whose comb its coefficients stand, 0 if on none; and whether those of any picture of the stream do. */
    int comb;

    boolean combs;

    /** Whether this picture was quantised so much more coarsely than another one that it spoils that more than it helps. */
    boolean isCoarseFor(PastPicture other) {
        return other.comb > 0 && 3 * comb > 5 * other.comb;
    }

    PastPicture(int width, int height) {
        source = new TimePlane(width, height);
        half = new TimePlane((width + 1) / 2, (height + 1) / 2);
        quarter = new TimePlane((half.width + 1) / 2, (half.height + 1) / 2);
        result = new TimePlane(width, height);
    }

    /** Bytes of the planes. */
    long bytes() {
        return (long) Short.BYTES
                * (source.samples.length + half.samples.length + quarter.samples.length + result.samples.length);
    }
}
