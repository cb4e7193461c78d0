/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/** The constant tables of the H.264 deblocking filter (ITU-T H.264, tables 8-15, 8-16 and 8-17), for 8-bit video. Holds nothing; any thread. */
public final class H264Tables {
    private static final int[] ALPHA = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25, 28, 32, 36,
        40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255
    };
    private static final int[] BETA = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10,
        11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18
    };
    private static final int[] TC0_BS1 = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2,
        3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13
    };
    private static final int[] TC0_BS2 = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3,
        3, 4, 4, 5, 5, 6, 7, 8, 8, 10, 11, 12, 13, 15, 17
    };
    private static final int[] TC0_BS3 = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4,
        5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 23, 25
    };
    private static final int[] CHROMA_QP_FROM_30 = {
        29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39
    };

    private H264Tables() {}

    /** alpha for indexA 0..51. */
    public static int alpha(int indexA) {
        return ALPHA[indexA];
    }

    /** beta for indexB 0..51. */
    public static int beta(int indexB) {
        return BETA[indexB];
    }

    /** tC0 for bS 1..3 and indexA 0..51. */
    public static int tc0(int bS, int indexA) {
        return switch (bS) {
            case 1 -> TC0_BS1[indexA];
            case 2 -> TC0_BS2[indexA];
            case 3 -> TC0_BS3[indexA];
            default -> throw new IllegalArgumentException("tC0 exists for bS 1..3, given " + bS);
        };
    }

    /** QPc for qPI (table 8-15). qPI is first clipped to 0..51, as for 8-bit video. */
    public static int chromaQp(int qpi) {
        int clipped = Math.max(0, Math.min(51, qpi));
        return clipped < 30 ? clipped : CHROMA_QP_FROM_30[clipped - 30];
    }
}
