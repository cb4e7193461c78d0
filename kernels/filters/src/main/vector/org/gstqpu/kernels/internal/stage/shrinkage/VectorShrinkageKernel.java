/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.shrinkage;

import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.gstqpu.kernels.internal.stage.ShrinkageLimits;
import org.gstqpu.kernels.internal.stage.VectorTransformKernel;
import org.gstqpu.kernels.internal.stage.cdef.VectorCdefKernel;

/**
 * Shrinkage in vectors: a lane is a block, and no two lanes are ever combined. Belongs to one worker.
 *
 * <p>Coefficients and what is taken away fit in 16 bits. A difference of 1 in all samples of a block makes a first
 * coefficient of 64, and any other coefficient is less than 61 times the largest difference. So samples of up to 512 make
 * coefficients of up to 32768. What is taken away is at most half a threshold a coefficient, and then at most 21440 a sample.
 * Only the bound meets larger differences, in 10-bit pictures; it leaves such a band to the plain kernel.
 *
 * <p>Loops here are short and call only methods of the vector classes, and all vectors of one lane type have one size, for the
 * reasons that {@link VectorCdefKernel} gives.
 */
public final class VectorShrinkageKernel implements ShrinkageKernel {
    private static final VectorSpecies<Short> BLOCKS = ShortVector.SPECIES_128;
    private static final VectorSpecies<Integer> HALF = IntVector.SPECIES_128;

    /** Blocks in a vector. */
    private static final int STEP = 8;

    private static final int MOST_LANES = ShrinkageTile.MOST_LANES;

    /** Most samples in a row of the tile. */
    private static final int MOST_ROW = 8 * MOST_LANES;

    /** Entries of {@link #weights} for the blocks of one shift in one band: a vector of zeros, then the lanes. */
    private static final int WEIGHT_LANES = STEP + MOST_LANES;

    private static final int MOST_SHIFTS = 16;

    /** The largest change of a sample that makes coefficients of 16 bits. */
    private static final int LARGEST_DIFFERENCE = 511;

    /** The largest excess that can be scaled in 16 bits: 51 times it is less than 32768 - 32. */
    private static final int LARGEST_EXCESS = 640;

    /** Does what does not fit in 16 bits. */
    private final PlainShrinkageKernel plain = new PlainShrinkageKernel();

    // One number for each coefficient, repeated for all lanes of a vector.

    private final short[] thresholds = new short[64 * STEP];
    private final short[] bounds = new short[64 * STEP];

    /** {@link ShrinkageLimits#SCALES}, less 64 where {@link #wholes} says so, and 0 for the first coefficient. */
    private final short[] scales = new short[64 * STEP];

    /** All bits are 1 where the scale is more than 64; 82 times a coefficient of a 10-bit picture has more than 16 bits. */
    private final short[] wholes = new short[64 * STEP];

    /** The blocks after the vertical transform. Index: row, then phase and lane as in the tile. */
    private final short[] columns = new short[8 * MOST_ROW];

    /** Coefficients of one row of the blocks, then samples of all rows. Index: row, column in the block, lane. */
    private final short[] values = new short[8 * MOST_ROW];

    /** The blocks after the inverse transform of their rows, or what of their coefficients is over the bound. */
    private final short[] across = new short[8 * MOST_ROW];

    /** How many coefficients of each block are above the threshold, or its largest excess over the bound. */
    private final short[] found = new short[MOST_LANES];

    /** The first coefficient of each block. */
    private final short[] means = new short[MOST_LANES];

    /** The weights of the blocks of one shift, once for each phase: first of all even lanes, then of all odd ones. */
    private final int[] factors = new int[MOST_ROW];

    /** The weights of all blocks of both bands. Index: band, shift, {@link #WEIGHT_LANES}. */
    private final short[] weights = new short[2 * MOST_SHIFTS * WEIGHT_LANES];

    /** Sums of the weights at the samples of one row. */
    private final short[] totals = new short[MOST_ROW];

    /** Reciprocals of {@link #totals}: first of all even lanes, then of all odd ones. */
    private final int[] reciprocals = new int[MOST_ROW];

    /** What is added to the samples of one row before they are rounded, in the order of {@link #reciprocals}. */
    private final int[] roundings = new int[MOST_ROW];

