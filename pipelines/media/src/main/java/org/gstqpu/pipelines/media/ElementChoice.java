/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the element did to the last pictures, and why, from its statistics. The components are field names of JSON. Immutable.
 *
 * @param filters the filters that ran, such as {@code cdef+shrinkage}, or {@code none}
 * @param shifts number of shifts of shrinkage; 0 if it did not run
 * @param quality {@code fast}, {@code balanced} or {@code best}
 * @param qualityReason why that quality was in force
 * @param temporal which pictures temporal fusion looked at: {@code off}, {@code past}, {@code one} or {@code two}
 * @param temporalReason why at these
 * @param strengthReason why the filters were as strong as they were
 * @param tier the tier that automatic strength chose; null if no strength was automatic
 * @param step the quantiser step that automatic strength found, in sample values; null if no strength was automatic
 * @param alphaIndex indexA of deblocking for luma; 0 for no deblocking
 * @param betaIndex indexB of deblocking for luma
 * @param cdefPrimary CDEF's luma strength along the direction
 * @param cdefSecondary CDEF's luma strength across the direction
 * @param cdefDamping CDEF's damping; 0 if CDEF did not run
 * @param threshold threshold of shrinkage for luma, in sample values
 * @param chromaThreshold threshold of shrinkage for chroma, in sample values
 */
public record ElementChoice(
        String filters,
        long shifts,
        String quality,
        String qualityReason,
        String temporal,
        String temporalReason,
        String strengthReason,
        Long tier,
        Double step,
        long alphaIndex,
        long betaIndex,
        long cdefPrimary,
        long cdefSecondary,
        long cdefDamping,
        double threshold,
        double chromaThreshold) {
    /** Units of a step and of a threshold in one sample value. */
    private static final double UNIT = 16;

    /**
     * Reads the choice from statistics.
     *
     * @throws IllegalArgumentException when a field is missing
     */
    public static ElementChoice of(ElementStats stats) {
        boolean automatic = stats.number("estimated-step") > 0;
        return new ElementChoice(
                stats.text("filters"),
                stats.number("shifts"),
                stats.text("quality"),
                stats.text("quality-reason"),
                stats.text("temporal"),
                stats.text("temporal-reason"),
                // Where all was switched off to be in time, the strength that is not applied is no reason.
                stats.text(
                        stats.text("filters").equals("none") && stats.number("degrade-step") > 0
                                ? "degrade-reason"
                                : "strength-reason"),
                automatic ? stats.number("estimated-tier") : null,
                automatic ? stats.number("estimated-step") / UNIT : null,
                stats.number("applied-alpha-index"),
                stats.number("applied-beta-index"),
                stats.number("applied-cdef-primary"),
                stats.number("applied-cdef-secondary"),
                stats.number("applied-cdef-damping"),
                stats.number("applied-threshold") / UNIT,
                stats.number("applied-chroma-threshold") / UNIT);
    }

    /** What runs and why, in words, such as {@code cdef+shrinkage, 8 shifts, quality best (auto: not live), temporal off (set)}. */
    public String runs() {
        if (filters.equals("none")) {
            return "no filter runs";
        }
        return filters + (shifts > 0 ? ", " + shifts + " shifts" : "") + ", quality " + quality + " (" + qualityReason
                + "), temporal " + temporal + " (" + temporalReason + ")";
    }

    /** How strongly and why, in words, such as {@code tier 14 (comb, step 18.5): CDEF 4/2, shrinkage 14.5}. */
    public String strengths() {
        if (filters.equals("none")) {
            return "pictures pass unchanged: " + strengthReason;
        }
        List<String> applied = new ArrayList<>();
        if (alphaIndex > 0) {
            applied.add("deblocking " + alphaIndex + "/" + betaIndex);
        }
        if (cdefPrimary > 0 || cdefSecondary > 0) {
            applied.add("CDEF " + cdefPrimary + "/" + cdefSecondary + "/" + cdefDamping);
        }
        if (threshold > 0) {
            applied.add("shrinkage " + decimal(threshold));
        }
        String chosen = tier == null
                ? strengthReason
                : "tier " + tier + " (" + strengthReason + ", step " + decimal(step) + ")";
        return chosen + ": " + (applied.isEmpty() ? "pictures stay as they are" : String.join(", ", applied));
    }

    /**
     * What temporal fusion would take and bring, in one line.
     *
     * @return empty if it runs, or would change nothing
     */
    public Optional<String> wouldFuse(boolean onDevice) {
        boolean could = tier != null && threshold > 0 && temporal.equals("off");
        return could
                ? Optional.of(
                        "temporal=two, which looks at the pictures around each, gains about 0.2 dB more, and the filters take about "
                                + (onDevice ? "twice to four times" : "five times") + " as long")
                : Optional.empty();
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
