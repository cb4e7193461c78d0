/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.List;
import java.util.function.IntToLongFunction;
import org.gstqpu.kernels.internal.vulkan.layout.ShrinkageGeometry;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.internal.vulkan.work.ShrinkageStrip;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Records the dispatches that shrink pictures of one format and size.
 * Belongs to the context's thread.
 */
final class ShrinkagePass {
    private final KernelPipelines pipelines;
    private final KernelTuning tuning;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PushConstants geometry = new PushConstants(ShrinkageGeometry.BYTES);

    ShrinkagePass(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        pipelines = runtime.pipelines();
        tuning = runtime.tuning();
        this.format = format;
        this.width = width;
        this.height = height;
    }

    /**
     * Buffers of the descriptor set of a plane.
     *
     * @param decoded the picture before all filters
     * @param thresholds the thresholds of the picture
     */
    List<BufferRange> bindings(
            PicturePlace source, PicturePlace decoded, PicturePlace destination, int plane, BufferRange thresholds) {
        return List.of(source.range(plane), destination.range(plane), decoded.range(plane), thresholds);
    }

    /**
     * Records the dispatch of luma and that of chroma, or one for each plane if planes have buffers of their own.
     *
     * @param descriptorSets descriptor set of each plane; only that of plane 0 is used if no plane has a buffer of its
     *     own
     * @param shifts 4, 8 or 16
     * @param offset where the codec's grid of blocks begins, column | row &lt;&lt; 3
     */
    void record(
            Commands commands,
            IntToLongFunction descriptorSets,
            PicturePlace source,
            PicturePlace decoded,
            PicturePlace destination,
            int shifts,
            int offset) {
        boolean apart = source.isApart() || decoded.isApart() || destination.isApart();
        commands.bindDescriptorSet(descriptorSets.applyAsLong(0));
        recordPlanes(commands, source, decoded, destination, 0, 1, shifts, offset);
        int together = apart ? 1 : format.planes() - 1;
        for (int plane = 1; plane < format.planes(); plane += together) {
            if (apart) {
                commands.bindDescriptorSet(descriptorSets.applyAsLong(plane));
            }
            recordPlanes(commands, source, decoded, destination, plane, together, shifts, offset);
        }
    }

    /** Records the dispatch of one plane, or of both planes of chroma. */
    private void recordPlanes(
            Commands commands,
            PicturePlace source,
            PicturePlace decoded,
            PicturePlace destination,
            int plane,
            int planes,
            int shifts,
            int offset) {
        boolean luma = plane == 0;
        int planeWidth = luma ? width : format.chromaWidth(width);
        int planeHeight = luma ? height : format.chromaHeight(height);
        int components = luma ? 1 : format.chromaPixelStep();

        int pixels = Math.max(1, 4 / (components * format.sampleBytes()));
        int firstColumn = -(-((offset & 7) / (luma ? 1 : format.subWidth())) & 7);
        int firstRow = -(-((offset >> 3) / (luma ? 1 : format.subHeight())) & 7);
        ShrinkageStrip strip = ShrinkageStrip.of(
                tuning, components, format.sampleBytes(), shifts, Commands.groups(planeHeight - firstRow, 8));
        boolean beginsWithWord = firstColumn % pixels == 0;
        int columnStep = 8 * (strip.blockColumns() - (beginsWithWord ? 1 : 2));
        int rowStep = 8 * strip.bands();
        // Before the first word that the first strip writes, there is no sample of the plane.
        int firstWritten = Math.floorDiv(firstColumn + pixels - 1, pixels) * pixels;
        int second = Math.min(plane + 1, 2);
        putPlane(0, source, decoded, destination, plane);
        putPlane(1, source, decoded, destination, second);
        commands.push(geometry.put(ShrinkageGeometry.WIDTH, planeWidth)
                .put(ShrinkageGeometry.HEIGHT, planeHeight)
                .put(ShrinkageGeometry.WORDS, RowWords.words(format, plane, width))
                .put(ShrinkageGeometry.TAIL, RowWords.tailMask(format, plane, width))
                .put(ShrinkageGeometry.SOURCE_SKIP, source.columnSkipWords(plane))
                .put(ShrinkageGeometry.DECODED_SKIP, decoded.columnSkipWords(plane))
                .put(ShrinkageGeometry.DESTINATION_SKIP, destination.columnSkipWords(plane))
                .put(ShrinkageGeometry.FIRST_COLUMN, firstColumn)
                .put(ShrinkageGeometry.FIRST_ROW, firstRow)
                .put(ShrinkageGeometry.COLUMN_STEP, columnStep)
                .put(ShrinkageGeometry.ROW_STEP, rowStep)
                .put(ShrinkageGeometry.STEPS, strip.steps())
                .put(ShrinkageGeometry.ZERO, 0)
                .put(ShrinkageGeometry.ZERO + ShrinkageGeometry.ZERO_STEP, 0)
                .put(ShrinkageGeometry.ZERO + 2 * ShrinkageGeometry.ZERO_STEP, 0)
                .put(ShrinkageGeometry.ZERO + 3 * ShrinkageGeometry.ZERO_STEP, 0));
        commands.bindPipeline(pipelines.pipeline(
                Kernel.SHRINKAGE_FILTER,
                strip.invocations(),
                tuning.lockstep() == 0 ? 1 : 0,
                format.sampleBytes(),
                format.sampleShift(),
                components,
                luma ? 0 : 1,
                shifts,
                strip.blockColumns(),
                strip.stepRows(),
                source.isInColumns() ? 1 : 0,
                decoded.isInColumns() ? 1 : 0,
                destination.isInColumns() ? 1 : 0,
                tuning.shrinkageParks() ? 1 : 0));
        commands.dispatch(
                Commands.groups(planeWidth - firstWritten, columnStep),
                Commands.groups(planeHeight - firstRow, rowStep),
                planes);
    }

    private void putPlane(int index, PicturePlace source, PicturePlace decoded, PicturePlace destination, int plane) {
        geometry.put(
                        ShrinkageGeometry.SOURCE_OFFSET + index * ShrinkageGeometry.SOURCE_OFFSET_STEP,
                        source.offsetWords(plane))
                .put(
                        ShrinkageGeometry.SOURCE_STRIDE + index * ShrinkageGeometry.SOURCE_STRIDE_STEP,
                        source.strideWords(plane))
                .put(
                        ShrinkageGeometry.DECODED_OFFSET + index * ShrinkageGeometry.DECODED_OFFSET_STEP,
                        decoded.offsetWords(plane))
                .put(
                        ShrinkageGeometry.DECODED_STRIDE + index * ShrinkageGeometry.DECODED_STRIDE_STEP,
                        decoded.strideWords(plane))
                .put(
                        ShrinkageGeometry.DESTINATION_OFFSET + index * ShrinkageGeometry.DESTINATION_OFFSET_STEP,
                        destination.offsetWords(plane))
                .put(
                        ShrinkageGeometry.DESTINATION_STRIDE + index * ShrinkageGeometry.DESTINATION_STRIDE_STEP,
                        destination.strideWords(plane));
    }
}