    /**
     * What was taken away at each sample of both bands, times the weights. Index: row as in the tile; then first all even lanes of
     * all phases, then all odd ones.
     */
    private final int[] sums = new int[ShrinkageTile.ROWS * MOST_ROW];

    /** For all phases: all bits are 1 in the lanes whose change is bounded. */
    private final short[] bounded = new short[MOST_ROW];

    private ShrinkageTile tile;
    private ShrinkageLimits limits;
    private ShrinkageShifts shifts;

    /** Lanes of the tile. */
    private int lanes;

    /** Samples in a row of the tile. */
    private int row;

    @Override
    public void begin(ShrinkageTile tile, ShrinkageLimits limits, ShrinkageShifts shifts) {
        plain.begin(tile, limits, shifts);
        this.tile = tile;
        this.limits = limits;
        this.shifts = shifts;
        lanes = tile.lanes();
        row = 8 * lanes;
        for (int k = 0; k < 64; k++) {
            int scale = ShrinkageLimits.SCALES[k];
            fill(thresholds, k, limits.thresholds[k]);
            fill(bounds, k, limits.bounds[k]);
            fill(scales, k, scale & 63);
            fill(wholes, k, scale > 64 ? -1 : 0);
        }
        Arrays.fill(weights, (short) 0);
        Arrays.fill(factors, 0);
        Arrays.fill(sums, 0);
        for (int i = 0; i < row; i++) {
            int lane = i % lanes;
            bounded[i] = (short) (lane >= tile.firstWhole() && lane < tile.endOfWhole() ? -1 : 0);
        }
    }

    private static void fill(short[] numbers, int k, int number) {
        Arrays.fill(numbers, STEP * k, STEP * (k + 1), (short) number);
    }

    @Override
    public void shrink(int band) {
        fill(scales, 0, 0);
        fill(thresholds, 0, Short.MAX_VALUE);
        for (int shift = 0; shift < shifts.count(); shift++) {
            int firstRow = 8 * band + shifts.row(shift);
            if (shift == 0 || shifts.row(shift) != shifts.row(shift - 1)) {
                VectorTransformKernel.forward(
                        tile.samples,
                        line(firstRow),
                        line(firstRow + 1),
                        line(firstRow + 2),
                        line(firstRow + 3),
                        line(firstRow + 4),
                        line(firstRow + 5),
                        line(firstRow + 6),
                        line(firstRow + 7),
                        columns,
                        row);
            }
            int column = shifts.column(shift);
            Arrays.fill(found, (short) 0);
            for (int y = 0; y < 8; y++) {
                forwardAcross(y, column);
                if (y == 0) {
                    System.arraycopy(values, 0, means, 0, lanes);
                }
                shrinkRow(values, found, thresholds, scales, wholes, y * 8 * STEP, lanes);
                VectorTransformKernel.inverse(values, lanes, across, y * row, lanes);
            }
            weigh((band * MOST_SHIFTS + shift) * WEIGHT_LANES + STEP);
            VectorTransformKernel.inverse(across, row, values, 0, row);
            for (int y = 0; y < 8; y++) {
                addRow(line(firstRow + y), column, y * row);
            }
        }
        finish(band);
    }

    /** Where a row begins in the tile. */
    private int line(int y) {
        return y % ShrinkageTile.ROWS * row;
    }

    /** Transforms row {@code y} of the blocks that begin in this column. */
    private void forwardAcross(int y, int column) {
        int from = y * row;
        VectorTransformKernel.forward(
                columns,
                from + phase(column),
                from + phase(column + 1),
                from + phase(column + 2),
                from + phase(column + 3),
                from + phase(column + 4),
                from + phase(column + 5),
                from + phase(column + 6),
                from + phase(column + 7),
                values,
                lanes);
    }

    /** Where in a row the samples of this column lie, of all lanes. */
    private int phase(int column) {
        return column % 8 * lanes + column / 8;
    }

