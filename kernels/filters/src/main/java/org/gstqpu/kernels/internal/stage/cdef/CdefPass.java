/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.function.IntToLongFunction;
import org.gstqpu.kernels.internal.stage.PictureKernel;
import org.gstqpu.kernels.internal.vulkan.layout.CdefBlockList;
import org.gstqpu.kernels.internal.vulkan.layout.CdefDirectionConstants;
import org.gstqpu.kernels.internal.vulkan.layout.CdefDirectionGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.CdefFilterConstants;
import org.gstqpu.kernels.internal.vulkan.layout.CdefFilterGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.CdefListConstants;
import org.gstqpu.kernels.internal.vulkan.layout.CdefListGeometry;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PixelFormat;

/** Records AV1 CDEF of pictures of one format and size. Holds no Vulkan object. Belongs to the context's thread. */
final class CdefPass {
    private static final int INVOCATIONS = 256;
    private static final int DIRECTION_INVOCATIONS = 64;
    private static final int LIST_INVOCATIONS = 64;

    /** Largest distance of a filter tap from its sample, along a row or down a column. */
    private static final int REACH = 2;

    private final KernelPipelines pipelines;
    private final Kernel filter;
    private final int rows;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int blockColumns;
    private final int blockRows;
    private final PushConstants direction = new PushConstants(CdefDirectionGeometry.BYTES);
    private final PushConstants geometry = new PushConstants(CdefFilterGeometry.BYTES);

    /**
     * Makes a pass.
     *
     * @param votes whether subgroups may vote
     */
    CdefPass(KernelPipelines pipelines, KernelTuning tuning, boolean votes, PixelFormat format, int width, int height) {
        this.pipelines = pipelines;
        this.filter = votes ? PictureKernel.CDEF_FILTER : PictureKernel.CDEF_FILTER_PLAIN;
        this.rows = tuning.cdefRows();
        this.format = format;
        this.width = width;
        this.height = height;
        this.blockColumns = (width + 7) / 8;
        this.blockRows = (height + 7) / 8;
    }

    /**
     * Bytes of the buffer that carries the direction and strengths of each block from the direction search to the
     * filters.
     */
    static long blocksBytes(int width, int height) {
        return 8L * ((width + 7) / 8) * ((height + 7) / 8);
    }

    /**
     * True if the direction search first stages rows as bytes: if samples have 16 bit, or if the picture's border cuts
     * the last block of a row.
     */
    static boolean stagesRows(PixelFormat format, int width) {
        return format.sampleBytes() == 2 || width % 8 != 0;
    }

    /** Bytes of the buffer of a list of blocks. */
    static long listBytes(int width, int height) {
        long blocks = (long) ((width + 7) / 8) * ((height + 7) / 8);
        return CdefBlockList.BLOCKS + blocks * CdefBlockList.BLOCKS_STEP;
    }

    /** Empties a list in mapped memory. The passes leave each list empty, too. */
    static void emptyList(long address) {
        // These three words are a VkDispatchIndirectCommand: no workgroup in x, and one in y and z.
        memPutInt(address + CdefBlockList.GROUPS, 0);
        memPutInt(address + CdefBlockList.GROUPS + CdefBlockList.GROUPS_STEP, 1);
        memPutInt(address + CdefBlockList.GROUPS + 2 * CdefBlockList.GROUPS_STEP, 1);
        memPutInt(address + CdefBlockList.COUNT, 0);
    }

    /** Bytes of the buffer of staged rows; see {@link #stagesRows}. */
    static long stagedBytes(int width, int height) {
        return 64L * ((width + 7) / 8) * ((height + 7) / 8);
    }

