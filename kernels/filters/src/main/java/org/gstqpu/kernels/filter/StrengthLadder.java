/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.List;

/**
 * What automatic strength does to a picture of each {@link StrengthTier}. Immutable.
 *
 * @param tiers parameters for each tier of {@link StrengthTier#ALL}, in that order. All of them run the same filters, shrinkage
 *     with the same number of shifts, and none has a map of blocks
 */
public record StrengthLadder(List<FilterParameters> tiers) {
    /**
     * @throws IllegalArgumentException when a tier is missing, runs other filters than the first, or has a map of blocks
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
                    || tier.cdef().isPresent() != first.cdef().isPresent()
                    || ahead(tier) != ahead(first)
                    || shifts(tier) != shifts(first)) {
                throw new IllegalArgumentException("all tiers run the same filters, given " + first + " and " + tier);
            }
            if (tier.cdef().isPresent() && tier.cdef().get().blocks().isPresent()) {
                throw new IllegalArgumentException("a tier has no block map");
            }
        }
    }

    /** How many shifts shrinkage averages in all tiers; 0 if shrinkage does not run. */
    public int shifts() {
        return shifts(tiers.get(0));
    }

    /** Less than 0 without fusion. */
    private static int ahead(FilterParameters tier) {
        return tier.time().isPresent() ? tier.time().get().ahead() : -1;
    }

    private static int shifts(FilterParameters tier) {
        // Not by Optional.map, which allocates.
        return tier.shrinkage().isPresent() ? tier.shrinkage().get().shifts() : 0;
    }

    /**
     * True if deblocking and the bound of shrinkage follow the grid of blocks that was found in the pictures. If all tiers deblock
     * alike, the caller has fixed deblocking, and the grid begins at the picture's corner.
     */
    public boolean followsGrid() {
        // Without a stream, which allocates: a filter asks this whenever its ladder changes.
        FilterParameters first = tiers.get(0);
        boolean deblocks = first.deblock().isPresent();
        for (int number = 1; number < tiers.size(); number++) {
            FilterParameters tier = tiers.get(number);
            if (deblocks
                    ? !tier.deblock().equals(first.deblock())
                    : !tier.shrinkage().equals(first.shrinkage())) {
                return true;
            }
        }
        return false;
    }
}
