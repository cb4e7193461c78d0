/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.block.H264Tables;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;

/**
 * How strongly pictures are filtered: exactly as the standards say where a property names a strength, else by what the
 * pictures show. Holds nothing; any thread.
 */
final class StrengthChoice {
    /** At macroblock edges, too, where bS 4 would smooth decoded pictures too much. */
    private static final int AUTOMATIC_BS = 3;

    /** A CDEF that changes no sample: it takes pictures from one layout to another. */
    static final FilterParameters UNCHANGED = new FilterParameters(
            Optional.empty(), Optional.of(CdefParameters.uniform(4, new CdefStrength(0, 0, 0, 0))));

    private StrengthChoice() {}

    /** Whether the strength of some filter that runs is the element's choice. */
    static boolean isAutomatic(FilterSettings settings) {
        boolean deblocking = settings.deblock() && settings.qp() < 0;
        boolean cdef = settings.cdefDamping() < 0
                || settings.cdefYPrimary() < 0
                || settings.cdefUvPrimary() < 0
                || settings.cdefYSecondary() < 0
                || settings.cdefUvSecondary() < 0;
        return deblocking || (settings.cdef() && cdef);
    }

    /** What settings of which nothing is {@linkplain #isAutomatic automatic}, nor invalid, mean. */
    static FilterParameters fixed(FilterSettings settings) {
        // No value of a tier gets into the parameters.
        return parameters(settings, StrengthTier.ALL.get(0));
    }

    /** What settings that hold no invalid values mean in each tier. */
    static StrengthLadder ladder(FilterSettings settings) {
        List<FilterParameters> tiers = new ArrayList<>();
        for (StrengthTier tier : StrengthTier.ALL) {
            tiers.add(parameters(settings, tier));
        }
        return new StrengthLadder(tiers);
    }

    private static FilterParameters parameters(FilterSettings settings, StrengthTier tier) {
        return new FilterParameters(
                settings.deblock() ? Optional.of(deblock(settings, tier)) : Optional.empty(),
                settings.cdef() ? Optional.of(cdef(settings, tier)) : Optional.empty());
    }

    private static H264DeblockParameters deblock(FilterSettings settings, StrengthTier tier) {
        int filterOffsetA = 2 * settings.alphaOffset();
        int filterOffsetB = 2 * settings.betaOffset();
        int chromaQpOffset = settings.chromaQpOffset();
        if (settings.qp() >= 0) {
            return H264DeblockParameters.intra(
                    settings.qp(),
                    filterOffsetA,
                    filterOffsetB,
                    chromaQpOffset,
                    chromaQpOffset,
                    settings.grid() == FilterSettings.Grid.EVERY_8);
        }
        // Chroma follows luma as in the standard, as though the two indexes were QPs.
        int chromaIndexA = clipIndex(H264Tables.chromaQp(tier.indexA() + chromaQpOffset) + filterOffsetA);
        int chromaIndexB = clipIndex(H264Tables.chromaQp(tier.indexB() + chromaQpOffset) + filterOffsetB);
        int bS = tier.deblocks() ? AUTOMATIC_BS : 0;
        return new H264DeblockParameters(
                clipIndex(tier.indexA() + filterOffsetA),
                clipIndex(tier.indexB() + filterOffsetB),
                chromaIndexA,
                chromaIndexB,
                chromaIndexA,
                chromaIndexB,
                bS,
                bS,
                settings.grid() != FilterSettings.Grid.EVERY_4);
    }

    private static CdefParameters cdef(FilterSettings settings, StrengthTier tier) {
        return CdefParameters.uniform(
                chosen(settings.cdefDamping(), tier.damping()),
                new CdefStrength(
                        chosen(settings.cdefYPrimary(), tier.primary()),
                        chosen(settings.cdefYSecondary(), tier.secondary()),
                        // The table of tiers was fitted to luma; chroma, which is smoother, gets less.
                        chosen(settings.cdefUvPrimary(), tier.primary() / 2),
                        chosen(settings.cdefUvSecondary(), tier.secondary() / 2)));
    }

    private static int chosen(int value, int automatic) {
        return value < 0 ? automatic : value;
    }

    private static int clipIndex(int index) {
        return Math.max(0, Math.min(51, index));
    }
}
