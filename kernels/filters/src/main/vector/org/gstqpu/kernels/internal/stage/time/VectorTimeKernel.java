/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.gstqpu.kernels.internal.stage.ShrinkageLimits;
import org.gstqpu.kernels.internal.stage.VectorTransformKernel;

/**
 * Fusion in vectors; of 10-bit pictures only motion and prediction, since their coefficients do not fit in 16 bits. Belongs to one worker.
 *
 * <p>Samples are less half of their range, so of 8 bits the sums of eight taps, whose sizes are 208 in all at most, fit in 16 bits. Of 10 bits
 * the sums of a quarter of each sample and those of the rest do. Where blocks are transformed a lane
 * is a block, as in shrinkage. What is added to a sample is in all at most 19 times the strength, which {@link #fuse} makes sure of.
 *
 * <p>Loops here are short and call only methods of the vector classes, and all vectors of one lane type have one size, for the
 * reasons that the kernel of CDEF gives.
 */
public final class VectorTimeKernel implements TimeKernel {
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;
    private static final int STEP = 8;

    /** Rows of two bands. */
    private static final int ROWS = 16;

    /** The largest threshold of a first coefficient, whose changes fit in 16 bits. */
    private static final int LARGEST_THRESHOLD = 862;

    /** Classes of the norms of coefficients: the first coefficient of each class has its number times 9, or 1 or 2 more. */
    private static final int CLASSES = 3;

    /** Where the first coefficient is, behind all classes. */
    private static final int FIRST = CLASSES * CLASSES;

    /** {@link #OVERLAP} times 1, 3, 5 to 15 is what a sample of a window weighs. */
    private static final short[] OVERLAP = {1, 3, 5, 7, 9, 11, 13, 15, 15, 13, 11, 9, 7, 5, 3, 1};

    private final PlainTimeKernel plain;

    /** True if samples have more than 8 bits. */
    private final boolean wide;

    /** Blocks across, one left of the picture included, and lanes beyond. */
    private final int lanes;

    private final int row;

    // Two bands each, and a little more: the last lane of a shift reads beyond, but is no block. Index: row, column
    // modulo 8, lane.
    private final short[] own;
    private final short[][] differences = new short[TimeFusion.MOST_REFERENCES][];

    /** What is added to the samples of both bands, times 128. */
    private final short[] sums;

    // One band each.
    private final short[] columns;
    private final short[][] differenceColumns = new short[TimeFusion.MOST_REFERENCES][];
    private final short[] across;
    private final short[] values;

    /** One row of coefficients. */
    private final short[][] coefficients = new short[TimeFusion.MOST_REFERENCES][];

    private final short[] found;
    private final short[] means;

    /** Thresholds of the blocks by reference. Index: class of row, class of column, lane; at the end those of the first coefficients. */
    private final short[][] thresholds = new short[TimeFusion.MOST_REFERENCES][];

    private final short[] large = new short[64 * STEP];
    private final short[] scales = new short[64 * STEP];
    private final short[] wholes = new short[64 * STEP];

    /** The references, those that are used first. */
    private final int[] order = new int[TimeFusion.MOST_REFERENCES];

    private TimeFusion fusion;

    public VectorTimeKernel(int width, boolean wide) {
        this.wide = wide;
        plain = new PlainTimeKernel(width);
        lanes = ((width + 7) / 8 + 2 + STEP - 1) / STEP * STEP;
        row = 8 * lanes;
        own = new short[ROWS * row + STEP];
        sums = new short[ROWS * row + STEP];
        columns = new short[8 * row + STEP];
        across = new short[8 * row];
        values = new short[8 * row];
        found = new short[lanes];
        means = new short[lanes];
        for (int i = 0; i < TimeFusion.MOST_REFERENCES; i++) {
            differences[i] = new short[ROWS * row + STEP];
            differenceColumns[i] = new short[8 * row + STEP];
            coefficients[i] = new short[row];
            thresholds[i] = new short[(FIRST + 1) * lanes];
        }
        for (int k = 0; k < 64; k++) {
            int scale = ShrinkageLimits.SCALES[k];
            fill(scales, k, scale & 63);
            fill(wholes, k, scale > 64 ? -1 : 0);
        }
    }

