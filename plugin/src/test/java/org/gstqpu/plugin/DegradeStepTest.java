/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DegradeStepTest {
    private final Values values = new Values();

    @AfterEach
    void close() {
        values.close();
    }

    private void set(String settings) {
        Pattern.compile("([A-Z_]+)=(-?[0-9]+)")
                .matcher(settings)
                .results()
                .forEach(each -> values.set(ElementProperty.valueOf(each.group(1)), Integer.parseInt(each.group(2))));
    }

    private String steps() {
        return DegradeStep.of(FilterSettings.read(values.view(), false, Temporal.Choice.NONE)).stream()
                .map(step -> {
                    RunningFilters running = step.settings().running();
                    return step.lost() + " " + running.names() + (running.shifts() > 0 ? running.shifts() : "");
                })
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            value = {
                "'' : NOTHING cdef+shrinkage8, SHIFTS cdef+shrinkage4, SHRINKAGE deblock+cdef, CDEF deblock, DEBLOCK none",
                "TEMPORAL=1 : NOTHING cdef+shrinkage+time8, TIME cdef+shrinkage8, SHIFTS cdef+shrinkage4, SHRINKAGE deblock+cdef, CDEF deblock, DEBLOCK none",
                "TEMPORAL=1 QUALITY=1 : NOTHING deblock+cdef, CDEF deblock, DEBLOCK none",
                "TEMPORAL=1 SHRINKAGE_THRESHOLD=160 : NOTHING cdef+shrinkage8, CDEF shrinkage8",
                "QUALITY=2 : NOTHING cdef+shrinkage4, SHRINKAGE deblock+cdef, CDEF deblock, DEBLOCK none",
                "QUALITY=1 : NOTHING deblock+cdef, CDEF deblock, DEBLOCK none",
                "DEBLOCK=0 : NOTHING cdef+shrinkage8, SHIFTS cdef+shrinkage4, SHRINKAGE cdef, CDEF none",
                "DEBLOCK=0 CDEF=0 : NOTHING shrinkage8, SHIFTS shrinkage4, SHRINKAGE none",
                "DEBLOCK=0 CDEF=0 SHRINKAGE=0 : NOTHING none",
                "STRENGTH=0 : NOTHING none",
                // What is set exactly keeps running.
                "QP=36 : NOTHING deblock+cdef, CDEF deblock",
                "QP=36 CDEF=0 : NOTHING deblock",
                "CDEF_Y_PRIMARY=4 : NOTHING cdef+shrinkage8, SHIFTS cdef+shrinkage4, SHRINKAGE deblock+cdef, DEBLOCK cdef",
                "SHRINKAGE_THRESHOLD=160 : NOTHING cdef+shrinkage8, CDEF shrinkage8",
                "SHRINKAGE_THRESHOLD=160 QP=36 : NOTHING deblock+cdef+shrinkage8, CDEF deblock+shrinkage8",
                "SHRINKAGE_SHIFTS=16 : NOTHING cdef+shrinkage16, CDEF shrinkage16",
                "SHRINKAGE_THRESHOLD=0 : NOTHING deblock+cdef, CDEF deblock, DEBLOCK none",
                "DEGRADE=0 : NOTHING cdef+shrinkage8",
            })
    void whatWasNotAskedForExactlyIsGivenUpStepByStep(String settings, String expected) {
        set(settings);
        assertEquals(expected, steps());
    }

    @Test
    void onlyTheFiltersDifferFromTheSettings() {
        set(
                "QUALITY=3 TEMPORAL=1 STRENGTH=500000 ALPHA_OFFSET=1 BETA_OFFSET=2 CHROMA_QP_OFFSET=3 GRID=1 SHRINKAGE_BOUND=20"
                        + " SPLIT_VIEW=1000000");
        FilterSettings settings = FilterSettings.read(values.view(), true, Temporal.Choice.NONE);
        for (DegradeStep step : DegradeStep.of(settings)) {
            assertEquals(
                    settings,
                    step.settings()
                            .with(ElementProperty.TEMPORAL, 1)
                            .with(ElementProperty.DEBLOCK, 1)
                            .with(ElementProperty.CDEF, 1)
                            .with(ElementProperty.SHRINKAGE, 1)
                            .with(ElementProperty.SHRINKAGE_SHIFTS, -1));
        }
        assertTrue(DegradeStep.of(settings).size() > 3);
    }
}
