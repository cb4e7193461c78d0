/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import static org.gstqpu.kernels.internal.quality.ContrastBins.LEAST_BITS;
import static org.gstqpu.kernels.internal.quality.ContrastBins.LOW;
import static org.gstqpu.kernels.internal.quality.ContrastBins.LOW_BITS;

import java.util.Arrays;
import org.gstqpu.kernels.internal.quality.ContrastBins;

/** Adds up the greatest of many contrasts, in two passes over them. Owns its bins. */
final class GreatestContrasts {
    private final int[] counts;
    private final double[] sums;
    private final int[] lowCounts = new int[LOW];

    GreatestContrasts(int windowRadius) {
        counts = new int[ContrastBins.bins(windowRadius)];
        sums = new double[counts.length];
    }

    /**
     * The sum of the greatest.
     *
     * @param contrasts 0, or at least {@link org.gstqpu.kernels.internal.quality.Cambi#LEAST_CONTRAST}
     * @param count how many of them
     * @param greatest how many are added up
     */
    double sum(float[] contrasts, int count, int greatest) {
        Arrays.fill(counts, 0);
        Arrays.fill(sums, 0);
        for (int i = 0; i < count; i++) {
            float contrast = contrasts[i];
            if (contrast > 0) {
                int bin = (Float.floatToRawIntBits(contrast) - LEAST_BITS) >> LOW_BITS;
                counts[bin]++;
                sums[bin] += contrast;
            }
        }
        double sum = 0;
        int left = greatest;
        for (int bin = counts.length - 1; bin >= 0; bin--) {
            if (counts[bin] > left) {
                return sum + sumOf(bin, contrasts, count, left);
            }
            left -= counts[bin];
            sum += sums[bin];
        }
        return sum;
    }

    /** The sum of the greatest in a bin. */
    private double sumOf(int bin, float[] contrasts, int count, int greatest) {
        Arrays.fill(lowCounts, 0);
        for (int i = 0; i < count; i++) {
            int bits = Float.floatToRawIntBits(contrasts[i]) - LEAST_BITS;
            if (bits >> LOW_BITS == bin) {
                lowCounts[bits & (LOW - 1)]++;
            }
        }
        double sum = 0;
        int left = greatest;
        for (int low = LOW - 1; left > 0; low--) {
            int taken = Math.min(lowCounts[low], left);
            sum += taken * (double) ContrastBins.contrast(bin, low);
            left -= taken;
        }
        return sum;
    }
}
