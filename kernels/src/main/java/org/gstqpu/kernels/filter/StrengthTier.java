/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.List;

/**
 * A tier of automatic strength: the settings of both filters for luma that did best on footage that {@link StrengthRule} puts into
 * this tier. Settings for chroma are the caller's choice. Immutable.
 *
 * @param indexA index into the alpha and tC0 tables for deblocking with bS 3 on the 8x8 grid; 0 for no deblocking
 * @param indexB index into the beta table
 * @param primary CDEF strength along the direction, 0..15, 8-bit scale
 * @param secondary CDEF strength across, 0, 1, 2 or 4
 * @param damping CdefDamping, 3..6
 */
public record StrengthTier(int indexA, int indexB, int primary, int secondary, int damping) {
    /** All tiers, in the order in which {@link StrengthRule} numbers them. The first leaves pictures as they are. */
    public static final List<StrengthTier> ALL = List.of(
            new StrengthTier(0, 0, 0, 0, 4),
            new StrengthTier(0, 0, 1, 1, 4),
            new StrengthTier(0, 0, 2, 1, 4),
            new StrengthTier(0, 0, 3, 1, 5),
            new StrengthTier(0, 0, 15, 2, 6),
            new StrengthTier(20, 28, 1, 1, 4),
            new StrengthTier(20, 28, 3, 1, 5),
            new StrengthTier(20, 28, 4, 2, 5),
            new StrengthTier(26, 33, 0, 0, 4),
            new StrengthTier(26, 33, 1, 2, 5),
            new StrengthTier(26, 33, 3, 1, 5),
            new StrengthTier(26, 33, 4, 2, 5),
            new StrengthTier(26, 33, 8, 2, 6),
            new StrengthTier(26, 33, 11, 2, 6),
            new StrengthTier(28, 36, 11, 2, 6),
            new StrengthTier(31, 39, 15, 2, 6));

    /** True if pictures of this tier are deblocked. */
    public boolean deblocks() {
        return indexA > 0;
    }
}
