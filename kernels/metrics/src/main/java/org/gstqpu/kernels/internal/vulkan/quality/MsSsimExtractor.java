/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.List;
import java.util.stream.IntStream;
import org.gstqpu.kernels.internal.quality.MultiScaleSsim;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** MS-SSIM of luma. */
final class MsSsimExtractor {
    private MsSsimExtractor() {}

    static DeviceExtractor of(ExtractorMemory memory, PairShape shape) {
        int width = shape.width();
        int height = shape.height();
        List<WindowPyramid.Scale> scales = IntStream.range(0, MultiScaleSsim.SCALES)
                .mapToObj(scale -> new WindowPyramid.Scale(
                        MultiScaleSsim.samples(width, scale),
                        MultiScaleSsim.samples(height, scale),
                        MultiScaleSsim.windows(width, scale),
                        MultiScaleSsim.windows(height, scale),
                        MultiScaleSsim.window(),
                        MultiScaleSsim.lowPass()))
                .toList();
        return new WindowPyramid(
                memory,
                shape,
                scales,
                true,
                MsSsimExtractor::read,
                MultiScaleSsim.C1,
                MultiScaleSsim.C2,
                MultiScaleSsim.C3);
    }

    private static void read(WindowPyramid pyramid, long results, QualityFigures figures) {
        double figure = 1;
        for (int scale = 0; scale < MultiScaleSsim.SCALES; scale++) {
            double windows = pyramid.windows(scale);
            figure *= MultiScaleSsim.part(
                    scale,
                    pyramid.sum(results, scale, 0) / windows,
                    pyramid.sum(results, scale, 1) / windows,
                    pyramid.sum(results, scale, 2) / windows);
        }
        figures.set(QualityFeature.FLOAT_MS_SSIM, figure);
    }
}