    /**
     * Records the direction search, the filter of luma and the filter of chroma.
     *
     * @param descriptorSets descriptor set of each plane; only that of plane 0 is used if no plane has a buffer of its
     *     own
     * @param list buffer that begins with a list of blocks; the direction search then takes only the blocks that need
     *     it. 0 if it takes all blocks
     * @param everyBlock whether every block is filtered
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
        CdefDirectionConstants constants = new CdefDirectionConstants()
                .localSizeX(DIRECTION_INVOCATIONS)
                .sampleBytes(format.sampleBytes())
                .sampleShift(format.sampleShift())
                .partial(width % 8 != 0)
                .listed(listed)
                .sourceInColumns(source.isInColumns())
                .halfWidthChroma(format.chroma() == PixelFormat.Chroma.HALF_WIDTH);
        commands.bindPipeline(pipelines.pipeline(PictureKernel.CDEF_DIRECTION, constants.words()));
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
            commands.dispatch(Commands.groups(blockColumns, DIRECTION_INVOCATIONS), blockRows, 1);
        }
        commands.barrier();
        recordFilter(commands, source, destination, 0, 1, listed, everyBlock);
        boolean apart = source.isApart() || destination.isApart();
        // One dispatch filters all chroma planes, or one plane if that has a buffer of its own.
        int together = apart ? 1 : format.planes() - 1;
        for (int plane = 1; plane < format.planes(); plane += together) {
            if (apart) {
                commands.bindDescriptorSet(descriptorSets.applyAsLong(plane));
            }
            recordFilter(commands, source, destination, plane, together, false, everyBlock);
        }
    }

    /** Records the dispatch that lists the blocks that need a direction search. The list must be empty. */
    void recordList(Commands commands) {
        CdefListConstants constants = new CdefListConstants()
                .localSizeX(LIST_INVOCATIONS)
                .sampleBytes(format.sampleBytes())
                .searchBlocks(DIRECTION_INVOCATIONS);
        commands.bindPipeline(pipelines.pipeline(PictureKernel.CDEF_LIST, constants.words()));
        commands.push(CdefListGeometry.BLOCK_COLUMNS, blockColumns);
        commands.dispatch(Commands.groups(blockColumns, LIST_INVOCATIONS), blockRows, 1);
    }

    /**
     * Records the filter of one plane, or of both planes of chroma.
     *
     * @param plane the first plane
     * @param planes number of planes
     * @param emptiesList whether the dispatch leaves the list of blocks empty for the next picture
     * @param everyBlock whether every block is filtered
     */
    private void recordFilter(
            Commands commands,
            PicturePlace source,
            PicturePlace destination,
            int plane,
            int planes,
            boolean emptiesList,
            boolean everyBlock) {
        int planeWidth = plane == 0 ? width : format.chromaWidth(width);
        int planeHeight = plane == 0 ? height : format.chromaHeight(height);
        int pixelStep = plane == 0 ? 1 : format.chromaPixelStep();
        int blockSamples = plane == 0 ? 8 : 8 / format.subWidth();
        int rowsOfBlock = plane == 0 ? 8 : 8 / format.subHeight();
        int rowsEach = Math.min(rows, rowsOfBlock);
        // As TWO_WORDS in cdef/filter.comp.
        int wordsEach = format.sampleBytes() == 2 && rowsEach > 1 ? 2 : 1;
        int blockInvocations =
                blockSamples * pixelStep * format.sampleBytes() / (4 * wordsEach) * (rowsOfBlock / rowsEach);
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
                .put(CdefFilterGeometry.INSIDE_ROWS, insideRows));
        CdefFilterConstants constants = new CdefFilterConstants()
                .localSizeX(INVOCATIONS)
                .sampleBytes(format.sampleBytes())
                .sampleShift(format.sampleShift())
                .pixelStep(pixelStep)
                .chroma(plane > 0)
                .emptiesList(emptiesList)
                .everyBlock(everyBlock)
                .sourceInColumns(source.isInColumns())
                .destinationInColumns(destination.isInColumns())
                .rows(rowsEach)
                .blockSamples(blockSamples)
                .blockRows(rowsOfBlock);
        commands.bindPipeline(pipelines.pipeline(filter, constants.words()));
        commands.dispatch(Commands.groups(blockColumns * blockInvocations, INVOCATIONS), blockRows, planes);
    }

    /** Puts the place of a plane into the filter's push constants, at position {@code index} of the shader's planes. */
    private void putPlane(int index, PicturePlace source, PicturePlace destination, int plane) {
        geometry.put(CdefFilterGeometry.SOURCE_OFFSET, index, source.offsetWords(plane))
                .put(CdefFilterGeometry.SOURCE_STRIDE, index, source.strideWords(plane))
                .put(CdefFilterGeometry.DESTINATION_OFFSET, index, destination.offsetWords(plane))
                .put(CdefFilterGeometry.DESTINATION_STRIDE, index, destination.strideWords(plane));
    }

    /** Blocks in a row or column of a plane whose taps all lie inside the picture, not counting the first block. */
    private static int insideBlocks(int samples, int blockSamples) {
        return Math.max(0, (samples - REACH) / blockSamples - 1);
    }
}
