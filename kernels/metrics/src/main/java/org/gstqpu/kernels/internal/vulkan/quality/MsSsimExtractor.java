/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.List;
import java.util.stream.IntStream;
import org.gstqpu.kernels.internal.quality.MultiScaleSsim;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** MS-SSIM of luma. */
final class MsSsimExtractor implements DeviceExtractor {
    private final WindowPyramid pyramid;
    private final int width;
    private final int height;

    MsSsimExtractor(DeviceRuntime runtime, PairShape shape) {
        width = shape.width();
        height = shape.height();
        List<WindowPyramid.Scale> scales = IntStream.range(0, MultiScaleSsim.SCALES)
                .mapToObj(scale -> new WindowPyramid.Scale(
                        MultiScaleSsim.samples(width, scale),
                        MultiScaleSsim.samples(height, scale),
                        MultiScaleSsim.windows(width, scale),
                        MultiScaleSsim.windows(height, scale),
                        MultiScaleSsim.window(),
                        MultiScaleSsim.lowPass()))
                .toList();
        pyramid = new WindowPyramid(
                runtime, shape, scales, true, MultiScaleSsim.C1, MultiScaleSsim.C2, MultiScaleSsim.C3);
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
        double figure = 1;
        for (int scale = 0; scale < MultiScaleSsim.SCALES; scale++) {
            double windows = (double) MultiScaleSsim.windows(width, scale) * MultiScaleSsim.windows(height, scale);
            figure *= MultiScaleSsim.part(
                    scale,
                    pyramid.sum(results, scale, 0) / windows,
                    pyramid.sum(results, scale, 1) / windows,
                    pyramid.sum(results, scale, 2) / windows);
        }
        figures.set(QualityFeature.FLOAT_MS_SSIM, figure);
    }

    @Override
    public void close() {
        pyramid.close();
    }
}
