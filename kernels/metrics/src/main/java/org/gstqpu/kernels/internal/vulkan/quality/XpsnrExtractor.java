/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.quality.XpsnrShape;
import org.gstqpu.kernels.internal.quality.XpsnrSums;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.quality.layout.XpsnrDetailGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.XpsnrErrorGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * XPSNR. The device sums up slices of blocks, a workgroup a slice, in integers; the CPU makes the figures of them. The second stage
 * takes the reference for the next pair.
 */
final class XpsnrExtractor implements DeviceExtractor {
    private static final int INVOCATIONS = 64;
    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    /** Rows of a slice, if the sum of its squared differences has 32 bits; always even. */
    private static final int SLICE_ROWS = 16;

    /** Of samples of 10 bits. */
    private static final int MOST_SAMPLES_OF_A_SLICE = 4096;

    /** Results of a slice of luma: spatial detail; motion from nothing, from the last reference; its change from that, from both. */
    private static final int RESULTS = 5;

    private static final int FROM_NOTHING = 1;
    private static final int FROM_LAST = 2;
    private static final int CHANGE_FROM_LAST = 3;
    private static final int CHANGE_FROM_BOTH = 4;

    private final XpsnrShape shape;
    private final XpsnrSums sums;
    private final Set<QualityMetric> wanted;
    private final int sliceRows;
    private final KeptReferences kept;
    private final PushConstants errorGeometry = new PushConstants(XpsnrErrorGeometry.BYTES);
    private final PushConstants detailGeometry = new PushConstants(XpsnrDetailGeometry.BYTES);

    /** Pictures of this sequence that were measured, as far as that counts. */
    private int references;

    XpsnrExtractor(ExtractorMemory memory, PairShape pair, Set<QualityMetric> wanted) {
        shape = new XpsnrShape(pair.layout());
        sums = new XpsnrSums(shape);
        this.wanted = wanted;
        sliceRows = Math.min(SLICE_ROWS, MOST_SAMPLES_OF_A_SLICE / shape.block() / 2 * 2);
        kept = new KeptReferences(memory, pair);
    }

    private int slices(PictureComponent component) {
        return Commands.groups(shape.blockHeight(component), sliceRows);
    }

    private int errorWords(PictureComponent component) {
        return component.isIn(shape.format()) ? shape.columns() * shape.rows() * slices(component) : 0;
    }

    private int detailWords() {
        return RESULTS * errorWords(PictureComponent.Y);
    }

    @Override
    public int resultWords() {
        int words = detailWords();
        for (PictureComponent component : COMPONENTS) {
            words += errorWords(component);
        }
        return words;
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
        recordDetail(recording);
        int resultsAt = recording.resultsAt() + detailWords();
        for (PictureComponent component : COMPONENTS) {
            if (component.isIn(shape.format())) {
                recordError(recording, component, resultsAt);
                resultsAt += errorWords(component);
            }
        }
    }

    private void recordDetail(PairRecording recording) {
        PixelFormat format = shape.format();
        int slices = slices(PictureComponent.Y);
        Commands commands = recording.kernel(
                QualityKernel.XPSNR_DETAIL,
                INVOCATIONS,
                format.sampleBytes(),
                format.sampleShift(),
                shape.isGrouped() ? 1 : 0,
                INVOCATIONS);
        commands.push(recording
                .withReference(detailGeometry, 0)
                .put(XpsnrDetailGeometry.WIDTH, shape.width(PictureComponent.Y))
                .put(XpsnrDetailGeometry.HEIGHT, shape.height(PictureComponent.Y))
                .put(XpsnrDetailGeometry.ROW_WORDS, kept.rowWords())
                .put(XpsnrDetailGeometry.MARGIN, shape.margin())
                .put(XpsnrDetailGeometry.BLOCK, shape.block())
                .put(XpsnrDetailGeometry.SLICES, slices)
                .put(XpsnrDetailGeometry.SLICE_ROWS, sliceRows)
                .put(XpsnrDetailGeometry.RESULTS_AT, recording.resultsAt()));
        commands.dispatch(shape.columns(), shape.rows() * slices, 1);
    }

    private void recordError(PairRecording recording, PictureComponent component, int resultsAt) {
        PixelFormat format = shape.format();
        int plane = component.plane(format);
        Commands commands = recording.kernel(
                QualityKernel.XPSNR_ERROR,
                INVOCATIONS,
                format.sampleBytes(),
                component.sampleStep(format),
                format.sampleShift(),
                INVOCATIONS);
        commands.push(recording
                .withPair(errorGeometry, plane)
                .put(XpsnrErrorGeometry.WIDTH, shape.width(component))
                .put(XpsnrErrorGeometry.HEIGHT, shape.height(component))
                .put(XpsnrErrorGeometry.FIRST_SAMPLE, component.firstSample(format))
                .put(XpsnrErrorGeometry.BLOCK_WIDTH, shape.blockWidth(component))
                .put(XpsnrErrorGeometry.BLOCK_HEIGHT, shape.blockHeight(component))
                .put(XpsnrErrorGeometry.SLICES, slices(component))
                .put(XpsnrErrorGeometry.SLICE_ROWS, sliceRows)
                .put(XpsnrErrorGeometry.RESULTS_AT, resultsAt));
        commands.dispatch(shape.columns(), shape.rows() * slices(component), 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        references = first ? 0 : Math.min(references + 1, 2);
        int motion = references == 0 ? FROM_NOTHING : FROM_LAST;
        int change = references == 0 ? FROM_NOTHING : references == 1 ? CHANGE_FROM_LAST : CHANGE_FROM_BOTH;
        sums.clear();
        long at = results;
        int slices = slices(PictureComponent.Y);
        for (int i = 0; i < errorWords(PictureComponent.Y); i++) {
            sums.addSpatial(block(i, slices), word(at, 0));
            sums.addTemporal(block(i, slices), word(at, motion), word(at, change));
            at += RESULTS * PairShape.WORD_BYTES;
        }
        for (PictureComponent component : COMPONENTS) {
            for (int i = 0; i < errorWords(component); i++) {
                sums.addError(component, block(i, slices(component)), word(at, 0));
                at += PairShape.WORD_BYTES;
            }
        }
        sums.put(wanted, figures);
    }

    /** The block of a slice: slices are numbered along rows of blocks, first the first ones of all blocks of a row. */
    private int block(int slice, int slices) {
        int columns = shape.columns();
        return slice / (slices * columns) * columns + slice % columns;
    }

    private static long word(long address, int number) {
        return memGetInt(address + (long) number * PairShape.WORD_BYTES) & 0xffffffffL;
    }
}
