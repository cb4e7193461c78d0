/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * CDEF in vectors. The filter takes a row of a block, eight samples, at a time. The direction search takes eight blocks
 * at a time, each in a lane of its own, so that no two lanes are ever combined. Belongs to one worker.
 *
 * <p>The JVM's compiler makes vector instructions of a loop that it can inline as a whole; of any other loop it makes
 * an object for every vector. So a loop here calls only methods of the vector classes, which are always inlined, and
 * calls few of them.
 *
 * <p>All vectors of one lane type have one size, in this and the other kernels. The compiler of JDK 17 learns the sizes
 * in a method from the method's callers, and makes objects if callers differ.
 */
public final class VectorCdefKernel implements CdefKernel {
    private static final VectorSpecies<Short> ROW = ShortVector.SPECIES_128;
    private static final VectorSpecies<Short> BLOCKS = ShortVector.SPECIES_128;
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;
    private static final VectorSpecies<Integer> HALF = IntVector.SPECIES_128;

    private static final int TILE_BLOCKS = 64;
    private static final int ROW_BLOCKS = 8;
    private static final int DIRECTIONS = 8;

    /** Samples in a row of {@link #single}, padding included. */
    private static final int SINGLE_ROW = 7 + 8;

    /** Sums in a column of {@link #inRow}, padding included. */
    private static final int ROW_COLUMN = 3 + 8 + 3;

    /** Sums in a row of {@link #inColumn}, padding included. */
    private static final int COLUMN_ROW = 3 + 8;

    // 840 divided by the samples on each line. The weights make the sums over lines of different lengths comparable.
    private static final int[] DIAGONAL = {840, 420, 280, 210, 168, 140, 120, 105, 120, 140, 168, 210, 280, 420, 840};
    private static final int[] SLANTED = {420, 210, 140, 105, 105, 105, 105, 105, 140, 210, 420};
    private static final int[] STRAIGHT = {105, 105, 105, 105, 105, 105, 105, 105};

    /** Clears the sign of {@link CdefConstraints#UNAVAILABLE}, which is then more than any sample. */
    private static final short MAGNITUDE = 0x7fff;

    private final int coefficientShift;

    /** One line of samples across a row of eight blocks, two samples a word. */
    private final int[] line = new int[4 * ROW_BLOCKS];

    /**
     * The samples of a row of eight blocks, two neighbouring samples a word. Index: row and column in the block, then
     * block.
     */
    private final int[] words = new int[8 * 4 * ROW_BLOCKS];

    /**
     * The samples of {@link #words}, reduced to 8 bit, less 128. Each row has eight samples, with seven zeros between
     * rows.
     */
    private final short[] single = new short[(8 * SINGLE_ROW + 7) * ROW_BLOCKS];

    /**
     * Sums of two neighbours in a row, column after column. A column has eight sums, with three zeros before and after
     * them.
     */
    private final short[] inRow = new short[4 * ROW_COLUMN * ROW_BLOCKS];

    /** Sums of two neighbours in a column. Each row has eight sums, with three zeros between rows. */
    private final short[] inColumn = new short[(4 * COLUMN_ROW + 3) * ROW_BLOCKS];

    /** Cost of each direction. Index: direction, then block. */
    private final int[] costs = new int[DIRECTIONS * ROW_BLOCKS];

    private final int[] directions = new int[TILE_BLOCKS];
    private final int[] variances = new int[TILE_BLOCKS];
    private int variance;

    /**
     * Of each row of the current block, between the two groups of taps: the sums, the largest taps and the smallest. The
     * rows lie as far apart as a tile's, so that one loop variable serves both.
     */
    private final short[] partial = new short[8 * CdefTile.STRIDE];

    /** Makes a kernel for samples of {@code bitDepth} bits. */
    public VectorCdefKernel(int bitDepth) {
        this.coefficientShift = bitDepth - 8;
    }

