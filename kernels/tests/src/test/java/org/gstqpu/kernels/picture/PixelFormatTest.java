/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PixelFormatTest {
    private static final int WIDEST = 21;
    private static final int SHARES = 64;

    /** By the definition: of all columns where chroma begins, and the end, none is nearer. */
    @ParameterizedTest
    @EnumSource
    void aPictureIsCutAtTheNearestColumnWhereItsChromaBegins(PixelFormat format) {
        int step = format.chroma() == PixelFormat.Chroma.HALF_BOTH || format.chroma() == PixelFormat.Chroma.HALF_WIDTH
                ? 2
                : 1;
        for (int width = 1; width <= WIDEST; width++) {
            for (int i = 0; i <= SHARES; i++) {
                double share = (double) i / SHARES;
                double nearest = Double.MAX_VALUE;
                for (int column = 0; column < width + step; column += step) {
                    nearest = Math.min(nearest, Math.abs(Math.min(column, width) - share * width));
                }
                int cut = format.cut(share, width);
                String where = format + " of " + width + " columns, cut at " + share;
                assertEquals(nearest, Math.abs(cut - share * width), where);
                assertEquals(cut, cut == width ? width : step * (cut / step), where);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Y444,0.7,7",
        "Y444_10LE,0.3,3",
        "GRAY8,0.7,7",
        "Y42B,0.7,8",
        "NV16,0.24,2",
        "I420,0.7,8",
        "P010_10LE,0.66,6"
    })
    void halfWidthChromaIsCutAtEvenColumnsAndOtherFormatsAtAny(PixelFormat format, double share, int column) {
        assertEquals(column, format.cut(share, 10));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN})
    void whatIsNoShareIsRefused(double share) {
        assertThrows(IllegalArgumentException.class, () -> PixelFormat.I420.cut(share, 16));
    }

    @Test
    void thereIsRoomForTheChromaOfOddSizes() {
        assertEquals(4, PixelFormat.I420.chromaWidth(7));
        assertEquals(4, PixelFormat.I420.chromaHeight(7));
        assertEquals(4, PixelFormat.Y42B.chromaWidth(7));
        assertEquals(7, PixelFormat.Y42B.chromaHeight(7));
        assertEquals(7, PixelFormat.Y444.chromaWidth(7));
        assertEquals(8, PixelFormat.NV16.planeRowSamples(1, 7));
    }
}
