/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class StreamTimeTest {
    @Test
    void secondsAndClocksAreTimes() {
        assertEquals(0, StreamTime.of("0").nanos());
        assertEquals(90_500_000_000L, StreamTime.of("90.5").nanos());
        assertEquals(90_500_000_000L, StreamTime.of("1:30.5").nanos());
        assertEquals(3_723_000_000_001L, StreamTime.of("01:02:03.000000001").nanos());
        assertEquals(7_200_000_000_000L, StreamTime.of("2:00:00").nanos());
    }

    @Test
    void anythingElseIsRefusedWithAnExample() {
        for (String text : List.of("", "-1", "1:60", "1:2:3:4", "1e3", "10s", "1:", ":30", "60:00:")) {
            TypeConversionException refused =
                    assertThrows(TypeConversionException.class, () -> StreamTime.of(text), text);
            assertTrue(refused.getMessage().contains("such as 90.5 or 1:30.5"), refused.getMessage());
        }
    }
}
