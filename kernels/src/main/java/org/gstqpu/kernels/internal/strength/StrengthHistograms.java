/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.strength;

import java.util.Arrays;
import org.gstqpu.kernels.filter.StrengthRule;

/**
 * How often coefficients of each size occur in a picture's blocks, on the codecs' grids and off them: what a quantiser leaves
 * shows only on its grid; and in which columns and rows steps occur, which shows where the grid begins. Mutable,
 * allocates nothing; belongs to one thread at a time. strength/measure.comp fills, and strength/decide.comp reads, the same
 * numbers on the device.
 *
 * <p>Blocks are a sample of at most {@link #MOST_BLOCKS} of the picture's 8x8 blocks. Coefficients are of an orthonormal DCT in
 * integers, of low frequency: u + v from 1 to 3 of 8x8 blocks, 1 and 2 of 4x4 blocks. Steps are looked for along {@link #LINES}
 * rows and as many columns; one is where two samples differ by more than they do from both neighbours together.
 */
public final class StrengthHistograms {
    public static final int ALIGNED_8 = 0;
    /** Blocks 4 samples to the right and below. */
    public static final int SHIFTED_8 = 1;

    public static final int SHIFTED_4 = 2;
    /** Of u + v = 5, from u = 2 and 3, of the shifted 8x8 blocks. */
    public static final int TEXTURE = 3;

    public static final int ALIGNED_4 = 4;

    /** Bins of a half sample value up to 4, of one up to 16, of two up to 48, and one of all above. */
    public static final int BINS = 37;

    /** Mean sample values of blocks. */
    public static final int LUMA_BINS = 16;

    public static final int MOST_BLOCKS = 2048;

    /** Rows, and columns, along which steps are looked for. */
    public static final int LINES = 32;

    /** Places of a step in a grid of 8x8 blocks, to either side. */
    static final int PHASES = 8;

    /**
     * Where a step of so many {@linkplain StrengthRule#UNIT units} was lost, twice as many coefficients are left off the grid as on
     * it, at the least, and after a smaller step in proportion.
     */
    private static final int LEAST_LOSS_STEP = 1024;

    /** Coefficients in the first bins, those below 1, count as lost. */
    private static final int LOST_BINS = 2;

    private static final int FIRST_NON_ZERO_BIN = 3;

    /** Where sizes of 4, and of 12 sample values, begin. */
    private static final int MIDDLE_BIN = 8;

    private static final int LARGE_BIN = 16;
    private static final int KINDS = 5;

    private final int[] counts = new int[KINDS * BINS];
    private final int[] luma = new int[LUMA_BINS];

    /** By phase, of columns, then of rows. */
    private final int[] steps = new int[2 * PHASES];

