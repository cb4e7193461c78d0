/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.List;

/**
 * What a {@link PictureFilter} does to a picture that was found to be of each {@link StrengthTier}.
 *
 * @param tiers one for each of {@link StrengthTier#ALL}; all run the same filters, and none has a block map
 */
public record StrengthLadder(List<FilterParameters> tiers) {
    /**
     * @throws IllegalArgumentException when a tier is missing or unlike the others
     */
    public StrengthLadder {
        tiers = List.copyOf(tiers);
        if (tiers.size() != StrengthTier.ALL.size()) {
            throw new IllegalArgumentException(
                    "there are " + StrengthTier.ALL.size() + " tiers, given parameters of " + tiers.size());
        }
        FilterParameters first = tiers.get(0);
        for (FilterParameters tier : tiers) {
            if (tier.deblock().isPresent() != first.deblock().isPresent()
                    || tier.cdef().isPresent() != first.cdef().isPresent()) {
                throw new IllegalArgumentException("all tiers run the same filters, given " + first + " and " + tier);
            }
            if (tier.cdef().isPresent() && tier.cdef().get().blocks().isPresent()) {
                throw new IllegalArgumentException("a tier has no block map");
            }
        }
    }

    /**
     * Whether blocks are deblocked where they were found to lie. Where all tiers deblock alike, that was asked for as it is,
     * and stays on the grid of the picture's corner.
     */
    public boolean followsGrid() {
        return tiers.stream().map(FilterParameters::deblock).distinct().count() > 1;
    }
}
