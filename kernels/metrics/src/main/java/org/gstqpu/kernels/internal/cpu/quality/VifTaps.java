/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.VifScale;

/**
 * The weighted sums of {@link VifScale}, modulo 2^32. Each number of taps has loops of its own, in which the taps are constants, so that
 * the compiler makes vectors of them.
 */
final class VifTaps {
    private static final int T0_0 = VifScale.tap(0, 0);
    private static final int T0_1 = VifScale.tap(0, 1);
    private static final int T0_2 = VifScale.tap(0, 2);
    private static final int T0_3 = VifScale.tap(0, 3);
    private static final int T0_4 = VifScale.tap(0, 4);
    private static final int T0_5 = VifScale.tap(0, 5);
    private static final int T0_6 = VifScale.tap(0, 6);
    private static final int T0_7 = VifScale.tap(0, 7);
    private static final int T0_8 = VifScale.tap(0, 8);
    private static final int T1_0 = VifScale.tap(1, 0);
    private static final int T1_1 = VifScale.tap(1, 1);
    private static final int T1_2 = VifScale.tap(1, 2);
    private static final int T1_3 = VifScale.tap(1, 3);
    private static final int T1_4 = VifScale.tap(1, 4);
    private static final int T2_0 = VifScale.tap(2, 0);
    private static final int T2_1 = VifScale.tap(2, 1);
    private static final int T2_2 = VifScale.tap(2, 2);
    private static final int T3_0 = VifScale.tap(3, 0);
    private static final int T3_1 = VifScale.tap(3, 1);

    private VifTaps() {}

    /**
     * Sums down the columns.
     *
     * @param rows the rows under the taps, from the first one
     * @param into receives the sums
     */
    static void columns(int scale, int[][] rows, int[] into, int count) {
        switch (scale) {
            case 0 -> columns17(rows, into, count);
            case 1 -> columns9(rows, into, count);
            case 2 -> columns5(rows, into, count);
            case 3 -> columns3(rows, into, count);
            default -> throw new IllegalArgumentException("there is no scale " + scale);
        }
    }

    /**
     * Sums along a row.
     *
     * @param row begins with what lies before the first sample, as many samples as the radius
     * @param into receives the sums
     */
    static void row(int scale, int[] row, int[] into, int count) {
        switch (scale) {
            case 0 -> row17(row, into, count);
            case 1 -> row9(row, into, count);
            case 2 -> row5(row, into, count);
            case 3 -> row3(row, into, count);
            default -> throw new IllegalArgumentException("there is no scale " + scale);
        }
    }

    private static void columns17(int[][] rows, int[] into, int count) {
        int[] r0 = rows[0];
        int[] r1 = rows[1];
        int[] r2 = rows[2];
        int[] r3 = rows[3];
        int[] r4 = rows[4];
        int[] r5 = rows[5];
        int[] r6 = rows[6];
        int[] r7 = rows[7];
        int[] r8 = rows[8];
        int[] r9 = rows[9];
        int[] r10 = rows[10];
        int[] r11 = rows[11];
        int[] r12 = rows[12];
        int[] r13 = rows[13];
        int[] r14 = rows[14];
        int[] r15 = rows[15];
        int[] r16 = rows[16];
        for (int x = 0; x < count; x++) {
            into[x] = T0_0 * (r0[x] + r16[x])
                    + T0_1 * (r1[x] + r15[x])
                    + T0_2 * (r2[x] + r14[x])
                    + T0_3 * (r3[x] + r13[x])
                    + T0_4 * (r4[x] + r12[x])
                    + T0_5 * (r5[x] + r11[x])
                    + T0_6 * (r6[x] + r10[x])
                    + T0_7 * (r7[x] + r9[x])
                    + T0_8 * r8[x];
        }
    }

    private static void row17(int[] row, int[] into, int count) {
        for (int x = 0; x < count; x++) {
            into[x] = T0_0 * (row[x] + row[x + 16])
                    + T0_1 * (row[x + 1] + row[x + 15])
                    + T0_2 * (row[x + 2] + row[x + 14])
                    + T0_3 * (row[x + 3] + row[x + 13])
                    + T0_4 * (row[x + 4] + row[x + 12])
                    + T0_5 * (row[x + 5] + row[x + 11])
                    + T0_6 * (row[x + 6] + row[x + 10])
                    + T0_7 * (row[x + 7] + row[x + 9])
                    + T0_8 * row[x + 8];
        }
    }

    private static void columns9(int[][] rows, int[] into, int count) {
        int[] r0 = rows[0];
        int[] r1 = rows[1];
        int[] r2 = rows[2];
        int[] r3 = rows[3];
        int[] r4 = rows[4];
        int[] r5 = rows[5];
        int[] r6 = rows[6];
        int[] r7 = rows[7];
        int[] r8 = rows[8];
        for (int x = 0; x < count; x++) {
            into[x] = T1_0 * (r0[x] + r8[x])
                    + T1_1 * (r1[x] + r7[x])
                    + T1_2 * (r2[x] + r6[x])
                    + T1_3 * (r3[x] + r5[x])
                    + T1_4 * r4[x];
        }
    }

    private static void row9(int[] row, int[] into, int count) {
        for (int x = 0; x < count; x++) {
            into[x] = T1_0 * (row[x] + row[x + 8])
                    + T1_1 * (row[x + 1] + row[x + 7])
                    + T1_2 * (row[x + 2] + row[x + 6])
                    + T1_3 * (row[x + 3] + row[x + 5])
                    + T1_4 * row[x + 4];
        }
    }

    private static void columns5(int[][] rows, int[] into, int count) {
        int[] r0 = rows[0];
        int[] r1 = rows[1];
        int[] r2 = rows[2];
        int[] r3 = rows[3];
        int[] r4 = rows[4];
        for (int x = 0; x < count; x++) {
            into[x] = T2_0 * (r0[x] + r4[x]) + T2_1 * (r1[x] + r3[x]) + T2_2 * r2[x];
        }
    }

    private static void row5(int[] row, int[] into, int count) {
        for (int x = 0; x < count; x++) {
            into[x] = T2_0 * (row[x] + row[x + 4]) + T2_1 * (row[x + 1] + row[x + 3]) + T2_2 * row[x + 2];
        }
    }

    private static void columns3(int[][] rows, int[] into, int count) {
        int[] r0 = rows[0];
        int[] r1 = rows[1];
        int[] r2 = rows[2];
        for (int x = 0; x < count; x++) {
            into[x] = T3_0 * (r0[x] + r2[x]) + T3_1 * r1[x];
        }
    }

    private static void row3(int[] row, int[] into, int count) {
        for (int x = 0; x < count; x++) {
            into[x] = T3_0 * (row[x] + row[x + 2]) + T3_1 * row[x + 1];
        }
    }
}
