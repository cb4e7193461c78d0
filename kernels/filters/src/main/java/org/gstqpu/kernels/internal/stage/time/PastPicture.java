/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import java.util.concurrent.atomic.AtomicLongArray;
import org.gstqpu.kernels.picture.PixelFormat;

/** One picture of the past, or the one at hand: what motion is looked for in, and what is taken over. Owned by the stage. */
final class PastPicture {
    /** What shrinkage left, by component. */
    final TimePlane[] sources;

    /** Luma of the same, half and a quarter as wide and high. */
    final TimePlane half;

    final TimePlane quarter;

    /** What fusion made of it, by component. */
    final TimePlane[] results;

    /** The thresholds of fusion, as in {@link TimeLimits#set}. */
    int threshold;

    int chromaThreshold;

    /** By component: by how much the filters before this one changed it, in all. */
    final AtomicLongArray changed = new AtomicLongArray(3);

    /** The step of the quantiser on whose comb its coefficients stand, 0 if on none; and whether those of any picture of the stream do. */
    int comb;

    boolean combs;

    /** Whether this picture was quantised so much more coarsely than another one that it spoils that more than it helps. */
    boolean isCoarseFor(PastPicture other) {
        return other.comb > 0 && 3 * comb > 5 * other.comb;
    }

    /**
     * Whether the filters before this one changed a component of chroma by a 64th of its threshold on average. Where they changed less, there
     * is no noise of a coder that could be fused.
     */
    boolean isCoded(int component, int depthShift) {
        TimePlane plane = sources[component];
        int scaled = chromaThreshold << depthShift;
        return scaled > 0 && changed.get(component) >= scaled * (((long) plane.width * plane.height + 1023) >> 10);
    }

    PastPicture(PixelFormat format, int width, int height) {
        int components = format.hasChroma() ? 3 : 1;
        sources = new TimePlane[components];
        results = new TimePlane[components];
        for (int component = 0; component < components; component++) {
            sources[component] = TimePlane.of(format, component, width, height);
            results[component] = TimePlane.of(format, component, width, height);
        }
        half = new TimePlane((width + 1) / 2, (height + 1) / 2);
        quarter = new TimePlane((half.width + 1) / 2, (half.height + 1) / 2);
    }

    /** Bytes of the planes. */
    long bytes() {
        long samples = (long) half.samples.length + quarter.samples.length;
        for (TimePlane source : sources) {
            samples += 2L * source.samples.length;
        }
        return Short.BYTES * samples;
    }
}
