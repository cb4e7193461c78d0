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
 * Owns the memory of automatic strength on the device, and records the two dispatches that choose a picture's
 * parameters before its filters run. Belongs to the context's thread.
 */
final class StrengthPass implements AutoCloseable {
    private static final int INVOCATIONS = 64;

    /** Offset of {@link StrengthFindings} in the memory, after {@link StrengthCounts}. */
    private static final long FINDINGS_AT = ParameterBlock.align(StrengthCounts.BYTES);

    /** Offset of the chosen tier's parameters in the memory. */
    private static final long CHOSEN_AT = FINDINGS_AT + ParameterBlock.align(StrengthFindings.BYTES);

    private static final long BYTES = CHOSEN_AT + ParameterBlock.TIER_BYTES;

    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final int width;
    private final int height;

    private final PushConstants geometry = new PushConstants(StrengthGeometry.BYTES);

    /** Mapped memory, so that the CPU can clear it without work on the device. */
    private final DeviceBuffer memory;

    /** Number of pictures given to the device. Stays in the range in which the offsets repeat. */
    private int pictures;

    /**
     * Makes the memory, cleared.
     *
     * @throws DeviceException if the device is out of memory
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

    /** Deblocking thresholds of the chosen tier. */
    BufferRange chosenDeblock() {
        return new BufferRange(memory.handle(), CHOSEN_AT + ParameterBlock.DEBLOCK_AT, ParameterBlock.PART_BYTES);
    }

    /** CDEF strengths of the chosen tier. */
    BufferRange chosenCdef() {
        return new BufferRange(memory.handle(), CHOSEN_AT + ParameterBlock.CDEF_AT, ParameterBlock.PART_BYTES);
    }

    /** Thresholds of shrinkage of the chosen tier. */
    BufferRange chosenShrinkage() {
        return new BufferRange(
                memory.handle(), CHOSEN_AT + ParameterBlock.SHRINKAGE_AT, ParameterBlock.SHRINKAGE_BYTES);
    }

    /** The last estimate, packed. May be read at any time. */
    int estimate() {
        return memGetInt(memory.address() + FINDINGS_AT + StrengthFindings.ESTIMATE);
    }

    /** The grid offset that was found last, column | row &lt;&lt; 3. May be read at any time. */
    int foundOffset() {
        return memGetInt(memory.address() + FINDINGS_AT + StrengthFindings.FOUND_OFFSET);
    }

    /**
     * The grid offset from which the next picture is measured and filtered, column | row &lt;&lt; 3. Never waits: the
     * device is done with the picture that showed the offset.
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

    /**
     * Counts a picture that is about to be submitted. The device counts the pictures that it measures. A picture that
     * fails earlier is in neither count.
     */
    void pictureGoes() {
        pictures = pictures == 2 * StrengthState.OFFSETS - 1 ? StrengthState.OFFSETS : pictures + 1;
    }

    /**
     * Buffers of the descriptor set for {@link #record}.
     *
     * @param ladder ladder of the picture
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
     * Records the dispatch that measures the picture and the dispatch that chooses its tier.
     *
     * @param offset where the measured grid begins, column | row &lt;&lt; 3
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
            // One item for each block, then one for each column and row beside which there may be a step.
            int items = columns * rows + width - 3 + height - 3;
            commands.dispatch(Commands.groups(items, INVOCATIONS), 1, 1);
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
