/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static java.lang.Float.intBitsToFloat;
import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.util.List;
import org.gstqpu.kernels.internal.quality.SsimWindow;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SimilarityGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFigures;

/**
 * Squared error and SSIM of each component, for PSNR and SSIM. Each invocation writes results of its own; the CPU adds them in a fixed
 * order.
 */
final class SimilarityExtractor implements DeviceExtractor {
    private static final int INVOCATIONS = 64;
    private static final int BLOCK = 4;

    /** Blocks that an invocation measures, one below the other. */
    private static final int ROWS = 8;

    private static final int RESULTS = 2;
    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    private final PictureLayout layout;
    private final PixelFormat format;
    private final PushConstants geometry = new PushConstants(SimilarityGeometry.BYTES);

    SimilarityExtractor(PairShape shape) {
        layout = shape.layout();
        format = shape.format();
    }

    private int columns(PictureComponent component) {
        return Commands.groups(component.rowSamples(layout), BLOCK);
    }

    private int groups(PictureComponent component) {
        return Commands.groups(component.rows(layout), BLOCK * ROWS);
    }

    private int words(PictureComponent component) {
        return component.isIn(format) ? RESULTS * columns(component) * groups(component) : 0;
    }

    @Override
    public int resultWords() {
        int words = 0;
        for (PictureComponent component : COMPONENTS) {
            words += words(component);
        }
        return words;
    }

    @Override
    public int stages() {
        return 1;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of());
    }

    @Override
    public void record(int stage, PairRecording recording) {
        recording.bind(0);
        int resultsAt = recording.resultsAt();
        for (PictureComponent component : COMPONENTS) {
            if (component.isIn(format)) {
                record(recording, component, resultsAt);
                resultsAt += words(component);
            }
        }
    }

    private void record(PairRecording recording, PictureComponent component, int resultsAt) {
        int plane = component.plane(format);
        Commands commands = recording.kernel(
                QualityKernel.SIMILARITY,
                INVOCATIONS,
                format.sampleBytes(),
                component.sampleStep(format),
                format.sampleShift(),
                ROWS);
        int samples = component.rowSamples(layout);
        int rows = component.rows(layout);
        int firstBits = component.firstSample(format) * format.sampleBytes() * Byte.SIZE;
        commands.push(recording
                .withPair(geometry, plane)
                .put(SimilarityGeometry.WIDTH, samples)
                .put(SimilarityGeometry.HEIGHT, rows)
                .put(SimilarityGeometry.FIRST_BITS, firstBits)
                .put(SimilarityGeometry.LAST_WORD, RowWords.words(format, plane, layout.width()) - 1)
                .put(SimilarityGeometry.WINDOWS_ACROSS, SsimWindow.count(samples))
                .put(SimilarityGeometry.WINDOWS_DOWN, SsimWindow.count(rows))
                .put(SimilarityGeometry.RESULTS_AT, resultsAt)
                .put(SimilarityGeometry.C1, SsimWindow.c1(format.peak()))
                .put(SimilarityGeometry.C2, SsimWindow.c2(format.peak())));
        commands.dispatch(Commands.groups(columns(component), INVOCATIONS), groups(component), 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        long at = results;
        for (PictureComponent component : COMPONENTS) {
            if (component.isIn(format)) {
                long error = 0;
                double similarity = 0;
                for (int i = words(component); i > 0; i -= RESULTS) {
                    error += memGetInt(at) & 0xffffffffL;
                    similarity += intBitsToFloat(memGetInt(at + PairShape.WORD_BYTES));
                    at += RESULTS * PairShape.WORD_BYTES;
                }
                figures.sums().add(component, layout, error, SsimWindow.count(component, layout), similarity);
            }
        }
    }
}
