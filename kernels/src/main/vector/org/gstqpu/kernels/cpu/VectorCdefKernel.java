package org.gstqpu.kernels.cpu;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * CDEF in vectors: the filter eight samples at a time, a row of a block; the direction search of all blocks of a tile
 * together, each block in a lane of its own, so that no lane ever meets another.
 *
 * <p>The compiler makes vector instructions of a loop that it sees as a whole, and boxes of every vector otherwise. So a
 * loop calls nothing but the vectors' own methods, which are always inlined, and has few enough of these. And all vectors
 * of one kind of lane, in this and the other kernels, are of one size: the compiler of JDK 17 learns of a method's vectors
 * from its callers, and makes boxes where these differ.
 */
final class VectorCdefKernel implements CdefKernel {
    private static final VectorSpecies<Short> ROW = ShortVector.SPECIES_128;
    private static final VectorSpecies<Integer> BLOCKS = IntVector.SPECIES_128;

    private static final int TILE_BLOCKS = 64;
    private static final int DIRECTIONS = 8;

    /** Clears the sign of {@link CdefConstraints#UNAVAILABLE}, which is then more than any sample. */
    private static final short MAGNITUDE = 0x7fff;

    private static final int TAP_PAIRS = 6;
    private static final int PRIMARY_PAIRS = 2;

    private final int coefficientShift;

    /** Samples less 128, reduced to 8 bit: by row and column in the block, then by block. */
    private final int[] samples = new int[64 * TILE_BLOCKS];

    /** By direction, then by block. */
    private final int[] costs = new int[DIRECTIONS * TILE_BLOCKS];

    private final int[] directions = new int[TILE_BLOCKS];
    private final int[] variances = new int[TILE_BLOCKS];
    private int variance;

    // Of the pairs of taps of the block being filtered: the two along its direction, then the four across it.
    private final int[] offset = new int[TAP_PAIRS];
    private final short[] strength = new short[TAP_PAIRS];
    private final int[] shift = new int[TAP_PAIRS];
    private final short[] weight = new short[TAP_PAIRS];

    /** A kernel for samples of {@code bitDepth} bits. */
    VectorCdefKernel(int bitDepth) {
        this.coefficientShift = bitDepth - 8;
    }

