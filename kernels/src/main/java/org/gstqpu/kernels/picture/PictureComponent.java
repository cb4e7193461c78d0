/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/** What the samples of a picture are, wherever a format keeps them. */
public enum PictureComponent {
    /** Luma. */
    Y,
    /** Blue-difference chroma. */
    CB,
    /** Red-difference chroma. */
    CR;

    /** Whether pictures of that format have it. */
    public boolean isIn(PixelFormat format) {
        return this == Y || format.hasChroma();
    }

    /** The plane that holds it. */
    public int plane(PixelFormat format) {
        return switch (this) {
            case Y -> 0;
            case CB -> format.cbPlane();
            case CR -> format.crPlane();
        };
    }

    /** Samples from one of it to the next in its plane. */
    public int sampleStep(PixelFormat format) {
        return this == Y ? 1 : format.chromaPixelStep();
    }

    /** Samples that stand before the first of it in its plane. */
    public int firstSample(PixelFormat format) {
        return switch (this) {
            case Y -> 0;
            case CB -> format.cbFirstSample();
            case CR -> format.crFirstSample();
        };
    }

    /** How many a row of a picture has. */
    public int rowSamples(PictureLayout layout) {
        return layout.format().planeRowSamples(plane(layout.format()), layout.width()) / sampleStep(layout.format());
    }

    /** How many rows of it a picture has. */
    public int rows(PictureLayout layout) {
        return layout.rows(plane(layout.format()));
    }
}
