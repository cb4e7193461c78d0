/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

/**
 * The primitives on small arrays of numbers, in the words of the specifications: slow, and independent of the kernels.
 */
final class ReferenceBlocks {
    private static final int[][][] CDEF_DIRECTIONS = {
        {{-1, 1}, {-2, 2}}, {{0, 1}, {-1, 2}}, {{0, 1}, {0, 2}}, {{0, 1}, {1, 2}},
        {{1, 1}, {2, 2}}, {{1, 0}, {2, 1}}, {{1, 0}, {2, 0}}, {{1, 0}, {2, -1}}
    };
    private static final int[][] CDEF_PRI_TAPS = {{4, 2}, {3, 3}};
    private static final int[] CDEF_SEC_TAPS = {2, 1};

    private ReferenceBlocks() {}

    /**
     * VP9's inverse DCT 8x8, before the last rounding; null when an intermediate value leaves 16 bits.
     *
     * @param coefficients {@code [v*8+u]}
     */
    static int[] inverseDct(short[] coefficients) {
        int[] values = new int[64];
        for (int row = 0; row < 8; row++) {
            int[] line = new int[8];
            for (int i = 0; i < 8; i++) {
                line[i] = coefficients[8 * row + i];
            }
            line = inverseDct(line);
            if (line == null) {
                return null;
            }
            System.arraycopy(line, 0, values, 8 * row, 8);
        }
        for (int column = 0; column < 8; column++) {
            int[] line = new int[8];
            for (int i = 0; i < 8; i++) {
                line[i] = values[8 * i + column];
            }
            line = inverseDct(line);
            if (line == null) {
                return null;
            }
            for (int i = 0; i < 8; i++) {
                values[8 * i + column] = line[i];
            }
        }
        return values;
    }

    /** Recursively: the even inputs are a transform of half the size, the odd ones are rotated. */
    private static int[] inverseDct(int[] in) {
        int n = in.length;
        int[] out = new int[n];
        if (n == 2) {
            out[0] = rotate(in[0], 16, in[1], 16);
            out[1] = rotate(in[0], 16, -in[1], 16);
            return fits(out) ? out : null;
        }
        int[] even = new int[n / 2];
        for (int i = 0; i < n / 2; i++) {
            even[i] = in[2 * i];
        }
        even = inverseDct(even);
        int[] odd = n == 4 ? oddOf4(in) : oddOf8(in);
        if (even == null || odd == null) {
            return null;
        }
        for (int i = 0; i < n / 2; i++) {
            out[i] = even[i] + odd[n / 2 - 1 - i];
            out[n - 1 - i] = even[i] - odd[n / 2 - 1 - i];
        }
        return fits(out) ? out : null;
    }

    private static int[] oddOf4(int[] in) {
        int[] odd = {rotate(in[1], 24, -in[3], 8), rotate(in[1], 8, in[3], 24)};
        return fits(odd) ? odd : null;
    }

    private static int[] oddOf8(int[] in) {
        int a = rotate(in[1], 28, -in[7], 4);
        int d = rotate(in[1], 4, in[7], 28);
        int b = rotate(in[5], 12, -in[3], 20);
        int c = rotate(in[5], 20, in[3], 12);
        int[] odd = {a + b, rotate(d - c, 16, b - a, 16), rotate(d - c, 16, a - b, 16), d + c};
        return fits(new int[] {a, b, c, d, a - b, d - c}) && fits(odd) ? odd : null;
    }

    /** x cos(p pi/64) + y cos(q pi/64), rounded as VP9 does. */
    private static int rotate(int x, int p, int y, int q) {
        long sum = x * cosine(p) + y * cosine(q);
        return (int) ((sum + 8192) >> 14);
    }

    private static long cosine(int angle) {
        return Math.round(16384 * Math.cos(angle * Math.PI / 64));
    }

    private static boolean fits(int[] values) {
        for (int value : values) {
            if (value != (short) value) {
                return false;
            }
        }
        return true;
    }