    @Override
    public void begin(CdefTile tile, int columns, int rows) {
        gather(tile.in, columns, rows);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            for (int block = 0; block < TILE_BLOCKS; block += BLOCKS.length()) {
                cost(direction, block);
            }
        }
        decide();
    }

    private void gather(short[] in, int columns, int rows) {
        for (int y = 0; y < rows; y++) {
            int line = CdefTile.ORIGIN + y * CdefTile.STRIDE;
            int to = (y & 7) * 8 * TILE_BLOCKS + (y & ~7);
            gatherRow(in, line, columns, to);
        }
        // Rows beyond the picture are its last one.
        int last = (rows - 1) & 7;
        for (int row = last + 1; row < 8; row++) {
            for (int column = 0; column < 8; column++) {
                System.arraycopy(
                        samples,
                        (last * 8 + column) * TILE_BLOCKS + ((rows - 1) & ~7),
                        samples,
                        (row * 8 + column) * TILE_BLOCKS + ((rows - 1) & ~7),
                        8);
            }
        }
    }

    private void gatherRow(short[] in, int line, int columns, int to) {
        int whole = columns >> 3;
        for (int column = 0; column < 8; column++) {
            for (int block = 0; block < whole; block++) {
                samples[to + column * TILE_BLOCKS + block] = (in[line + block * 8 + column] >> coefficientShift) - 128;
            }
        }
        if (whole * 8 < columns) {
            for (int column = 0; column < 8; column++) {
                int inside = Math.min(whole * 8 + column, columns - 1);
                samples[to + column * TILE_BLOCKS + whole] = (in[line + inside] >> coefficientShift) - 128;
            }
        }
    }

    private void cost(int direction, int block) {
        IntVector cost = IntVector.zero(BLOCKS);
        int n = direction * 64;
        for (int line = Lines.FIRST[direction]; line < Lines.FIRST[direction + 1]; line++) {
            IntVector sum = IntVector.zero(BLOCKS);
            for (int end = Lines.END[line]; n < end; n++) {
                sum = sum.add(IntVector.fromArray(BLOCKS, samples, Lines.SAMPLES[n] * TILE_BLOCKS + block));
            }
            cost = cost.add(sum.mul(sum).mul(Lines.WEIGHT[line]));
        }
        cost.intoArray(costs, direction * TILE_BLOCKS + block);
    }

    private void decide() {
        for (int block = 0; block < TILE_BLOCKS; block += BLOCKS.length()) {
            IntVector best = IntVector.zero(BLOCKS);
            IntVector bestCost = IntVector.fromArray(BLOCKS, costs, block);
            IntVector across = IntVector.fromArray(BLOCKS, costs, 4 * TILE_BLOCKS + block);
            for (int direction = 1; direction < DIRECTIONS; direction++) {
                IntVector cost = IntVector.fromArray(BLOCKS, costs, direction * TILE_BLOCKS + block);
                VectorMask<Integer> better = cost.compare(VectorOperators.GT, bestCost);
                bestCost = bestCost.blend(cost, better);
                best = best.blend(direction, better);
                int opposite = (direction + 4) & 7;
                across = across.blend(IntVector.fromArray(BLOCKS, costs, opposite * TILE_BLOCKS + block), better);
            }
            best.intoArray(directions, block);
            bestCost.sub(across).lanewise(VectorOperators.ASHR, 10).intoArray(variances, block);
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
        setPair(0, CdefBlockFilter.offset1(direction, CdefTile.STRIDE, pixelStep), primary, damping, odd ? 3 : 4);
        setPair(1, CdefBlockFilter.offset2(direction, CdefTile.STRIDE, pixelStep), primary, damping, odd ? 3 : 2);
        setPair(2, CdefBlockFilter.offset1(direction + 2, CdefTile.STRIDE, pixelStep), secondary, damping, 2);
        setPair(3, CdefBlockFilter.offset1(direction - 2, CdefTile.STRIDE, pixelStep), secondary, damping, 2);
        setPair(4, CdefBlockFilter.offset2(direction + 2, CdefTile.STRIDE, pixelStep), secondary, damping, 1);
        setPair(5, CdefBlockFilter.offset2(direction - 2, CdefTile.STRIDE, pixelStep), secondary, damping, 1);
        // Taps of strength 0 change neither the sum nor, with it alone, what the result is clipped to.
        filterRows(
                tile.in,
                tile.out,
                index,
                rows,
                primary == 0 ? PRIMARY_PAIRS : 0,
                secondary == 0 ? PRIMARY_PAIRS : TAP_PAIRS);
    }

    private void setPair(int pair, int to, int pairStrength, int damping, int pairWeight) {
        offset[pair] = to;
        strength[pair] = (short) pairStrength;
        shift[pair] = CdefConstraints.shift(pairStrength, damping);
        weight[pair] = (short) pairWeight;
    }

    private void filterRows(short[] in, short[] out, int index, int rows, int firstPair, int endPair) {
        for (int row = 0; row < rows; row++) {
            int at = index + row * CdefTile.STRIDE;
            ShortVector x = ShortVector.fromArray(ROW, in, at);
            ShortVector most = x;
            ShortVector least = x;
            ShortVector sum = ShortVector.zero(ROW);
            for (int pair = firstPair; pair < endPair; pair++) {
                ShortVector ahead = ShortVector.fromArray(ROW, in, at + offset[pair]);
                ShortVector behind = ShortVector.fromArray(ROW, in, at - offset[pair]);
                most = most.max(ahead).max(behind);
                least = least.min(ahead.and(MAGNITUDE)).min(behind.and(MAGNITUDE));
                ShortVector limit = ShortVector.broadcast(ROW, strength[pair]);
                ahead = ahead.sub(x);
                behind = behind.sub(x);
                // How much of each difference is kept; always 0 of one from UNAVAILABLE.
                ShortVector keptAhead = limit.sub(ahead.abs().lanewise(VectorOperators.ASHR, shift[pair]))
                        .max((short) 0);
                ShortVector keptBehind = limit.sub(behind.abs().lanewise(VectorOperators.ASHR, shift[pair]))
                        .max((short) 0);
                sum = sum.add(ahead.min(keptAhead)
                        .max(keptAhead.neg())
                        .add(behind.min(keptBehind).max(keptBehind.neg()))
                        .mul(weight[pair]));
            }
            ShortVector change = sum.add(sum.lanewise(VectorOperators.ASHR, 15))
                    .add((short) 8)
                    .lanewise(VectorOperators.ASHR, 4);
            x.add(change).min(most).max(least).intoArray(out, at);
        }
    }

    /** The lines of an 8x8 block along which each direction sums samples, direction by direction. */
    private static final class Lines {
        /** First line of each direction, and the end of the last. */
        static final int[] FIRST = new int[DIRECTIONS + 1];

        /** End of each line in {@link #SAMPLES}. */
        static final int[] END = new int[90];

        /** 840 divided by the line's samples, so that lines of different lengths compare. */
        static final int[] WEIGHT = new int[90];

        /** Samples of the block by their row * 8 + column, line after line. */
        static final int[] SAMPLES = new int[DIRECTIONS * 64];

        static {
            int lines = 0;
            int n = 0;
            for (int direction = 0; direction < DIRECTIONS; direction++) {
                FIRST[direction] = lines;
                for (int line = 0; line < 15; line++) {
                    int first = n;
                    for (int sample = 0; sample < 64; sample++) {
                        if (line(direction, sample >> 3, sample & 7) == line) {
                            SAMPLES[n] = sample;
                            n++;
                        }
                    }
                    if (n > first) {
                        END[lines] = n;
                        WEIGHT[lines] = 840 / (n - first);
                        lines++;
                    }
                }
            }
            FIRST[DIRECTIONS] = lines;
        }

        private Lines() {}

        private static int line(int direction, int row, int column) {
            return switch (direction) {
                case 0 -> row + column;
                case 1 -> row + column / 2;
                case 2 -> row;
                case 3 -> 3 + row - column / 2;
                case 4 -> 7 + row - column;
                case 5 -> 3 - row / 2 + column;
                case 6 -> column;
                case 7 -> row / 2 + column;
                default -> throw new IllegalArgumentException("a direction is 0 to 7, given " + direction);
            };
        }
    }
}
