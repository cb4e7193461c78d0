/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.util.Locale;

/** A font of capital letters, digits and a few signs, 5x7 pixels each. It is here because a headless Java may have no fonts. */
final class PixelFont {
    static final int GLYPH_WIDTH = 5;
    static final int GLYPH_HEIGHT = 7;

    /** Pixels from the start of one glyph to the start of the next. */
    static final int ADVANCE = 6;

    private static final String SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-+/";

    // One string per sign. Every two hexadecimal digits are a row of five pixels, with the leftmost pixel in bit 4.
    private static final String[] ROWS = {
        "0E11111F111111", "1E11111E11111E", "0E11101010110E", "1E11111111111E", "1F10101E10101F", "1F10101E101010",
        "0E11101711110F", "1111111F111111", "0E04040404040E", "0702020202120C", "11121418141211", "1010101010101F",
        "111B1515111111", "11191513111111", "0E11111111110E", "1E11111E101010", "0E11111115120D", "1E11111E141211",
        "0F10100E01011E", "1F040404040404", "1111111111110E", "11111111110A04", "11111115151B11", "11110A040A1111",
        "11110A04040404", "1F01020408101F", "0E11131519110E", "040C040404040E", "0E11010608101F", "1E01010E01011E",
        "02060A121F0202", "1F101E0101110E", "0608101E11110E", "1F010204040404", "0E11110E11110E", "0E11110F01020C",
        "00000000000C0C", "000C0C000C0C00", "0000001F000000", "0004041F040400", "01010204081010"
    };

    private PixelFont() {}

    /** Whether a pixel of a sign is set. Lower case letters are drawn as capitals; an unknown sign is blank. */
    static boolean isInked(char sign, int x, int y) {
        int index = SIGNS.indexOf(String.valueOf(sign).toUpperCase(Locale.ROOT));
        if (index < 0) {
            return false;
        }
        int row = Integer.parseInt(ROWS[index], 2 * y, 2 * y + 2, 16);
        return (row >> (GLYPH_WIDTH - 1 - x) & 1) == 1;
    }
}
