/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

import java.util.Arrays;
import org.gstqpu.kernels.filter.StrengthRule;

/**
 * Owns the histograms that automatic strength decides by. Mutable; allocates nothing. Belongs to one thread at a time.
 * On the device, strength/measure.comp fills such histograms and strength/decide.comp reads them.
 *
 * <p>They count how often coefficients of each size occur in a picture's blocks, on the codecs' grids and off them: a
 * quantiser leaves its marks on its own grid only. They also count in which columns and rows steps between samples
 * occur, which shows where the grid begins.
 *
 * <p>The blocks are a sample of at most {@link #MOST_BLOCKS} of the picture's 8x8 blocks. The coefficients are those of
 * low frequency of an orthonormal DCT in integers: u + v from 1 to 3 of 8x8 blocks, 1 and 2 of 4x4 blocks. Steps are
 * looked for along {@link #LINES} rows and {@link #LINES} columns. A step is a difference of two neighbouring samples
 * that is larger than the differences before and after it together. A wide step is the same of samples two apart: what
 * becomes of a step if the picture is made larger.
 */
public final class StrengthHistograms {
    /** Kind of coefficients: of 8x8 blocks on the grid. */
    public static final int ALIGNED_8 = 0;

    /** Kind of coefficients: of 8x8 blocks 4 samples right of and below the grid. */
    public static final int SHIFTED_8 = 1;

    /** Kind of coefficients: of 4x4 blocks 2 samples right of and below the grid. */
    public static final int SHIFTED_4 = 2;

    /** Kind of coefficients: u + v = 5 with u = 2 or 3, of the shifted 8x8 blocks. */
    public static final int TEXTURE = 3;

    /** Kind of coefficients: of 4x4 blocks on the grid. */
    public static final int ALIGNED_4 = 4;

    /** Kind of coefficients: u + v = 5 with u = 2 or 3, of the 8x8 blocks on the grid. */
    public static final int ALIGNED_TEXTURE = 5;

    /**
     * Bins of sizes: half a sample value wide up to 4, one wide up to 16, two wide up to 48, and one bin for all larger
     * sizes.
     */
    public static final int BINS = 37;

    /** Bins of the mean sample value of a block. */
    public static final int LUMA_BINS = 16;

    /** Most blocks of the sample; larger pictures are sampled at larger distances. */
    public static final int MOST_BLOCKS = 2048;

    /** Rows along which steps are looked for, and columns. */
    public static final int LINES = 32;

    /** A larger step counts as one of this size: it is no coder's. */
    private static final int MOST_STEP = 31;

    /** Places that a step can have relative to a grid of 8x8 blocks. */
    static final int PHASES = 8;

    /**
     * A quantiser's loss leaves more coefficients off the grid than on it: at least twice as many after a step of this many
     * {@linkplain StrengthRule#UNIT units}; after a smaller step, the excess is smaller in proportion. Less is chance.
     */
    private static final int LEAST_LOSS_STEP = 1024;

    /** Bins of coefficients that count as lost: those below 1. */
    private static final int LOST_BINS = 2;

    private static final int FIRST_NON_ZERO_BIN = 3;

    /** First bin of sizes of 4 sample values and more. */
    private static final int MIDDLE_BIN = 8;

    /** First bin of sizes of 12 sample values and more. */
    private static final int LARGE_BIN = 16;

    private static final int KINDS = 6;

    private final int[] counts = new int[KINDS * BINS];
    private final int[] luma = new int[LUMA_BINS];

    /** Steps by phase: first of columns, then of rows. */
    private final int[] steps = new int[2 * PHASES];

    /** Sum of the sizes of these steps. */
    private final int[] sizes = new int[2 * PHASES];

    /** Wide steps: of columns, then of rows. */
    private final int[] wideSteps = new int[2];

    /** Wide steps on the edges of each grid less those half way between them: by {@link GridPitch} of columns, then of rows. */
    private final int[] onGrids = new int[2 * GridPitch.COUNT];

