/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values of the properties that may change while playing, in the numbers of {@link ElementProperty}, and whether the stream is
 * live. -1, {@link Grid#AUTO} and an empty quality leave the choice to the element. Immutable; any thread.
 *
 * @param quality how much time the filters may take; empty for {@code auto}
 * @param live whether the stream is live, on which {@code auto} depends
 * @param degrade whether pictures may be filtered less, so that they come in time
 * @param strength by which automatic strengths are scaled, 0 to 2 times {@link ElementProperty#STRENGTH_PARTS}
 * @param deblock whether H.264 deblocking may run
 * @param qp QPY, or -1
 * @param grid which inner edges are deblocked
 * @param alphaOffset FilterOffsetA / 2, -6..6
 * @param betaOffset FilterOffsetB / 2, -6..6
 * @param chromaQpOffset chroma_qp_index_offset, -12..12
 * @param cdef whether AV1 CDEF may run
 * @param cdefDamping 3..6, or -1
 * @param cdefYPrimary 0..15, or -1
 * @param cdefUvPrimary 0..15, or -1
 * @param cdefYSecondary 0, 1, 2, 4 or -1
 * @param cdefUvSecondary 0, 1, 2, 4 or -1
 * @param shrinkage whether shrinkage may run
 * @param shrinkageThreshold in sixteenths of a sample value, 0..768, or -1
 * @param shrinkageShifts 4, 8, 16 or -1
 * @param shrinkageBound in percent of the threshold, 0..100
 * @param splitView part of the width that stays unfiltered, 0 to {@link ElementProperty#SPLIT_VIEW_PARTS}
 */
record FilterSettings(
        Optional<Quality> quality,
        boolean live,
        boolean degrade,
        int strength,
        boolean deblock,
        int qp,
        Grid grid,
        int alphaOffset,
        int betaOffset,
        int chromaQpOffset,
        boolean cdef,
        int cdefDamping,
        int cdefYPrimary,
        int cdefUvPrimary,
        int cdefYSecondary,
        int cdefUvSecondary,
        boolean shrinkage,
        int shrinkageThreshold,
        int shrinkageShifts,
        int shrinkageBound,
        int splitView) {

    /** Which edges inside a macroblock are deblocked, in the order of the property's choices. */
    enum Grid {
        /** The element chooses. */
        AUTO,
        /** Every fourth row and column. */
        EVERY_4,
        /** Every eighth row and column. */
        EVERY_8;

        private static final List<Grid> ALL = List.of(values());
    }

    /**
     * An invalid value of a property that lies within the property's range.
     *
     * @param property the property
     * @param value the invalid value
     * @param valid the valid values, in words
     */
    record Invalid(ElementProperty property, int value, String valid) {
        /** One line: the fault, and what may be set instead. */
        String line() {
            return property.gstName() + " is " + valid + ", but " + value + " was set: set one of these";
        }
    }

    /**
     * The settings that the element's native values give now; some may be {@linkplain #invalid() invalid}.
     *
     * @param live whether the stream is live
     */
    static FilterSettings read(ElementValues values, boolean live) {
        int quality = values.get(ElementProperty.QUALITY);
        return new FilterSettings(
                quality == 0 ? Optional.empty() : Optional.of(Quality.of(quality)),
                live,
                values.get(ElementProperty.DEGRADE) != 0,
                values.get(ElementProperty.STRENGTH),
                values.get(ElementProperty.DEBLOCK) != 0,
                values.get(ElementProperty.QP),
                Grid.ALL.get(values.get(ElementProperty.GRID)),
                values.get(ElementProperty.ALPHA_OFFSET),
                values.get(ElementProperty.BETA_OFFSET),
                values.get(ElementProperty.CHROMA_QP_OFFSET),
                values.get(ElementProperty.CDEF) != 0,
                values.get(ElementProperty.CDEF_DAMPING),
                values.get(ElementProperty.CDEF_Y_PRIMARY),
                values.get(ElementProperty.CDEF_UV_PRIMARY),
                values.get(ElementProperty.CDEF_Y_SECONDARY),
                values.get(ElementProperty.CDEF_UV_SECONDARY),
                values.get(ElementProperty.SHRINKAGE) != 0,
                values.get(ElementProperty.SHRINKAGE_THRESHOLD),
                values.get(ElementProperty.SHRINKAGE_SHIFTS),
                values.get(ElementProperty.SHRINKAGE_BOUND),
                values.get(ElementProperty.SPLIT_VIEW));
    }

    /** The invalid values: 0 to 2 as damping, 3 as secondary strength, other numbers of shifts than 4, 8 and 16. */
    List<Invalid> invalid() {
        List<Invalid> found = new ArrayList<>();
        checkDamping(cdefDamping).ifPresent(found::add);
        checkSecondary(ElementProperty.CDEF_Y_SECONDARY, cdefYSecondary).ifPresent(found::add);
        checkSecondary(ElementProperty.CDEF_UV_SECONDARY, cdefUvSecondary).ifPresent(found::add);
        checkShifts(shrinkageShifts).ifPresent(found::add);
        return List.copyOf(found);
    }

    /** These settings, with each invalid value replaced by its value in {@code before}. */
    FilterSettings withInvalidFrom(FilterSettings before) {
        return new FilterSettings(
                quality,
                live,
                degrade,
                strength,
                deblock,
                qp,
                grid,
                alphaOffset,
                betaOffset,
                chromaQpOffset,
                cdef,
                checkDamping(cdefDamping).isPresent() ? before.cdefDamping : cdefDamping,
                cdefYPrimary,
                cdefUvPrimary,
                checkSecondary(ElementProperty.CDEF_Y_SECONDARY, cdefYSecondary).isPresent()
                        ? before.cdefYSecondary
                        : cdefYSecondary,
                checkSecondary(ElementProperty.CDEF_UV_SECONDARY, cdefUvSecondary)
                                .isPresent()
                        ? before.cdefUvSecondary
                        : cdefUvSecondary,
                shrinkage,
                shrinkageThreshold,
                checkShifts(shrinkageShifts).isPresent() ? before.shrinkageShifts : shrinkageShifts,
                shrinkageBound,
                splitView);
    }

    /** These settings, with this number of shifts. */
    FilterSettings withShifts(int shifts) {
        return with(deblock, cdef, shrinkage, shifts);
    }

    /** These settings, with these filters. */
    FilterSettings running(boolean deblocking, boolean runningCdef, boolean shrinking) {
        return with(deblocking, runningCdef, shrinking, shrinkageShifts);
    }

    private FilterSettings with(boolean deblocking, boolean runningCdef, boolean shrinking, int shifts) {
        return new FilterSettings(
                quality,
                live,
                degrade,
                strength,
                deblocking,
                qp,
                grid,
                alphaOffset,
                betaOffset,
                chromaQpOffset,
                runningCdef,
                cdefDamping,
                cdefYPrimary,
                cdefUvPrimary,
                cdefYSecondary,
                cdefUvSecondary,
                shrinking,
                shrinkageThreshold,
                shifts,
                shrinkageBound,
                splitView);
    }

    /** The quality that was set, or what {@code auto} is for this stream. */
    Quality qualityInForce() {
        return quality.orElse(Quality.automatic(live));
    }

    /** Why {@link #qualityInForce} is in force, as the property {@code stats} says it. */
    String qualityReason() {
        return quality.isPresent() ? "set" : live ? "auto: live" : "auto: not live";
    }

    /** By how much automatic strengths are scaled, 0 to 2. */
    double scale() {
        return (double) strength / ElementProperty.STRENGTH_PARTS;
    }

    /** False if all automatic strengths are scaled to nothing. */
    boolean scalesAboveZero() {
        return strength > 0;
    }

    /** True if deblocking, where it runs, is that of a decoder. */
    boolean deblocksExactly() {
        return qp >= 0;
    }

    /** True if at least one of CDEF's strengths was set. */
    boolean setsCdef() {
        return cdefDamping >= 0
                || cdefYPrimary >= 0
                || cdefUvPrimary >= 0
                || cdefYSecondary >= 0
                || cdefUvSecondary >= 0;
    }

    /** True if CDEF, where it runs, is that of a decoder. */
    boolean setsAllOfCdef() {
        return cdefDamping >= 0
                && cdefYPrimary >= 0
                && cdefUvPrimary >= 0
                && cdefYSecondary >= 0
                && cdefUvSecondary >= 0;
    }

    private static Optional<Invalid> checkDamping(int damping) {
        return damping == -1 || (damping >= 3 && damping <= 6)
                ? Optional.empty()
                : Optional.of(new Invalid(ElementProperty.CDEF_DAMPING, damping, "-1 or 3 to 6"));
    }

    private static Optional<Invalid> checkSecondary(ElementProperty property, int strength) {
        return strength == -1 || strength == 0 || strength == 1 || strength == 2 || strength == 4
                ? Optional.empty()
                : Optional.of(new Invalid(property, strength, "-1, 0, 1, 2 or 4"));
    }

    private static Optional<Invalid> checkShifts(int shifts) {
        return shifts == -1 || shifts == 4 || shifts == 8 || shifts == 16
                ? Optional.empty()
                : Optional.of(new Invalid(ElementProperty.SHRINKAGE_SHIFTS, shifts, "-1, 4, 8 or 16"));
    }
}
