/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SeriesPlotTest {
    @Test
    void linesStayInsideAndAxesAreRound() {
        String svg = SeriesPlot.svg(
                        "a & b",
                        List.of(row("one", 31.0, 33.7, 32.0), row("two", 35.2, 36.9, 36.0)),
                        ComparisonReport.Row::perPicture,
                        9)
                .orElseThrow();
        assertTrue(svg.contains("<title>a &amp; b</title>"), svg);
        assertTrue(svg.contains(">30</text>") && svg.contains(">32</text>") && svg.contains(">38</text>"), svg);
        // The points go from the left edge to the right one. 31 lies an eighth of the height above the lowest tick.
        assertTrue(svg.contains("points=\"52.0,242.3 500.0,"), svg);
    }

    @Test
    void picturesWithoutAFigureAreLeftOut() {
        String svg = SeriesPlot.svg("", List.of(row("one", 1.0, null, 2.0)), ComparisonReport.Row::perPicture, 9)
                .orElseThrow();
        String points = svg.substring(svg.indexOf("points=\""), svg.indexOf("\"><title>one"));
        assertEquals(2, points.chars().filter(c -> c == ',').count(), svg);
    }

    @Test
    void nothingIsDrawnOfNothingOrOfOnePicture() {
        assertEquals(Optional.empty(), SeriesPlot.svg("", List.of(), ComparisonReport.Row::perPicture, 9));
        assertEquals(
                Optional.empty(), SeriesPlot.svg("", List.of(row("one", 1.0)), ComparisonReport.Row::perPicture, 9));
        assertEquals(
                Optional.empty(),
                SeriesPlot.svg("", List.of(row("one", null, null)), ComparisonReport.Row::perPicture, 9));
    }

    @Test
    void ticksAreOneTwoOrFiveOfAPowerOfTen() {
        assertEquals(0.01, SeriesPlot.tickStep(0.01), 1e-12);
        assertEquals(0.2, SeriesPlot.tickStep(0.11), 1e-12);
        assertEquals(5, SeriesPlot.tickStep(3.3), 1e-12);
        assertEquals(10, SeriesPlot.tickStep(5.1), 1e-12);
    }

    private static ComparisonReport.Row row(String name, Double... perPicture) {
        return new ComparisonReport.Row(
                name,
                null,
                false,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                "",
                null,
                Arrays.asList(perPicture),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }
}
