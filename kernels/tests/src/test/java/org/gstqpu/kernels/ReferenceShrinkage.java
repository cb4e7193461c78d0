/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Shrinkage, block by block and sample by sample: slow, and independent of the kernels. The 8x8 transform is H.264's; its
 * inverse is in the words of ITU-T H.264, 8.5.13. Samples outside the picture repeat the nearest sample of the border.
 */
public final class ReferenceShrinkage {
    /** Column and row in which the blocks of each shift begin, modulo 8, in the order in which they are added up. */
    private static final int[][] SHIFTS = {
        {0, 0}, {5, 1}, {2, 2}, {7, 3}, {4, 4}, {1, 5}, {6, 6}, {3, 7},
        {4, 0}, {1, 1}, {6, 2}, {3, 3}, {0, 4}, {5, 5}, {2, 6}, {7, 7}
    };

    private static final int[][] FOUR_SHIFTS = {{0, 0}, {2, 2}, {4, 4}, {6, 6}};

    /** The class of a row or column of coefficients: how long the transform's basis vector is. */
    private static final int[] CLASS = {0, 1, 2, 1, 0, 1, 2, 1};

    /** 256 times the length of the basis, by the classes of row and column. */
    private static final int[][] NORM = {{2048, 2176, 1619}, {2176, 2312, 1720}, {1619, 1720, 1280}};

    /** What undoes that length before the inverse transform, in 64ths; the inverse transform gives 32 times a sample. */
    private static final int[][] SCALE = {{32, 28, 51}, {28, 25, 45}, {51, 45, 82}};

    /** What is added before samples of luma in flat blocks are rounded, in eighths, by row and column; 4 is added before others are. */
    private static final int[][] FLAT_ROUNDING = {{1, 5}, {7, 3}};

    /** The largest excess of a coefficient that the bound takes back, in units of a sample of 8 bits. */
    private static final int LARGEST_EXCESS = 390;

    private final SamplePicture source;
    private final SamplePicture decoded;
    private final SamplePicture result;
    private final ShrinkageParameters parameters;
    private final int largestSample;

    private ReferenceShrinkage(
            SamplePicture source, SamplePicture decoded, SamplePicture result, ShrinkageParameters parameters) {
        this.source = source;
        this.decoded = decoded;
        this.result = result;
        this.parameters = parameters;
        this.largestSample = (1 << source.bitDepth) - 1;
    }

    /**
     * The filtered picture.
     *
     * @param source the picture after deblocking and CDEF
     * @param decoded the picture before them, from which the bound is counted
     * @param column of luma in which a block of the codec begins, 0 to 7
     * @param row of luma in which a block of the codec begins, 0 to 7
     */
    public static SamplePicture apply(
            SamplePicture source, SamplePicture decoded, ShrinkageParameters parameters, int column, int row) {
        ReferenceShrinkage reference = new ReferenceShrinkage(source, decoded, source.copy(), parameters);
        for (int component = 0; component < source.components(); component++) {
            int sixteenths = component == 0 ? parameters.lumaThreshold() : parameters.chromaThreshold();
            int threshold = sixteenths << (source.bitDepth - 8);
            if (threshold > 0) {
                boolean halfWidth = component > 0 && source.chroma != PixelFormat.Chroma.FULL;
                boolean halfHeight = component > 0 && source.chroma == PixelFormat.Chroma.HALF_BOTH;
                reference.shrink(component, threshold);
                if (parameters.bound() > 0) {
                    int percent = (threshold * parameters.bound() + 50) / 100;
                    reference.bound(component, percent, halfWidth ? column / 2 : column, halfHeight ? row / 2 : row);
                }
            }
        }
        return reference.result;
    }

