/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.List;
import java.util.Optional;

/**
 * What CDEF, the constrained directional enhancement filter (AV1 specification, 7.15), does to a picture. Immutable.
 *
 * @param damping CdefDamping, 3..6, unscaled
 * @param strengths 1 to 8 entries
 * @param blocks the strength entry of each block; empty if every block is filtered with entry 0
 */
public record CdefParameters(int damping, List<CdefStrength> strengths, Optional<CdefBlockMap> blocks) {
    /**
     * @throws IllegalArgumentException when a value is out of range
     */
    public CdefParameters {
        if (damping < 3 || damping > 6) {
            throw new IllegalArgumentException("damping is 3..6, given " + damping);
        }
        strengths = List.copyOf(strengths);
        if (strengths.isEmpty() || strengths.size() > 8) {
            throw new IllegalArgumentException("a frame has 1 to 8 strengths, given " + strengths.size());
        }
        if (blocks.isPresent()) {
            blocks.get().checkIndexes(strengths.size());
        }
    }

    /** True if all strengths are 0, so that the picture stays as it is. */
    public boolean changesNothing() {
        // A loop by index allocates nothing: automatic strength asks at each change of its tier.
        for (int i = 0; i < strengths.size(); i++) {
            if (!strengths.get(i).changesNothing()) {
                return false;
            }
        }
        return true;
    }

    /** One strength for the whole picture. */
    public static CdefParameters uniform(int damping, CdefStrength strength) {
        return new CdefParameters(damping, List.of(strength), Optional.empty());
    }
}
