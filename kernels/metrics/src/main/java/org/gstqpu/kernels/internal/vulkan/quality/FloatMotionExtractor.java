/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static java.lang.Float.intBitsToFloat;
import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.util.List;
import org.gstqpu.kernels.internal.quality.FloatMotion;
import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.FloatMotionGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** Motion of the reference's luma in floating point. The blurred picture stays on the device for the next pair. */
final class FloatMotionExtractor implements DeviceExtractor {
    private static final int INVOCATIONS = 64;

    private final FloatLumaPass luma;
    private final int width;
    private final int height;
    private final PushConstants geometry = new PushConstants(FloatMotionGeometry.BYTES);
    private final DeviceBuffer planes;

    FloatMotionExtractor(ExtractorMemory memory, PairShape shape) {
        luma = new FloatLumaPass(shape, FloatScale.OFFSET);
        width = shape.width();
        height = shape.height();
        planes = memory.acquire(MemoryKind.DEVICE, 2L * width * height);
    }

    @Override
    public int resultWords() {
        return Commands.groups(width, INVOCATIONS) * height;
    }

    @Override
    public int stages() {
        return 2;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(planes.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        recording.bind(0);
        if (stage == 0) {
            luma.record(recording, 1, 0, 0);
            return;
        }
        Commands commands = recording.kernel(QualityKernel.FLOAT_MOTION, INVOCATIONS);
        geometry.put(FloatMotionGeometry.LUMA_AT, 0)
                .put(FloatMotionGeometry.BLURRED_AT, width * height)
                .put(FloatMotionGeometry.WIDTH, width)
                .put(FloatMotionGeometry.HEIGHT, height)
                .put(FloatMotionGeometry.RESULTS_AT, recording.resultsAt());
        float[] taps = FloatMotion.blur();
        for (int i = 0; i < FloatMotionGeometry.TAPS_COUNT; i++) {
            geometry.put(FloatMotionGeometry.TAPS, i, taps[taps.length / 2 + i]);
        }
        commands.push(geometry);
        commands.dispatch(Commands.groups(width, INVOCATIONS), height, 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        double sum = 0;
        for (int i = 0; i < resultWords(); i++) {
            sum += intBitsToFloat(memGetInt(results + (long) PairShape.WORD_BYTES * i));
        }
        figures.set(QualityFeature.MOTION, first ? 0 : sum / ((double) width * height));
    }
}
