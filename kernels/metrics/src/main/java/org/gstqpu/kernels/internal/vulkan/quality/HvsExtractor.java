/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static java.lang.Float.intBitsToFloat;
import static org.lwjgl.system.MemoryUtil.memFloatBuffer;
import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.util.List;
import org.gstqpu.kernels.internal.quality.HvsWeights;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.HvsGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.quality.QualityFigures;

/** PSNR-HVS. Each invocation writes a result of its own; the CPU adds them in a fixed order. */
final class HvsExtractor implements DeviceExtractor {
    private static final int INVOCATIONS = 64;

    /** Blocks that an invocation measures, one below the other. */
    private static final int ROWS = 4;

    private final PictureLayout layout;
    private final PushConstants geometry = new PushConstants(HvsGeometry.BYTES);
    private final DeviceBuffer weights;

    HvsExtractor(ExtractorMemory memory, PairShape shape) {
        layout = shape.layout();
        int words = HvsWeights.basis().length + HvsWeights.weights().length;
        weights = memory.acquire(MemoryKind.UPLOAD, words);
        memFloatBuffer(weights.address(), words).put(HvsWeights.basis()).put(HvsWeights.weights());
    }

    private int columns() {
        return layout.width() / HvsWeights.BLOCK;
    }

    private int groups() {
        return Commands.groups(layout.height() / HvsWeights.BLOCK, ROWS);
    }

    @Override
    public int resultWords() {
        return columns() * groups();
    }

    @Override
    public int stages() {
        return 1;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(weights.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        if (resultWords() == 0) {
            return;
        }
        recording.bind(0);
        Commands commands = recording.kernel(
                QualityKernel.HVS,
                INVOCATIONS,
                layout.format().sampleBytes(),
                1,
                layout.format().sampleShift(),
                ROWS);
        commands.push(recording
                .withPair(geometry, 0)
                .put(HvsGeometry.COLUMNS, columns())
                .put(HvsGeometry.ROWS, layout.height() / HvsWeights.BLOCK)
                .put(HvsGeometry.RESULTS_AT, recording.resultsAt()));
        commands.dispatch(Commands.groups(columns(), INVOCATIONS), groups(), 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        double seen = 0;
        for (int i = 0; i < resultWords(); i++) {
            seen += intBitsToFloat(memGetInt(results + (long) i * PairShape.WORD_BYTES));
        }
        figures.sums().addSeen(layout, HvsWeights.inBlocks(layout), seen);
    }
}