    /** VP9's loop filter over one line: p7..p0, q0..q7 (wd 4 and 8 use the middle eight); filtered in place. */
    static void vp9Line(int[] line, int wd, int edgeLimit, int limit, int threshold) {
        int hevMask = 0;
        boolean filterMask = 2 * distance(line, -1, 0) + distance(line, -2, 1) / 2 <= edgeLimit;
        boolean flat = wd >= 8;
        for (int i = 1; i <= 3; i++) {
            filterMask &= distance(line, -i - 1, -i) <= limit && distance(line, i, i - 1) <= limit;
            flat &= distance(line, -i - 1, -1) <= 1 && distance(line, i, 0) <= 1;
        }
        boolean flat2 = wd == 16;
        for (int i = 4; i <= 7 && wd == 16; i++) {
            flat2 &= distance(line, -i - 1, -1) <= 1 && distance(line, i, 0) <= 1;
        }
        if (distance(line, -2, -1) > threshold || distance(line, 1, 0) > threshold) {
            hevMask = 1;
        }
        if (!filterMask) {
            return;
        }
        if (!flat) {
            narrow(line, hevMask == 1);
        } else {
            wide(line, flat2 ? 7 : 3);
        }
    }

    private static int distance(int[] line, int i, int j) {
        return Math.abs(line[8 + i] - line[8 + j]);
    }

    private static void narrow(int[] line, boolean hev) {
        int ps1 = line[6] - 128;
        int ps0 = line[7] - 128;
        int qs0 = line[8] - 128;
        int qs1 = line[9] - 128;
        int filter = hev ? clip(-128, 127, ps1 - qs1) : 0;
        filter = clip(-128, 127, filter + 3 * (qs0 - ps0));
        int filter1 = clip(-128, 127, filter + 4) >> 3;
        int filter2 = clip(-128, 127, filter + 3) >> 3;
        line[8] = clip(-128, 127, qs0 - filter1) + 128;
        line[7] = clip(-128, 127, ps0 + filter2) + 128;
        if (!hev) {
            filter = (filter1 + 1) >> 1;
            line[9] = clip(-128, 127, qs1 - filter) + 128;
            line[6] = clip(-128, 127, ps1 + filter) + 128;
        }
    }

    private static void wide(int[] line, int n) {
        int[] in = line.clone();
        for (int i = -n; i < n; i++) {
            int sum = 0;
            for (int j = -n; j <= n; j++) {
                sum += in[8 + clip(-n - 1, n, i + j)] * (j == 0 ? 2 : 1);
            }
            int bits = n == 7 ? 4 : 3;
            line[8 + i] = (sum + (1 << (bits - 1))) >> bits;
        }
    }

    /** H.264's filter over one line p3..p0, q0..q3 (chroma uses the middle four) with bS 1 to 3; in place. */
    static void h264Line(int[] line, boolean chroma, int alpha, int beta, int tc0) {
        if (tc0 < 0 || !filterSamplesFlag(line, alpha, beta)) {
            return;
        }
        int[] in = line.clone();
        boolean ap = !chroma && Math.abs(in[1] - in[3]) < beta;
        boolean aq = !chroma && Math.abs(in[6] - in[4]) < beta;
        int tc = chroma ? tc0 + 1 : tc0 + (ap ? 1 : 0) + (aq ? 1 : 0);
        int delta = clip(-tc, tc, (((in[4] - in[3]) * 4) + (in[2] - in[5]) + 4) >> 3);
        line[3] = clip(0, 255, in[3] + delta);
        line[4] = clip(0, 255, in[4] - delta);
        if (ap) {
            line[2] = in[2] + clip(-tc0, tc0, (in[1] + ((in[3] + in[4] + 1) >> 1) - (in[2] << 1)) >> 1);
        }
        if (aq) {
            line[5] = in[5] + clip(-tc0, tc0, (in[6] + ((in[3] + in[4] + 1) >> 1) - (in[5] << 1)) >> 1);
        }
    }

    /** The same with bS 4. */
    static void h264StrongLine(int[] line, boolean chroma, int alpha, int beta) {
        if (!filterSamplesFlag(line, alpha, beta)) {
            return;
        }
        int[] in = line.clone();
        boolean small = Math.abs(in[3] - in[4]) < (alpha >> 2) + 2;
        for (int side = 0; side < 2; side++) {
            int step = side == 0 ? -1 : 1;
            int x0 = side == 0 ? 3 : 4;
            int y0 = 7 - x0;
            int x1 = x0 + step;
            int x2 = x1 + step;
            int x3 = x2 + step;
            int y1 = y0 - step;
            if (!chroma && small && Math.abs(in[x2] - in[x0]) < beta) {
                line[x0] = (in[x2] + 2 * in[x1] + 2 * in[x0] + 2 * in[y0] + in[y1] + 4) >> 3;
                line[x1] = (in[x2] + in[x1] + in[x0] + in[y0] + 2) >> 2;
                line[x2] = (2 * in[x3] + 3 * in[x2] + in[x1] + in[x0] + in[y0] + 4) >> 3;
            } else {
                line[x0] = (2 * in[x1] + in[x0] + in[y1] + 2) >> 2;
            }
        }
    }

