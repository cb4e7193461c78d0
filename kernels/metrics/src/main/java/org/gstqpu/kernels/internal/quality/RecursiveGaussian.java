/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * A Gaussian blur of standard deviation 1.5 as a sum of three recursions, one for each of the cosines that the Gaussian is made of, cut
 * off after a quarter of the first one's period (Charalampidis, <i>Recursive implementation of the Gaussian filter using truncated
 * cosine functions</i>, 2016). Beyond its edges a plane is 0.
 *
 * <p>The recursions do not forget their rounding errors, and SSIMULACRA 2 feels these where a picture is flat. So the order of the
 * operations is part of the metric: libjxl's on CPUs whose vectors have four lanes and whose multiplications and additions are fused.
 */
public final class RecursiveGaussian {
    /** Half the length of the filter. A result depends on samples that are less far away. */
    public static final int RADIUS = 5;

    /** Number of recursions. */
    public static final int POLES = 3;

    /** Results across that one step of a recursion makes, from the two before them. */
    public static final int LANES = 4;

    /** First result across that a step of {@link #LANES} results makes. Those before are made one by one. */
    public static final int FIRST_STEP = 8;

    /** Coefficients of one recursion in {@link #coefficients}. */
    public static final int COEFFICIENTS = 2 + 3 * LANES;

    /** Index of the factor of the sum of the two samples that a result down adds. */
    public static final int DOWN_INPUT = 0;

    /** Index of the factor of the result above. The one above that has factor -1. */
    public static final int DOWN_BEFORE = 1;

    /** Index of the factors of a result's sum of samples and of the three sums before. */
    public static final int ACROSS_INPUT = 2;

    /** Index of the factor that the last result before the step has in each of its results. */
    public static final int ACROSS_BEFORE = ACROSS_INPUT + LANES;

    /** Index of the factor that the result before that one has in each. */
    public static final int ACROSS_BEFORE_THAT = ACROSS_BEFORE + LANES;

    /** Weights of the cosines of 1, 3 and 5 quarters of a period. */
    private static final double[] WEIGHTS = {0.17893914164149127, 0.07272614473619016, 0.012955819110517082};

    private RecursiveGaussian() {}

    /** The coefficients of each recursion. */
    public static float[] coefficients() {
        float[] coefficients = new float[POLES * COEFFICIENTS];
        for (int pole = 0; pole < POLES; pole++) {
            int at = pole * COEFFICIENTS;
            double angle = (2 * pole + 1) * Math.PI / (2 * RADIUS);
            double input = -WEIGHTS[pole] * Math.cos(angle * (RADIUS + 1));
            double before = 2 * Math.cos(angle);
            coefficients[at + DOWN_INPUT] = (float) input;
            coefficients[at + DOWN_BEFORE] = (float) before;
            // The recursion y(n) = input * x(n) + before * y(n - 1) - y(n - 2), expanded for four results.
            double factor = 1;
            double factorBefore = 0;
            for (int lane = 0; lane < LANES; lane++) {
                coefficients[at + ACROSS_INPUT + lane] = (float) (input * factor);
                double next = before * factor - factorBefore;
                coefficients[at + ACROSS_BEFORE + lane] = (float) next;
                coefficients[at + ACROSS_BEFORE_THAT + lane] = (float) -factor;
                factorBefore = factor;
                factor = next;
            }
        }
        return coefficients;
    }

    /** First result that is made one by one again, after the last whole step of a row of so many. */
    public static int endOfSteps(int samples) {
        int end = Math.min(FIRST_STEP, samples);
        while (end < samples - RADIUS + 1 - (LANES - 1)) {
            end += LANES;
        }
        return end;
    }
}
