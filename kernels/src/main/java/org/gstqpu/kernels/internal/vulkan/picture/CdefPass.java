/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import org.gstqpu.kernels.internal.vulkan.layout.CdefBlockList;
import org.gstqpu.kernels.internal.vulkan.layout.CdefDirectionGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.CdefFilterGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.CdefListGeometry;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PixelFormat;

/** Records AV1 CDEF of pictures of one format and size; holds no Vulkan object. Belongs to the context's thread. */
final class CdefPass {
    private static final int INVOCATIONS = 256;
    private static final int DIRECTION_INVOCATIONS = 64;
    private static final int LIST_INVOCATIONS = 64;

    // Values of PLACES of cdef/filter.glsl.
    private static final int EVERYWHERE = 0;
    private static final int INSIDE = 1;
    private static final int BORDER = 2;

    /** Samples that a tap lies from its own at most, along a row or down a column. */
    private static final int REACH = 2;

    private final KernelPipelines pipelines;
    private final Kernel filter;
    private final boolean texels;
    private final int rows;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int blockColumns;
    private final int blockRows;
    private final PushConstants direction = new PushConstants(CdefDirectionGeometry.BYTES);
    private final PushConstants geometry = new PushConstants(CdefFilterGeometry.BYTES);

    /**
     * @param votes whether subgroups may vote
     * @param texels whether buffers are seen as texels
     */
    CdefPass(
            KernelPipelines pipelines,
            KernelTuning tuning,
            boolean votes,
            boolean texels,
            PixelFormat format,
            int width,
            int height) {
        this.pipelines = pipelines;
        this.filter = votes ? Kernel.CDEF_FILTER : Kernel.CDEF_FILTER_PLAIN;
        this.texels = texels;
        this.rows = tuning.cdefRows();
        this.format = format;
        this.width = width;
        this.height = height;
        this.blockColumns = (width + 7) / 8;
        this.blockRows = (height + 7) / 8;
    }

    /** Bytes of the buffer that carries each block's direction and strengths from the first dispatch to the others. */
    static long blocksBytes(int width, int height) {
        return 8L * ((width + 7) / 8) * ((height + 7) / 8);
    }

    /**
     * Whether the direction search keeps the rows as bytes first: where samples are 16 bit, or the last block of a row is cut
     * by the border.
     */
    static boolean stagesRows(PixelFormat format, int width) {
        return format.sampleBytes() == 2 || width % 8 != 0;
    }

    /** Bytes of the buffer that lists blocks. */
    static long listBytes(int width, int height) {
        long blocks = (long) ((width + 7) / 8) * ((height + 7) / 8);
        return CdefBlockList.BLOCKS + blocks * CdefBlockList.BLOCKS_STEP;
    }

    /** Makes a list that the CPU sees an empty one, as the passes leave it. */
    static void emptyList(long address) {
        // A VkDispatchIndirectCommand with no workgroup in x and one in y and z.
        memPutInt(address + CdefBlockList.GROUPS, 0);
        memPutInt(address + CdefBlockList.GROUPS + CdefBlockList.GROUPS_STEP, 1);
        memPutInt(address + CdefBlockList.GROUPS + 2 * CdefBlockList.GROUPS_STEP, 1);
        memPutInt(address + CdefBlockList.COUNT, 0);
    }

    /** Bytes of the buffer that those rows take. */
    static long stagedBytes(int width, int height) {
        return 64L * ((width + 7) / 8) * ((height + 7) / 8);
    }

    /**
     * Records the direction search, then the filter of luma and that of chroma.
     *
     * @param descriptorSets by plane, of which only the first is asked for where no planes lie apart
     * @param list the buffer of a list of blocks at its start, where only those are searched that need it; 0 for all
     * @param everyBlock whether no block is left alone
     */
    void record(
            Commands commands,
            IntToLongFunction descriptorSets,
            PicturePlace source,
            PicturePlace destination,
            long list,
            boolean everyBlock) {
        boolean listed = list != 0;
        commands.bindDescriptorSet(descriptorSets.applyAsLong(0));
        if (listed) {
            recordList(commands);
            commands.indirectBarrier();
        }
        commands.bindPipeline(pipelines.pipeline(
                texels ? Kernel.CDEF_DIRECTION_TEXELS : Kernel.CDEF_DIRECTION,
                DIRECTION_INVOCATIONS,
                format.sampleBytes(),
                format.sampleShift(),
                width % 8 != 0 ? 1 : 0,
                listed ? 1 : 0,
                source.isInColumns() ? 1 : 0,
                format.chroma() == PixelFormat.Chroma.HALF_WIDTH ? 1 : 0));
        commands.push(direction
                .put(CdefDirectionGeometry.SOURCE_OFFSET, source.offsetWords(0))
                .put(CdefDirectionGeometry.SOURCE_STRIDE, source.strideWords(0))
                .put(CdefDirectionGeometry.WIDTH, width)
                .put(CdefDirectionGeometry.HEIGHT, height)
                .put(CdefDirectionGeometry.WORDS, RowWords.words(format, 0, width))
                .put(CdefDirectionGeometry.BLOCK_COLUMNS, blockColumns)
                .put(CdefDirectionGeometry.SOURCE_SKIP, source.columnSkipWords(0)));
        if (listed) {
            commands.dispatchIndirect(list, CdefBlockList.GROUPS);
        } else {
            commands.dispatch(groups(blockColumns, DIRECTION_INVOCATIONS), blockRows, 1);
        }
        commands.barrier();
        recordFilter(commands, source, destination, 0, 1, width, height, 1, listed, everyBlock);
        boolean apart = source.isApart() || destination.isApart();
        // Chroma planes in one dispatch, or each in its own where it has buffers of its own.
        int together = apart ? 1 : format.planes() - 1;
        for (int plane = 1; plane < format.planes(); plane += together) {
            if (apart) {
                commands.bindDescriptorSet(descriptorSets.applyAsLong(plane));
            }
            recordFilter(
                    commands,
                    source,
                    destination,
                    plane,
                    together,
                    format.chromaWidth(width),
                    format.chromaHeight(height),
                    format.chromaPixelStep(),
                    false,
                    everyBlock);
        }
    }

