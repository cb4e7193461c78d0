/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.quality.AdmScale;
import org.gstqpu.kernels.internal.quality.AdmSums;

/**
 * What of a scale's detail the eye sees. Each coefficient of the picture is split in what the reference has and what was added. What was
 * added, in a coefficient and its neighbours, is a threshold below which detail is not seen. The cubes of what is seen are added up.
 */
final class AdmDetail {
    /** Rows of thresholds that a row needs: its own and those beside it. */
    private static final int ROWS = 3;

    private final AdmSums sums;
    private final AdmScale scale;
    private final long weight;
    private final long diagonalWeight;
    private final int first;
    private final int end;

    /** One for each of the view's two sums that is wanted. */
    private final Part[] parts;

    /** Weighted detail that may be seen, and shares of what masks it, for one of the sums. Row y lies in element y % ROWS. */
    private static final class Part {
        final int gain;
        /** True if what was added is seen, and what the reference has masks it; false for the other way round. */
        final boolean impairments;

        final int sums;
        final int[][] seen;
        /** A thirtieth of what masks, of all bands. */
        final int[][] thirtieths;
        /** A fifteenth of what masks, of all bands. */
        final int[][] fifteenths;

        Part(int gain, boolean impairments, int sums, int width) {
            this.gain = gain;
            this.impairments = impairments;
            this.sums = sums;
            seen = new int[AdmScale.BANDS * ROWS][width];
            thirtieths = new int[ROWS][width];
            fifteenths = new int[ROWS][width];
        }
    }

    /**
     * Detail of one scale.
     *
     * @param sums of the view; gets the sums
     */
    AdmDetail(AdmSums sums, int index) {
        this.sums = sums;
        scale = sums.scale(index);
        weight = sums.view().weight(index, 0);
        diagonalWeight = sums.view().weight(index, AdmScale.DIAGONAL);
        first = Math.max(scale.left() - 1, 0);
        end = Math.min(scale.right() + 1, scale.width());
        boolean impairments = sums.view().hasImpairments();
        List<Part> wanted = new ArrayList<>();
        if (sums.hasFirst()) {
            wanted.add(new Part(impairments ? 1 : AdmScale.GAIN_LIMIT, false, AdmSums.FIRST, scale.width()));
        }
        if (sums.hasSecond()) {
            wanted.add(new Part(1, impairments, AdmSums.SECOND, scale.width()));
        }
        parts = wanted.toArray(Part[]::new);
    }

    /** Adds the cubes of all rows that count. */
    void addRows(AdmBands reference, AdmBands picture) {
        int height = scale.height();
        int split = Math.max(scale.top() - 1, 0);
        for (int y = scale.top(); y < scale.bottom(); y++) {
            for (; split <= Math.min(y + 1, height - 1); split++) {
                splitRow(reference, picture, split);
            }
            for (Part part : parts) {
                addVisible(part, y);
            }
            addReference(reference.horizontal, y, AdmSums.REFERENCE);
            addReference(reference.vertical, y, AdmSums.REFERENCE + 1);
            addReference(reference.diagonal, y, AdmSums.REFERENCE + AdmScale.DIAGONAL);
        }
    }

    private void splitRow(AdmBands reference, AdmBands picture, int y) {
        int row = y % ROWS;
        int at = y * scale.width();
        for (int x = first; x < end; x++) {
            int oh = reference.horizontal[at + x];
            int ov = reference.vertical[at + x];
            int od = reference.diagonal[at + x];
            int th = picture.horizontal[at + x];
            int tv = picture.vertical[at + x];
            int td = picture.diagonal[at + x];
            boolean enhanced = isSameAngle(oh, ov, th, tv);
            int kh = share(oh, th);
            int kv = share(ov, tv);
            int kd = share(od, td);
            int rh = (int) (((long) kh * oh + (AdmScale.ONE >> 1)) >> 15);
            int rv = (int) (((long) kv * ov + (AdmScale.ONE >> 1)) >> 15);
            int rd = (int) (((long) kd * od + (AdmScale.ONE >> 1)) >> 15);
            for (Part part : parts) {
                int h = enhanced && kh > 0 && oh != 0 ? enhance(oh, rh, th, part.gain) : rh;
                int v = enhanced && kv > 0 && ov != 0 ? enhance(ov, rv, tv, part.gain) : rv;
                int d = enhanced && kd > 0 && od != 0 ? enhance(od, rd, td, part.gain) : rd;
                if (part.impairments) {
                    store(part, row, x, th - h, tv - v, td - d, h, v, d);
                } else {
                    store(part, row, x, h, v, d, th - h, tv - v, td - d);
                }
            }
        }
    }

