/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import org.gstqpu.kernels.quality.QualityMeter;

/** The figures of {@link QualityMeter} by their definitions, in double precision. */
public final class ReferenceQuality {
    private static final int[] LUMA_QUANTISER = {
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29,
        51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121,
        120, 101, 72, 92, 95, 98, 112, 100, 103, 99
    };

    /** Of each frequency, of each sample. */
    private static final double[] COSINES = new double[64];

    static {
        for (int i = 0; i < 64; i++) {
            COSINES[i] = Math.cos((2 * (i % 8) + 1) * (i / 8) * Math.PI / 16);
        }
    }

    private ReferenceQuality() {}

    public static double psnr(SamplePicture reference, SamplePicture picture, int component) {
        double error = 0;
        for (int y = 0; y < reference.height(component); y++) {
            for (int x = 0; x < reference.width(component); x++) {
                double difference = reference.get(component, x, y) - picture.get(component, x, y);
                error += difference * difference;
            }
        }
        double peak = (1 << reference.bitDepth) - 1;
        return 10 * Math.log10(peak * peak * reference.width(component) * reference.height(component) / error);
    }

    public static double ssim(SamplePicture reference, SamplePicture picture, int component) {
        double sum = 0;
        int windows = 0;
        for (int y = 0; y + 8 <= reference.height(component); y += 4) {
            for (int x = 0; x + 8 <= reference.width(component); x += 4) {
                sum += windowSsim(reference, picture, component, x, y);
                windows++;
            }
        }
        return sum / windows;
    }

    private static double windowSsim(SamplePicture reference, SamplePicture picture, int component, int left, int top) {
        double meanA = 0;
        double meanB = 0;
        for (int i = 0; i < 64; i++) {
            meanA += reference.get(component, left + i % 8, top + i / 8) / 64.0;
            meanB += picture.get(component, left + i % 8, top + i / 8) / 64.0;
        }
        double varianceA = 0;
        double varianceB = 0;
        double covariance = 0;
        for (int i = 0; i < 64; i++) {
            double a = reference.get(component, left + i % 8, top + i / 8) - meanA;
            double b = picture.get(component, left + i % 8, top + i / 8) - meanB;
            varianceA += a * a / 63;
            varianceB += b * b / 63;
            covariance += a * b / 63;
        }
        double peak = (1 << reference.bitDepth) - 1;
        // What x264 and ffmpeg take, whole numbers for sums over 64 samples; the first is a 64th of the paper's.
        double c1 = Math.rint(0.01 * peak * 0.01 * peak * 64) / 64 / 64;
        double c2 = Math.rint(0.03 * peak * 0.03 * peak * 64 * 63) / 64 / 63;
        return (2 * meanA * meanB + c1)
                * (2 * covariance + c2)
                / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2));
    }

    public static double psnrHvs(SamplePicture reference, SamplePicture picture) {
        double inverses = 0;
        for (int step : LUMA_QUANTISER) {
            inverses += 1.0 / (step * step);
        }
        double error = 0;
        int samples = 0;
        for (int top = 0; top + 8 <= reference.height; top += 8) {
            for (int left = 0; left + 8 <= reference.width; left += 8) {
                for (int frequency = 0; frequency < 64; frequency++) {
                    double coefficient = coefficient(reference, picture, left, top, frequency % 8, frequency / 8);
                    double step = LUMA_QUANTISER[frequency];
                    error += coefficient * coefficient * 64 / (inverses * step * step);
                }
                samples += 64;
            }
        }
        double peak = (1 << reference.bitDepth) - 1;
        return 10 * Math.log10(peak * peak * samples / error);
    }

    private static double coefficient(
            SamplePicture reference, SamplePicture picture, int left, int top, int across, int down) {
        double sum = 0;
        for (int i = 0; i < 64; i++) {
            int x = i % 8;
            int y = i / 8;
            int difference = reference.get(0, left + x, top + y) - picture.get(0, left + x, top + y);
            sum += difference * COSINES[across * 8 + x] * COSINES[down * 8 + y];
        }
        return sum / 4 * (across == 0 ? Math.sqrt(0.5) : 1) * (down == 0 ? Math.sqrt(0.5) : 1);
    }
}
