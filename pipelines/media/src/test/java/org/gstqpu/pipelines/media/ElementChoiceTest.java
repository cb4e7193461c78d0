/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElementChoiceTest {
    @Test
    void picturesThatPassBecauseTheyAreLateAreSaidToBeLate() {
        assertEquals(
                "pictures pass unchanged: late by 8 ms", choice("none", 0, 4).strengths());
        assertEquals("pictures pass unchanged: comb", choice("none", 0, 0).strengths());
        assertEquals("comb: pictures stay as they are", choice("cdef", 0, 1).strengths());
    }

    @Test
    void fusionIsNamedWhereItWouldDoSomething() {
        assertTrue(choice("cdef+shrinkage", 160, 0).wouldFuse(false).orElse("").endsWith("five times as long"));
        assertTrue(choice("shrinkage", 160, 0).wouldFuse(true).orElse("").endsWith("twice to four times as long"));
        assertEquals(Optional.empty(), choice("cdef+shrinkage+time", 160, 0).wouldFuse(false));
        assertEquals(Optional.empty(), choice("cdef+shrinkage", 0, 0).wouldFuse(false));
    }

    private static ElementChoice choice(String filters, long threshold, long degradeStep) {
        Map<String, Long> numbers = new HashMap<>();
        for (String field : List.of(
                "shifts",
                "estimated-step",
                "applied-alpha-index",
                "applied-beta-index",
                "applied-cdef-primary",
                "applied-cdef-secondary",
                "applied-cdef-damping",
                "applied-threshold",
                "applied-chroma-threshold")) {
            numbers.put(field, 0L);
        }
        numbers.put("applied-threshold", threshold);
        if (threshold > 0) {
            numbers.put("estimated-step", 20L);
            numbers.put("estimated-tier", 9L);
        }
        numbers.put("degrade-step", degradeStep);
        Map<String, String> texts = Map.of(
                "filters", filters,
                "quality", "best",
                "quality-reason", "set",
                "temporal", filters.endsWith("+time") ? "two" : "off",
                "temporal-reason", "set",
                "strength-reason", "comb",
                "degrade-reason", "late by 8 ms");
        return ElementChoice.of(new ElementStats(texts, numbers));
    }
}
