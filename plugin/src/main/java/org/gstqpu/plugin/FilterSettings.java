/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.gstqpu.plugin.ElementProperty.CDEF;
import static org.gstqpu.plugin.ElementProperty.CDEF_DAMPING;
import static org.gstqpu.plugin.ElementProperty.CDEF_UV_PRIMARY;
import static org.gstqpu.plugin.ElementProperty.CDEF_UV_SECONDARY;
import static org.gstqpu.plugin.ElementProperty.CDEF_Y_PRIMARY;
import static org.gstqpu.plugin.ElementProperty.CDEF_Y_SECONDARY;
import static org.gstqpu.plugin.ElementProperty.DEBLOCK;
import static org.gstqpu.plugin.ElementProperty.GRID;
import static org.gstqpu.plugin.ElementProperty.QP;
import static org.gstqpu.plugin.ElementProperty.QUALITY;
import static org.gstqpu.plugin.ElementProperty.SHRINKAGE;
import static org.gstqpu.plugin.ElementProperty.SHRINKAGE_SHIFTS;
import static org.gstqpu.plugin.ElementProperty.SHRINKAGE_THRESHOLD;
import static org.gstqpu.plugin.ElementProperty.STRENGTH;
import static org.gstqpu.plugin.ElementProperty.TEMPORAL;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The values of the properties that may change while playing, in the numbers of {@link ElementProperty}; whether the stream is live, on
 * which the quality {@code auto} depends; what {@code temporal=auto} is; and what follows from these. -1, {@link Grid#AUTO} and
 * {@code auto} leave the choice to the element. Immutable; any thread.
 */
final class FilterSettings {
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

    /** A property not all of whose range is valid. */
    private record Holed(ElementProperty property, IntPredicate isValid, String valid) {}

    private static final List<ElementProperty> PROPERTIES = Stream.of(ElementProperty.values())
            .filter(property -> property.access() == ElementProperty.Access.CONTROLLABLE)
            .toList();

    private static final List<Holed> HOLED = List.of(
            new Holed(CDEF_DAMPING, damping -> damping == -1 || damping >= 3, "-1 or 3 to 6"),
            new Holed(CDEF_Y_SECONDARY, FilterSettings::isSecondary, "-1, 0, 1, 2 or 4"),
            new Holed(CDEF_UV_SECONDARY, FilterSettings::isSecondary, "-1, 0, 1, 2 or 4"),
            new Holed(SHRINKAGE_SHIFTS, List.of(-1, 4, 8, 16)::contains, "-1, 4, 8 or 16"));

    private static final List<ElementProperty> CDEF_STRENGTHS =
            List.of(CDEF_DAMPING, CDEF_Y_PRIMARY, CDEF_UV_PRIMARY, CDEF_Y_SECONDARY, CDEF_UV_SECONDARY);

    /** By {@link ElementProperty#slot}. */
    private final int[] values;

    private final boolean live;
    private final Temporal.Choice automaticTemporal;
    private final RunningFilters running;

    private FilterSettings(int[] values, boolean live, Temporal.Choice automaticTemporal) {
        this.values = values;
        this.live = live;
        this.automaticTemporal = automaticTemporal;
        running = runningFilters();
    }

    /**
     * The settings that the element's native values give now; some may be {@linkplain #invalid() invalid}.
     *
     * @param live whether the stream is live
     * @param automaticTemporal what {@code temporal=auto} is
     */
    static FilterSettings read(ElementValues element, boolean live, Temporal.Choice automaticTemporal) {
        int[] values = new int[ElementProperty.values().length];
        for (ElementProperty property : PROPERTIES) {
            values[property.slot()] = element.get(property);
        }
        return new FilterSettings(values, live, automaticTemporal);
    }

    /** The value of a property that may change while playing. */
    int get(ElementProperty property) {
        return values[property.slot()];
    }

    /** True if a property that may change while playing is on. */
    boolean is(ElementProperty property) {
        return get(property) != 0;
    }

    /** These settings, with another value of a property. */
    FilterSettings with(ElementProperty property, int value) {
        int[] changed = values.clone();
        changed[property.slot()] = value;
        return new FilterSettings(changed, live, automaticTemporal);
    }

    /** The invalid values: 0 to 2 as damping, 3 as secondary strength, other numbers of shifts than 4, 8 and 16. */
    List<Invalid> invalid() {
        return HOLED.stream()
                .filter(one -> !one.isValid().test(get(one.property())))
                .map(one -> new Invalid(one.property(), get(one.property()), one.valid()))
                .toList();
    }

    /** These settings, with each invalid value replaced by its value in {@code before}. */
    FilterSettings withInvalidFrom(FilterSettings before) {
        FilterSettings valid = this;
        for (Invalid one : invalid()) {
            valid = valid.with(one.property(), before.get(one.property()));
        }
        return valid;
    }

    /** True if the element chooses which pictures temporal fusion looks at, if any. */
    boolean choosesTemporal() {
        return get(TEMPORAL) == Temporal.AUTO && fusionFits(running.shifts());
    }

    /** Which pictures temporal fusion looks at. */
    Temporal temporal() {
        return running.time() ? asked() : Temporal.OFF;
    }

    /** Why fusion looks at these, as the property {@code stats} says it. */
    String temporalReason() {
        if (!fusionFits(running.shifts())) {
            return "no shrinkage of automatic strength";
        }
        return choosesTemporal() ? automaticTemporal.reason() : "set";
    }

    private Temporal asked() {
        return get(TEMPORAL) == Temporal.AUTO ? automaticTemporal.temporal() : Temporal.of(get(TEMPORAL));
    }

    /** The threshold of fusion is the one that automatic strength chooses for shrinkage. */
    private boolean fusionFits(int shifts) {
        return shifts > 0 && get(SHRINKAGE_THRESHOLD) < 0;
    }

    /** Which filters run with these settings. */
    RunningFilters running() {
        return running;
    }

    private RunningFilters runningFilters() {
        int shifts = shifts();
        return new RunningFilters(
                // Shrinkage needs no deblocking before it.
                is(DEBLOCK) && (deblocksExactly() || (scalesAboveZero() && shifts == 0)),
                is(CDEF) && (setsCdef() || scalesAboveZero()),
                shifts,
                asked() != Temporal.OFF && fusionFits(shifts));
    }

    private int shifts() {
        if (!is(SHRINKAGE) || get(SHRINKAGE_THRESHOLD) == 0) {
            return 0;
        }
        int shifts = get(SHRINKAGE_SHIFTS) < 0 ? qualityInForce().shifts() : get(SHRINKAGE_SHIFTS);
        if (get(SHRINKAGE_THRESHOLD) > 0) {
            // A threshold asks for shrinkage by itself, also where the quality would leave it out.
            return shifts == 0 ? Quality.BALANCED.shifts() : shifts;
        }
        boolean exact = (is(DEBLOCK) && deblocksExactly()) || (is(CDEF) && setsAllOfCdef());
        return exact || !scalesAboveZero() ? 0 : shifts;
    }

    /** Which edges are deblocked. */
    Grid grid() {
        return Grid.ALL.get(get(GRID));
    }

    /** The quality that was set, or what {@code auto} is for this stream. */
    Quality qualityInForce() {
        return is(QUALITY) ? Quality.of(get(QUALITY)) : Quality.automatic(live);
    }

    /** Why {@link #qualityInForce} is in force, as the property {@code stats} says it. */
    String qualityReason() {
        return is(QUALITY) ? "set" : live ? "auto: live" : "auto: not live";
    }

    /** By how much automatic strengths are scaled, 0 to 2. */
    double scale() {
        return (double) get(STRENGTH) / ElementProperty.STRENGTH_PARTS;
    }

    /** False if all automatic strengths are scaled to nothing. */
    boolean scalesAboveZero() {
        return get(STRENGTH) > 0;
    }

    /** True if deblocking, where it runs, is that of a decoder. */
    boolean deblocksExactly() {
        return get(QP) >= 0;
    }

    /** True if at least one of CDEF's strengths was set. */
    boolean setsCdef() {
        return CDEF_STRENGTHS.stream().anyMatch(strength -> get(strength) >= 0);
    }

    /** True if CDEF, where it runs, is that of a decoder. */
    boolean setsAllOfCdef() {
        return CDEF_STRENGTHS.stream().allMatch(strength -> get(strength) >= 0);
    }

    private static boolean isSecondary(int strength) {
        return strength <= 2 || strength == 4;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FilterSettings that
                && live == that.live
                && automaticTemporal.equals(that.automaticTemporal)
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(values) + Boolean.hashCode(live)) + automaticTemporal.hashCode();
    }

    @Override
    public String toString() {
        return (live ? "live" : "not live") + " " + Arrays.toString(values);
    }
}
