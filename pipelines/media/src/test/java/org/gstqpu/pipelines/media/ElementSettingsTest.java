/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElementSettingsTest {
    @ParameterizedTest
    @CsvSource({
        "qp, 51",
        "qp, -1",
        "quality, best",
        "quality, 0",
        "strength, 0.5",
        "strength, 2",
        "deblock, False",
        "device, llvmpipe",
        "qos, false",
        "no-such-property, 1"
    })
    void whatTheElementOrGStreamerKnowsPasses(String name, String value) {
        assertDoesNotThrow(() -> ElementSettings.check(Map.of(name, value)));
    }

    @ParameterizedTest
    @CsvSource({
        "qp, 52, a whole number from -1 to 51",
        "qp, 3.5, a whole number from -1 to 51",
        "qp, much, a whole number from -1 to 51",
        "strength, 2.1, a number from 0.0 to 2.0",
        "strength, NaN, a number from 0.0 to 2.0",
        "deblock, maybe, true or false",
        "substrate, gpu, 'one of auto, cpu, qpu'"
    })
    void anyOtherValueIsNamedWithThoseThatAreUsable(String name, String value, String usable) {
        CommandFailedException failure =
                assertThrows(CommandFailedException.class, () -> ElementSettings.check(Map.of(name, value)));
        assertEquals(name + "=" + value + ": " + name + " is " + usable, failure.getMessage());
        assertEquals(ExitStatus.UNUSABLE_INPUT, failure.exitStatus());
    }

    @Test
    void aNameAndAValueAreNeeded() {
        assertThrows(CommandFailedException.class, () -> ElementSettings.check(Map.of("", "5")));
        assertThrows(CommandFailedException.class, () -> ElementSettings.check(Map.of("qp", "")));
    }
}