    @Override
    public void begin(CdefTile tile, int columns, int rows) {
        for (int y = 0; y < rows; y += 8) {
            gather(tile.in, CdefTile.ORIGIN + y * CdefTile.STRIDE, columns, Math.min(8, rows - y));
            pair();
            eightTerms(0, 7, SINGLE_ROW - 1);
            fourTerms(1, inRow, 3, ROW_COLUMN - 1, SLANTED);
            fourTerms(2, inRow, 3, ROW_COLUMN, STRAIGHT);
            fourTerms(3, inRow, 0, ROW_COLUMN + 1, SLANTED);
            eightTerms(4, 0, SINGLE_ROW + 1);
            fourTerms(5, inColumn, 0, COLUMN_ROW + 1, SLANTED);
            fourTerms(6, inColumn, 3, COLUMN_ROW, STRAIGHT);
            fourTerms(7, inColumn, 3, COLUMN_ROW - 1, SLANTED);
            decide(y);
        }
    }

    private void gather(short[] in, int index, int columns, int rows) {
        for (int row = 0; row < 8; row++) {
            // Below the picture, its last row is repeated.
            int from = index + Math.min(row, rows - 1) * CdefTile.STRIDE;
            if (columns == 64) {
                readLine(in, from);
            } else {
                readPartOfLine(in, from, columns);
            }
            turn(line, words, row * 4 * ROW_BLOCKS);
        }
    }

    private void readLine(short[] in, int from) {
        for (int i = 0; i < 64; i += BLOCKS.length()) {
            ShortVector.fromArray(BLOCKS, in, from + i).reinterpretAsInts().intoArray(line, i / 2);
        }
    }

    private void readPartOfLine(short[] in, int from, int columns) {
        for (int i = 0; 2 * i < columns; i++) {
            line[i] = in[from + 2 * i] | in[from + Math.min(2 * i + 1, columns - 1)] << 16;
        }
        // Right of the picture, its last column is repeated.
        for (int i = (columns + 1) / 2; i < (columns + 7) / 8 * 4; i++) {
            line[i] = in[from + columns - 1] * 0x10001;
        }
    }

    private static void turn(int[] from, int[] to, int first) {
        for (int block = 0; block < ROW_BLOCKS; block++) {
            to[first + block] = from[4 * block];
            to[first + ROW_BLOCKS + block] = from[4 * block + 1];
            to[first + 2 * ROW_BLOCKS + block] = from[4 * block + 2];
            to[first + 3 * ROW_BLOCKS + block] = from[4 * block + 3];
        }
    }

