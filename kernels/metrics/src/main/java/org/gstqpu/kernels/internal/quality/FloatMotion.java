/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/** The constants of motion as libvmaf's {@code float_motion} has them: the mean difference of two blurred pictures that follow each other. */
public final class FloatMotion {
    /** Least width and height of a picture: the blur reaches less far than mirrored samples. */
    public static final int LEAST = 3;

    private static final float[] BLUR = {0.054488685f, 0.24420135f, 0.40261996f, 0.24420135f, 0.054488685f};

    private FloatMotion() {}

    /** Weights of the blur, across and down. Beyond its edges a picture is mirrored at the centres of its outermost samples. */
    public static float[] blur() {
        return BLUR.clone();
    }
}