    /** Records what lists the blocks whose direction must be searched, into an empty list. */
    void recordList(Commands commands) {
        commands.bindPipeline(
                pipelines.pipeline(Kernel.CDEF_LIST, LIST_INVOCATIONS, format.sampleBytes(), DIRECTION_INVOCATIONS));
        commands.push(CdefListGeometry.BLOCK_COLUMNS, blockColumns);
        commands.dispatch(groups(blockColumns, LIST_INVOCATIONS), blockRows, 1);
    }

    private void recordFilter(
            Commands commands,
            PicturePlace source,
            PicturePlace destination,
            int plane,
            int planes,
            int planeWidth,
            int planeHeight,
            int pixelStep,
            boolean emptiesList,
            boolean everyBlock) {
        int blockSamples = plane == 0 ? 8 : 8 / format.subWidth();
        int rowsOfBlock = plane == 0 ? 8 : 8 / format.subHeight();
        int rowsEach = Math.min(rows, rowsOfBlock);
        int blockInvocations = blockSamples * pixelStep * format.sampleBytes() / 4 * (rowsOfBlock / rowsEach);
        int second = Math.min(plane + 1, 2);
        int insideColumns = insideBlocks(planeWidth, blockSamples);
        int insideRows = insideBlocks(planeHeight, rowsOfBlock);
        putPlane(0, source, destination, plane);
        putPlane(1, source, destination, second);
        commands.push(geometry.put(CdefFilterGeometry.WIDTH, planeWidth)
                .put(CdefFilterGeometry.HEIGHT, planeHeight)
                .put(CdefFilterGeometry.WORDS, RowWords.words(format, plane, width))
                .put(CdefFilterGeometry.TAIL, RowWords.tailMask(format, plane, width))
                .put(CdefFilterGeometry.BLOCK_COLUMNS, blockColumns)
                .put(CdefFilterGeometry.SOURCE_SKIP, source.columnSkipWords(plane))
                .put(CdefFilterGeometry.DESTINATION_SKIP, destination.columnSkipWords(plane))
                .put(CdefFilterGeometry.INSIDE_COLUMNS, insideColumns)
                .put(CdefFilterGeometry.INSIDE_ROWS, insideRows)
                .put(CdefFilterGeometry.BLOCK_ROWS, blockRows));
        int[] constants = {
            INVOCATIONS,
            format.sampleBytes(),
            format.sampleShift(),
            pixelStep,
            plane == 0 ? 0 : 1,
            emptiesList ? 1 : 0,
            everyBlock ? 1 : 0,
            source.isInColumns() ? 1 : 0,
            destination.isInColumns() ? 1 : 0,
            rowsEach,
            blockSamples,
            rowsOfBlock
        };
        if (!texels) {
            commands.bindPipeline(pipelines.pipeline(filter, constants));
            commands.dispatch(groups(blockColumns * blockInvocations, INVOCATIONS), blockRows, planes);
        } else if (source.isInColumns() || insideColumns == 0 || insideRows == 0) {
            bindTexels(commands, constants, EVERYWHERE);
            commands.dispatch(groups(blockColumns * blockInvocations, INVOCATIONS), blockRows, planes);
        } else {
            int border = blockColumns * blockRows - insideColumns * insideRows;
            bindTexels(commands, constants, BORDER);
            commands.dispatch(groups(border * blockInvocations, INVOCATIONS), 1, planes);
            bindTexels(commands, constants, INSIDE);
            commands.dispatch(groups(insideColumns * blockInvocations, INVOCATIONS), insideRows, planes);
        }
    }

    /** Puts where a plane lies into the filter's push constants, as the {@code index}th that the shader knows. */
    private void putPlane(int index, PicturePlace source, PicturePlace destination, int plane) {
        geometry.put(
                        CdefFilterGeometry.SOURCE_OFFSET + index * CdefFilterGeometry.SOURCE_OFFSET_STEP,
                        source.offsetWords(plane))
                .put(
                        CdefFilterGeometry.SOURCE_STRIDE + index * CdefFilterGeometry.SOURCE_STRIDE_STEP,
                        source.strideWords(plane))
                .put(
                        CdefFilterGeometry.DESTINATION_OFFSET + index * CdefFilterGeometry.DESTINATION_OFFSET_STEP,
                        destination.offsetWords(plane))
                .put(
                        CdefFilterGeometry.DESTINATION_STRIDE + index * CdefFilterGeometry.DESTINATION_STRIDE_STEP,
                        destination.strideWords(plane));
    }

    private void bindTexels(Commands commands, int[] constants, int places) {
        int[] all = Arrays.copyOf(constants, constants.length + 1);
        all[constants.length] = places;
        commands.bindPipeline(pipelines.pipeline(Kernel.CDEF_FILTER_TEXELS, all));
    }

    /** Blocks in a row or column of a plane, from the second one on, all of whose taps lie inside the picture. */
    private static int insideBlocks(int samples, int blockSamples) {
        return Math.max(0, (samples - REACH) / blockSamples - 1);
    }

    private static int groups(int invocations, int perGroup) {
        return (invocations + perGroup - 1) / perGroup;
    }
}
