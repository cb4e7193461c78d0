/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.MultiScaleSsim;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** MS-SSIM of luma. */
public final class MsSsimExtractor implements CpuExtractor {
    private final FloatLuma luma;
    private final FloatPlane[] reference = new FloatPlane[MultiScaleSsim.SCALES];
    private final FloatPlane[] measured = new FloatPlane[MultiScaleSsim.SCALES];
    private final WindowMoments moments;
    private final HalvedRow halved;

    // Sums of the terms of all windows of a scale.
    private double luminance;
    private double contrast;
    private double structure;

    public MsSsimExtractor(PixelFormat format, int width, int height) {
        luma = new FloatLuma(format, MultiScaleSsim.OFFSET);
        for (int scale = 0; scale < MultiScaleSsim.SCALES; scale++) {
            int across = MultiScaleSsim.samples(width, scale);
            int down = MultiScaleSsim.samples(height, scale);
            reference[scale] = new FloatPlane(across, down);
            measured[scale] = new FloatPlane(across, down);
        }
        moments = new WindowMoments(MultiScaleSsim.window(), WindowMoments.Border.INSIDE, width);
        halved = new HalvedRow(MultiScaleSsim.lowPass(), true, width);
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        luma.convert(pair.reference(), reference[0]);
        luma.convert(pair.picture(), measured[0]);
        double figure = 1;
        for (int scale = 0; scale < MultiScaleSsim.SCALES; scale++) {
            if (scale > 0) {
                for (int row = 0; row < reference[scale].height; row++) {
                    halved.make(reference[scale - 1], reference[scale], row);
                    halved.make(measured[scale - 1], measured[scale], row);
                }
            }
            luminance = 0;
            contrast = 0;
            structure = 0;
            int across = moments.windows(reference[scale].width);
            int down = moments.windows(reference[scale].height);
            for (int row = 0; row < down; row++) {
                moments.row(reference[scale], measured[scale], row);
                addWindows(moments.means, across);
            }
            double windows = (double) across * down;
            figure *= MultiScaleSsim.part(scale, luminance / windows, contrast / windows, structure / windows);
        }
        figures.set(QualityFeature.FLOAT_MS_SSIM, figure);
    }

    private void addWindows(float[][] means, int windows) {
        double ofLuminance = 0;
        double ofContrast = 0;
        double ofStructure = 0;
        for (int x = 0; x < windows; x++) {
            float a = means[WindowMoments.A][x];
            float b = means[WindowMoments.B][x];
            float varianceA = Math.max(means[WindowMoments.AA][x] - a * a, 0);
            float varianceB = Math.max(means[WindowMoments.BB][x] - b * b, 0);
            float covariance = means[WindowMoments.AB][x] - a * b;
            float deviations = (float) Math.sqrt(varianceA * varianceB);
            // Rounding may leave a covariance where a window is flat, which has none.
            if (deviations <= 0 && covariance < 0) {
                covariance = 0;
            }
            ofLuminance += (2 * a * b + MultiScaleSsim.C1) / (a * a + b * b + MultiScaleSsim.C1);
            ofContrast += (2 * deviations + MultiScaleSsim.C2) / (varianceA + varianceB + MultiScaleSsim.C2);
            ofStructure += (covariance + MultiScaleSsim.C3) / (deviations + MultiScaleSsim.C3);
        }
        luminance += ofLuminance;
        contrast += ofContrast;
        structure += ofStructure;
    }
}
