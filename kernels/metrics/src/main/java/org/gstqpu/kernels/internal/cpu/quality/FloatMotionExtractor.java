/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Arrays;
import org.gstqpu.kernels.internal.quality.FloatMotion;
import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** Motion of the reference's luma in floating point, from one picture to the next. */
public final class FloatMotionExtractor implements CpuExtractor {
    private final FloatLuma luma;
    private final FloatPlane plane;
    private final float[] taps = FloatMotion.blur();
    private final int radius = taps.length / 2;
    private final float[] column;
    private FloatPlane blurred;
    private FloatPlane before;

    public FloatMotionExtractor(PixelFormat format, int width, int height) {
        luma = new FloatLuma(format, FloatScale.OFFSET);
        plane = new FloatPlane(width, height);
        blurred = new FloatPlane(width, height);
        before = new FloatPlane(width, height);
        column = new float[width + 2 * radius];
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        FloatPlane free = before;
        before = blurred;
        blurred = free;
        luma.convert(pair.reference(), plane);
        double sum = 0;
        for (int row = 0; row < plane.height; row++) {
            blur(row);
            sum += difference(blurred.samples, before.samples, blurred.at(row), plane.width);
        }
        figures.set(QualityFeature.MOTION, pair.hasPrevious(1) ? sum / blurred.samples.length : 0);
    }

    private void blur(int row) {
        int width = plane.width;
        Arrays.fill(column, 0);
        for (int tap = 0; tap < taps.length; tap++) {
            int from = Math.abs(row - radius + tap);
            int at = plane.at(from < plane.height ? from : 2 * plane.height - 2 - from);
            for (int x = 0; x < width; x++) {
                column[radius + x] += taps[tap] * plane.samples[at + x];
            }
        }
        WindowMoments.mirrorEnds(column, radius, width);
        int to = blurred.at(row);
        for (int x = 0; x < width; x++) {
            blurred.samples[to + x] = taps[0] * (column[x] + column[x + 4])
                    + taps[1] * (column[x + 1] + column[x + 3])
                    + taps[2] * column[x + 2];
        }
    }

    private static double difference(float[] a, float[] b, int at, int width) {
        double sum = 0;
        for (int x = at; x < at + width; x++) {
            sum += Math.abs(a[x] - b[x]);
        }
        return sum;
    }
}
