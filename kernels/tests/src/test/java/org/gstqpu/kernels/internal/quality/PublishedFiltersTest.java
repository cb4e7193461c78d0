/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * The filters of the metrics are those of the papers: each constant follows from a formula. The figures of whole pictures are too coarse
 * to show a change of the last digits of one.
 */
class PublishedFiltersTest {
    private static final int ONE = 1 << 16;

    /** What rounding to single precision may change of a number below 1. */
    private static final double FLOAT = 0x1p-24;

    /** Weights of a Gaussian window, which add up to 1. */
    private static double[] gaussian(int size, double deviation) {
        double[] weights = new double[size];
        for (int i = 0; i < size; i++) {
            double distance = (i - size / 2) / deviation;
            weights[i] = Math.exp(-distance * distance / 2);
        }
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / sum).toArray();
    }

    private static double[] doubles(float[] values) {
        double[] doubles = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            doubles[i] = values[i];
        }
        return doubles;
    }

    @Test
    void theWindowOfMsSsimIsAGaussianWithSixDecimals() {
        double[] rounded = Arrays.stream(gaussian(11, 1.5))
                .map(weight -> Math.rint(weight * 1e6) / 1e6)
                .toArray();
        assertArrayEquals(rounded, doubles(MultiScaleSsim.window()), FLOAT);
    }

    /** The analysis filter of Cohen, Daubechies and Feauveau, of which Wang's code has about four decimals, adding up to 1. */
    @Test
    void theLowPassOfMsSsimIsThatOfThe97Wavelet() {
        double[] low = {0.6029490182, 0.2668641184, -0.0782232665, -0.0168641184, 0.0267487574};
        double[] taps = doubles(MultiScaleSsim.lowPass());
        assertEquals(9, taps.length);
        for (int i = 0; i < taps.length; i++) {
            assertEquals(low[Math.abs(i - 4)], taps[i], 4e-5, "tap " + i);
            assertEquals(taps[8 - i], taps[i], "tap " + i);
        }
        assertEquals(1.000002, Arrays.stream(taps).sum(), 1e-7);
        // A half-band filter: the taps at even distances add up to a half.
        assertEquals(0.499966, taps[4] + 2 * (taps[2] + taps[0]), 1e-7);
    }

    @Test
    void theExponentsOfMsSsimAreThoseOfThePaper() {
        double[] exponents = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
        for (int scale = 0; scale < MultiScaleSsim.SCALES; scale++) {
            assertEquals(exponents[scale], Math.log(MultiScaleSsim.part(scale, 1, Math.E, 1)), 1e-8);
            assertEquals(exponents[scale], Math.log(MultiScaleSsim.part(scale, 1, 1, Math.E)), 1e-8);
            double luminance = scale == MultiScaleSsim.SCALES - 1 ? exponents[scale] : 0;
            assertEquals(luminance, Math.log(MultiScaleSsim.part(scale, Math.E, 1, 1)), 1e-8);
        }
        assertEquals(Math.pow(0.01 * 255, 2), MultiScaleSsim.C1, 1e-6);
        assertEquals(Math.pow(0.03 * 255, 2), MultiScaleSsim.C2, 1e-5);
        assertEquals(Math.pow(0.03 * 255, 2) / 2, MultiScaleSsim.C3, 1e-5);
    }

    @Test
    void theWindowsOfVifAreGaussians() {
        for (int scale = 0; scale < VifScale.SCALES; scale++) {
            int size = (16 >> scale) + 1;
            double[] window = gaussian(size, size / 5.0);
            assertArrayEquals(window, doubles(FloatVif.window(scale)), FLOAT);
            assertEquals(size / 2, VifScale.radius(scale));
            int sum = 0;
            for (int i = 0; i < size; i++) {
                int tap = VifScale.tap(scale, Math.min(i, size - 1 - i));
                // The largest are rounded so that all add up to 1.
                assertEquals(window[i] * ONE, tap, 0.6, "scale " + scale + ", tap " + i);
                sum += tap;
            }
            assertEquals(ONE, sum, "scale " + scale);
        }
    }

    @Test
    void theBlurOfMotionIsAGaussian() {
        double[] blur = gaussian(5, 1);
        assertArrayEquals(blur, doubles(FloatMotion.blur()), FLOAT);
        assertEquals(Math.rint(blur[2] * ONE), MotionScore.TAP_0);
        assertEquals(Math.rint(blur[3] * ONE), MotionScore.TAP_1);
        assertEquals(Math.rint(blur[4] * ONE), MotionScore.TAP_2);
    }

    @Test
    void theWaveletOfAdmIsDaubechiesOfFourTaps() {
        double root = Math.sqrt(3);
        double[] low = new double[4];
        double[] numerators = {1 + root, 3 + root, 3 - root, 1 - root};
        for (int i = 0; i < low.length; i++) {
            low[i] = numerators[i] / (4 * Math.sqrt(2));
        }
        double[] high = {low[3], -low[2], low[1], -low[0]};
        assertArrayEquals(low, doubles(FloatAdm.low()), FLOAT);
        assertArrayEquals(high, doubles(FloatAdm.high()), FLOAT);
        int[] lowTaps = {AdmScale.LOW_0, AdmScale.LOW_1, AdmScale.LOW_2, AdmScale.LOW_3};
        int[] highTaps = {AdmScale.HIGH_0, AdmScale.HIGH_1, AdmScale.HIGH_2, AdmScale.HIGH_3};
        for (int i = 0; i < low.length; i++) {
            assertEquals(Math.round(low[i] * AdmScale.ONE), lowTaps[i]);
            assertEquals(Math.round(high[i] * AdmScale.ONE), highTaps[i]);
        }
    }

    /** The recursions blur an impulse to the Gaussian of standard deviation 1.5 that they stand for. */
    @Test
    void theRecursionsOfSsimulacra2AreAGaussian() {
        int centre = 20;
        double[] blurred = new double[2 * centre + 1];
        float[] coefficients = RecursiveGaussian.coefficients();
        for (int pole = 0; pole < RecursiveGaussian.POLES; pole++) {
            int at = pole * RecursiveGaussian.COEFFICIENTS;
            double before = 0;
            double beforeThat = 0;
            for (int i = -RecursiveGaussian.RADIUS + 1; i < blurred.length; i++) {
                double sum = impulse(i - RecursiveGaussian.RADIUS - 1, centre)
                        + impulse(i + RecursiveGaussian.RADIUS - 1, centre);
                double next = coefficients[at + RecursiveGaussian.DOWN_INPUT] * sum
                        + (double) coefficients[at + RecursiveGaussian.DOWN_BEFORE] * before
                        - beforeThat;
                beforeThat = before;
                before = next;
                if (i >= 0) {
                    blurred[i] += next;
                }
            }
        }
        assertEquals(1, Arrays.stream(blurred).sum(), 1e-6);
        double variance = 0;
        for (int i = 0; i < blurred.length; i++) {
            variance += (i - centre) * (i - centre) * blurred[i];
            assertEquals(gaussian(2 * centre + 1, 1.5)[i], blurred[i], 2e-3, "distance " + (i - centre));
        }
        assertEquals(1.5 * 1.5, variance, 2e-4);
    }

    private static double impulse(int at, int centre) {
        return at == centre ? 1 : 0;
    }
}