    private void shrink(int component, int threshold) {
        int width = source.width(component);
        int height = source.height(component);
        int[][] sum = new int[height][width];
        int[][] weights = new int[height][width];
        for (int shift = 0; shift < parameters.shifts(); shift++) {
            int[] start = parameters.shifts() == 4 ? FOUR_SHIFTS[shift] : SHIFTS[shift];
            for (int y0 = start[1] - 8; y0 < height; y0 += 8) {
                for (int x0 = start[0] - 8; x0 < width; x0 += 8) {
                    int[][] block = new int[8][8];
                    for (int i = 0; i < 8; i++) {
                        for (int j = 0; j < 8; j++) {
                            int x = Math.max(0, Math.min(width - 1, x0 + j));
                            int y = Math.max(0, Math.min(height - 1, y0 + i));
                            block[i][j] = source.get(component, x, y);
                        }
                    }
                    int weight = shrinkBlock(block, threshold);
                    for (int i = Math.max(0, -y0); i < 8 && y0 + i < height; i++) {
                        for (int j = Math.max(0, -x0); j < 8 && x0 + j < width; j++) {
                            sum[y0 + i][x0 + j] += weight * block[i][j];
                            weights[y0 + i][x0 + j] += weight;
                        }
                    }
                }
            }
        }
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                boolean flat = component == 0 && weights[y][x] == 64 * parameters.shifts();
                int eighths = flat ? FLAT_ROUNDING[y % 2][x % 2] : 4;
                int difference = (sum[y][x] * (65536 / weights[y][x]) + (eighths << 18)) >> 21;
                result.set(component, x, y, clip(source.get(component, x, y) - difference));
            }
        }
    }

    private int clip(int sample) {
        return Math.max(0, Math.min(largestSample, sample));
    }

    /**
     * Shrinks one block.
     *
     * @param block 8 rows of 8 samples; afterwards what is to be taken away from them, times 32
     * @param threshold in sixteenths of a sample value of the block's own bit depth
     * @return the weight of the block: the fewer coefficients are left, the more
     */
    public static int shrinkBlock(int[][] block, int threshold) {
        forward(block);
        int large = 0;
        for (int u = 0; u < 8; u++) {
            for (int v = 0; v < 8; v++) {
                int t = (threshold * NORM[CLASS[u]][CLASS[v]] + 2048) >> 12;
                int magnitude = Math.abs(block[u][v]);
                if (magnitude > t) {
                    large++;
                }
                int limit = Math.max(0, t - magnitude);
                int removed = Math.max(-limit, Math.min(limit, block[u][v]));
                block[u][v] = u == 0 && v == 0 ? 0 : (removed * SCALE[CLASS[u]][CLASS[v]] + 32) >> 6;
            }
        }
        inverse(block);
        int others = Math.max(0, large - 1);
        return Math.max(1, (64 + (1 + others) / 2) / (1 + others));
    }

    /**
     * Changes a component of a picture, which differs from the decoded one by no more than a bound then.
     *
     * @param sixteenths of a sample value of the pictures' own bit depth
     * @param column of the component in which a block of the codec begins, 0 to 7
     * @param row of the component in which a block of the codec begins, 0 to 7
     */
    static void bound(
            SamplePicture picture, SamplePicture decoded, int component, int sixteenths, int column, int row) {
        new ReferenceShrinkage(picture, decoded, picture, null).bound(component, sixteenths, column, row);
    }

    /** 256 times the length of the basis of a coefficient. */
    static int norm(int u, int v) {
        return NORM[CLASS[u]][CLASS[v]];
    }

    /** What undoes the length of the basis of a coefficient before the inverse transform, in 64ths. */
    static int scale(int u, int v) {
        return SCALE[CLASS[u]][CLASS[v]];
    }

    /** Holds the difference from the decoded picture to so many sixteenths of a sample, and more at high frequencies. */
    private void bound(int component, int sixteenths, int column, int row) {
        for (int y0 = row; y0 + 8 <= result.height(component); y0 += 8) {
            for (int x0 = column; x0 + 8 <= result.width(component); x0 += 8) {
                int[][] block = new int[8][8];
                for (int i = 0; i < 8; i++) {
                    for (int j = 0; j < 8; j++) {
                        block[i][j] = result.get(component, x0 + j, y0 + i) - decoded.get(component, x0 + j, y0 + i);
                    }
                }
                if (excess(block, sixteenths)) {
                    for (int i = 0; i < 8; i++) {
                        for (int j = 0; j < 8; j++) {
                            int sample = result.get(component, x0 + j, y0 + i) - ((block[i][j] + 16) >> 5);
                            result.set(component, x0 + j, y0 + i, clip(sample));
                        }
                    }
                }
            }
        }
    }

    /** Turns a block of differences into their excess over the bound, times 32. Returns whether there is any. */
    private boolean excess(int[][] block, int sixteenths) {
        forward(block);
        boolean any = false;
        int largest = LARGEST_EXCESS << (source.bitDepth - 8);
        for (int u = 0; u < 8; u++) {
            for (int v = 0; v < 8; v++) {
                int b = (sixteenths * (16 + u + v) / 16 * NORM[CLASS[u]][CLASS[v]] + 2048) >> 12;
                int over = block[u][v] - Math.max(-b, Math.min(b, block[u][v]));
                any |= over != 0;
                int held = Math.max(-largest, Math.min(largest, over));
                block[u][v] = (held * SCALE[CLASS[u]][CLASS[v]] + 32) >> 6;
            }
        }
        inverse(block);
        return any;
    }

    /** H.264's forward 8x8 transform: of each column, then of each row. */
    static void forward(int[][] block) {
        for (int j = 0; j < 8; j++) {
            int[] line = column(block, j);
            forward(line);
            setColumn(block, j, line);
        }
        for (int i = 0; i < 8; i++) {
            forward(block[i]);
        }
    }

    /** 8.5.13 without its last rounding: of each row, then of each column. */
    static void inverse(int[][] block) {
        for (int i = 0; i < 8; i++) {
            inverse(block[i]);
        }
        for (int j = 0; j < 8; j++) {
            int[] line = column(block, j);
            inverse(line);
            setColumn(block, j, line);
        }
    }

    private static int[] column(int[][] block, int j) {
        int[] line = new int[8];
        for (int i = 0; i < 8; i++) {
            line[i] = block[i][j];
        }
        return line;
    }

    private static void setColumn(int[][] block, int j, int[] line) {
        for (int i = 0; i < 8; i++) {
            block[i][j] = line[i];
        }
    }

    private static void forward(int[] x) {
        int[] even = new int[4];
        int[] odd = new int[4];
        for (int i = 0; i < 4; i++) {
            even[i] = x[i] + x[7 - i];
            odd[i] = x[i] - x[7 - i];
        }
        int[] a = {
            even[0] + even[3],
            even[1] + even[2],
            even[0] - even[3],
            even[1] - even[2],
            odd[1] + odd[2] + odd[0] + (odd[0] >> 1),
            odd[0] - odd[3] - odd[2] - (odd[2] >> 1),
            odd[0] + odd[3] - odd[1] - (odd[1] >> 1),
            odd[1] - odd[2] + odd[3] + (odd[3] >> 1)
        };
        x[0] = a[0] + a[1];
        x[1] = a[4] + (a[7] >> 2);
        x[2] = a[2] + (a[3] >> 1);
        x[3] = a[5] + (a[6] >> 2);
        x[4] = a[0] - a[1];
        x[5] = a[6] - (a[5] >> 2);
        x[6] = (a[2] >> 1) - a[3];
        x[7] = (a[4] >> 2) - a[7];
    }

    /** With the intermediate values that 8.5.13 names a and b. */
    private static void inverse(int[] in) {
        int[] a = {
            in[0] + in[4],
            -in[3] + in[5] - in[7] - (in[7] >> 1),
            in[0] - in[4],
            in[1] + in[7] - in[3] - (in[3] >> 1),
            (in[2] >> 1) - in[6],
            -in[1] + in[7] + in[5] + (in[5] >> 1),
            in[2] + (in[6] >> 1),
            in[3] + in[5] + in[1] + (in[1] >> 1)
        };
        int[] b = {
            a[0] + a[6],
            a[1] + (a[7] >> 2),
            a[2] + a[4],
            a[3] + (a[5] >> 2),
            a[2] - a[4],
            (a[3] >> 2) - a[5],
            a[0] - a[6],
            a[7] - (a[1] >> 2)
        };
        for (int i = 0; i < 4; i++) {
            in[i] = b[2 * i] + b[7 - 2 * i];
            in[7 - i] = b[2 * i] - b[7 - 2 * i];
        }
    }
}
