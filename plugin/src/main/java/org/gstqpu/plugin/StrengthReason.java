/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Optional;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthRule;

/** Why the filters are as strong as they are, for the property {@code stats}. Immutable; any thread. */
enum StrengthReason {
    /** The user has switched all filters off. */
    OFF("all filters are off"),
    /** The property {@code strength} is 0, and no strength is set. */
    SCALED_TO_NOTHING("strength is 0"),
    /** The user has set all strengths. */
    SET("set"),
    /** Strength is automatic, and no picture was measured yet. */
    NO_PICTURE("no picture yet"),
    /** Little was lost, and nothing is filtered. */
    CLEAN("clean"),
    /** The pictures are drawn, and are filtered as drawings are. */
    DRAWING("drawing"),
    /** The pictures have so much texture that they are filtered less than others of that step. */
    TEXTURE("texture"),
    /** As the step asks that the comb of an intra codec shows. */
    COMB("comb"),
    /** As the step asks that the zeros on the grid of blocks show. */
    BLOCKS("blocks");

    /** A step, in sample values, up to which nothing worth mentioning was lost. */
    private static final double LITTLE = 1.25;

    /** By so many levels texture has to hold back the strength to be the reason: half an octave of the threshold. */
    private static final int HELD_BACK = 3;

    private final String words;

    StrengthReason(String words) {
        this.words = words;
    }

    /** What {@code stats} says. */
    String words() {
        return words;
    }

    /**
     * The reason with these settings.
     *
     * @param settings without invalid values
     * @param estimate what automatic strength has found; empty before the first picture, or if no strength is automatic
     */
    static StrengthReason of(FilterSettings settings, Optional<StrengthEstimate> estimate) {
        RunningFilters running = settings.running();
        if (running.none()) {
            return settings.scalesAboveZero() ? OFF : SCALED_TO_NOTHING;
        }
        if (!StrengthChoice.isAutomatic(settings)) {
            return SET;
        }
        return estimate.map(found -> of(running.shifts() > 0, found)).orElse(NO_PICTURE);
    }

    private static StrengthReason of(boolean shrinks, StrengthEstimate found) {
        if (found.tier() == 0 && found.step() <= LITTLE) {
            return CLEAN;
        }
        if (found.drawing()) {
            return DRAWING;
        }
        int step = (int) Math.round(found.step() * StrengthRule.UNIT);
        int held = shrinks
                ? StrengthRule.heldBack(found.comb(), found.texture())
                : StrengthRule.position(false, found.comb(), false, step, 0)
                        - StrengthRule.position(false, found.comb(), false, step, found.texture());
        if (held >= HELD_BACK * StrengthRule.POSITIONS) {
            return TEXTURE;
        }
        return found.tier() == 0 ? CLEAN : found.comb() ? COMB : BLOCKS;
    }
}
