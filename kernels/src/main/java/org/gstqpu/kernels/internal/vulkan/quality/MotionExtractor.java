/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.util.List;
import org.gstqpu.kernels.internal.quality.MotionScore;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.layout.MotionGeometry;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFigures;

/** Motion in integers. Owns a copy of the last reference's luma, which the second stage replaces. */
final class MotionExtractor implements DeviceExtractor {
    private static final int INVOCATIONS = 128;

    // What a workgroup of the kernel takes.
    private static final int COLUMNS = 64;
    private static final int ROWS = 8;

    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final PictureLayout layout;
    private final int rowWords;
    private final PushConstants geometry = new PushConstants(MotionGeometry.BYTES);
    private final DeviceBuffer previous;

    MotionExtractor(DeviceRuntime runtime, PairShape shape) {
        pool = runtime.pool();
        pipelines = runtime.pipelines();
        layout = shape.layout();
        rowWords = RowWords.words(shape.format(), 0, shape.width());
        previous = pool.acquire(MemoryKind.DEVICE, (long) PairShape.WORD_BYTES * rowWords * shape.height());
    }

    private int columns() {
        return Commands.groups(layout.width(), COLUMNS);
    }

    private int rows() {
        return Commands.groups(layout.height(), ROWS);
    }

    @Override
    public int resultWords() {
        return columns() * rows();
    }

    @Override
    public int stages() {
        return 2;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(previous.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        boolean keep = stage > 0;
        PixelFormat format = layout.format();
        Commands commands = recording.commands();
        recording.bind(0);
        commands.bindPipeline(pipelines.pipeline(
                Kernel.QUALITY_MOTION,
                INVOCATIONS,
                format.sampleBytes(),
                format.sampleShift(),
                format.bitDepth(),
                keep ? 1 : 0,
                INVOCATIONS));
        commands.push(geometry.put(
                        MotionGeometry.REFERENCE_OFFSET, recording.reference().offsetWords(0))
                .put(MotionGeometry.REFERENCE_STRIDE, recording.reference().strideWords(0))
                .put(MotionGeometry.WIDTH, layout.width())
                .put(MotionGeometry.HEIGHT, layout.height())
                .put(MotionGeometry.ROW_WORDS, rowWords)
                .put(MotionGeometry.RESULTS_AT, recording.resultsAt())
                .put(MotionGeometry.TAP0, MotionScore.TAP_0)
                .put(MotionGeometry.TAP1, MotionScore.TAP_1)
                .put(MotionGeometry.TAP2, MotionScore.TAP_2));
        if (keep) {
            commands.dispatch(Commands.groups(rowWords, INVOCATIONS), layout.height(), 1);
        } else {
            commands.dispatch(columns(), rows(), 1);
        }
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        long sum = 0;
        if (!first) {
            for (int i = 0; i < resultWords(); i++) {
                sum += memGetInt(results + (long) i * PairShape.WORD_BYTES) & 0xffffffffL;
            }
        }
        MotionScore.put(sum, (long) layout.width() * layout.height(), figures);
    }

    @Override
    public void close() {
        pool.release(previous);
    }
}
