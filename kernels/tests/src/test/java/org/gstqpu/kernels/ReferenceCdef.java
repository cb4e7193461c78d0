/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * AV1 CDEF, sample by sample in the words of the AV1 specification, 7.15: slow, and independent of the kernels. Samples
 * outside the picture are not available; the direction of a block that the border cuts is searched with the border
 * samples repeated.
 */
public final class ReferenceCdef {
    private static final int[][][] CDEF_DIRECTIONS = {
        {{-1, 1}, {-2, 2}}, {{0, 1}, {-1, 2}}, {{0, 1}, {0, 2}}, {{0, 1}, {1, 2}},
        {{1, 1}, {2, 2}}, {{1, 0}, {2, 1}}, {{1, 0}, {2, 0}}, {{1, 0}, {2, -1}}
    };
    private static final int[][][] CDEF_UV_DIR = {
        {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 2, 2, 3, 4, 6, 0}}, {{7, 0, 2, 4, 5, 6, 6, 6}, {0, 1, 2, 3, 4, 5, 6, 7}}
    };
    private static final int[][] CDEF_PRI_TAPS = {{4, 2}, {3, 3}};
    private static final int[][] CDEF_SEC_TAPS = {{2, 1}, {2, 1}};
    private static final int[] DIV_TABLE = {0, 840, 420, 280, 210, 168, 140, 120, 105};

    private final SamplePicture source;
    private final SamplePicture result;
    private final int coeffShift;
    private final int subsamplingX;
    private final int subsamplingY;

    private int direction;
    private int variance;

    private ReferenceCdef(SamplePicture source) {
        this.source = source;
        this.result = source.copy();
        this.coeffShift = source.bitDepth - 8;
        this.subsamplingX = source.chroma == PixelFormat.Chroma.FULL ? 0 : 1;
        this.subsamplingY = source.chroma == PixelFormat.Chroma.HALF_BOTH ? 1 : 0;
    }

    /** The filtered picture. */
    public static SamplePicture apply(SamplePicture source, CdefParameters parameters) {
        ReferenceCdef reference = new ReferenceCdef(source);
        for (int y8 = 0; 8 * y8 < source.height; y8++) {
            for (int x8 = 0; 8 * x8 < source.width; x8++) {
                int index = parameters.blocks().isPresent()
                        ? parameters.blocks().get().strengthIndex(x8, y8)
                        : 0;
                if (index != -1) {
                    reference.block(x8, y8, parameters.strengths().get(index), parameters.damping());
                }
            }
        }
        return reference.result;
    }

    private void block(int x8, int y8, CdefStrength strength, int cdefDamping) {
        findDirection(8 * x8, 8 * y8);
        int priStr = strength.yPrimary() << coeffShift;
        int secStr = strength.ySecondary() << coeffShift;
        int dir = priStr == 0 ? 0 : direction;
        int varStr = (variance >> 6) != 0 ? Math.min(floorLog2(variance >> 6), 12) : 0;
        priStr = variance != 0 ? (priStr * (4 + varStr) + 8) >> 4 : 0;
        filter(0, 8 * x8, 8 * y8, 8, 8, priStr, secStr, cdefDamping + coeffShift, dir);
        for (int component = 1; component < source.components(); component++) {
            priStr = strength.uvPrimary() << coeffShift;
            secStr = strength.uvSecondary() << coeffShift;
            dir = priStr == 0 ? 0 : CDEF_UV_DIR[subsamplingX][subsamplingY][direction];
            int columns = 8 >> subsamplingX;
            int rows = 8 >> subsamplingY;
            filter(
                    component,
                    columns * x8,
                    rows * y8,
                    columns,
                    rows,
                    priStr,
                    secStr,
                    cdefDamping + coeffShift - 1,
                    dir);
        }
    }

    private void findDirection(int x0, int y0) {
        int[] cost = new int[8];
        int[][] partial = new int[8][15];
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 8; j++) {
                int sample = source.get(0, Math.min(x0 + j, source.width - 1), Math.min(y0 + i, source.height - 1));
                int x = (sample >> coeffShift) - 128;
                partial[0][i + j] += x;
                partial[1][i + j / 2] += x;
                partial[2][i] += x;
                partial[3][3 + i - j / 2] += x;
                partial[4][7 + i - j] += x;
                partial[5][3 - i / 2 + j] += x;
                partial[6][j] += x;
                partial[7][i / 2 + j] += x;
            }
        }
        // The specification writes the weights out per direction; they are 840 over the number of samples on a line.
        for (int k = 0; k < 8; k++) {
            int[] length = new int[15];
            for (int i = 0; i < 8; i++) {
                for (int j = 0; j < 8; j++) {
                    length[line(k, i, j)]++;
                }
            }
            for (int n = 0; n < 15; n++) {
                cost[k] += partial[k][n] * partial[k][n] * DIV_TABLE[length[n]];
            }
        }
        direction = 0;
        for (int k = 1; k < 8; k++) {
            if (cost[k] > cost[direction]) {
                direction = k;
            }
        }
        variance = (cost[direction] - cost[(direction + 4) & 7]) >> 10;
    }

    private static int line(int direction, int i, int j) {
        return switch (direction) {
            case 0 -> i + j;
            case 1 -> i + j / 2;
            case 2 -> i;
            case 3 -> 3 + i - j / 2;
            case 4 -> 7 + i - j;
            case 5 -> 3 - i / 2 + j;
            case 6 -> j;
            default -> i / 2 + j;
        };
    }

    private void filter(
            int component, int x0, int y0, int columns, int rows, int priStr, int secStr, int damping, int dir) {
        for (int i = 0; i < rows && y0 + i < source.height(component); i++) {
            for (int j = 0; j < columns && x0 + j < source.width(component); j++) {
                int x = source.get(component, x0 + j, y0 + i);
                int sum = 0;
                int max = x;
                int min = x;
                for (int k = 0; k < 2; k++) {
                    for (int sign = -1; sign <= 1; sign += 2) {
                        for (int dirOff = -2; dirOff <= 2; dirOff += 2) {
                            int[] offset = CDEF_DIRECTIONS[(dir + dirOff) & 7][k];
                            int y1 = y0 + i + sign * offset[0];
                            int x1 = x0 + j + sign * offset[1];
                            boolean available =
                                    x1 >= 0 && y1 >= 0 && x1 < source.width(component) && y1 < source.height(component);
                            if (!available) {
                                continue;
                            }
                            int tap = source.get(component, x1, y1);
                            int parity = (priStr >> coeffShift) & 1;
                            sum += dirOff == 0
                                    ? CDEF_PRI_TAPS[parity][k] * constrain(tap - x, priStr, damping)
                                    : CDEF_SEC_TAPS[parity][k] * constrain(tap - x, secStr, damping);
                            max = Math.max(tap, max);
                            min = Math.min(tap, min);
                        }
                    }
                }
                int y = x + ((8 + sum - (sum < 0 ? 1 : 0)) >> 4);
                result.set(component, x0 + j, y0 + i, y < min ? min : y > max ? max : y);
            }
        }
    }

    private static int constrain(int diff, int threshold, int damping) {
        if (threshold == 0) {
            return 0;
        }
        int dampingAdj = Math.max(0, damping - floorLog2(threshold));
        int mag = Math.abs(diff);
        int limited = Math.max(0, Math.min(mag, threshold - (mag >> dampingAdj)));
        return diff < 0 ? -limited : limited;
    }

    private static int floorLog2(int value) {
        int log = 0;
        while (value >> (log + 1) != 0) {
            log++;
        }
        return log;
    }
}
