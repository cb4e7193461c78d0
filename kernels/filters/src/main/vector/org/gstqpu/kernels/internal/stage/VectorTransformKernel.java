/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The 8x8 transform of ITU-T H.264 in vectors, one dimension at a time, a lane for each block. Any thread may call it. */
public final class VectorTransformKernel {
    private static final VectorSpecies<Short> BLOCKS = ShortVector.SPECIES_128;

    /** Blocks in a vector. */
    private static final int STEP = 8;

    private VectorTransformKernel() {}

    /**
     * The forward transform in one dimension.
     *
     * @param i0 index of the first samples, which are the first of each transform; {@code i1} is that of the second, and so on
     * @param out takes coefficient k of all transforms at k times {@code count}
     * @param count how many transforms
     */
    public static void forward(
            short[] in, int i0, int i1, int i2, int i3, int i4, int i5, int i6, int i7, short[] out, int count) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector d0 = ShortVector.fromArray(BLOCKS, in, i0 + i);
            ShortVector d7 = ShortVector.fromArray(BLOCKS, in, i7 + i);
            ShortVector s07 = d0.add(d7);
            ShortVector d07 = d0.sub(d7);
            ShortVector d1 = ShortVector.fromArray(BLOCKS, in, i1 + i);
            ShortVector d6 = ShortVector.fromArray(BLOCKS, in, i6 + i);
            ShortVector s16 = d1.add(d6);
            ShortVector d16 = d1.sub(d6);
            ShortVector d2 = ShortVector.fromArray(BLOCKS, in, i2 + i);
            ShortVector d5 = ShortVector.fromArray(BLOCKS, in, i5 + i);
            ShortVector s25 = d2.add(d5);
            ShortVector d25 = d2.sub(d5);
            ShortVector d3 = ShortVector.fromArray(BLOCKS, in, i3 + i);
            ShortVector d4 = ShortVector.fromArray(BLOCKS, in, i4 + i);
            ShortVector s34 = d3.add(d4);
            ShortVector d34 = d3.sub(d4);
            ShortVector a0 = s07.add(s34);
            ShortVector a1 = s16.add(s25);
            ShortVector a2 = s07.sub(s34);
            ShortVector a3 = s16.sub(s25);
            a0.add(a1).intoArray(out, i);
            a0.sub(a1).intoArray(out, 4 * count + i);
            a2.add(a3.lanewise(VectorOperators.ASHR, 1)).intoArray(out, 2 * count + i);
            a2.lanewise(VectorOperators.ASHR, 1).sub(a3).intoArray(out, 6 * count + i);
            ShortVector a4 = d16.add(d25).add(d07).add(d07.lanewise(VectorOperators.ASHR, 1));
            ShortVector a5 = d07.sub(d34).sub(d25).sub(d25.lanewise(VectorOperators.ASHR, 1));
            ShortVector a6 = d07.add(d34).sub(d16).sub(d16.lanewise(VectorOperators.ASHR, 1));
            ShortVector a7 = d16.sub(d25).add(d34).add(d34.lanewise(VectorOperators.ASHR, 1));
            a4.add(a7.lanewise(VectorOperators.ASHR, 2)).intoArray(out, count + i);
            a5.add(a6.lanewise(VectorOperators.ASHR, 2)).intoArray(out, 3 * count + i);
            a6.sub(a5.lanewise(VectorOperators.ASHR, 2)).intoArray(out, 5 * count + i);
            a4.lanewise(VectorOperators.ASHR, 2).sub(a7).intoArray(out, 7 * count + i);
        }
    }

    /**
     * The inverse transform in one dimension.
     *
     * @param in coefficient k of all transforms lies at k times {@code inStep}
     * @param out takes sample k of all transforms at {@code to} plus k times {@code count}
     * @param count how many transforms
     */
    public static void inverse(short[] in, int inStep, short[] out, int to, int count) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector s0 = ShortVector.fromArray(BLOCKS, in, i);
            ShortVector s4 = ShortVector.fromArray(BLOCKS, in, 4 * inStep + i);
            ShortVector s2 = ShortVector.fromArray(BLOCKS, in, 2 * inStep + i);
            ShortVector s6 = ShortVector.fromArray(BLOCKS, in, 6 * inStep + i);
            ShortVector a0 = s0.add(s4);
            ShortVector a2 = s0.sub(s4);
            ShortVector a4 = s2.lanewise(VectorOperators.ASHR, 1).sub(s6);
            ShortVector a6 = s6.lanewise(VectorOperators.ASHR, 1).add(s2);
            ShortVector b0 = a0.add(a6);
            ShortVector b2 = a2.add(a4);
            ShortVector b4 = a2.sub(a4);
            ShortVector b6 = a0.sub(a6);
            ShortVector s1 = ShortVector.fromArray(BLOCKS, in, inStep + i);
            ShortVector s3 = ShortVector.fromArray(BLOCKS, in, 3 * inStep + i);
            ShortVector s5 = ShortVector.fromArray(BLOCKS, in, 5 * inStep + i);
            ShortVector s7 = ShortVector.fromArray(BLOCKS, in, 7 * inStep + i);
            ShortVector a1 = s5.sub(s3).sub(s7).sub(s7.lanewise(VectorOperators.ASHR, 1));
            ShortVector a3 = s1.add(s7).sub(s3).sub(s3.lanewise(VectorOperators.ASHR, 1));
            ShortVector a5 = s7.sub(s1).add(s5).add(s5.lanewise(VectorOperators.ASHR, 1));
            ShortVector a7 = s3.add(s5).add(s1).add(s1.lanewise(VectorOperators.ASHR, 1));
            ShortVector b1 = a7.lanewise(VectorOperators.ASHR, 2).add(a1);
            ShortVector b7 = a7.sub(a1.lanewise(VectorOperators.ASHR, 2));
            ShortVector b3 = a3.add(a5.lanewise(VectorOperators.ASHR, 2));
            ShortVector b5 = a3.lanewise(VectorOperators.ASHR, 2).sub(a5);
            b0.add(b7).intoArray(out, to + i);
            b0.sub(b7).intoArray(out, to + 7 * count + i);
            b2.add(b5).intoArray(out, to + count + i);
            b2.sub(b5).intoArray(out, to + 6 * count + i);
            b4.add(b3).intoArray(out, to + 2 * count + i);
            b4.sub(b3).intoArray(out, to + 5 * count + i);
            b6.add(b1).intoArray(out, to + 3 * count + i);
            b6.sub(b1).intoArray(out, to + 4 * count + i);
        }
    }
}