    /**
     * True if the angle between (oh, ov) and (th, tv) is below 1 degree. The numbers are rounded to single precision first, as libvmaf
     * does it; those roundings are compared exactly.
     */
    private static boolean isSameAngle(int oh, int ov, int th, int tv) {
        float product = (float) ((long) oh * th + (long) ov * tv);
        if (product < 0) {
            return false;
        }
        double squared = (double) product * product;
        double reference = (double) AdmScale.COSINE_SQUARED * (float) ((long) oh * oh + (long) ov * ov);
        double picture = (float) ((long) th * th + (long) tv * tv);
        double lengths = reference * picture;
        if (squared != 0 && Math.abs(squared - lengths) < squared * 0x1p-48) {
            // So near that the rounding of the product might count.
            return Math.fma(reference, picture, -squared) <= 0;
        }
        return squared >= lengths;
    }

    /** The share of the reference's coefficient that the picture has, 0 to 1, with 15 bits behind the point. */
    private static int share(int reference, int picture) {
        if (reference == 0) {
            return AdmScale.ONE;
        }
        int size = Math.abs(reference);
        int shift = 0;
        if (size >= AdmScale.ONE) {
            shift = 17 - Integer.numberOfLeadingZeros(size);
            size = (size + (1 << (shift - 1))) >>> shift;
        }
        long signed = reference < 0 ? -(long) picture : picture;
        long share = (AdmScale.DIVIDEND / size * signed + (1L << (14 + shift))) >> (15 + shift);
        return (int) Math.min(Math.max(share, 0), AdmScale.ONE);
    }

    /** Detail that goes beyond the reference in its own direction counts as the reference's, up to the gain part. */
    private static int enhance(int reference, int restored, int picture, int gain) {
        long greatest = (long) restored * gain;
        return (int) (reference > 0 ? Math.min(greatest, picture) : Math.max(greatest, picture));
    }

    /** Takes what may be seen, and what masks it. */
    private void store(Part part, int row, int x, int h, int v, int d, int mh, int mv, int md) {
        if (scale.scale() == 0) {
            store0(part, row, x, h, v, d, mh, mv, md);
            return;
        }
        part.seen[row][x] = weighted(weight, h);
        part.seen[ROWS + row][x] = weighted(weight, v);
        part.seen[2 * ROWS + row][x] = weighted(diagonalWeight, d);
        int wh = Math.abs(weighted(weight, mh));
        int wv = Math.abs(weighted(weight, mv));
        int wd = Math.abs(weighted(diagonalWeight, md));
        part.thirtieths[row][x] =
                shareOf(AdmScale.THIRTIETH, wh) + shareOf(AdmScale.THIRTIETH, wv) + shareOf(AdmScale.THIRTIETH, wd);
        part.fifteenths[row][x] =
                shareOf(AdmScale.FIFTEENTH, wh) + shareOf(AdmScale.FIFTEENTH, wv) + shareOf(AdmScale.FIFTEENTH, wd);
    }

    private void store0(Part part, int row, int x, int h, int v, int d, int mh, int mv, int md) {
        int weight = (int) this.weight;
        int diagonalWeight = (int) this.diagonalWeight;
        part.seen[row][x] = h * weight;
        part.seen[ROWS + row][x] = v * weight;
        part.seen[2 * ROWS + row][x] = d * diagonalWeight;
        int wh = Math.abs((short) ((weight * mh + 16384) >> 15));
        int wv = Math.abs((short) ((weight * mv + 16384) >> 15));
        int wd = Math.abs((short) ((diagonalWeight * md + 65535) >> 17));
        part.thirtieths[row][x] =
                share0(AdmScale.THIRTIETH_0, wh) + share0(AdmScale.THIRTIETH_0, wv) + share0(AdmScale.THIRTIETH_0, wd);
        part.fifteenths[row][x] =
                share0(AdmScale.FIFTEENTH_0, wh) + share0(AdmScale.FIFTEENTH_0, wv) + share0(AdmScale.FIFTEENTH_0, wd);
    }

