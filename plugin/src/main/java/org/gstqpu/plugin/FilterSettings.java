/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values of the properties that may change while playing, in the numbers of {@link ElementProperty}. -1 and {@link Grid#AUTO}
 * leave the choice to the element. Immutable; any thread.
 *
 * @param deblock whether H.264 deblocking runs
 * @param qp QPY, or -1
 * @param grid which inner edges are deblocked
 * @param alphaOffset FilterOffsetA / 2, -6..6
 * @param betaOffset FilterOffsetB / 2, -6..6
 * @param chromaQpOffset chroma_qp_index_offset, -12..12
 * @param cdef whether AV1 CDEF runs
 * @param cdefDamping 3..6, or -1
 * @param cdefYPrimary 0..15, or -1
 * @param cdefUvPrimary 0..15, or -1
 * @param cdefYSecondary 0, 1, 2, 4 or -1
 * @param cdefUvSecondary 0, 1, 2, 4 or -1
 * @param splitView part of the width that stays unfiltered, 0 to {@link ElementProperty.Fraction#ONE}
 */
record FilterSettings(
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

    /** The settings that the element's native values give now; some may be {@linkplain #invalid() invalid}. */
    static FilterSettings read(ElementValues values) {
        return new FilterSettings(
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
                values.get(ElementProperty.SPLIT_VIEW));
    }

    /** The invalid values: 0 to 2 as damping, 3 as secondary strength. */
    List<Invalid> invalid() {
        List<Invalid> found = new ArrayList<>();
        checkDamping(cdefDamping).ifPresent(found::add);
        checkSecondary(ElementProperty.CDEF_Y_SECONDARY, cdefYSecondary).ifPresent(found::add);
        checkSecondary(ElementProperty.CDEF_UV_SECONDARY, cdefUvSecondary).ifPresent(found::add);
        return List.copyOf(found);
    }

    /** These settings, with each invalid value replaced by its value in {@code before}. */
    FilterSettings withInvalidFrom(FilterSettings before) {
        return new FilterSettings(
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
                splitView);
    }

    /** True if both filters are off. */
    boolean filtersNothing() {
        return !deblock && !cdef;
    }

    /** The filters that run, as the property {@code stats} names them. */
    String filters() {
        if (deblock) {
            return cdef ? "deblock+cdef" : "deblock";
        }
        return cdef ? "cdef" : "none";
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
}
