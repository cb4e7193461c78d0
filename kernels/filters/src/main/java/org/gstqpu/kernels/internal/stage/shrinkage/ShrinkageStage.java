/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.shrinkage;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.List;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.stage.PictureKernel;
import org.gstqpu.kernels.internal.stage.ShrinkageLimits;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.vulkan.layout.ShrinkageFilterConstants;
import org.gstqpu.kernels.internal.vulkan.layout.ShrinkageGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.ShrinkageTable;
import org.gstqpu.kernels.internal.vulkan.layout.ShrinkageThresholds;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.internal.vulkan.work.ShrinkageStrip;
import org.gstqpu.kernels.picture.PixelFormat;

/** Overcomplete transform shrinkage, bounded by the decoded picture. Has no memory of its own. */
public final class ShrinkageStage implements FilterStage {
    private static final int PLANES = 3;

    /** Classes of the rows and columns of coefficients: 0 and 4, odd ones, 2 and 6. The first index of a class is its number. */
    private static final int CLASSES = 3;

    // The form: how many shifts are averaged, and above it the offset of the grid, column | row << 3.
    private static final int SHIFTS_BITS = 5;
    private static final int OFFSET_BITS = 6;

    private final KernelPipelines pipelines;
    private final KernelTuning tuning;
    private final PixelFormat format;
    private final int width;
    private final int height;

    /** Working memory: the limits that are being written. */
    private final ShrinkageLimits limits;

    private final PushConstants geometry = new PushConstants(ShrinkageGeometry.BYTES);

    public ShrinkageStage(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        pipelines = runtime.pipelines();
        tuning = runtime.tuning();
        this.format = format;
        this.width = width;
        this.height = height;
        limits = new ShrinkageLimits(format.bitDepth());
    }

    @Override
    public int formBits() {
        return SHIFTS_BITS + OFFSET_BITS;
    }

    @Override
    public int form(StagePicture picture) {
        int shifts = picture.strength().shifts();
        return shifts == 0 ? 0 : shifts | picture.gridOffset() << SHIFTS_BITS;
    }

    @Override
    public int sets() {
        return PLANES;
    }

    @Override
    public int parameterBytes() {
        return ShrinkageTable.BYTES;
    }

    @Override
    public void write(FilterParameters parameters, ParameterRoom room) {
        if (parameters.shrinkage().isPresent()) {
            ShrinkageParameters shrinkage = parameters.shrinkage().get();
            limits.set(shrinkage.lumaThreshold(), shrinkage.bound());
            writeLimits(room.address() + ShrinkageTable.KINDS);
            limits.set(shrinkage.chromaThreshold(), shrinkage.bound());
            writeLimits(room.address() + ShrinkageTable.KINDS + ShrinkageTable.KINDS_STEP);
        }
    }

    @Override
    public void write(PictureParameters own, ParameterRoom room) {
        throw new IllegalStateException("no decoder gives parameters of shrinkage");
    }

    /** Writes {@link ShrinkageThresholds}. */
    private void writeLimits(long at) {
        memPutInt(at + ShrinkageThresholds.RUNNING, limits.isShrinking() ? 1 : 0);
        memPutInt(at + ShrinkageThresholds.BOUNDED, limits.isShrinking() && limits.isBounding() ? 1 : 0);
        for (int row = 0; row < CLASSES; row++) {
            for (int column = 0; column < CLASSES; column++) {
                long index = row + (long) CLASSES * column;
                memPutInt(
                        at + ShrinkageThresholds.THRESHOLDS + index * ShrinkageThresholds.THRESHOLDS_STEP,
                        limits.thresholds[8 * row + column]);
            }
        }
        for (int k = 0; k < limits.bounds.length; k++) {
            memPutInt(at + ShrinkageThresholds.BOUNDS + (long) k * ShrinkageThresholds.BOUNDS_STEP, limits.bounds[k]);
        }
    }

    /** Records the dispatch of luma and that of chroma, or one for each plane if planes have buffers of their own. */
    @Override
    public void record(StageRecording at, int form) {
        int shifts = form & (1 << SHIFTS_BITS) - 1;
        int offset = form >> SHIFTS_BITS;
        boolean apart = at.source().isApart()
                || at.decoded().isApart()
                || at.destination().isApart();
        bind(at, 0);
        recordPlanes(at.commands(), at.source(), at.decoded(), at.destination(), 0, 1, shifts, offset);
        int together = apart ? 1 : format.planes() - 1;
        for (int plane = 1; plane < format.planes(); plane += together) {
            if (apart) {
                bind(at, plane);
            }
            recordPlanes(at.commands(), at.source(), at.decoded(), at.destination(), plane, together, shifts, offset);
        }
    }

    private static void bind(StageRecording at, int plane) {
        at.commands()
                .bindDescriptorSet(at.set(
                        plane,
                        List.of(
                                at.source().range(plane),
                                at.destination().range(plane),
                                at.decoded().range(plane),
                                at.parameters())));
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
                .put(ShrinkageGeometry.ZERO, 2, 0)
                .put(ShrinkageGeometry.ZERO, 3, 0));
        ShrinkageFilterConstants constants = new ShrinkageFilterConstants()
                .localSizeX(strip.invocations())
                .workgroupBarriers(tuning.lockstep() == 0)
                .sampleBytes(format.sampleBytes())
                .sampleShift(format.sampleShift())
                .components(components)
                .chroma(!luma)
                .shifts(shifts)
                .blockColumns(strip.blockColumns())
                .stepRows(strip.stepRows())
                .sourceInColumns(source.isInColumns())
                .decodedInColumns(decoded.isInColumns())
                .destinationInColumns(destination.isInColumns())
                .parking(tuning.shrinkageParks());
        commands.bindPipeline(pipelines.pipeline(PictureKernel.SHRINKAGE_FILTER, constants.words()));
        commands.dispatch(
                Commands.groups(planeWidth - firstWritten, columnStep),
                Commands.groups(planeHeight - firstRow, rowStep),
                planes);
    }

    private void putPlane(int index, PicturePlace source, PicturePlace decoded, PicturePlace destination, int plane) {
        geometry.put(ShrinkageGeometry.SOURCE_OFFSET, index, source.offsetWords(plane))
                .put(ShrinkageGeometry.SOURCE_STRIDE, index, source.strideWords(plane))
                .put(ShrinkageGeometry.DECODED_OFFSET, index, decoded.offsetWords(plane))
                .put(ShrinkageGeometry.DECODED_STRIDE, index, decoded.strideWords(plane))
                .put(ShrinkageGeometry.DESTINATION_OFFSET, index, destination.offsetWords(plane))
                .put(ShrinkageGeometry.DESTINATION_STRIDE, index, destination.strideWords(plane));
    }
}
