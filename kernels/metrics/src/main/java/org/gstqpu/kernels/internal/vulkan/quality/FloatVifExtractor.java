/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.List;
import java.util.stream.IntStream;
import org.gstqpu.kernels.internal.quality.FloatVif;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** VIF of luma in floating point. */
final class FloatVifExtractor {
    private static final QualityFeature[] FEATURES = {
        QualityFeature.VIF_SCALE0, QualityFeature.VIF_SCALE1, QualityFeature.VIF_SCALE2, QualityFeature.VIF_SCALE3
    };

    private FloatVifExtractor() {}

    static DeviceExtractor of(ExtractorMemory memory, PairShape shape) {
        List<WindowPyramid.Scale> scales = IntStream.range(0, FloatVif.SCALES)
                .mapToObj(scale -> scale(shape, scale))
                .toList();
        return new WindowPyramid(
                memory,
                shape,
                scales,
                false,
                FloatVifExtractor::read,
                FloatVif.NOISE,
                FloatVif.FLAT_LOSS,
                FloatVif.GAIN_LIMIT);
    }

    private static WindowPyramid.Scale scale(PairShape shape, int scale) {
        int width = FloatVif.samples(shape.width(), scale);
        int height = FloatVif.samples(shape.height(), scale);
        float[] window = FloatVif.window(scale);
        return new WindowPyramid.Scale(width, height, width, height, window, window);
    }

    private static void read(WindowPyramid pyramid, long results, QualityFigures figures) {
        for (int scale = 0; scale < FloatVif.SCALES; scale++) {
            figures.set(FEATURES[scale], pyramid.sum(results, scale, 0) / pyramid.sum(results, scale, 1));
        }
    }
}
