/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.List;
import java.util.stream.IntStream;
import org.gstqpu.kernels.internal.quality.FloatVif;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** VIF of luma in floating point. */
final class FloatVifExtractor implements DeviceExtractor {
    private static final QualityFeature[] FEATURES = {
        QualityFeature.VIF_SCALE0, QualityFeature.VIF_SCALE1, QualityFeature.VIF_SCALE2, QualityFeature.VIF_SCALE3
    };

    private final WindowPyramid pyramid;

    FloatVifExtractor(DeviceRuntime runtime, PairShape shape) {
        List<WindowPyramid.Scale> scales = IntStream.range(0, FloatVif.SCALES)
                .mapToObj(scale -> scale(shape, scale))
                .toList();
        pyramid = new WindowPyramid(
                runtime, shape, scales, false, FloatVif.NOISE, FloatVif.FLAT_LOSS, FloatVif.GAIN_LIMIT);
    }

    private static WindowPyramid.Scale scale(PairShape shape, int scale) {
        int width = FloatVif.samples(shape.width(), scale);
        int height = FloatVif.samples(shape.height(), scale);
        float[] window = FloatVif.window(scale);
        return new WindowPyramid.Scale(width, height, width, height, window, window);
    }

    @Override
    public int resultWords() {
        return pyramid.resultWords();
    }

    @Override
    public int stages() {
        return pyramid.stages();
    }

    @Override
    public List<List<BufferRange>> sets() {
        return pyramid.sets();
    }

    @Override
    public void record(int stage, PairRecording recording) {
        pyramid.record(stage, recording);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        for (int scale = 0; scale < FloatVif.SCALES; scale++) {
            figures.set(FEATURES[scale], pyramid.sum(results, scale, 0) / pyramid.sum(results, scale, 1));
        }
    }

    @Override
    public void close() {
        pyramid.close();
    }
}
