/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.RecursiveGaussian;

/** Blurs rows by {@link RecursiveGaussian}. Owns its memory, for one row. */
final class BlurredRow {
    private static final int RADIUS = RecursiveGaussian.RADIUS;

    /** Zeros before the row, so that no recursion looks whether its samples are there. */
    private static final int BEFORE = 2 * RADIUS;

    private final float[] coefficients = RecursiveGaussian.coefficients();
    private final float[] samples;
    private final float[][] results;

    BlurredRow(int width) {
        samples = new float[BEFORE + width + RADIUS];
        results = new float[RecursiveGaussian.POLES][width];
    }

    /**
     * Blurs the row {@code factor * other} that begins at {@code at}, into the same place of {@code to}.
     *
     * @param other null for a row of ones
     */
    void make(float[] factor, float[] other, int at, float[] to, int width) {
        if (other == null) {
            System.arraycopy(factor, at, samples, BEFORE, width);
        } else {
            for (int x = 0; x < width; x++) {
                samples[BEFORE + x] = factor[at + x] * other[at + x];
            }
        }
        // A wider row may have been here before.
        for (int x = 0; x < RADIUS; x++) {
            samples[BEFORE + width + x] = 0;
        }
        for (int pole = 0; pole < RecursiveGaussian.POLES; pole++) {
            recurse(pole * RecursiveGaussian.COEFFICIENTS, results[pole], width);
        }
        float[] first = results[0];
        float[] second = results[1];
        float[] third = results[2];
        for (int x = 0; x < width; x++) {
            to[at + x] = first[x] + (second[x] + third[x]);
        }
    }

    /** The sum of the two samples that enter the recursion for a result, before the row or in it. */
    private float sum(int result) {
        return samples[BEFORE + result - RADIUS - 1] + samples[BEFORE + result + RADIUS - 1];
    }

    private void recurse(int coefficientsAt, float[] result, int width) {
        int input = coefficientsAt + RecursiveGaussian.ACROSS_INPUT;
        int before = coefficientsAt + RecursiveGaussian.ACROSS_BEFORE;
        int beforeThat = coefficientsAt + RecursiveGaussian.ACROSS_BEFORE_THAT;
        float in0 = coefficients[input];
        float in1 = coefficients[input + 1];
        float in2 = coefficients[input + 2];
        float in3 = coefficients[input + 3];
        float one0 = coefficients[before];
        float one1 = coefficients[before + 1];
        float one2 = coefficients[before + 2];
        float one3 = coefficients[before + 3];
        float two1 = coefficients[beforeThat + 1];
        float two2 = coefficients[beforeThat + 2];
        float two3 = coefficients[beforeThat + 3];
        float last = 0;
        float lastButOne = 0;
        int end = RecursiveGaussian.endOfSteps(width);
        int x = 1 - RADIUS;
        while (x < width) {
            if (x < RecursiveGaussian.FIRST_STEP || x >= end) {
                float next = Math.fma(one0, last, sum(x) * in0 - lastButOne);
                lastButOne = last;
                last = next;
                if (x >= 0) {
                    result[x] = next;
                }
                x++;
                continue;
            }
            float s0 = sum(x);
            float s1 = sum(x + 1);
            float s2 = sum(x + 2);
            float s3 = sum(x + 3);
            float r0 = s0 * in0;
            float r1 = Math.fma(in0, s1, s0 * in1);
            float r2 = Math.fma(in0, s2, Math.fma(in1, s1, s0 * in2));
            float r3 = Math.fma(in0, s3, Math.fma(in1, s2, Math.fma(in2, s1, s0 * in3)));
            result[x] = Math.fma(one0, last, r0 - lastButOne);
            result[x + 1] = Math.fma(one1, last, Math.fma(two1, lastButOne, r1));
            result[x + 2] = Math.fma(one2, last, Math.fma(two2, lastButOne, r2));
            result[x + 3] = Math.fma(one3, last, Math.fma(two3, lastButOne, r3));
            lastButOne = result[x + 2];
            last = result[x + 3];
            x += RecursiveGaussian.LANES;
        }
    }
}
