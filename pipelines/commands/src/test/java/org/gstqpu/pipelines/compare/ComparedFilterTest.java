/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ComparedFilterTest {
    @ParameterizedTest
    @CsvSource({
        "spp,spp=4:qp=12",
        "fspp,fspp=4:qp=12",
        "spp=6,spp=6:qp=12",
        "spp=quality=5:mode=soft,spp=quality=5:mode=soft:qp=12",
        "spp=3:0,spp=3:qp=12",
        "spp=5:qp=0:mode=soft,spp=5:mode=soft:qp=12",
        "spp=mode=soft,spp=mode=soft:qp=12"
    })
    void oneThatFiltersByAQuantiserAndHasNoneIsGivenOne(String filter, String given) {
        assertEquals(true, ComparedFilter.isWithoutQuantiser(filter));
        assertEquals(given, ComparedFilter.withQuantiser(filter, 12).name());
    }

    @ParameterizedTest
    @ValueSource(strings = {"spp=4:8", "spp=qp=8", "fspp=quality=4:qp=8", "spp=4:10:soft", "deblock", "pp=ac", "uspp"})
    void othersAreLeftAlone(String filter) {
        assertEquals(false, ComparedFilter.isWithoutQuantiser(filter));
    }

    @ParameterizedTest
    @ValueSource(strings = {"deblock", "pp=ac"})
    void oneThatFiltersByNoneIsGivenNone(String filter) {
        assertThrows(IllegalArgumentException.class, () -> ComparedFilter.withQuantiser(filter, 12));
    }
}
