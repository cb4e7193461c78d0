/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264Tables;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.filter.TimeParameters;

/**
 * Turns settings into the kernels' parameters. A strength that a property names is applied exactly as the standard defines it; any
 * other strength comes from the tier that automatic strength chooses. Holds no state; any thread.
 */
final class StrengthChoice {
    /** bS of all edges, those between macroblocks included: bS 4 there would smooth decoded pictures too much. */
    private static final int AUTOMATIC_BS = 3;

    /**
     * Thresholds of shrinkage in percent of the tier's, for footage: fewer shifts leave more noise of their own, so that a lower
     * threshold does best.
     */
    private static final int FEW_SHIFTS_PERCENT = 90;

    private static final int MANY_SHIFTS_PERCENT = 115;

    /** Threshold of shrinkage for chroma, in percent of that for luma, so that neither component loses in any codec. */
    private static final int CHROMA_PERCENT = 70;

    /** The same for drawings, whose chroma has hard edges. */
    private static final int DRAWN_CHROMA_PERCENT = 35;

    /** A CDEF that changes no sample: it takes pictures from one layout to another. */
    static final FilterParameters UNCHANGED =
            FilterParameters.cdef(CdefParameters.uniform(4, new CdefStrength(0, 0, 0, 0)));

    private StrengthChoice() {}

    /** True if a filter runs and the element chooses one of its strengths. */
    static boolean isAutomatic(FilterSettings settings) {
        RunningFilters running = settings.running();
        return (running.deblock() && !settings.deblocksExactly())
                || (running.cdef() && !settings.setsAllOfCdef())
                || (running.shifts() > 0 && settings.get(ElementProperty.SHRINKAGE_THRESHOLD) < 0);
    }

    /** The parameters for settings of which none is {@linkplain #isAutomatic automatic} and none is invalid. */
    static FilterParameters fixed(FilterSettings settings) {
        // Any tier will do: without an automatic strength, no value of a tier is used.
        return parameters(settings, 0);
    }

    /** The parameters of each tier, for settings without invalid values. */
    static StrengthLadder ladder(FilterSettings settings) {
        return new StrengthLadder(IntStream.range(0, StrengthTier.ALL.size())
                .mapToObj(number -> parameters(settings, number))
                .toList());
    }

    /**
     * The parameters for settings without invalid values, if automatic strength has chosen this tier.
     *
     * @param number an index into {@link StrengthTier#ALL}
     */
    static FilterParameters parameters(FilterSettings settings, int number) {
        RunningFilters running = settings.running();
        List<StrengthTier> tiers = running.shifts() > 0 ? StrengthTier.ALL : StrengthTier.WITHOUT_SHRINKAGE;
        StrengthTier tier = tiers.get(StrengthTier.scaled(number, settings.scale()));
        boolean drawn = StrengthTier.isDrawn(number);
        Optional<ShrinkageParameters> shrinkage = running.shifts() > 0
                ? Optional.of(shrinkage(settings, running.shifts(), drawn, tier))
                : Optional.empty();
        return new FilterParameters(
                running.deblock() ? Optional.of(deblock(settings, tier)) : Optional.empty(),
                running.cdef() ? Optional.of(cdef(settings, running, tier)) : Optional.empty(),
                shrinkage,
                // Whether there are combs is for automatic strength to see.
                running.time()
                        ? shrinkage.map(same -> new TimeParameters(
                                drawn ? 0 : same.lumaThreshold(),
                                drawn ? 0 : same.chromaThreshold(),
                                0,
                                false,
                                settings.temporal().ahead()))
                        : Optional.empty());
    }

    private static H264DeblockParameters deblock(FilterSettings settings, StrengthTier tier) {
        int filterOffsetA = 2 * settings.get(ElementProperty.ALPHA_OFFSET);
        int filterOffsetB = 2 * settings.get(ElementProperty.BETA_OFFSET);
        int chromaQpOffset = settings.get(ElementProperty.CHROMA_QP_OFFSET);
        if (settings.get(ElementProperty.QP) >= 0) {
            return H264DeblockParameters.intra(
                    settings.get(ElementProperty.QP),
                    filterOffsetA,
                    filterOffsetB,
                    chromaQpOffset,
                    chromaQpOffset,
                    settings.grid() == FilterSettings.Grid.EVERY_8);
        }
        // The standard derives the chroma QP from the luma QP; the same table is applied to indexA and indexB here.
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

    private static CdefParameters cdef(FilterSettings settings, RunningFilters running, StrengthTier tier) {
        // The tiers were fitted to luma. Chroma is smoother and gets half the strength, or shrinkage alone, which does
        // better.
        boolean shrinks = running.shifts() > 0;
        int chromaPrimary = shrinks ? 0 : tier.primary() / 2;
        int chromaSecondary = shrinks ? 0 : tier.secondary() / 2;
        return CdefParameters.uniform(
                chosen(settings.get(ElementProperty.CDEF_DAMPING), tier.damping()),
                new CdefStrength(
                        chosen(settings.get(ElementProperty.CDEF_Y_PRIMARY), tier.primary()),
                        chosen(settings.get(ElementProperty.CDEF_Y_SECONDARY), tier.secondary()),
                        chosen(settings.get(ElementProperty.CDEF_UV_PRIMARY), chromaPrimary),
                        chosen(settings.get(ElementProperty.CDEF_UV_SECONDARY), chromaSecondary)));
    }

    private static ShrinkageParameters shrinkage(
            FilterSettings settings, int shifts, boolean drawn, StrengthTier tier) {
        int threshold = settings.get(ElementProperty.SHRINKAGE_THRESHOLD);
        if (threshold >= 0) {
            return new ShrinkageParameters(shifts, threshold, threshold, settings.get(ElementProperty.SHRINKAGE_BOUND));
        }
        int percent = drawn ? 100 : shifts == 4 ? FEW_SHIFTS_PERCENT : MANY_SHIFTS_PERCENT;
        int luma = Math.min(tier.shrinkage() * percent / 100, ShrinkageParameters.LARGEST_THRESHOLD);
        int chroma = luma * (drawn ? DRAWN_CHROMA_PERCENT : CHROMA_PERCENT) / 100;
        return new ShrinkageParameters(shifts, luma, chroma, settings.get(ElementProperty.SHRINKAGE_BOUND));
    }

    private static int chosen(int value, int automatic) {
        return value < 0 ? automatic : value;
    }

    private static int clipIndex(int index) {
        return Math.max(0, Math.min(51, index));
    }
}
