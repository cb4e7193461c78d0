/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;

import java.util.Arrays;

/**
 * Owns the intermediate values of one block of the VP9 inverse DCT 8x8 (VP9 specification, 8.7.1.2). Belongs to one
 * worker.
 */
final class Vp9Idct8 {
    // cos(k * pi / 64), in units of 1/16384.
    private static final int COS_4 = 16069;
    private static final int COS_8 = 15137;
    private static final int COS_12 = 13623;
    private static final int COS_16 = 11585;
    private static final int COS_20 = 9102;
    private static final int COS_24 = 6270;
    private static final int COS_28 = 3196;

    private final int[] block = new int[64];

    /**
     * Transforms one block and adds it to the picture.
     *
     * @param coefficients address of i16[64]; a row holds the horizontal frequencies
     * @param picture address of the block's first sample
     */
    void add(long coefficients, long picture, int strideBytes) {
        for (int row = 0; row < 8; row++) {
            readRow(coefficients + 16L * row, 8 * row);
        }
        for (int column = 0; column < 8; column++) {
            transform(column, 8);
        }
        long address = picture;
        for (int row = 0; row < 8; row++, address += strideBytes) {
            for (int column = 0; column < 8; column++) {
                int sample = (memGetByte(address + column) & 255) + ((block[8 * row + column] + 16) >> 5);
                memPutByte(address + column, (byte) Math.max(0, Math.min(255, sample)));
            }
        }
    }

    private void readRow(long address, int first) {
        if ((memGetLong(address) | memGetLong(address + 8)) == 0) {
            Arrays.fill(block, first, first + 8, 0);
            return;
        }
        for (int i = 0; i < 8; i++) {
            block[first + i] = memGetShort(address + 2L * i);
        }
        transform(first, 1);
    }

    private void transform(int first, int step) {
        int x0 = block[first];
        int x1 = block[first + step];
        int x2 = block[first + 2 * step];
        int x3 = block[first + 3 * step];
        int x4 = block[first + 4 * step];
        int x5 = block[first + 5 * step];
        int x6 = block[first + 6 * step];
        int x7 = block[first + 7 * step];

        int a0 = round((x0 + x4) * COS_16);
        int a1 = round((x0 - x4) * COS_16);
        int a2 = round(x2 * COS_24 - x6 * COS_8);
        int a3 = round(x2 * COS_8 + x6 * COS_24);
        int e0 = a0 + a3;
        int e1 = a1 + a2;
        int e2 = a1 - a2;
        int e3 = a0 - a3;

        int b4 = round(x1 * COS_28 - x7 * COS_4);
        int b7 = round(x1 * COS_4 + x7 * COS_28);
        int b5 = round(x5 * COS_12 - x3 * COS_20);
        int b6 = round(x5 * COS_20 + x3 * COS_12);
        int c5 = b4 - b5;
        int c6 = b7 - b6;
        int o4 = b4 + b5;
        int o7 = b7 + b6;
        int o5 = round((c6 - c5) * COS_16);
        int o6 = round((c6 + c5) * COS_16);

        block[first] = e0 + o7;
        block[first + step] = e1 + o6;
        block[first + 2 * step] = e2 + o5;
        block[first + 3 * step] = e3 + o4;
        block[first + 4 * step] = e3 - o4;
        block[first + 5 * step] = e2 - o5;
        block[first + 6 * step] = e1 - o6;
        block[first + 7 * step] = e0 - o7;
    }

    private static int round(int product) {
        return (product + (1 << 13)) >> 14;
    }
}