    /**
     * Splits words into samples, reduces samples to 8 bit, and sums neighbours. In the results, block i lies next to
     * block i + 4.
     */
    private void pair() {
        for (int row = 0; row < 8; row += 2) {
            for (int column = 0; column < 8; column += 2) {
                int from = (row * 8 + column) / 2 * ROW_BLOCKS;
                IntVector lowAbove = IntVector.fromArray(HALF, words, from);
                IntVector highAbove = IntVector.fromArray(HALF, words, from + HALF.length());
                ShortVector a = lowAbove.and(0xffff)
                        .or(highAbove.lanewise(VectorOperators.LSHL, 16))
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.ASHR, coefficientShift)
                        .sub((short) 128);
                ShortVector b = lowAbove.lanewise(VectorOperators.LSHR, 16)
                        .or(highAbove.and(0xffff0000))
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.ASHR, coefficientShift)
                        .sub((short) 128);
                IntVector lowBelow = IntVector.fromArray(HALF, words, from + 4 * ROW_BLOCKS);
                IntVector highBelow = IntVector.fromArray(HALF, words, from + 4 * ROW_BLOCKS + HALF.length());
                ShortVector c = lowBelow.and(0xffff)
                        .or(highBelow.lanewise(VectorOperators.LSHL, 16))
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.ASHR, coefficientShift)
                        .sub((short) 128);
                ShortVector d = lowBelow.lanewise(VectorOperators.LSHR, 16)
                        .or(highBelow.and(0xffff0000))
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.ASHR, coefficientShift)
                        .sub((short) 128);
                int to = (row * SINGLE_ROW + 7 + column) * ROW_BLOCKS;
                a.intoArray(single, to);
                b.intoArray(single, to + ROW_BLOCKS);
                c.intoArray(single, to + SINGLE_ROW * ROW_BLOCKS);
                d.intoArray(single, to + (SINGLE_ROW + 1) * ROW_BLOCKS);
                to = (column / 2 * ROW_COLUMN + 3 + row) * ROW_BLOCKS;
                a.add(b).intoArray(inRow, to);
                c.add(d).intoArray(inRow, to + ROW_BLOCKS);
                to = (row / 2 * COLUMN_ROW + 3 + column) * ROW_BLOCKS;
                a.add(c).intoArray(inColumn, to);
                b.add(d).intoArray(inColumn, to + ROW_BLOCKS);
            }
        }
    }

    /**
     * Computes the cost of a direction whose lines have one sample of each row.
     *
     * @param first index of the first sample of the first line
     * @param step from one sample of a line to the next
     */
    private void eightTerms(int direction, int first, int step) {
        IntVector left = IntVector.zero(HALF);
        IntVector right = IntVector.zero(HALF);
        int stride = step * ROW_BLOCKS;
        for (int line = 0; line < DIAGONAL.length; line++) {
            int at = (first + line) * ROW_BLOCKS;
            ShortVector sum = ShortVector.fromArray(BLOCKS, single, at)
                    .add(ShortVector.fromArray(BLOCKS, single, at + stride))
                    .add(ShortVector.fromArray(BLOCKS, single, at + 2 * stride))
                    .add(ShortVector.fromArray(BLOCKS, single, at + 3 * stride))
                    .add(ShortVector.fromArray(BLOCKS, single, at + 4 * stride))
                    .add(ShortVector.fromArray(BLOCKS, single, at + 5 * stride))
                    .add(ShortVector.fromArray(BLOCKS, single, at + 6 * stride))
                    .add(ShortVector.fromArray(BLOCKS, single, at + 7 * stride));
            IntVector sums = sum.reinterpretAsInts();
            IntVector leftSums = sums.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16);
            IntVector rightSums = sums.lanewise(VectorOperators.ASHR, 16);
            left = left.add(leftSums.mul(leftSums).mul(DIAGONAL[line]));
            right = right.add(rightSums.mul(rightSums).mul(DIAGONAL[line]));
        }
        left.intoArray(costs, direction * ROW_BLOCKS);
        right.intoArray(costs, direction * ROW_BLOCKS + HALF.length());
    }

    /**
     * Computes the cost of a direction whose lines have up to four sums of neighbours. Zeros complete shorter lines.
     *
     * @param first index of the first sum of the first line; the next line begins one sum further
     * @param step from one sum of a line to the next
     */
    private void fourTerms(int direction, short[] terms, int first, int step, int[] weights) {
        IntVector left = IntVector.zero(HALF);
        IntVector right = IntVector.zero(HALF);
        int stride = step * ROW_BLOCKS;
        for (int line = 0; line < weights.length; line++) {
            int at = (first + line) * ROW_BLOCKS;
            ShortVector sum = ShortVector.fromArray(BLOCKS, terms, at)
                    .add(ShortVector.fromArray(BLOCKS, terms, at + stride))
                    .add(ShortVector.fromArray(BLOCKS, terms, at + 2 * stride))
                    .add(ShortVector.fromArray(BLOCKS, terms, at + 3 * stride));
            IntVector sums = sum.reinterpretAsInts();
            IntVector leftSums = sums.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16);
            IntVector rightSums = sums.lanewise(VectorOperators.ASHR, 16);
            left = left.add(leftSums.mul(leftSums).mul(weights[line]));
            right = right.add(rightSums.mul(rightSums).mul(weights[line]));
        }
        left.intoArray(costs, direction * ROW_BLOCKS);
        right.intoArray(costs, direction * ROW_BLOCKS + HALF.length());
    }

    private void decide(int y) {
        for (int half = 0; half < ROW_BLOCKS; half += HALF.length()) {
            IntVector best = IntVector.zero(HALF);
            IntVector bestCost = IntVector.fromArray(HALF, costs, half);
            IntVector across = IntVector.fromArray(HALF, costs, 4 * ROW_BLOCKS + half);
            for (int direction = 1; direction < DIRECTIONS; direction++) {
                IntVector cost = IntVector.fromArray(HALF, costs, direction * ROW_BLOCKS + half);
                IntVector opposite = IntVector.fromArray(HALF, costs, ((direction + 4) & 7) * ROW_BLOCKS + half);
                // All bits are 1 if the cost is higher. This works because no cost is negative.
                IntVector better = bestCost.sub(cost).lanewise(VectorOperators.ASHR, 31);
                bestCost = bestCost.max(cost);
                best = best.max(better.and(direction));
                across = across.add(opposite.sub(across).and(better));
            }
            best.intoArray(directions, y + half);
            bestCost.sub(across).lanewise(VectorOperators.ASHR, 10).intoArray(variances, y + half);
        }
    }

    @Override
    public int search(int x, int y) {
        int block = y + (x >> 3);
        variance = variances[block];
        return directions[block];
    }

    @Override
    public int variance() {
        return variance;
    }

    @Override
    public void filter(
            CdefTile tile, int index, int rows, int pixelStep, int primary, int secondary, int direction, int damping) {
        boolean odd = (primary >> coefficientShift & 1) != 0;
        int near = CdefBlockFilter.offset1(direction, CdefTile.STRIDE, pixelStep);
        int far = CdefBlockFilter.offset2(direction, CdefTile.STRIDE, pixelStep);
        int nearLeft = CdefBlockFilter.offset1(direction - 2, CdefTile.STRIDE, pixelStep);
        int farLeft = CdefBlockFilter.offset2(direction - 2, CdefTile.STRIDE, pixelStep);
        int nearRight = CdefBlockFilter.offset1(direction + 2, CdefTile.STRIDE, pixelStep);
        int farRight = CdefBlockFilter.offset2(direction + 2, CdefTile.STRIDE, pixelStep);
        int end = index + rows * CdefTile.STRIDE;
        int primaryShift = CdefConstraints.shift(primary, damping);
        int secondaryShift = CdefConstraints.shift(secondary, damping);
        if (secondary == 0) {
            filterAlong(tile.in, tile.out, index, end, near, far, (short) primary, primaryShift, odd);
        } else if (primary == 0) {
            filterAcross(
                    tile.in,
                    tile.out,
                    index,
                    end,
                    nearLeft,
                    farLeft,
                    nearRight,
                    farRight,
                    (short) secondary,
                    secondaryShift);
        } else {
            sumAlong(tile.in, partial, index, end, near, far, (short) primary, primaryShift, odd);
            addAcross(
                    tile.in,
                    partial,
                    tile.out,
                    index,
                    end,
                    nearLeft,
                    farLeft,
                    nearRight,
                    farRight,
                    (short) secondary,
                    secondaryShift);
        }
    }

    /** Sums the primary taps of a block that has secondary taps, too, and finds the smallest and the largest. */
    private static void sumAlong(
            short[] in,
            short[] partial,
            int index,
            int end,
            int near,
            int far,
            short primary,
            int primaryShift,
            boolean odd) {
        ShortVector primaryLimit = ShortVector.broadcast(ROW, primary);
        short nearWeight = (short) (odd ? 3 : 4);
        short farWeight = (short) (odd ? 3 : 2);
        for (int at = index; at < end; at += CdefTile.STRIDE) {
            int to = at - index;
            ShortVector x = ShortVector.fromArray(ROW, in, at);
            ShortVector sum = ShortVector.zero(ROW);
            ShortVector most = x;
            ShortVector least = x;
            int along = near;
            short weight = nearWeight;
            for (int pair = 0; pair < 2; pair++) {
                ShortVector ahead = ShortVector.fromArray(ROW, in, at + along);
                ShortVector behind = ShortVector.fromArray(ROW, in, at - along);
                most = most.max(ahead).max(behind);
                least = least.min(ahead.and(MAGNITUDE)).min(behind.and(MAGNITUDE));
                ahead = ahead.sub(x);
                behind = behind.sub(x);
                ShortVector aheadKept = primaryLimit
                        .sub(ahead.abs().lanewise(VectorOperators.ASHR, primaryShift))
                        .max((short) 0);
                ShortVector behindKept = primaryLimit
                        .sub(behind.abs().lanewise(VectorOperators.ASHR, primaryShift))
                        .max((short) 0);
                sum = sum.add(ahead.min(aheadKept)
                        .max(aheadKept.neg())
                        .add(behind.min(behindKept).max(behindKept.neg()))
                        .mul(weight));
                along = far;
                weight = farWeight;
            }
            sum.intoArray(partial, to);
            most.intoArray(partial, to + 8);
            least.intoArray(partial, to + 16);
        }
    }

    /** Adds the secondary taps to what {@link #sumAlong} has found. The smallest and the largest tap limit the result. */
    private static void addAcross(
            short[] in,
            short[] partial,
            short[] out,
            int index,
            int end,
            int nearLeft,
            int farLeft,
            int nearRight,
            int farRight,
            short secondary,
            int secondaryShift) {
        ShortVector secondaryLimit = ShortVector.broadcast(ROW, secondary);
        for (int at = index; at < end; at += CdefTile.STRIDE) {
            int to = at - index;
            ShortVector x = ShortVector.fromArray(ROW, in, at);
            ShortVector sum = ShortVector.fromArray(ROW, partial, to);
            ShortVector most = ShortVector.fromArray(ROW, partial, to + 8);
            ShortVector least = ShortVector.fromArray(ROW, partial, to + 16);
            int left = nearLeft;
            int right = nearRight;
            int doubled = 1;
            for (int distance = 0; distance < 2; distance++) {
                ShortVector a = ShortVector.fromArray(ROW, in, at + left);
                ShortVector b = ShortVector.fromArray(ROW, in, at - left);
                ShortVector c = ShortVector.fromArray(ROW, in, at + right);
                ShortVector d = ShortVector.fromArray(ROW, in, at - right);
                most = most.max(a).max(b).max(c).max(d);
                least = least.min(a.and(MAGNITUDE))
                        .min(b.and(MAGNITUDE))
                        .min(c.and(MAGNITUDE))
                        .min(d.and(MAGNITUDE));
                a = a.sub(x);
                b = b.sub(x);
                c = c.sub(x);
                d = d.sub(x);
                ShortVector aKept = secondaryLimit
                        .sub(a.abs().lanewise(VectorOperators.ASHR, secondaryShift))
                        .max((short) 0);
                ShortVector bKept = secondaryLimit
                        .sub(b.abs().lanewise(VectorOperators.ASHR, secondaryShift))
                        .max((short) 0);
                ShortVector cKept = secondaryLimit
                        .sub(c.abs().lanewise(VectorOperators.ASHR, secondaryShift))
                        .max((short) 0);
                ShortVector dKept = secondaryLimit
                        .sub(d.abs().lanewise(VectorOperators.ASHR, secondaryShift))
                        .max((short) 0);
                sum = sum.add(a.min(aKept)
                        .max(aKept.neg())
                        .add(b.min(bKept).max(bKept.neg()))
                        .add(c.min(cKept).max(cKept.neg()))
                        .add(d.min(dKept).max(dKept.neg()))
                        .lanewise(VectorOperators.LSHL, doubled));
                left = farLeft;
                right = farRight;
                doubled = 0;
            }
            ShortVector change = sum.add(sum.lanewise(VectorOperators.ASHR, 15))
                    .add((short) 8)
                    .lanewise(VectorOperators.ASHR, 4);
            x.add(change).min(most).max(least).intoArray(out, at);
        }
    }

    /** Filters with primary taps only. Such a result never lies beyond its taps, so it needs no limits. */
    private static void filterAlong(
            short[] in,
            short[] out,
            int index,
            int end,
            int near,
            int far,
            short primary,
            int primaryShift,
            boolean odd) {
        ShortVector primaryLimit = ShortVector.broadcast(ROW, primary);
        short nearWeight = (short) (odd ? 3 : 4);
        short farWeight = (short) (odd ? 3 : 2);
        for (int at = index; at < end; at += CdefTile.STRIDE) {
            ShortVector x = ShortVector.fromArray(ROW, in, at);
            ShortVector sum = ShortVector.zero(ROW);
            int along = near;
            short weight = nearWeight;
            for (int pair = 0; pair < 2; pair++) {
                ShortVector ahead = ShortVector.fromArray(ROW, in, at + along);
                ShortVector behind = ShortVector.fromArray(ROW, in, at - along);
                ahead = ahead.sub(x);
                behind = behind.sub(x);
                ShortVector aheadKept = primaryLimit
                        .sub(ahead.abs().lanewise(VectorOperators.ASHR, primaryShift))
                        .max((short) 0);
                ShortVector behindKept = primaryLimit
                        .sub(behind.abs().lanewise(VectorOperators.ASHR, primaryShift))
                        .max((short) 0);
                sum = sum.add(ahead.min(aheadKept)
                        .max(aheadKept.neg())
                        .add(behind.min(behindKept).max(behindKept.neg()))
                        .mul(weight));
                along = far;
                weight = farWeight;
            }
            ShortVector change = sum.add(sum.lanewise(VectorOperators.ASHR, 15))
                    .add((short) 8)
                    .lanewise(VectorOperators.ASHR, 4);
            x.add(change).intoArray(out, at);
        }
    }

    /** Filters with secondary taps only. Such a result never lies beyond its taps, so it needs no limits. */
    private static void filterAcross(
            short[] in,
            short[] out,
            int index,
            int end,
            int nearLeft,
            int farLeft,
            int nearRight,
            int farRight,
            short secondary,
            int secondaryShift) {
        ShortVector secondaryLimit = ShortVector.broadcast(ROW, secondary);
        for (int at = index; at < end; at += CdefTile.STRIDE) {
            ShortVector x = ShortVector.fromArray(ROW, in, at);
            ShortVector sum = ShortVector.zero(ROW);
            int left = nearLeft;
            int right = nearRight;
            int doubled = 1;
            for (int distance = 0; distance < 2; distance++) {
                ShortVector a = ShortVector.fromArray(ROW, in, at + left);
                ShortVector b = ShortVector.fromArray(ROW, in, at - left);
                ShortVector c = ShortVector.fromArray(ROW, in, at + right);
                ShortVector d = ShortVector.fromArray(ROW, in, at - right);
                a = a.sub(x);
                b = b.sub(x);
                c = c.sub(x);
                d = d.sub(x);
                ShortVector aKept = secondaryLimit
                        .sub(a.abs().lanewise(VectorOperators.ASHR, secondaryShift))
                        .max((short) 0);
                ShortVector bKept = secondaryLimit
                        .sub(b.abs().lanewise(VectorOperators.ASHR, secondaryShift))
                        .max((short) 0);
                ShortVector cKept = secondaryLimit
                        .sub(c.abs().lanewise(VectorOperators.ASHR, secondaryShift))
                        .max((short) 0);
                ShortVector dKept = secondaryLimit
                        .sub(d.abs().lanewise(VectorOperators.ASHR, secondaryShift))
                        .max((short) 0);
                sum = sum.add(a.min(aKept)
                        .max(aKept.neg())
                        .add(b.min(bKept).max(bKept.neg()))
                        .add(c.min(cKept).max(cKept.neg()))
                        .add(d.min(dKept).max(dKept.neg()))
                        .lanewise(VectorOperators.LSHL, doubled));
                left = farLeft;
                right = farRight;
                doubled = 0;
            }
            ShortVector change = sum.add(sum.lanewise(VectorOperators.ASHR, 15))
                    .add((short) 8)
                    .lanewise(VectorOperators.ASHR, 4);
            x.add(change).intoArray(out, at);
        }
    }

    @Override
    public void widen(byte[] from, short[] to, int count) {
        // Half of the bytes are read in vain: vectors of eight bytes would be another size.
        for (int i = 0; i < count; i += 8) {
            ((ShortVector) ByteVector.fromArray(BYTES, from, i).convertShape(VectorOperators.B2S, ROW, 0))
                    .and((short) 255)
                    .intoArray(to, i);
        }
    }

    @Override
    public void narrow(short[] from, long[] to, int first, int end) {
        for (int at = first; at < end; at += 2 * ROW.length()) {
            LongVector low = ShortVector.fromArray(ROW, from, at).reinterpretAsLongs();
            LongVector high =
                    ShortVector.fromArray(ROW, from, at + ROW.length()).reinterpretAsLongs();
            // Four bytes in the low half of each element.
            low = low.or(low.lanewise(VectorOperators.LSHR, 8)).and(0x0000ffff0000ffffL);
            low = low.or(low.lanewise(VectorOperators.LSHR, 16)).and(0xffffffffL);
            high = high.or(high.lanewise(VectorOperators.LSHR, 8)).and(0x0000ffff0000ffffL);
            high = high.or(high.lanewise(VectorOperators.LSHR, 16)).and(0xffffffffL);
            int i = at / 8;
            to[i] = low.lane(0) | low.lane(1) << 32;
            to[i + 1] = high.lane(0) | high.lane(1) << 32;
        }
    }
}