    /**
     * Makes of one row of coefficients what is taken away of it, scaled.
     *
     * @param values eight coefficients of all blocks
     * @param large counts the coefficients above the threshold
     * @param first index of the row's first number in {@code thresholds}, {@code scales} and {@code wholes}
     * @param lanes how many blocks
     */
    private static void shrinkRow(
            short[] values, short[] large, short[] thresholds, short[] scales, short[] wholes, int first, int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            ShortVector count = ShortVector.fromArray(BLOCKS, large, i);
            for (int k = 0; k < 8; k++) {
                ShortVector value = ShortVector.fromArray(BLOCKS, values, k * lanes + i);
                ShortVector below = ShortVector.fromArray(BLOCKS, thresholds, first + k * STEP)
                        .sub(value.abs());
                // The shift makes -1 of a negative number.
                count = count.sub(below.lanewise(VectorOperators.ASHR, 15));
                ShortVector most = below.max((short) 0);
                ShortVector removed = value.max(most.neg()).min(most);
                removed.mul(ShortVector.fromArray(BLOCKS, scales, first + k * STEP))
                        .add((short) 32)
                        .lanewise(VectorOperators.ASHR, 6)
                        .add(removed.and(ShortVector.fromArray(BLOCKS, wholes, first + k * STEP)))
                        .intoArray(values, k * lanes + i);
            }
            count.intoArray(large, i);
        }
    }

    /** Computes the weights of the blocks of one shift, and keeps them from index {@code to} on. */
    private void weigh(int to) {
        int half = lanes / 2;
        // The first coefficient is 64 times less, for each sample, than that of samples from 0 up.
        int threshold = limits.thresholds[0] - 64 * tile.centre;
        for (int lane = 0; lane <= tile.blocks(); lane++) {
            int large = found[lane] + (means[lane] > threshold ? 1 : 0);
            int weight = ShrinkageLimits.WEIGHTS[Math.max(0, large - 1)];
            weights[to + lane] = (short) weight;
            factors[(lane & 1) * row / 2 + lane / 2] = weight;
        }
        for (int phase = 1; phase < 8; phase++) {
            System.arraycopy(factors, 0, factors, phase * half, half);
            System.arraycopy(factors, row / 2, factors, row / 2 + phase * half, half);
        }
    }

    /**
     * Adds one row of the blocks that begin in this column to {@link #sums}.
     *
     * @param line of the tile, where the row begins
     * @param from index of the row in {@link #values}
     */
    private void addRow(int line, int column, int from) {
        int first = line + column * lanes / 2;
        int split = (8 - column) * lanes;
        add(values, from, factors, row / 2, sums, first, first + row / 2, split);
        // From here on a lane further: even lanes come to odd ones, and odd lanes to the even ones after them. No block
        // is in the last lane.
        add(values, from + split, factors, row / 2, sums, line + row / 2, line + 1, column * lanes);
    }

    private static void add(
            short[] values, int from, int[] factors, int oddFactors, int[] sums, int even, int odd, int count) {
        for (int i = 0; i < count; i += STEP) {
            int j = i / 2;
            IntVector pairs = ShortVector.fromArray(BLOCKS, values, from + i).reinterpretAsInts();
            pairs.lanewise(VectorOperators.LSHL, 16)
                    .lanewise(VectorOperators.ASHR, 16)
                    .mul(IntVector.fromArray(HALF, factors, j))
                    .add(IntVector.fromArray(HALF, sums, even + j))
                    .intoArray(sums, even + j);
            pairs.lanewise(VectorOperators.ASHR, 16)
                    .mul(IntVector.fromArray(HALF, factors, oddFactors + j))
                    .add(IntVector.fromArray(HALF, sums, odd + j))
                    .intoArray(sums, odd + j);
        }
    }

    /** Replaces the samples of a band by the result, and clears its sums. */
    private void finish(int band) {
        for (int y = 0; y < 8; y++) {
            weighRow(band, y);
            invert(totals, reciprocals, row / 2);
            chooseRoundings(y);
            subtract(tile.samples, line(8 * band + y), sums, reciprocals, roundings, tile.low, tile.high, row);
        }
    }

    private static void invert(short[] totals, int[] reciprocals, int half) {
        int[] table = ShrinkageLimits.RECIPROCALS;
        for (int i = 0; i < half; i++) {
            reciprocals[i] = table[totals[2 * i]];
            reciprocals[half + i] = table[totals[2 * i + 1]];
        }
    }

    private void chooseRoundings(int y) {
        int half = lanes / 2;
        int flatTotal = ShrinkageLimits.flatTotal(shifts.count());
        for (int phase = 0; phase < 8; phase++) {
            choose(
                    totals,
                    phase * lanes,
                    flatTotal,
                    tile.flatRounding(y, phase),
                    roundings,
                    phase * half,
                    row / 2,
                    half);
        }
    }

    private static void choose(
            short[] totals, int from, int flatTotal, int flatRounding, int[] roundings, int to, int odd, int half) {
        for (int i = 0; i < half; i++) {
            roundings[to + i] = totals[from + 2 * i] == flatTotal ? flatRounding : ShrinkageLimits.HALF;
            roundings[odd + to + i] = totals[from + 2 * i + 1] == flatTotal ? flatRounding : ShrinkageLimits.HALF;
        }
    }

    /** Computes the sums of the weights at the samples of this row of the band. */
    private void weighRow(int band, int y) {
        Arrays.fill(totals, 0, lanes, (short) 0);
        for (int shift = 0; shift < shifts.count(); shift++) {
            addWeights(weights, weightsAt(band, shift, y) - (shifts.column(shift) > 0 ? 1 : 0), totals, lanes);
        }
        for (int x = 1; x < 8; x++) {
            System.arraycopy(totals, (x - 1) * lanes, totals, x * lanes, lanes);
            for (int shift = 0; shift < shifts.count(); shift++) {
                if (shifts.column(shift) == x) {
                    changeWeights(weights, weightsAt(band, shift, y), totals, x * lanes, lanes);
                }
            }
        }
    }

    /** Where the weights of a shift begin whose blocks reach this row of the band. */
    private int weightsAt(int band, int shift, int y) {
        int from = y >= shifts.row(shift) ? band : 1 - band;
        return (from * MOST_SHIFTS + shift) * WEIGHT_LANES + STEP;
    }

    private static void addWeights(short[] weights, int from, short[] totals, int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            ShortVector.fromArray(BLOCKS, weights, from + i)
                    .add(ShortVector.fromArray(BLOCKS, totals, i))
                    .intoArray(totals, i);
        }
    }

    /** Goes on from the block of the lane before to that of the lane. */
    private static void changeWeights(short[] weights, int from, short[] totals, int to, int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            ShortVector.fromArray(BLOCKS, totals, to + i)
                    .sub(ShortVector.fromArray(BLOCKS, weights, from + i - 1))
                    .add(ShortVector.fromArray(BLOCKS, weights, from + i))
                    .intoArray(totals, to + i);
        }
    }

    private static void subtract(
            short[] samples, int at, int[] sums, int[] reciprocals, int[] roundings, int low, int high, int row) {
        int half = row / 2;
        for (int i = 0; i < row; i += STEP) {
            int even = i / 2;
            int odd = half + even;
            IntVector left = IntVector.fromArray(HALF, sums, at + even)
                    .mul(IntVector.fromArray(HALF, reciprocals, even))
                    .add(IntVector.fromArray(HALF, roundings, even))
                    .lanewise(VectorOperators.ASHR, 21);
            IntVector right = IntVector.fromArray(HALF, sums, at + odd)
                    .mul(IntVector.fromArray(HALF, reciprocals, odd))
                    .add(IntVector.fromArray(HALF, roundings, odd))
                    .lanewise(VectorOperators.ASHR, 21);
            ShortVector change = left.and(0xffff)
                    .or(right.lanewise(VectorOperators.LSHL, 16))
                    .reinterpretAsShorts();
            ShortVector.fromArray(BLOCKS, samples, at + i)
                    .sub(change)
                    .max((short) low)
                    .min((short) high)
                    .intoArray(samples, at + i);
            IntVector.zero(HALF).intoArray(sums, at + even);
            IntVector.zero(HALF).intoArray(sums, at + odd);
        }
    }

    @Override
    public void bound(int band) {
        int first = 8 * band * row;
        for (int i = 0; i < 8 * row; i += row) {
            difference(tile.samples, first + i, tile.decoded, bounded, values, i, row);
        }
        boolean wide = tile.centre != 0;
        if (wide && largestDifference() > LARGEST_DIFFERENCE) {
            plain.bound(band);
            return;
        }
        VectorTransformKernel.forward(
                values, 0, row, 2 * row, 3 * row, 4 * row, 5 * row, 6 * row, 7 * row, columns, row);
        Arrays.fill(found, (short) 0);
        for (int y = 0; y < 8; y++) {
            forwardAcross(y, 0);
            overBound(values, bounds, y * 8 * STEP, found, across, y * row, lanes);
        }
        int largest = largestFound();
        if (wide && largest > LARGEST_EXCESS) {
            plain.bound(band);
        } else if (largest > 0) {
            reduce(first);
        }
    }

    private static void difference(
            short[] samples, int at, short[] decoded, short[] bounded, short[] out, int to, int row) {
        for (int i = 0; i < row; i += STEP) {
            ShortVector.fromArray(BLOCKS, samples, at + i)
                    .sub(ShortVector.fromArray(BLOCKS, decoded, to + i))
                    .and(ShortVector.fromArray(BLOCKS, bounded, i))
                    .intoArray(out, to + i);
        }
    }

    private int largestDifference() {
        Arrays.fill(found, (short) 0);
        largest(values, 8 * row, found);
        return largestFound();
    }

    private static void largest(short[] values, int count, short[] out) {
        ShortVector largest = ShortVector.zero(BLOCKS);
        for (int i = 0; i < count; i += STEP) {
            largest = largest.max(ShortVector.fromArray(BLOCKS, values, i).abs());
        }
        largest.intoArray(out, 0);
    }

    private int largestFound() {
        int largest = 0;
        for (int lane = 0; lane < lanes; lane++) {
            largest = Math.max(largest, found[lane]);
        }
        return largest;
    }

    /** Makes of one row of a change's coefficients what is over the bound. */
    private static void overBound(
            short[] values, short[] bounds, int first, short[] largest, short[] out, int to, int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            ShortVector most = ShortVector.fromArray(BLOCKS, largest, i);
            for (int k = 0; k < 8; k++) {
                ShortVector value = ShortVector.fromArray(BLOCKS, values, k * lanes + i);
                ShortVector bound = ShortVector.fromArray(BLOCKS, bounds, first + k * STEP);
                ShortVector excess = value.sub(value.max(bound.neg()).min(bound));
                most = most.max(excess.abs());
                excess.intoArray(out, to + k * lanes + i);
            }
            most.intoArray(largest, i);
        }
    }

    /**
     * Takes the excess over the bound away from the samples of a band.
     *
     * @param first index of the band's first sample
     */
    private void reduce(int first) {
        fill(scales, 0, ShrinkageLimits.SCALES[0]);
        for (int y = 0; y < 8; y++) {
            scale(across, y * row, limits.largestExcess, scales, wholes, y * 8 * STEP, values, lanes);
            VectorTransformKernel.inverse(values, lanes, columns, y * row, lanes);
        }
        VectorTransformKernel.inverse(columns, row, values, 0, row);
        subtract(tile.samples, first, values, tile.low, tile.high, 8 * row);
    }

    private static void scale(
            short[] excess, int from, int largest, short[] scales, short[] wholes, int first, short[] out, int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            for (int k = 0; k < 8; k++) {
                ShortVector value = ShortVector.fromArray(BLOCKS, excess, from + k * lanes + i)
                        .max((short) -largest)
                        .min((short) largest);
                value.mul(ShortVector.fromArray(BLOCKS, scales, first + k * STEP))
                        .add((short) 32)
                        .lanewise(VectorOperators.ASHR, 6)
                        .add(value.and(ShortVector.fromArray(BLOCKS, wholes, first + k * STEP)))
                        .intoArray(out, k * lanes + i);
            }
        }
    }

    private static void subtract(short[] samples, int at, short[] excess, int low, int high, int count) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector change =
                    ShortVector.fromArray(BLOCKS, excess, i).add((short) 16).lanewise(VectorOperators.ASHR, 5);
            ShortVector.fromArray(BLOCKS, samples, at + i)
                    .sub(change)
                    .max((short) low)
                    .min((short) high)
                    .intoArray(samples, at + i);
        }
    }
}
