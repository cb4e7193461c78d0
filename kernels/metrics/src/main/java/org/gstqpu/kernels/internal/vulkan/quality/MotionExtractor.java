/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.quality.MotionScore;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.quality.layout.MotionGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/** Motion in integers. The second stage takes the reference for the next pair. */
final class MotionExtractor implements DeviceExtractor {
    private static final int INVOCATIONS = 128;

    // What a workgroup of the kernel takes.
    private static final int COLUMNS = 64;
    private static final int ROWS = 8;

    private final PictureLayout layout;
    private final PushConstants geometry = new PushConstants(MotionGeometry.BYTES);
    private final Set<QualityMetric> wanted;

    private final KeptReferences kept;

    /** Pictures of this sequence that were measured, as far as that counts. */
    private int references;

    MotionExtractor(ExtractorMemory memory, PairShape shape, Set<QualityMetric> wanted) {
        layout = shape.layout();
        this.wanted = wanted;
        kept = new KeptReferences(memory, shape);
    }

    private int columns() {
        return Commands.groups(layout.width(), COLUMNS);
    }

    private int rows() {
        return Commands.groups(layout.height(), ROWS);
    }

    @Override
    public int resultWords() {
        return 2 * columns() * rows();
    }

    @Override
    public int stages() {
        return 2;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(kept.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        recording.bind(0);
        if (stage > 0) {
            kept.record(recording);
            return;
        }
        PixelFormat format = layout.format();
        Commands commands = recording.kernel(
                QualityKernel.MOTION,
                INVOCATIONS,
                format.sampleBytes(),
                format.sampleShift(),
                format.bitDepth(),
                INVOCATIONS);
        commands.push(recording
                .withReference(geometry, 0)
                .put(MotionGeometry.WIDTH, layout.width())
                .put(MotionGeometry.HEIGHT, layout.height())
                .put(MotionGeometry.ROW_WORDS, kept.rowWords())
                .put(MotionGeometry.RESULTS_AT, recording.resultsAt())
                .put(MotionGeometry.TAP0, MotionScore.TAP_0)
                .put(MotionGeometry.TAP1, MotionScore.TAP_1)
                .put(MotionGeometry.TAP2, MotionScore.TAP_2));
        commands.dispatch(columns(), rows(), MotionScore.needsLastButOne(wanted) ? 2 : 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        references = first ? 0 : Math.min(references + 1, 2);
        long sum = references > 0 ? sum(results, 0) : 0;
        long sumOfTwo = references > 1 && MotionScore.needsLastButOne(wanted) ? sum(results, 1) : 0;
        MotionScore.put(wanted, sum, sumOfTwo, (long) layout.width() * layout.height(), figures);
    }

    private long sum(long results, int which) {
        int count = columns() * rows();
        long sum = 0;
        for (int i = which * count; i < (which + 1) * count; i++) {
            sum += memGetInt(results + (long) i * PairShape.WORD_BYTES) & 0xffffffffL;
        }
        return sum;
    }
}
