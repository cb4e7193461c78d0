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
import org.gstqpu.kernels.quality.MetricOptions;
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
    private final float[] blur;

    SpeedExtractor(QualityMetric metric, MetricOptions options, PixelFormat format, int width, int height) {
        speed = new SpeedFigures(metric, options, format, width, height);
        shape = speed.shape();
        blocks = new SpeedBlocks(shape);
        blur = shape.blur();
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
                for (int i = 0; i < blur.length; i++) {
                    sum += blur[i] * down(samples, shape.columns()[x * blur.length + i], y);
                }
                plane[y * shape.width() + x] = sum;
            }
        }
    }

    private float down(int[] samples, SpeedShape.Source column, int y) {
        float sum = 0;
        for (int i = 0; i < blur.length; i++) {
            sum += blur[i] * scaled(samples, column, shape.rows()[y * blur.length + i]);
        }
        return sum;
    }

    private float scaled(int[] samples, SpeedShape.Source column, SpeedShape.Source row) {
        float sum = 0;
        float shares = 0;
        for (int j = 0; j < row.places.length; j++) {
            for (int i = 0; i < column.places.length; i++) {
                float share = row.shares[j] * column.shares[i];
                shares += share;
                sum += share * sample(samples, column.places[i], row.places[j]);
            }
        }
        return shape.isNormalised() ? sum / shares : sum;
    }

    private float sample(int[] samples, int x, int y) {
        return samples[y * sourceWidth + x] * factor - FloatScale.OFFSET;
    }
}