    private static void fill(short[] numbers, int k, int number) {
        Arrays.fill(numbers, STEP * k, STEP * (k + 1), (short) number);
    }

    @Override
    public void filter(short[] in, int at, int step, short[] out, int to, int count, int phase, int high) {
        int[] taps = PlainTimeKernel.TAPS[phase];
        if (wide) {
            filterWide(in, at, step, out, to, count, taps, (short) high);
            return;
        }
        filter(
                in,
                at,
                step,
                out,
                to,
                count,
                (short) taps[0],
                (short) taps[1],
                (short) taps[2],
                (short) taps[3],
                (short) taps[4],
                (short) taps[5],
                (short) taps[6],
                (short) taps[7]);
    }

    private static void filter(
            short[] in,
            int at,
            int step,
            short[] out,
            int to,
            int count,
            short t0,
            short t1,
            short t2,
            short t3,
            short t4,
            short t5,
            short t6,
            short t7) {
        for (int i = 0; i < count; i += STEP) {
            int first = at + i;
            ShortVector.fromArray(SHORTS, in, first - 3 * step)
                    .mul(t0)
                    .add(ShortVector.fromArray(SHORTS, in, first - 2 * step).mul(t1))
                    .add(ShortVector.fromArray(SHORTS, in, first - step).mul(t2))
                    .add(ShortVector.fromArray(SHORTS, in, first).mul(t3))
                    .add(ShortVector.fromArray(SHORTS, in, first + step).mul(t4))
                    .add(ShortVector.fromArray(SHORTS, in, first + 2 * step).mul(t5))
                    .add(ShortVector.fromArray(SHORTS, in, first + 3 * step).mul(t6))
                    .add(ShortVector.fromArray(SHORTS, in, first + 4 * step).mul(t7))
                    .add((short) 64)
                    .lanewise(VectorOperators.ASHR, 7)
                    .max((short) -128)
                    .min((short) 127)
                    .intoArray(out, to + i);
        }
    }

