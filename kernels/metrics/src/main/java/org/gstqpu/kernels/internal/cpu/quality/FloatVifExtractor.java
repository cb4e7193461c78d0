/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.internal.quality.FloatVif;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** VIF of luma in floating point. */
public final class FloatVifExtractor implements CpuExtractor {
    private static final QualityFeature[] FEATURES = {
        QualityFeature.VIF_SCALE0, QualityFeature.VIF_SCALE1, QualityFeature.VIF_SCALE2, QualityFeature.VIF_SCALE3
    };

    /** Factors of 1 to 2^40 whose logarithms are taken at once. Their product is less than the greatest double. */
    private static final int FACTORS = 16;

    private static final double LOG_2 = Math.log(2);

    private final FloatPlane[] reference = new FloatPlane[FloatVif.SCALES];
    private final FloatPlane[] measured = new FloatPlane[FloatVif.SCALES];

    private final FloatLuma luma;
    private final WindowMoments[] moments = new WindowMoments[FloatVif.SCALES];
    private final HalvedRow[] halved = new HalvedRow[FloatVif.SCALES];

    // Information of all windows of a scale.
    private double ofMeasured;
    private double ofReference;

    public FloatVifExtractor(PixelFormat format, int width, int height) {
        luma = new FloatLuma(format, FloatScale.OFFSET);
        for (int scale = 0; scale < FloatVif.SCALES; scale++) {
            int across = FloatVif.samples(width, scale);
            int down = FloatVif.samples(height, scale);
            reference[scale] = new FloatPlane(across, down);
            measured[scale] = new FloatPlane(across, down);
            float[] window = FloatVif.window(scale);
            moments[scale] = new WindowMoments(window, WindowMoments.Border.MIRROR, across);
            if (scale > 0) {
                halved[scale] = new HalvedRow(window, false, FloatVif.samples(width, scale - 1));
            }
        }
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        luma.convert(pair.reference(), reference[0]);
        luma.convert(pair.picture(), measured[0]);
        for (int scale = 0; scale < FloatVif.SCALES; scale++) {
            ofMeasured = 0;
            ofReference = 0;
            for (int row = 0; scale > 0 && row < reference[scale].height; row++) {
                halved[scale].make(reference[scale - 1], reference[scale], row);
                halved[scale].make(measured[scale - 1], measured[scale], row);
            }
            for (int row = 0; row < reference[scale].height; row++) {
                moments[scale].row(reference[scale], measured[scale], row);
                addWindows(moments[scale].means, reference[scale].width);
            }
            figures.set(FEATURES[scale], ofMeasured / ofReference);
        }
    }

    private void addWindows(float[][] means, int width) {
        double flatLoss = 0;
        int flat = 0;
        double informationOfMeasured = 0;
        double informationOfReference = 0;
        double productOfMeasured = 1;
        double productOfReference = 1;
        int factors = 0;
        for (int x = 0; x < width; x++) {
            float a = means[WindowMoments.A][x];
            float b = means[WindowMoments.B][x];
            float varianceA = means[WindowMoments.AA][x] - a * a;
            float varianceB = Math.max(means[WindowMoments.BB][x] - b * b, 0);
            if (varianceA < FloatVif.NOISE) {
                flat++;
                flatLoss += varianceB;
                continue;
            }
            productOfReference *= 1 + varianceA / FloatVif.NOISE;
            float covariance = means[WindowMoments.AB][x] - a * b;
            if (covariance > 0 && varianceB >= FloatVif.LEAST_VARIANCE) {
                float gain = covariance / varianceA;
                float noise = Math.max(varianceB - gain * covariance, FloatVif.LEAST_VARIANCE);
                gain = Math.min(gain, FloatVif.GAIN_LIMIT);
                productOfMeasured *= 1 + gain * gain * varianceA / (noise + FloatVif.NOISE);
            }
            factors++;
            if (factors == FACTORS) {
                informationOfMeasured += Math.log(productOfMeasured);
                informationOfReference += Math.log(productOfReference);
                productOfMeasured = 1;
                productOfReference = 1;
                factors = 0;
            }
        }
        informationOfMeasured += Math.log(productOfMeasured);
        informationOfReference += Math.log(productOfReference);
        ofMeasured += flat - flatLoss * FloatVif.FLAT_LOSS + informationOfMeasured / LOG_2;
        ofReference += flat + informationOfReference / LOG_2;
    }
}