    private static int share0(int factor, int size) {
        return (short) ((factor * size + (1 << (AdmScale.SHARE_SHIFT_0 - 1))) >> AdmScale.SHARE_SHIFT_0);
    }

    private static int weighted(long weight, int value) {
        return (int) ((weight * value + (1L << (AdmScale.WEIGHT_SHIFT - 1))) >> AdmScale.WEIGHT_SHIFT);
    }

    private static int shareOf(int factor, int size) {
        // libvmaf keeps 2^31 in 32 bits, where it is negative.
        return (int) (((long) factor * size - (1L << (AdmScale.SHARE_SHIFT - 1))) >> AdmScale.SHARE_SHIFT);
    }

    private void addVisible(Part part, int y) {
        int width = scale.width();
        int[] above = part.thirtieths[AdmScale.neighbourIndex(y - 1, scale.height()) % ROWS];
        int[] here = part.thirtieths[y % ROWS];
        int[] below = part.thirtieths[AdmScale.neighbourIndex(y + 1, scale.height()) % ROWS];
        int[] own = part.fifteenths[y % ROWS];
        int[] h = part.seen[y % ROWS];
        int[] v = part.seen[ROWS + y % ROWS];
        int[] d = part.seen[2 * ROWS + y % ROWS];
        int thresholdShift = scale.thresholdShift(0);
        int squareShift = scale.squareShift(0);
        int cubeShift = scale.cubeShift(0);
        int diagonalThresholdShift = scale.thresholdShift(AdmScale.DIAGONAL);
        int diagonalSquareShift = scale.squareShift(AdmScale.DIAGONAL);
        int diagonalCubeShift = scale.cubeShift(AdmScale.DIAGONAL);
        int right = scale.right();
        long horizontal = 0;
        long vertical = 0;
        long diagonal = 0;
        for (int x = scale.left(); x < right; x++) {
            int before = x == 0 ? 1 : x - 1;
            int after = x == width - 1 ? x : x + 1;
            int threshold = above[before]
                    + above[x]
                    + above[after]
                    + here[before]
                    + own[x]
                    + here[after]
                    + below[before]
                    + below[x]
                    + below[after];
            int scaled = threshold << thresholdShift;
            horizontal += cube(h[x], scaled, squareShift, cubeShift);
            vertical += cube(v[x], scaled, squareShift, cubeShift);
            diagonal += cube(d[x], threshold << diagonalThresholdShift, diagonalSquareShift, diagonalCubeShift);
        }
        sums.addRow(scale.scale(), part.sums, horizontal);
        sums.addRow(scale.scale(), part.sums + 1, vertical);
        sums.addRow(scale.scale(), part.sums + AdmScale.DIAGONAL, diagonal);
    }

    private static long cube(int detail, int threshold, int squareShift, int cubeShift) {
        long visible = Math.max(Math.abs(detail) - threshold, 0);
        int square = (int) ((visible * visible + (1L << (squareShift - 1))) >> squareShift);
        return (square * visible + (1L << (cubeShift - 1))) >> cubeShift;
    }

    private void addReference(int[] band, int y, int which) {
        int at = y * scale.width();
        long sum = 0;
        if (scale.scale() == 0) {
            for (int x = scale.left(); x < scale.right(); x++) {
                long size = Math.abs(band[at + x]);
                sum += size * size * size;
            }
        } else {
            int squareShift = scale.referenceSquareShift();
            int cubeShift = scale.referenceCubeShift();
            for (int x = scale.left(); x < scale.right(); x++) {
                long size = Math.abs(band[at + x]) & 0xffffffffL;
                long square = (size * size + (1L << squareShift)) >>> squareShift;
                sum += (square * size + (1L << (cubeShift - 1))) >>> cubeShift;
            }
        }
        sums.addRow(scale.scale(), which, sum);
    }
}
