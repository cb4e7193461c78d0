/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * The samples of a reference and of the picture to measure, and those of the reference before. Owns their memory. The meter's thread
 * fills it; extractors on other threads read it until the meter goes on.
 */
public final class PairSamples {
    /** References that are kept: of this pair and of the two before. */
    private static final int KEPT = 3;

    private final SamplePlanes picture;

    /** The reference that came as number n lies in element n % KEPT. */
    private final SamplePlanes[] kept = new SamplePlanes[KEPT];

    private int newest;
    private int references;

    /**
     * Memory for pairs.
     *
     * @param chroma true if chroma is wanted, too; for the references before it is not
     */
    public PairSamples(PixelFormat format, int width, int height, boolean chroma) {
        picture = new SamplePlanes(format, width, height, chroma);
        for (int i = 0; i < KEPT; i++) {
            kept[i] = new SamplePlanes(format, width, height, chroma);
        }
    }

    /** Reads the next pair from memory. The reference of the last pair becomes the previous one. */
    public void load(long referenceAddress, PictureLayout referenceLayout, long pictureAddress, PictureLayout layout) {
        newest = (newest + 1) % KEPT;
        references++;
        reference().load(referenceAddress, referenceLayout);
        picture.load(pictureAddress, layout);
    }

    /** Begins a new sequence: the next pair has no previous reference. */
    public void restart() {
        references = 0;
    }

    public SamplePlanes reference() {
        return kept[newest];
    }

    public SamplePlanes picture() {
        return picture;
    }

    /** True if there is a {@link #previous} reference, 1 or 2 pairs before. */
    public boolean hasPrevious(int distance) {
        return references > distance;
    }

    /** The reference of the pair 1 or 2 before; has meaning only if {@link #hasPrevious}. */
    public SamplePlanes previous(int distance) {
        return kept[(newest + KEPT - distance) % KEPT];
    }
}