    private static void filterWide(
            short[] in, int at, int step, short[] out, int to, int count, int[] taps, short high) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector quarters = ShortVector.zero(SHORTS);
            ShortVector rest = ShortVector.broadcast(SHORTS, 64);
            for (int tap = 0; tap < 8; tap++) {
                ShortVector samples = ShortVector.fromArray(SHORTS, in, at + i + (tap - 3) * step);
                quarters =
                        quarters.add(samples.lanewise(VectorOperators.ASHR, 2).mul((short) taps[tap]));
                rest = rest.add(samples.and((short) 3).mul((short) taps[tap]));
            }
            quarters.add(rest.lanewise(VectorOperators.ASHR, 2))
                    .lanewise(VectorOperators.ASHR, 5)
                    .max((short) (-1 - high))
                    .min(high)
                    .intoArray(out, to + i);
        }
    }

    @Override
    public void filterAll(
            short[] in, int at, int step, short[] one, short[] two, short[] three, int to, int count, int high) {
        if (wide) {
            // All at once, their values do not fit in the registers.
            filter(in, at, step, one, to, count, 1, high);
            filter(in, at, step, two, to, count, 2, high);
            filter(in, at, step, three, to, count, 3, high);
        } else {
            all(in, at, step, one, two, three, to, count);
        }
    }

    // The taps of the half are the same from both ends, those of the quarters are each other's from the other end, and
    // the outer
    // two of all are alike.

    private static void all(short[] in, int at, int step, short[] one, short[] two, short[] three, int to, int count) {
        for (int i = 0; i < count; i += STEP) {
            int first = at + i;
            ShortVector c = ShortVector.fromArray(SHORTS, in, first - step);
            ShortVector d = ShortVector.fromArray(SHORTS, in, first);
            ShortVector e = ShortVector.fromArray(SHORTS, in, first + step);
            ShortVector f = ShortVector.fromArray(SHORTS, in, first + 2 * step);
            ShortVector inner = ShortVector.fromArray(SHORTS, in, first - 2 * step)
                    .add(ShortVector.fromArray(SHORTS, in, first + 3 * step));
            ShortVector outer = inner.lanewise(VectorOperators.LSHL, 2)
                    .sub(ShortVector.fromArray(SHORTS, in, first - 3 * step))
                    .sub(ShortVector.fromArray(SHORTS, in, first + 4 * step))
                    .add((short) 64);
            outer.add(inner)
                    .add(inner)
                    .add(d.add(e).mul((short) 78))
                    .sub(c.add(f).mul((short) 19))
                    .lanewise(VectorOperators.ASHR, 7)
                    .max((short) -128)
                    .min((short) 127)
                    .intoArray(two, to + i);
            outer.add(d.mul((short) 112))
                    .add(e.mul((short) 37))
                    .sub(c.lanewise(VectorOperators.LSHL, 4))
                    .sub(f.mul((short) 11))
                    .lanewise(VectorOperators.ASHR, 7)
                    .max((short) -128)
                    .min((short) 127)
                    .intoArray(one, to + i);
            outer.add(e.mul((short) 112))
                    .add(d.mul((short) 37))
                    .sub(f.lanewise(VectorOperators.LSHL, 4))
                    .sub(c.mul((short) 11))
                    .lanewise(VectorOperators.ASHR, 7)
                    .max((short) -128)
                    .min((short) 127)
                    .intoArray(three, to + i);
        }
    }

    @Override
    public int sad(short[] one, int at, short[] other, int otherAt, int stride, int side) {
        return side == 8 ? sad8(one, at, other, otherAt, stride) : sad16(one, at, other, otherAt, stride, wide);
    }

    private static int sad8(short[] one, int at, short[] other, int otherAt, int stride) {
        ShortVector sum = ShortVector.zero(SHORTS);
        for (int y = 0; y < 8; y++) {
            sum = sum.add(ShortVector.fromArray(SHORTS, one, at + y * stride)
                    .sub(ShortVector.fromArray(SHORTS, other, otherAt + y * stride))
                    .abs());
        }
        return sum.reduceLanes(VectorOperators.ADD) & 0xffff;
    }

    /**
     * Sums of 32 differences each, of which none is more than 1023, fit in 16 bits; all together they do unless samples are wide. Returns no
     * vector: where the JVM's compiler does not inline this, it would leave that on the heap.
     */
    private static int sad16(short[] one, int at, short[] other, int otherAt, int stride, boolean wide) {
        ShortVector left = ShortVector.zero(SHORTS);
        ShortVector right = ShortVector.zero(SHORTS);
        for (int y = 0; y < 16; y++) {
            left = left.add(ShortVector.fromArray(SHORTS, one, at + y * stride)
                    .sub(ShortVector.fromArray(SHORTS, other, otherAt + y * stride))
                    .abs());
            right = right.add(ShortVector.fromArray(SHORTS, one, at + y * stride + STEP)
                    .sub(ShortVector.fromArray(SHORTS, other, otherAt + y * stride + STEP))
                    .abs());
        }
        ShortVector sums = left.add(right);
        return wide
                ? ((IntVector) sums.convertShape(VectorOperators.S2I, INTS, 0))
                        .add((IntVector) sums.convertShape(VectorOperators.S2I, INTS, 1))
                        .reduceLanes(VectorOperators.ADD)
                : sums.reduceLanes(VectorOperators.ADD) & 0xffff;
    }

    @Override
    public void weigh(short[] samples, int at, int stride, int firstWeight, int[] sums, int to, int sumsStride) {
        for (int y = 0; y < 8; y++) {
            weighRow(samples, at + y * stride, OVERLAP[firstWeight + y], sums, to + y * sumsStride);
        }
    }

    private static void weighRow(short[] samples, int at, int weight, int[] sums, int to) {
        for (int i = 0; i < 16; i += STEP) {
            ShortVector part =
                    ShortVector.fromArray(SHORTS, samples, at + i).mul(ShortVector.fromArray(SHORTS, OVERLAP, i));
            ((IntVector) part.convertShape(VectorOperators.S2I, INTS, 0))
                    .mul(weight)
                    .add(IntVector.fromArray(INTS, sums, to + i))
                    .intoArray(sums, to + i);
            ((IntVector) part.convertShape(VectorOperators.S2I, INTS, 1))
                    .mul(weight)
                    .add(IntVector.fromArray(INTS, sums, to + i + 4))
                    .intoArray(sums, to + i + 4);
        }
    }

    @Override
    public void fuse(TimeFusion fusion, int firstBand, int endBand) {
        if (wide || fusion.limits.thresholds[TimeLimits.LEVELS - 1][0] > LARGEST_THRESHOLD) {
            plain.fuse(fusion, firstBand, endBand);
            return;
        }
        this.fusion = fusion;
        for (int k = 0; k < 64; k++) {
            fill(large, k, fusion.limits.large[k]);
        }
        // The first coefficient is counted apart.
        fill(large, 0, Short.MAX_VALUE);
        Arrays.fill(sums, (short) 0);
        read(firstBand - 1);
        for (int band = firstBand - 1; band < endBand; band++) {
            read(band + 1);
            for (int shift = 0; shift < 8; shift += 2) {
                fuse(band, shift);
            }
            if (band >= firstBand) {
                write(band);
            }
            Arrays.fill(sums, line(8 * band), line(8 * band) + 8 * row, (short) 0);
        }
    }

    /** Where a row begins. */
    private int line(int y) {
        return (y & ROWS - 1) * row;
    }

    private void read(int band) {
        for (int y = 8 * band; y < 8 * band + 8; y++) {
            split(fusion.source, y, own);
            for (int i = 0; i < fusion.references; i++) {
                if (fusion.used[i]) {
                    split(fusion.differences[i], y, differences[i]);
                }
            }
        }
    }

    private void split(TimePlane plane, int y, short[] to) {
        int line = line(y);
        int at = plane.at(-8, y);
        int count = plane.columns + 2;
        short[] samples = plane.samples;
        for (int phase = 0; phase < 8; phase++) {
            for (int lane = 0; lane < count; lane++) {
                to[line + phase * lanes + lane] = samples[at + 8 * lane + phase];
            }
        }
    }

    /** Fuses the blocks of a shift that begin in a band. */
    private void fuse(int band, int shift) {
        int top = 8 * band + shift;
        down(own, top, columns);
        Arrays.fill(found, (short) 0);
        for (int y = 0; y < 8; y++) {
            across(columns, y, shift, values);
            if (y == 0) {
                System.arraycopy(values, 0, means, 0, lanes);
            }
            count(values, large, y * 8 * STEP, found, lanes);
        }
        if (!setThresholds(band, shift)) {
            return;
        }
        int count = orderUsed();
        for (int i = 0; i < count; i++) {
            down(differences[order[i]], top, differenceColumns[i]);
        }
        for (int y = 0; y < 8; y++) {
            int rowClass = classOf(y) * CLASSES;
            for (int i = 0; i < count; i++) {
                across(differenceColumns[i], y, shift, coefficients[i]);
            }
            for (int x = 0; x < 8; x++) {
                int limits = (y == 0 && x == 0 ? FIRST : rowClass + classOf(x)) * lanes;
                mean(count, x * lanes, limits);
                scale(coefficients[0], x * lanes, scales, wholes, (8 * y + x) * STEP, lanes);
            }
            VectorTransformKernel.inverse(coefficients[0], lanes, across, y * row, lanes);
        }
        VectorTransformKernel.inverse(across, row, values, 0, row);
        for (int y = 0; y < 8; y++) {
            int line = line(top + y);
            add(values, y * row, sums, line + shift * lanes, (8 - shift) * lanes);
            // From here on a lane further. No block is in the last lane.
            add(values, y * row + (8 - shift) * lanes, sums, line + 1, shift * lanes);
        }
    }

    /** Puts the references that are used first, and the others behind them. Returns how many are used. */
    private int orderUsed() {
        int count = 0;
        for (int i = 0; i < fusion.references; i++) {
            if (fusion.used[i]) {
                order[count++] = i;
            }
        }
        int next = count;
        for (int i = 0; i < fusion.references; i++) {
            if (!fusion.used[i]) {
                order[next++] = i;
            }
        }
        return count;
    }

    /** Replaces coefficients of the first reference by what is added of all references that are used. */
    private void mean(int count, int at, int limitsAt) {
        short[] limits = thresholds[order[0]];
        if (count == 1) {
            half(coefficients[0], at, limits, limitsAt, lanes);
        } else if (count == 2) {
            mean(coefficients[0], coefficients[1], at, limits, thresholds[order[1]], limitsAt, lanes);
        } else {
            // A reference that is not used has thresholds of 0, so that nothing of it counts.
            mean(
                    coefficients[0],
                    coefficients[1],
                    coefficients[2],
                    coefficients[3],
                    at,
                    limits,
                    thresholds[order[1]],
                    thresholds[order[2]],
                    thresholds[order[3]],
                    limitsAt,
                    lanes);
        }
    }

    private static int classOf(int index) {
        return (index & 1) != 0 ? 1 : (index & 3) == 0 ? 0 : 2;
    }

    /** Sets the thresholds of the blocks of a shift; 0 where a reference is not used. Returns false if none is in any block. */
    private boolean setThresholds(int band, int shift) {
        int columnCount = fusion.source.columns;
        // The first coefficient is 64 times 128 less than that of samples from 0 up.
        int largeMean = fusion.limits.large[0] + 64 * fusion.low;
        boolean any = false;
        for (int lane = 0; lane <= columnCount; lane++) {
            int[] limits = fusion.limits.thresholds[TimeLimits.level(found[lane] + (means[lane] > largeMean ? 1 : 0))];
            for (int i = 0; i < fusion.references; i++) {
                boolean keeps = fusion.keeps(i, 8 * (lane - 1) + shift + 4, 8 * band + shift + 4);
                any |= keeps;
                for (int k = 0; k < CLASSES * CLASSES; k++) {
                    int limit = keeps ? limits[8 * (k / CLASSES) + k % CLASSES] : 0;
                    thresholds[i][k * lanes + lane] = (short) limit;
                }
                boolean drifts = fusion.drifts(i, 8 * (lane - 1) + shift + 4, 8 * band + shift + 4);
                thresholds[i][FIRST * lanes + lane] = drifts ? 0 : thresholds[i][lane];
            }
        }
        return any;
    }

    private void down(short[] in, int top, short[] out) {
        VectorTransformKernel.forward(
                in,
                line(top),
                line(top + 1),
                line(top + 2),
                line(top + 3),
                line(top + 4),
                line(top + 5),
                line(top + 6),
                line(top + 7),
                out,
                row);
    }

    private void across(short[] in, int y, int shift, short[] out) {
        int at = y * row;
        VectorTransformKernel.forward(
                in,
                at + phase(shift),
                at + phase(shift + 1),
                at + phase(shift + 2),
                at + phase(shift + 3),
                at + phase(shift + 4),
                at + phase(shift + 5),
                at + phase(shift + 6),
                at + phase(shift + 7),
                out,
                lanes);
    }

    private int phase(int column) {
        return column % 8 * lanes + column / 8;
    }

    private static void count(short[] values, short[] large, int first, short[] found, int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            ShortVector count = ShortVector.fromArray(SHORTS, found, i);
            for (int k = 0; k < 8; k++) {
                // The shift makes -1 of a negative number.
                count = count.sub(ShortVector.fromArray(SHORTS, large, first + k * STEP)
                        .sub(ShortVector.fromArray(SHORTS, values, k * lanes + i)
                                .abs())
                        .lanewise(VectorOperators.ASHR, 15));
            }
            count.intoArray(found, i);
        }
    }

    /** How much of coefficients counts at most: less, the larger they are, and from their thresholds on nothing. */
    private static ShortVector most(short[] limits, int at, ShortVector values) {
        return ShortVector.fromArray(SHORTS, limits, at).sub(values.abs()).max((short) 0);
    }

    /** Replaces the coefficients of one reference by what is added of them where there is no other. */
    private static void half(short[] one, int at, short[] limits, int limitsAt, int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            ShortVector value = ShortVector.fromArray(SHORTS, one, at + i);
            ShortVector most = most(limits, limitsAt + i, value);
            value.max(most.neg())
                    .min(most)
                    .add((short) 1)
                    .lanewise(VectorOperators.ASHR, 1)
                    .intoArray(one, at + i);
        }
    }

    /** Replaces the coefficients of the first of two references by what is added: a half of one, or a third of the sum of both. */
    private static void mean(
            short[] one, short[] other, int at, short[] limits, short[] otherLimits, int limitsAt, int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            ShortVector value = ShortVector.fromArray(SHORTS, one, at + i);
            ShortVector most = most(limits, limitsAt + i, value);
            ShortVector otherValue = ShortVector.fromArray(SHORTS, other, at + i);
            ShortVector otherMost = most(otherLimits, limitsAt + i, otherValue);
            ShortVector both = most.min(otherMost).min((short) 1);
            value.max(most.neg())
                    .min(most)
                    .add(otherValue.max(otherMost.neg()).min(otherMost))
                    .mul(both.mul((short) -5).add((short) 16))
                    .add((short) 16)
                    .lanewise(VectorOperators.ASHR, 5)
                    .intoArray(one, at + i);
        }
    }

    /** Replaces the coefficients of the first of four references by what is added of them. */
    private static void mean(
            short[] one,
            short[] two,
            short[] three,
            short[] four,
            int at,
            short[] limitsOne,
            short[] limitsTwo,
            short[] limitsThree,
            short[] limitsFour,
            int limitsAt,
            int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            ShortVector value = ShortVector.fromArray(SHORTS, one, at + i);
            ShortVector most = most(limitsOne, limitsAt + i, value);
            ShortVector sum = value.max(most.neg()).min(most);
            ShortVector count = most.min((short) 1);
            value = ShortVector.fromArray(SHORTS, two, at + i);
            most = most(limitsTwo, limitsAt + i, value);
            sum = sum.add(value.max(most.neg()).min(most));
            count = count.add(most.min((short) 1));
            value = ShortVector.fromArray(SHORTS, three, at + i);
            most = most(limitsThree, limitsAt + i, value);
            sum = sum.add(value.max(most.neg()).min(most));
            count = count.add(most.min((short) 1));
            value = ShortVector.fromArray(SHORTS, four, at + i);
            most = most(limitsFour, limitsAt + i, value);
            sum = sum.add(value.max(most.neg()).min(most));
            count = count.add(most.min((short) 1));
            // 16, 11, 8 and 6 for one to four that count: 5 less from two on, 3 more from three on, and 2 more for
            // four.
            ShortVector less = count.min((short) 2)
                    .mul((short) 5)
                    .add(count.sub((short) 2).max((short) 0).mul((short) 3))
                    .sub(count.sub((short) 3).max((short) 0));
            sum.mul(less.neg().add((short) 21))
                    .add((short) 16)
                    .lanewise(VectorOperators.ASHR, 5)
                    .intoArray(one, at + i);
        }
    }

    private static void scale(short[] values, int at, short[] scales, short[] wholes, int first, int lanes) {
        for (int i = 0; i < lanes; i += STEP) {
            ShortVector value = ShortVector.fromArray(SHORTS, values, at + i);
            value.mul(ShortVector.fromArray(SHORTS, scales, first))
                    .add((short) 32)
                    .lanewise(VectorOperators.ASHR, 6)
                    .add(value.and(ShortVector.fromArray(SHORTS, wholes, first)))
                    .intoArray(values, at + i);
        }
    }

    private static void add(short[] values, int from, short[] sums, int to, int count) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector.fromArray(SHORTS, values, from + i)
                    .add(ShortVector.fromArray(SHORTS, sums, to + i))
                    .intoArray(sums, to + i);
        }
    }

    /** Replaces the picture's samples of a band by the result, and writes these. */
    private void write(int band) {
        TimePlane result = fusion.result;
        for (int y = 8 * band; y < Math.min(8 * band + 8, result.height); y++) {
            int line = line(y);
            finish(own, sums, line, values, row);
            int at = result.at(0, y);
            int count = result.columns;
            for (int phase = 0; phase < 8; phase++) {
                for (int lane = 0; lane < count; lane++) {
                    result.samples[at + 8 * lane + phase] = values[phase * lanes + lane + 1];
                }
            }
        }
    }

    private static void finish(short[] samples, short[] sums, int at, short[] out, int row) {
        for (int i = 0; i < row; i += STEP) {
            ShortVector.fromArray(SHORTS, sums, at + i)
                    .add((short) 64)
                    .lanewise(VectorOperators.ASHR, 7)
                    .add(ShortVector.fromArray(SHORTS, samples, at + i))
                    .max((short) -128)
                    .min((short) 127)
                    .intoArray(out, i);
        }
    }
}