    private static boolean filterSamplesFlag(int[] line, int alpha, int beta) {
        return Math.abs(line[3] - line[4]) < alpha
                && Math.abs(line[2] - line[3]) < beta
                && Math.abs(line[5] - line[4]) < beta;
    }

    /**
     * VP9's motion compensation.
     *
     * @param source 16x16, the block's first sample on row 3, column 3
     */
    static int[] vp9Prediction(int[] source, Vp9InterpolationFilter filter, int mx, int my) {
        int[] between = new int[16 * 8];
        for (int row = 0; row < 16; row++) {
            for (int column = 0; column < 8; column++) {
                int sum = 0;
                for (int t = 0; t < 8; t++) {
                    sum += filter.tap(mx, t) * source[16 * row + Math.min(column + t, 15)];
                }
                between[8 * row + column] = clip(0, 255, (sum + 64) >> 7);
            }
        }
        int[] result = new int[64];
        for (int i = 0; i < 64; i++) {
            int sum = 0;
            for (int t = 0; t < 8; t++) {
                sum += filter.tap(my, t) * between[i + 8 * t];
            }
            result[i] = clip(0, 255, (sum + 64) >> 7);
        }
        return result;
    }

    /**
     * AV1's CDEF of a block.
     *
     * @param area 12 samples a row, the block's first sample on row 2, column 2; -1 where there is none
     */
    static int[] cdef(int[] area, int size, int bitDepth, int priStr, int secStr, int damping, int dir) {
        int[] result = new int[size * size];
        int parity = (priStr >> (bitDepth - 8)) & 1;
        for (int i = 0; i < size * size; i++) {
            int x = area[(2 + i / size) * 12 + 2 + i % size];
            int sum = 0;
            int max = x;
            int min = x;
            for (int k = 0; k < 2; k++) {
                for (int sign = -1; sign <= 1; sign += 2) {
                    for (int dirOff = -2; dirOff <= 2; dirOff += 2) {
                        int[] offset = CDEF_DIRECTIONS[(dir + dirOff) & 7][k];
                        int tap = area[(2 + i / size + sign * offset[0]) * 12 + 2 + i % size + sign * offset[1]];
                        if (tap < 0) {
                            continue;
                        }
                        sum += dirOff == 0
                                ? CDEF_PRI_TAPS[parity][k] * constrain(tap - x, priStr, damping)
                                : CDEF_SEC_TAPS[k] * constrain(tap - x, secStr, damping);
                        max = Math.max(tap, max);
                        min = Math.min(tap, min);
                    }
                }
            }
            result[i] = clip(min, max, x + ((8 + sum - (sum < 0 ? 1 : 0)) >> 4));
        }
        return result;
    }

    private static int constrain(int diff, int threshold, int damping) {
        if (threshold == 0) {
            return 0;
        }
        int dampingAdj = Math.max(0, damping - floorLog2(threshold));
        int mag = Math.abs(diff);
        int kept = clip(0, mag, threshold - (mag >> dampingAdj));
        return diff < 0 ? -kept : kept;
    }

    /** Luma's primary strength after its adjustment by the variance. */
    static int adjustedPrimary(int priStr, int variance) {
        int varStr = (variance >> 6) != 0 ? Math.min(floorLog2(variance >> 6), 12) : 0;
        return variance != 0 ? (priStr * (4 + varStr) + 8) >> 4 : 0;
    }

    /** Direction and variance of 64 luma samples. */
    static int[] cdefDirection(int[] samples, int bitDepth) {
        int[] cost = new int[8];
        for (int direction = 0; direction < 8; direction++) {
            int[] sum = new int[15];
            int[] length = new int[15];
            for (int i = 0; i < 64; i++) {
                int line = line(direction, i / 8, i % 8);
                sum[line] += (samples[i] >> (bitDepth - 8)) - 128;
                length[line]++;
            }
            for (int line = 0; line < 15; line++) {
                cost[direction] += length[line] == 0 ? 0 : sum[line] * sum[line] * (840 / length[line]);
            }
        }
        int best = 0;
        for (int direction = 1; direction < 8; direction++) {
            if (cost[direction] > cost[best]) {
                best = direction;
            }
        }
        return new int[] {best, (cost[best] - cost[(best + 4) & 7]) >> 10};
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

    private static int floorLog2(int value) {
        return 31 - Integer.numberOfLeadingZeros(value);
    }

    static int clip(int low, int high, int value) {
        return value < low ? low : value > high ? high : value;
    }
}
