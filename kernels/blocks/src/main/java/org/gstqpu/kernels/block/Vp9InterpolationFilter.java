/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

/** VP9's subpel_filters (VP9 specification, 8.5.2.3): eight taps, whose weights add up to 128. */
public enum Vp9InterpolationFilter {
    /** EIGHTTAP_SMOOTH. */
    SMOOTH(0),
    /** EIGHTTAP. */
    REGULAR(1),
    /** EIGHTTAP_SHARP. */
    SHARP(2),
    /** BILINEAR. */
    BILINEAR(3);

    /** Number of phases: sixteenths of a sample. */
    public static final int PHASES = 16;

    /** Number of taps of a filter. Tap 3 lies on the sample itself. */
    public static final int TAPS = 8;

    /** Weights of phases 0 to 8 of SMOOTH, REGULAR and SHARP. Phases 9 to 15 are phases 7 to 1 mirrored. */
    private static final int[][][] FIRST_PHASES = {
        {
            {0, 0, 0, 128, 0, 0, 0, 0},
            {-3, -1, 32, 64, 38, 1, -3, 0},
            {-2, -2, 29, 63, 41, 2, -3, 0},
            {-2, -2, 26, 63, 43, 4, -4, 0},
            {-2, -3, 24, 62, 46, 5, -4, 0},
            {-2, -3, 21, 60, 49, 7, -4, 0},
            {-1, -4, 18, 59, 51, 9, -4, 0},
            {-1, -4, 16, 57, 53, 12, -4, -1},
            {-1, -4, 14, 55, 55, 14, -4, -1}
        },
        {
            {0, 0, 0, 128, 0, 0, 0, 0},
            {0, 1, -5, 126, 8, -3, 1, 0},
            {-1, 3, -10, 122, 18, -6, 2, 0},
            {-1, 4, -13, 118, 27, -9, 3, -1},
            {-1, 4, -16, 112, 37, -11, 4, -1},
            {-1, 5, -18, 105, 48, -14, 4, -1},
            {-1, 5, -19, 97, 58, -16, 5, -1},
            {-1, 6, -19, 88, 68, -18, 5, -1},
            {-1, 6, -19, 78, 78, -19, 6, -1}
        },
        {
            {0, 0, 0, 128, 0, 0, 0, 0},
            {-1, 3, -7, 127, 8, -3, 1, 0},
            {-2, 5, -13, 125, 17, -6, 3, -1},
            {-3, 7, -17, 121, 27, -10, 5, -2},
            {-4, 9, -20, 115, 37, -13, 6, -2},
            {-4, 10, -23, 108, 48, -16, 8, -3},
            {-4, 10, -24, 100, 59, -19, 9, -3},
            {-4, 11, -24, 90, 70, -21, 10, -4},
            {-4, 11, -23, 80, 80, -23, 11, -4}
        }
    };

    private final int code;

    Vp9InterpolationFilter(int code) {
        this.code = code;
    }

    /** Code of the filter in records. */
    public int code() {
        return code;
    }

    /** Weight of a tap (0..7, on sample {@code tap - 3}) at a phase (0..15). The weights of a phase add up to 128. */
    public int tap(int phase, int tap) {
        if (this == BILINEAR) {
            return tap == 3 ? 128 - 8 * phase : tap == 4 ? 8 * phase : 0;
        }
        int[][] phases = FIRST_PHASES[code];
        return phase <= 8 ? phases[phase][tap] : phases[PHASES - phase][TAPS - 1 - tap];
    }
}
