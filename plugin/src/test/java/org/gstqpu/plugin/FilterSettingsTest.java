/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FilterSettingsTest {
    private final Values values = new Values();

    @AfterEach
    void close() {
        values.close();
    }

    @Test
    void everyPropertyIsReadFromItsOwnSlot() {
        List<ElementProperty> numbers = List.of(
                ElementProperty.QP,
                ElementProperty.ALPHA_OFFSET,
                ElementProperty.BETA_OFFSET,
                ElementProperty.CHROMA_QP_OFFSET,
                ElementProperty.CDEF_DAMPING,
                ElementProperty.CDEF_Y_PRIMARY,
                ElementProperty.CDEF_UV_PRIMARY,
                ElementProperty.CDEF_Y_SECONDARY,
                ElementProperty.CDEF_UV_SECONDARY,
                ElementProperty.SPLIT_VIEW);
        for (int i = 0; i < numbers.size(); i++) {
            values.set(numbers.get(i), 100 + i);
        }
        values.set(ElementProperty.DEBLOCK, 0).set(ElementProperty.GRID, 2);

        assertEquals(
                new FilterSettings(
                        false, 100, FilterSettings.Grid.EVERY_8, 101, 102, 103, true, 104, 105, 106, 107, 108, 109),
                FilterSettings.read(values.view()));
    }

    @Test
    void exactlyTheHolesOfTheRangesAreInvalid() {
        for (int damping = -1; damping <= 6; damping++) {
            values.set(ElementProperty.CDEF_DAMPING, damping);
            int expected = damping >= 0 && damping < 3 ? 1 : 0;
            assertEquals(expected, FilterSettings.read(values.view()).invalid().size(), "damping " + damping);
        }
        for (int secondary = -1; secondary <= 4; secondary++) {
            values.set(ElementProperty.CDEF_Y_SECONDARY, secondary).set(ElementProperty.CDEF_UV_SECONDARY, secondary);
            int expected = secondary == 3 ? 2 : 0;
            assertEquals(expected, FilterSettings.read(values.view()).invalid().size(), "secondary " + secondary);
        }
    }

    @Test
    void invalidValuesAloneAreReplaced() {
        values.set(ElementProperty.CDEF_DAMPING, 5)
                .set(ElementProperty.CDEF_Y_SECONDARY, 2)
                .set(ElementProperty.CDEF_UV_SECONDARY, 4)
                .set(ElementProperty.QP, 10);
        FilterSettings before = FilterSettings.read(values.view());
        values.set(ElementProperty.CDEF_DAMPING, 1)
                .set(ElementProperty.CDEF_Y_SECONDARY, 3)
                .set(ElementProperty.CDEF_UV_SECONDARY, 3)
                .set(ElementProperty.QP, 20);
        FilterSettings after = FilterSettings.read(values.view()).withInvalidFrom(before);

        values.set(ElementProperty.CDEF_DAMPING, 5)
                .set(ElementProperty.CDEF_Y_SECONDARY, 2)
                .set(ElementProperty.CDEF_UV_SECONDARY, 4);
        assertEquals(FilterSettings.read(values.view()), after);
    }
}
