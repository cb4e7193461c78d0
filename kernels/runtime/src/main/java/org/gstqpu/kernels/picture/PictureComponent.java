/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/** The kinds of samples in a picture. */
public enum PictureComponent {
    /** Luma. */
    Y,
    /** Blue-difference chroma. */
    CB,
    /** Red-difference chroma. */
    CR;

    /** True if pictures of this format have this component. */
    public boolean isIn(PixelFormat format) {
        return this == Y || format.hasChroma();
    }

    /** The number of the plane that holds this component; -1 if the format has none. */
    public int plane(PixelFormat format) {
        return switch (this) {
            case Y -> 0;
            case CB -> format.cbPlane();
            case CR -> format.crPlane();
        };
    }

    /** Samples from one sample of this component to the next in its plane: 2 if Cb and Cr alternate, else 1. */
    public int sampleStep(PixelFormat format) {
        return this == Y ? 1 : format.chromaPixelStep();
    }

    /** Samples before this component's first sample in its plane: 1 for the second one of an interleaved plane, else 0. */
    public int firstSample(PixelFormat format) {
        return switch (this) {
            case Y -> 0;
            case CB -> format.cbFirstSample();
            case CR -> format.crFirstSample();
        };
    }

    /** Samples of this component in a row of the picture. */
    public int rowSamples(PictureLayout layout) {
        return layout.format().planeRowSamples(plane(layout.format()), layout.width()) / sampleStep(layout.format());
    }

    /** Rows of this component in the picture. */
    public int rows(PictureLayout layout) {
        return layout.rows(plane(layout.format()));
    }
}