    public void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(luma, 0);
        Arrays.fill(steps, 0);
    }

    /** Adds what another counted. */
    public void add(StrengthHistograms other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        for (int i = 0; i < LUMA_BINS; i++) {
            luma[i] += other.luma[i];
        }
        for (int i = 0; i < steps.length; i++) {
            steps[i] += other.steps[i];
        }
    }

    /** Counts a coefficient, in 1/65536 of a sample value. */
    public void count(int kind, int coefficient) {
        counts[kind * BINS + bin(Math.abs(coefficient) >> 15)]++;
    }

    /** Counts a block by the sum of its 64 samples. */
    public void countLuma(int sum) {
        luma[sum >> 10]++;
    }

    /**
     * Counts steps along lines.
     *
     * @param down whether along columns, so that they are between rows
     * @param at column, or row, after the step
     */
    public void countSteps(boolean down, int at, int steps) {
        this.steps[(down ? PHASES : 0) + at % PHASES] += steps;
    }

    /** Steps at a phase, from 0, of columns or, from {@link #PHASES} on, of rows. */
    int steps(int phase) {
        return steps[phase];
    }

    int luma(int bin) {
        return luma[bin];
    }

    private static int bin(int halves) {
        return halves < 8 ? halves : halves < 32 ? 4 + (halves >> 1) : halves < 96 ? 12 + (halves >> 2) : BINS - 1;
    }

    /** Where a bin begins, in half sample values. */
    private static int begin(int bin) {
        return bin < 8 ? bin : bin < 20 ? 2 * bin - 8 : 4 * bin - 48;
    }

    private static int width(int bin) {
        return bin < 8 ? 1 : bin < 20 ? 2 : 4;
    }

    /**
     * The size, in {@link StrengthRule#UNIT}, up to which as many coefficients occur off the grid as were lost on it. Text and
     * drawings have so few of small size that chance alone makes a large one: where hardly more were lost on the grid than off
     * it, nothing was.
     */
    int lost(int aligned, int shifted) {
        int all = range(aligned, 0, BINS);
        int zeros = zeros(aligned);
        int kept = all - zeros;
        int size = quantile(shifted, zeros);
        boolean byChance = (all - zeros(shifted) - kept) * LEAST_LOSS_STEP < kept * size;
        return byChance ? Math.min(size, StrengthRule.UNIT) : size;
    }

    private int zeros(int kind) {
        return range(kind, 0, LOST_BINS);
    }

    /**
     * How much texture there is that a filter would take for ringing, in thousandths: the share of coefficients of a middle
     * frequency whose size is 4 to 12 sample values, less a third of those of 1 to 4, of which there are more in all footage.
     * In noise the small ones are texture, too: it is everywhere, so that few are near zero, and unlike edges it has hardly any
     * large ones.
     */
    int texture() {
        int small = range(TEXTURE, LOST_BINS, MIDDLE_BIN);
        int middle = range(TEXTURE, MIDDLE_BIN, LARGE_BIN);
        int large = range(TEXTURE, LARGE_BIN, BINS);
        int all = range(TEXTURE, 0, BINS);
        boolean noise = 5 * zeros(TEXTURE) < 2 * all && 20 * large < 7 * middle;
        return 1000 * Math.max(3 * middle - (noise ? 0 : small), 0) / Math.max(3 * all, 1);
    }

    /**
     * Whether most of the picture is flat and the rest has hard edges, as screens, titles and drawings do, hardly anything
     * being in between.
     */
    boolean drawing() {
        int small = range(TEXTURE, LOST_BINS, MIDDLE_BIN);
        int large = range(TEXTURE, LARGE_BIN, BINS);
        return 4 * zeros(TEXTURE) >= 3 * range(TEXTURE, 0, BINS) && 3 * large > 2 * small;
    }

    private int quantile(int kind, int wanted) {
        int at = kind * BINS;
        int bin = 0;
        int below = 0;
        while (bin < BINS - 1 && below + counts[at + bin] < wanted) {
            below += counts[at + bin];
            bin++;
        }
        int here = counts[at + bin];
        int halves = StrengthRule.UNIT / 2;
        return halves * begin(bin) + (here == 0 ? 0 : halves * width(bin) * (wanted - below) / here);
    }

    int nonZero(int kind) {
        return range(kind, FIRST_NON_ZERO_BIN, BINS);
    }

    /** Coefficients that are not zero and less than 3/5 of a step. */
    int inGap(int kind, int step) {
        int end = Math.max(step * 3 / 40, FIRST_NON_ZERO_BIN + 1);
        int bins = FIRST_NON_ZERO_BIN;
        while (bins < BINS && begin(bins) + width(bins) <= end) {
            bins++;
        }
        return range(kind, FIRST_NON_ZERO_BIN, bins);
    }

    private int range(int kind, int firstBin, int endBin) {
        int sum = 0;
        for (int bin = firstBin; bin < endBin; bin++) {
            sum += counts[kind * BINS + bin];
        }
        return sum;
    }

    /** The row or column that a line is, of a picture of so many. */
    public static int line(int line, int samples) {
        return (2 * line + 1) * samples / (2 * LINES);
    }

    /** Every how many blocks, across and down, one is looked at, of a picture of so many blocks. */
    public static int sampleStep(int blockColumns, int blockRows) {
        int step = 1;
        while ((long) sampled(blockColumns, step) * sampled(blockRows, step) > MOST_BLOCKS) {
            step++;
        }
        return step;
    }

    /** How many blocks of a row or column are looked at. */
    public static int sampled(int blocks, int step) {
        return (blocks + step - 1) / step;
    }

    /** 8x8 blocks across, or down, that have the 4 samples beyond them in the picture too. */
    public static int blocks(int samples) {
        return Math.max(samples - 4, 0) / 8;
    }
}
