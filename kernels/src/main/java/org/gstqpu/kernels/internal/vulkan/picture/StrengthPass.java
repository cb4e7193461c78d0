/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memSet;

import java.util.List;
import org.gstqpu.kernels.filter.StrengthRule;
import org.gstqpu.kernels.internal.strength.StrengthHistograms;
import org.gstqpu.kernels.internal.strength.StrengthState;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthCounts;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthFindings;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthGrid;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns what automatic strength remembers on the device, and records the two dispatches that choose a picture's parameters
 * before its filters run. Belongs to the context's thread.
 */
final class StrengthPass implements AutoCloseable {
    private static final int INVOCATIONS = 64;

    /** Where {@link StrengthFindings} begins in the memory, behind {@link StrengthCounts}. */
    private static final long FINDINGS_AT = ParameterBlock.align(StrengthCounts.BYTES);

    /** Where the parameters of the chosen tier begin. */
    private static final long CHOSEN_AT = FINDINGS_AT + ParameterBlock.align(StrengthFindings.BYTES);

    private static final long BYTES = CHOSEN_AT + ParameterBlock.TIER_BYTES;

    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final int width;
    private final int height;

    private final PushConstants geometry = new PushConstants(StrengthGeometry.BYTES);

    /** Mapped, so that it starts at 0 without work of its own on the device. */
    private final DeviceBuffer memory;

    /** Pictures that the device was given; stays in a range in which the offsets repeat. */
    private int pictures;

    /**
     * @throws DeviceException when the device has not the memory
     */
    StrengthPass(BufferPool pool, KernelPipelines pipelines, PixelFormat format, int width, int height) {
        this.pool = pool;
        this.pipelines = pipelines;
        this.format = format;
        this.width = width;
        this.height = height;
        memory = pool.acquire(MemoryKind.UPLOAD, BYTES);
        memSet(memory.address(), 0, BYTES);
        long at = memory.address() + FINDINGS_AT + StrengthFindings.RULE;
        for (int word : StrengthRule.words()) {
            memPutInt(at, word);
            at += StrengthFindings.RULE_STEP;
        }
    }

    /** The deblocking thresholds of the chosen tier. */
    BufferRange chosenDeblock() {
        return new BufferRange(memory.handle(), CHOSEN_AT + ParameterBlock.DEBLOCK_AT, ParameterBlock.PART_BYTES);
    }

    /** The CDEF strengths of the chosen tier. */
    BufferRange chosenCdef() {
        return new BufferRange(memory.handle(), CHOSEN_AT + ParameterBlock.CDEF_AT, ParameterBlock.PART_BYTES);
    }

    /** The last estimate, packed; at any time. */
    int estimate() {
        return memGetInt(memory.address() + FINDINGS_AT + StrengthFindings.ESTIMATE);
    }

    /** The last offset that was found, column | row &lt;&lt; 3; at any time. */
    int foundOffset() {
        return memGetInt(memory.address() + FINDINGS_AT + StrengthFindings.FOUND_OFFSET);
    }

    /**
     * The offset at which the next picture's blocks are to be looked at and filtered. The device is done with the picture that
     * showed it, so that this does not wait.
     */
    int nextOffset() {
        return pictures < StrengthState.OFFSET_DELAY
                ? 0
                : memGetInt(memory.address()
                        + FINDINGS_AT
                        + StrengthFindings.OFFSETS
                        + (long) ((pictures - StrengthState.OFFSET_DELAY) % StrengthState.OFFSETS)
                                * StrengthFindings.OFFSETS_STEP);
    }

    /** Counts a picture that goes to the device, which counts what it measures: a picture that fails before is in neither count. */
    void pictureGoes() {
        pictures = pictures == 2 * StrengthState.OFFSETS - 1 ? StrengthState.OFFSETS : pictures + 1;
    }

    /**
     * What the descriptor set of {@link #record} points at.
     *
     * @param ladder the picture's
     */
    List<BufferRange> bindings(PicturePlace source, BufferRange ladder) {
        return List.of(
                source.range(0),
                new BufferRange(memory.handle(), 0, StrengthCounts.BYTES),
                new BufferRange(memory.handle(), CHOSEN_AT, ParameterBlock.TIER_BYTES),
                new BufferRange(memory.handle(), FINDINGS_AT, StrengthFindings.BYTES),
                ladder);
    }

    /**
     * Records both.
     *
     * @param offset where the blocks that are looked at begin, column | row &lt;&lt; 3
     */
    void record(Commands commands, long descriptorSet, PicturePlace source, int offset) {
        int gridColumn = offset & 7;
        int gridRow = offset >> 3;
        int blockColumns = StrengthHistograms.blocks(width - gridColumn);
        int blockRows = StrengthHistograms.blocks(height - gridRow);
        int step = StrengthHistograms.sampleStep(blockColumns, blockRows);
        int columns = StrengthHistograms.sampled(blockColumns, step);
        int rows = StrengthHistograms.sampled(blockRows, step);
        commands.bindDescriptorSet(descriptorSet);
        if (columns > 0 && rows > 0) {
            commands.bindPipeline(pipelines.pipeline(
                    Kernel.STRENGTH_MEASURE,
                    INVOCATIONS,
                    format.sampleBytes(),
                    format.sampleShift() + format.bitDepth() - 8,
                    source.isInColumns() ? 1 : 0));
            commands.push(geometry.put(StrengthGeometry.SOURCE_OFFSET, source.offsetWords(0))
                    .put(StrengthGeometry.SOURCE_STRIDE, source.strideWords(0))
                    .put(StrengthGeometry.COLUMNS, columns)
                    .put(StrengthGeometry.ROWS, rows)
                    .put(StrengthGeometry.BLOCK_STEP, step)
                    .put(StrengthGeometry.SOURCE_SKIP, source.columnSkipWords(0))
                    .put(StrengthGeometry.GRID_COLUMN, gridColumn)
                    .put(StrengthGeometry.GRID_ROW, gridRow)
                    .put(StrengthGeometry.WIDTH, width)
                    .put(StrengthGeometry.HEIGHT, height));
            // Of the blocks, then of the columns and the rows beside which there may be a step.
            int items = columns * rows + width - 3 + height - 3;
            commands.dispatch((items + INVOCATIONS - 1) / INVOCATIONS, 1, 1);
            commands.barrier();
        }
        commands.bindPipeline(pipelines.pipeline(Kernel.STRENGTH_DECIDE, 1, ParameterBlock.TIER_BYTES / 4));
        commands.push(StrengthGrid.OFFSET, offset);
        commands.dispatch(1, 1, 1);
    }

    @Override
    public void close() {
        pool.release(memory);
    }
}
