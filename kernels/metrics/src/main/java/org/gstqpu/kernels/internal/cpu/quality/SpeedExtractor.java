/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.internal.quality.SpeedFigures;
import org.gstqpu.kernels.internal.quality.SpeedShape;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/** SpEED of chroma. */
final class SpeedExtractor implements CpuExtractor {
    private final SpeedFigures speed;
    private final SpeedShape shape;
    private final SpeedBlocks blocks;
    private final float[] plane;
    private final int sourceWidth;
    private final float factor;
    private final float[] blur = SpeedShape.blur();

    SpeedExtractor(QualityMetric metric, PixelFormat format, int width, int height) {
        speed = new SpeedFigures(metric, format, width, height);
        shape = speed.shape();
        blocks = new SpeedBlocks(shape.width(), shape.height());
        plane = new float[shape.width() * shape.height()];
        sourceWidth = format.chromaWidth(width);
        factor = FloatScale.factor(format.bitDepth());
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        measure(0, pair.reference().of(PictureComponent.CB));
        measure(1, pair.picture().of(PictureComponent.CB));
        measure(2, pair.reference().of(PictureComponent.CR));
        measure(3, pair.picture().of(PictureComponent.CR));
        speed.put(figures);
    }

    private void measure(int number, int[] samples) {
        reduce(samples);
        speed.setTells(number, blocks.measure(plane, speed.entropies(number), speed.variances(number)));
    }

    private void reduce(int[] samples) {
        for (int y = 0; y < shape.height(); y++) {
            for (int x = 0; x < shape.width(); x++) {
                float sum = 0;
                for (int i = 0; i < SpeedShape.TAPS; i++) {
                    sum += blur[i] * down(samples, shape.columns()[x * SpeedShape.TAPS + i], y);
                }
                plane[y * shape.width() + x] = sum;
            }
        }
    }

    private float down(int[] samples, SpeedShape.Between column, int y) {
        float sum = 0;
        for (int i = 0; i < SpeedShape.TAPS; i++) {
            SpeedShape.Between row = shape.rows()[y * SpeedShape.TAPS + i];
            float right = column.share();
            float below = row.share();
            float scaled = (1 - below) * (1 - right) * sample(samples, column.from(), row.from())
                    + (1 - below) * right * sample(samples, column.to(), row.from())
                    + below * (1 - right) * sample(samples, column.from(), row.to())
                    + below * right * sample(samples, column.to(), row.to());
            sum += blur[i] * scaled;
        }
        return sum;
    }

    private float sample(int[] samples, int x, int y) {
        return samples[y * sourceWidth + x] * factor - FloatScale.OFFSET;
    }
}
