/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import java.util.stream.Stream;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FilterSettingsTest {
    private final Values values = new Values();

    @AfterEach
    void close() {
        values.close();
    }

    private FilterSettings read() {
        return FilterSettings.read(values.view(), true, Temporal.Choice.NONE);
    }

    @Test
    void everyPropertyIsReadFromItsOwnSlot() {
        List<ElementProperty> changing = Stream.of(ElementProperty.values())
                .filter(property -> property.access() == ElementProperty.Access.CONTROLLABLE)
                .toList();
        assertEquals(21, changing.size());
        for (ElementProperty property : changing) {
            int before = values.view().get(property);
            FilterSettings settings = read();
            assertEquals(before, settings.get(property));
            assertEquals(before != 0, settings.is(property));
            values.set(property, 2);
            assertEquals(settings.with(property, 2), read());
            assertEquals(2, read().get(property));
            assertNotEquals(settings, read(), property.gstName());
            values.set(property, before);
        }
        values.set(ElementProperty.GRID, 2);
        assertEquals(FilterSettings.Grid.EVERY_8, read().grid());
        assertNotEquals(read(), FilterSettings.read(values.view(), false, Temporal.Choice.NONE), "live or not");
    }

    @Test
    void exactlyTheHolesOfTheRangesAreInvalid() {
        for (int damping = -1; damping <= 6; damping++) {
            values.set(ElementProperty.CDEF_DAMPING, damping);
            int expected = damping >= 0 && damping < 3 ? 1 : 0;
            assertEquals(expected, read().invalid().size(), "damping " + damping);
        }
        for (int secondary = -1; secondary <= 4; secondary++) {
            values.set(ElementProperty.CDEF_Y_SECONDARY, secondary).set(ElementProperty.CDEF_UV_SECONDARY, secondary);
            int expected = secondary == 3 ? 2 : 0;
            assertEquals(expected, read().invalid().size(), "secondary " + secondary);
        }
    }

    @Test
    void shiftsAreFourEightOrSixteen() {
        List<Integer> valid = List.of(-1, 4, 8, 16);
        for (int shifts = -1; shifts <= 16; shifts++) {
            values.set(ElementProperty.SHRINKAGE_SHIFTS, shifts);
            assertEquals(valid.contains(shifts) ? 0 : 1, read().invalid().size(), "shifts " + shifts);
        }
    }

    @Test
    void automaticQualityIsTheBestThatTheStreamCanWaitFor() {
        assertEquals(
                Quality.BALANCED,
                FilterSettings.read(values.view(), true, Temporal.Choice.NONE).qualityInForce());
        assertEquals(
                "auto: live",
                FilterSettings.read(values.view(), true, Temporal.Choice.NONE).qualityReason());
        assertEquals(
                Quality.BEST,
                FilterSettings.read(values.view(), false, Temporal.Choice.NONE).qualityInForce());
        assertEquals(
                "auto: not live",
                FilterSettings.read(values.view(), false, Temporal.Choice.NONE).qualityReason());
        values.set(ElementProperty.QUALITY, 1);
        assertEquals(
                Quality.FAST,
                FilterSettings.read(values.view(), false, Temporal.Choice.NONE).qualityInForce());
        assertEquals(
                "set",
                FilterSettings.read(values.view(), false, Temporal.Choice.NONE).qualityReason());
    }

    @Test
    void eachQualityIsItsOwnChoice() {
        ElementProperty.Choice choices = (ElementProperty.Choice) ElementProperty.QUALITY.type();
        for (Quality quality : Quality.values()) {
            values.set(
                    ElementProperty.QUALITY,
                    choices.values().stream()
                            .map(ElementProperty.Value::nick)
                            .toList()
                            .indexOf(quality.nick()));
            assertEquals(quality, read().qualityInForce());
        }
    }

    @Test
    void invalidValuesAloneAreReplaced() {
        values.set(ElementProperty.CDEF_DAMPING, 5)
                .set(ElementProperty.CDEF_Y_SECONDARY, 2)
                .set(ElementProperty.CDEF_UV_SECONDARY, 4)
                .set(ElementProperty.SHRINKAGE_SHIFTS, 16)
                .set(ElementProperty.QP, 10);
        FilterSettings before = read();
        values.set(ElementProperty.CDEF_DAMPING, 1)
                .set(ElementProperty.CDEF_Y_SECONDARY, 3)
                .set(ElementProperty.CDEF_UV_SECONDARY, 3)
                .set(ElementProperty.SHRINKAGE_SHIFTS, 5)
                .set(ElementProperty.QP, 20);
        FilterSettings after = read().withInvalidFrom(before);

        values.set(ElementProperty.CDEF_DAMPING, 5)
                .set(ElementProperty.CDEF_Y_SECONDARY, 2)
                .set(ElementProperty.CDEF_UV_SECONDARY, 4)
                .set(ElementProperty.SHRINKAGE_SHIFTS, 16);
        assertEquals(read(), after);
    }
}
