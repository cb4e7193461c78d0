/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DispatchTimesTest {
    @Test
    void percentilesAreTimesThatWereMeasured() {
        long[] hundred = LongStream.rangeClosed(1, 100).map(i -> 101 - i).toArray();
        assertEquals(new DispatchTimes(7, 50, 90, 51), DispatchTimes.of(7, hundred));
        assertEquals(new DispatchTimes(7, 2, 3, 2), DispatchTimes.of(7, new long[] {3, 1, 2}));
        assertEquals(new DispatchTimes(0, 9, 9, 9), DispatchTimes.of(0, new long[] {9}));
    }

    @Test
    void oneSlowDispatchMovesTheMeanAlone() {
        long[] nanos = new long[200];
        java.util.Arrays.fill(nanos, 10);
        nanos[17] = 10 + 200_000;
        assertEquals(new DispatchTimes(0, 10, 10, 1010), DispatchTimes.of(0, nanos));
    }

    @Test
    void theTimesStayInTheOrderOfTheDispatches() {
        long[] nanos = {3, 1, 2};
        DispatchTimes.of(0, nanos);
        assertArrayEquals(new long[] {3, 1, 2}, nanos);
    }

    @Test
    void withoutDispatchesThereAreNoTimes() {
        assertThrows(IllegalArgumentException.class, () -> DispatchTimes.of(0, new long[0]));
    }
}
