/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gstqpu.pipelines.media.I420Picture;
import org.junit.jupiter.api.Test;

class GridStepsTest {
    @Test
    void aSlopeShowsNoGrid() {
        assertEquals(1, ratio((x, y) -> 3 * x + 2 * y), 1e-12);
    }

    @Test
    void aStepAtEachOfTheGridsLinesIsTheStepOverThatBeside() {
        // Steps of 5 across the grid's lines and of 1 beside them, in both directions.
        assertEquals(5, ratio((x, y) -> x + 4 * (x / 8) + y + 4 * (y / 8)), 1e-12);
    }

    @Test
    void stepsOfAnotherGridCountBesideOrNotAtAll() {
        assertEquals(1, ratio((x, y) -> x + 4 * ((x + 4) / 8) + y), 1e-12);
        assertTrue(ratio((x, y) -> x + 4 * ((x + 1) / 8) + y) < 1);
    }

    @Test
    void aFlatPictureHasNoRatio() {
        assertTrue(Double.isNaN(ratio((x, y) -> 90)));
    }

    @FunctionalInterface
    private interface Luma {
        int at(int x, int y);
    }

    private static double ratio(Luma luma) {
        I420Picture picture = new I420Picture(35, 27);
        for (int y = 0; y < 27; y++) {
            for (int x = 0; x < 35; x++) {
                picture.plane(0)[y * 35 + x] = (byte) luma.at(x, y);
            }
        }
        GridSteps steps = new GridSteps();
        steps.add(picture);
        return steps.ratio();
    }
}
