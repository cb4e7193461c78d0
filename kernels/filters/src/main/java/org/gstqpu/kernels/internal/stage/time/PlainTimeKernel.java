/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import java.util.Arrays;
import org.gstqpu.kernels.internal.stage.ShrinkageLimits;
import org.gstqpu.kernels.internal.stage.ShrinkageTransform;

/** Fusion in plain Java. Belongs to one worker. */
final class PlainTimeKernel implements TimeKernel {
    /** The regular 8 taps of VP9 for each quarter of a sample. */
    static final int[][] TAPS = {
        {0, 0, 0, 128, 0, 0, 0, 0},
        {-1, 4, -16, 112, 37, -11, 4, -1},
        {-1, 6, -19, 78, 78, -19, 6, -1},
        {-1, 4, -11, 37, 112, -16, 4, -1}
    };

    /** One over one more than the number of references that count, in 32nds. */
    private static final int[] SHARES = {0, 16, 11, 8, 6};

    private final int[] own = new int[64];
    private final int[] difference = new int[64];
    private final int[] sums = new int[64];
    private final int[] counts = new int[64];

    /** What is added to the samples of two bands, times 128. */
    private final int[] changes;

    PlainTimeKernel(int width) {
        changes = new int[16 * width];
    }

    @Override
    public void filter(short[] in, int at, int step, short[] out, int to, int count, int phase, int high) {
        int[] taps = TAPS[phase];
        for (int i = 0; i < count; i++) {
            int sum = 64;
            for (int tap = 0; tap < 8; tap++) {
                sum += taps[tap] * in[at + i + (tap - 3) * step];
            }
            out[to + i] = (short) Math.max(-1 - high, Math.min(sum >> 7, high));
        }
    }

    @Override
    public void filterAll(
            short[] in, int at, int step, short[] one, short[] two, short[] three, int to, int count, int high) {
        filter(in, at, step, one, to, count, 1, high);
        filter(in, at, step, two, to, count, 2, high);
        filter(in, at, step, three, to, count, 3, high);
    }

    @Override
    public int sad(short[] one, int at, short[] other, int otherAt, int stride, int side) {
        int sad = 0;
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                sad += Math.abs(one[at + x] - other[otherAt + x]);
            }
            at += stride;
            otherAt += stride;
        }
        return sad;
    }

    @Override
    public void weigh(short[] samples, int at, int stride, int firstWeight, int[] sums, int to, int sumsStride) {
        for (int y = 0; y < 8; y++) {
            int weight = weight(firstWeight + y);
            for (int x = 0; x < 16; x++) {
                sums[to + x] += weight * weight(x) * samples[at + x];
            }
            at += stride;
            to += sumsStride;
        }
    }

    /** How much a block counts at a row or column of its window: 1, 3, 5 to 15, and back. */
    private static int weight(int place) {
        return place < 8 ? 2 * place + 1 : 31 - 2 * place;
    }

    @Override
    public void fuse(TimeFusion fusion, int firstBand, int endBand) {
        int width = fusion.source.width;
        Arrays.fill(changes, 0);
        // Blocks that begin in the band above reach into the first one.
        for (int band = firstBand - 1; band < endBand; band++) {
            for (int shift = 0; shift < 8; shift += 2) {
                for (int left = shift - 8; left < width; left += 8) {
                    if (add(fusion, left, 8 * band + shift)) {
                        addChange(left, 8 * band + shift, width);
                    }
                }
            }
            finish(fusion, band, band >= firstBand);
        }
    }

    /** Clears what is added to the samples of a band, and adds it first if the band is written. */
    private void finish(TimeFusion fusion, int band, boolean written) {
        TimePlane source = fusion.source;
        TimePlane result = fusion.result;
        int width = source.width;
        for (int y = 8 * band; y < 8 * band + 8; y++) {
            int change = (y & 15) * width;
            if (written && y < source.height) {
                int at = source.at(0, y);
                for (int x = 0; x < width; x++) {
                    int sample = source.samples[at + x] + ((changes[change + x] + 64) >> 7);
                    result.samples[at + x] = (short) Math.max(fusion.low, Math.min(sample, fusion.high));
                }
            }
            Arrays.fill(changes, change, change + width, 0);
        }
    }

    /** Computes what a block adds to its samples. Returns false if that is nothing. */
    private boolean add(TimeFusion fusion, int left, int top) {
        boolean any = false;
        for (int i = 0; i < fusion.references; i++) {
            any |= fusion.keeps(i, left + 4, top + 4);
        }
        if (!any) {
            return false;
        }
        TimePlane source = fusion.source;
        read(source, left, top, -fusion.low, own);
        int large = 0;
        for (int k = 0; k < 64; k++) {
            large += Math.abs(own[k]) > fusion.limits.large[k] ? 1 : 0;
        }
        int[] thresholds = fusion.limits.thresholds[TimeLimits.level(large)];
        Arrays.fill(sums, 0);
        Arrays.fill(counts, 0);
        for (int i = 0; i < fusion.references; i++) {
            if (fusion.keeps(i, left + 4, top + 4)) {
                read(fusion.differences[i], left, top, 0, difference);
                for (int k = fusion.drifts(i, left + 4, top + 4) ? 1 : 0; k < 64; k++) {
                    int most = thresholds[k] - Math.abs(difference[k]);
                    if (most > 0) {
                        sums[k] += Math.max(-most, Math.min(difference[k], most));
                        counts[k]++;
                    }
                }
            }
        }
        for (int k = 0; k < 64; k++) {
            sums[k] = (((sums[k] * SHARES[counts[k]] + 16) >> 5) * ShrinkageLimits.SCALES[k] + 32) >> 6;
        }
        ShrinkageTransform.inverse(sums);
        return true;
    }

    private static void read(TimePlane plane, int left, int top, int more, int[] block) {
        for (int y = 0; y < 8; y++) {
            int at = plane.at(left, top + y);
            for (int x = 0; x < 8; x++) {
                block[8 * y + x] = plane.samples[at + x] + more;
            }
        }
        ShrinkageTransform.forward(block);
    }

    private void addChange(int left, int top, int width) {
        for (int y = 0; y < 8; y++) {
            int at = (top + y & 15) * width + left;
            for (int x = Math.max(0, -left); x < Math.min(8, width - left); x++) {
                changes[at + x] += sums[8 * y + x];
            }
        }
    }
}
