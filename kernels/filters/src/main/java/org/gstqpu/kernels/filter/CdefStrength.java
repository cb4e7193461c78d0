/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * One entry of a frame's list of CDEF strengths (AV1 specification, 5.9.19). Values are unscaled: those for 8-bit video, whatever
 * the bit depth. Immutable.
 *
 * @param yPrimary cdef_y_pri_strength, 0..15
 * @param ySecondary secondary strength of luma, 0, 1, 2 or 4
 * @param uvPrimary cdef_uv_pri_strength, 0..15
 * @param uvSecondary secondary strength of chroma, 0, 1, 2 or 4
 */
public record CdefStrength(int yPrimary, int ySecondary, int uvPrimary, int uvSecondary) {
    /**
     * @throws IllegalArgumentException when a value is out of range
     */
    public CdefStrength {
        checkPrimary("luma", yPrimary);
        checkPrimary("chroma", uvPrimary);
        checkSecondary("luma", ySecondary);
        checkSecondary("chroma", uvSecondary);
    }

    /** True if blocks with this strength stay as they are. */
    public boolean changesNothing() {
        return yPrimary == 0 && ySecondary == 0 && uvPrimary == 0 && uvSecondary == 0;
    }

    private static void checkPrimary(String plane, int strength) {
        if (strength < 0 || strength > 15) {
            throw new IllegalArgumentException("primary strength (" + plane + ") is 0..15, given " + strength);
        }
    }

    private static void checkSecondary(String plane, int strength) {
        if (strength != 0 && strength != 1 && strength != 2 && strength != 4) {
            throw new IllegalArgumentException("secondary strength (" + plane + ") is 0, 1, 2 or 4, given " + strength);
        }
    }
}
