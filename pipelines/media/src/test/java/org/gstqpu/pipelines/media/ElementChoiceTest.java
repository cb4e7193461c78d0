/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ElementChoiceTest {
    @Test
    void picturesThatPassBecauseTheyAreLateAreSaidToBeLate() {
        assertEquals("pictures pass unchanged: late by 8 ms", strengths("none", 4));
        assertEquals("pictures pass unchanged: comb", strengths("none", 0));
        assertEquals("comb: pictures stay as they are", strengths("cdef", 1));
    }

    private static String strengths(String filters, long degradeStep) {
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
        numbers.put("degrade-step", degradeStep);
        Map<String, String> texts = Map.of(
                "filters", filters,
                "quality", "best",
                "quality-reason", "set",
                "strength-reason", "comb",
                "degrade-reason", "late by 8 ms");
        return ElementChoice.of(new ElementStats(texts, numbers)).strengths();
    }
}