    public void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(luma, 0);
        Arrays.fill(steps, 0);
        Arrays.fill(sizes, 0);
        Arrays.fill(wideSteps, 0);
        Arrays.fill(onGrids, 0);
    }

    /** Adds the counts of other histograms. */
    public void add(StrengthHistograms other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        for (int i = 0; i < LUMA_BINS; i++) {
            luma[i] += other.luma[i];
        }
        for (int i = 0; i < steps.length; i++) {
            steps[i] += other.steps[i];
            sizes[i] += other.sizes[i];
        }
        for (int i = 0; i < wideSteps.length; i++) {
            wideSteps[i] += other.wideSteps[i];
        }
        for (int i = 0; i < onGrids.length; i++) {
            onGrids[i] += other.onGrids[i];
        }
    }

    /** Counts one coefficient, given in 1/65536 of a sample value. */
    public void count(int kind, int coefficient) {
        counts[kind * BINS + bin(Math.abs(coefficient) >> 15)]++;
    }

    /** Counts a block by the sum of its 64 samples. */
    public void countLuma(int sum) {
        luma[sum >> 10]++;
    }

    /**
     * Counts what may be a step.
     *
     * @param down whether the step lies between rows, so that its line is a column
     * @param at number of the column, or row, after the step
     * @param size the difference there less those before and after it; a step if more than 0
     */
    public void countStep(boolean down, int at, int size) {
        if (size > 0) {
            int phase = (down ? PHASES : 0) + at % PHASES;
            steps[phase]++;
            sizes[phase] += Math.min(size, MOST_STEP);
        }
    }

    /**
     * Counts the wide steps around a column or row.
     *
     * @param down whether the steps lie between rows, so that their lines are columns
     * @param at number of the column, or row, in the middle of the steps
     * @param steps how many there are along all lines
     */
    public void countWideSteps(boolean down, int at, int steps) {
        if (steps > 0) {
            int direction = down ? 1 : 0;
            wideSteps[direction] += steps;
            for (int pitch = 0; pitch < GridPitch.COUNT; pitch++) {
                onGrids[direction * GridPitch.COUNT + pitch] += steps * GridPitch.side(pitch, at);
            }
        }
    }

    /** The number of wide steps of columns, or rows for 1. */
    int wideSteps(int direction) {
        return wideSteps[direction];
    }

    /** How many more of them lie on a grid than half way between its edges: of columns, from {@link GridPitch#COUNT} on of rows. */
    int onGrid(int grid) {
        return onGrids[grid];
    }

    /** The number of steps at a phase: of columns from phase 0 on, of rows from {@link #PHASES} on. */
    int steps(int phase) {
        return steps[phase];
    }

    /** The sum of the sizes of the steps at a phase. */
    int sizes(int phase) {
        return sizes[phase];
    }

    public int luma(int bin) {
        return luma[bin];
    }

    private static int bin(int halves) {
        return halves < 8 ? halves : halves < 32 ? 4 + (halves >> 1) : halves < 96 ? 12 + (halves >> 2) : BINS - 1;
    }

    /** The size at which a bin begins, in half sample values. */
    private static int begin(int bin) {
        return bin < 8 ? bin : bin < 20 ? 2 * bin - 8 : 4 * bin - 48;
    }

    private static int width(int bin) {
        return bin < 8 ? 1 : bin < 20 ? 2 : 4;
    }

    /**
     * The size, in {@link StrengthRule#UNIT}, below which as many coefficients lie off the grid as count as lost on it.
     * Text and drawings have so few small coefficients that chance alone makes this size large. So the size is at most
     * 1 unit if hardly more coefficients were lost on the grid than off it.
     */
    int lost(int aligned, int shifted) {
        int all = range(aligned, 0, BINS);
        int zeros = zeros(aligned);
        int kept = all - zeros;
        int size = quantile(shifted, zeros);
        boolean byChance = (all - zeros(shifted) - kept) * LEAST_LOSS_STEP < kept * size;
        return byChance ? Math.min(size, StrengthRule.UNIT) : size;
    }

    /**
     * The size, in {@link StrengthRule#UNIT}, below which as many coefficients of a middle frequency lie off the grid as
     * count as lost on it. A quantiser with a matrix has a larger step there than at low frequencies, a flat one the same.
     * Where hardly anything is left off the grid either, the size is small: there is little to lose.
     */
    int lostOfTexture() {
        return quantile(TEXTURE, zeros(ALIGNED_TEXTURE));
    }

    private int zeros(int kind) {
        return range(kind, 0, LOST_BINS);
    }

    /**
     * The amount of texture that a filter would take for ringing, in thousandths. It is the share of coefficients of a
     * middle frequency whose size is 4 to 12 sample values, less a third of the share of sizes 1 to 4, which are more
     * frequent in all footage. In noise, sizes 1 to 4 are texture, too, and are not subtracted. Noise is recognised by
     * few coefficients near zero, since it is everywhere, and by hardly any large ones, which edges have.
     */
    public int texture() {
        int small = range(TEXTURE, LOST_BINS, MIDDLE_BIN);
        int middle = range(TEXTURE, MIDDLE_BIN, LARGE_BIN);
        int large = range(TEXTURE, LARGE_BIN, BINS);
        int all = range(TEXTURE, 0, BINS);
        boolean noise = 5 * zeros(TEXTURE) < 2 * all && 20 * large < 7 * middle;
        return 1000 * Math.max(3 * middle - (noise ? 0 : small), 0) / Math.max(3 * all, 1);
    }

    /**
     * True if most of the picture is flat, and the rest has hard edges with hardly anything in between, as screens, titles
     * and drawings have. True also if at least a fifth is flat, and large sizes are more than twice as many as all between:
     * pages of text.
     */
    public boolean drawing() {
        int flats = zeros(TEXTURE);
        int small = range(TEXTURE, LOST_BINS, MIDDLE_BIN);
        int middle = range(TEXTURE, MIDDLE_BIN, LARGE_BIN);
        int large = range(TEXTURE, LARGE_BIN, BINS);
        int all = flats + small + middle + large;
        return (4 * flats >= 3 * all && 3 * large > 2 * small) || (5 * flats >= all && large > 2 * (small + middle));
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

    /** The number of coefficients that are not zero and less than 3/5 of a step. */
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

    /** The row or column in which a line lies, in a picture of {@code samples} rows or columns. */
    public static int line(int line, int samples) {
        return (2 * line + 1) * samples / (2 * LINES);
    }

    /** The distance of the blocks of the sample, across and down, in blocks. */
    public static int sampleStep(int blockColumns, int blockRows) {
        int step = 1;
        while ((long) sampled(blockColumns, step) * sampled(blockRows, step) > MOST_BLOCKS) {
            step++;
        }
        return step;
    }

    /** The number of blocks of the sample in a row or column of {@code blocks} blocks. */
    public static int sampled(int blocks, int step) {
        return (blocks + step - 1) / step;
    }

    /** The number of 8x8 blocks across or down of which the picture has the next 4 samples, too. */
    public static int blocks(int samples) {
        return Math.max(samples - 4, 0) / 8;
    }
}
