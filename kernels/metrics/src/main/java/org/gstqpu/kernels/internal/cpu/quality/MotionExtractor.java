/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Set;
import org.gstqpu.kernels.internal.quality.Mirror;
import org.gstqpu.kernels.internal.quality.MotionScore;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/** Motion in integers. */
public final class MotionExtractor implements CpuExtractor {
    private static final int TAPS = 2 * MotionScore.RADIUS + 1;

    private final int width;
    private final int height;
    private final int bitDepth;
    private final Set<QualityMetric> wanted;

    /** Differences of the rows that a column's taps cover: row y lies in element y % TAPS. */
    private final int[][] differences;

    /** A row of sums down the columns, mirrored at both ends. */
    private final int[] sums;

    public MotionExtractor(int width, int height, int bitDepth, Set<QualityMetric> wanted) {
        this.width = width;
        this.height = height;
        this.bitDepth = bitDepth;
        this.wanted = wanted;
        differences = new int[TAPS][width];
        sums = new int[width + 2 * MotionScore.RADIUS];
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        long sum = MotionScore.needsLast(wanted) ? difference(pair, 1) : 0;
        long sumOfTwo = MotionScore.needsLastButOne(wanted) ? difference(pair, 2) : 0;
        MotionScore.put(wanted, sum, sumOfTwo, (long) width * height, figures);
    }

    /** Of the reference from that so many pictures before; 0 if there is none. */
    private long difference(PairSamples pair, int distance) {
        if (!pair.hasPrevious(distance)) {
            return 0;
        }
        long sum = 0;
        int[] before = pair.previous(distance).luma();
        int[] now = pair.reference().luma();
        for (int y = 0; y < Math.min(MotionScore.RADIUS, height); y++) {
            subtract(before, now, y);
        }
        for (int y = 0; y < height; y++) {
            if (y + MotionScore.RADIUS < height) {
                subtract(before, now, y + MotionScore.RADIUS);
            }
            columns(row(y - 2), row(y - 1), row(y), row(y + 1), row(y + 2));
            sum += rowSum();
        }
        return sum;
    }

    private void subtract(int[] before, int[] now, int y) {
        int[] into = differences[y % TAPS];
        int at = y * width;
        for (int x = 0; x < width; x++) {
            into[x] = before[at + x] - now[at + x];
        }
    }

    private int[] row(int y) {
        return differences[Mirror.index(y, height) % TAPS];
    }

    private void columns(int[] a, int[] b, int[] c, int[] d, int[] e) {
        int[] into = sums;
        int shift = bitDepth;
        int half = 1 << (shift - 1);
        for (int x = 0; x < width; x++) {
            into[x + MotionScore.RADIUS] = (MotionScore.TAP_2 * (a[x] + e[x])
                            + MotionScore.TAP_1 * (b[x] + d[x])
                            + MotionScore.TAP_0 * c[x]
                            + half)
                    >> shift;
        }
        for (int i = 1; i <= MotionScore.RADIUS; i++) {
            into[MotionScore.RADIUS - i] = into[MotionScore.RADIUS + i];
            into[width + MotionScore.RADIUS - 1 + i] = into[width + MotionScore.RADIUS - 1 - i];
        }
    }

    /** Sum of the sizes of a blurred row. Sums of columns have at most 17 bits, so a row's have 33. */
    private long rowSum() {
        int[] s = sums;
        long sum = 0;
        for (int x = 0; x < width; x++) {
            long blurred = (long) MotionScore.TAP_2 * (s[x] + s[x + 4])
                    + (long) MotionScore.TAP_1 * (s[x + 1] + s[x + 3])
                    + (long) MotionScore.TAP_0 * s[x + 2];
            sum += Math.abs((int) ((blurred + (1 << (MotionScore.ROW_SHIFT - 1))) >> MotionScore.ROW_SHIFT));
        }
        return sum;
    }
}
