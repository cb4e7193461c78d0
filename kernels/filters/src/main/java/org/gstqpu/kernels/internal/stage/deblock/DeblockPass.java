/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import java.util.function.IntToLongFunction;
import org.gstqpu.kernels.internal.stage.PictureKernel;
import org.gstqpu.kernels.internal.vulkan.layout.ChaseGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.DeblockPlanes;
import org.gstqpu.kernels.internal.vulkan.layout.DiagonalGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.H264DeblockChaseConstants;
import org.gstqpu.kernels.internal.vulkan.layout.H264DeblockConstants;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Records H.264 deblocking of pictures of one format and size. Holds no Vulkan object. Belongs to the context's thread.
 */
final class DeblockPass {
    /** Invocations that filter one macroblock of a diagonal, and so take one row of macroblocks. */
    private static final int INVOCATIONS_PER_ROW = 4;

    // Values of the shaders' specialisation constant for planes.
    private static final int ALL_PLANES = 0;
    private static final int LUMA = 1;
    private static final int CHROMA = 2;
    private static final int CHROMA_FIRST = 3;
    private static final int CHROMA_SECOND = 4;

    /** Luma and chroma. Their rows may lie in columns of different heights. */
    private static final int KINDS = 2;

    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int columns;
    private final int rows;
    private final KernelTuning tuning;
    private final boolean chases;
    private final int chaseInvocationsPerRow;
    private final PushConstants geometry;

    /** Offset of {@link DeblockPlanes} in the push constants of the form, in bytes. */
    private final int planesAt;

    /**
     * Makes a pass.
     *
     * @param shuffles whether subgroups may exchange values
     */
    DeblockPass(
            KernelPipelines pipelines,
            KernelTuning tuning,
            boolean shuffles,
            PixelFormat format,
            int width,
            int height) {
        chases = tuning.deblockForm() == DeblockForm.CHASE;
        this.chaseInvocationsPerRow = shuffles ? tuning.chaseInvocations() : INVOCATIONS_PER_ROW;
        geometry = new PushConstants(chases ? ChaseGeometry.BYTES : DiagonalGeometry.BYTES);
        planesAt = chases ? ChaseGeometry.PLANES : DiagonalGeometry.PLANES;
        this.pipelines = pipelines;
        this.format = format;
        this.width = width;
        this.height = height;
        this.columns = (width + 15) / 16;
        this.rows = (height + 15) / 16;
        this.tuning = tuning;
    }

    /** The most workgroups that poll one another in {@link DeblockForm#CHASE}. 0 in diagonals. */
    int chasers() {
        return chases ? chasers(planes()) : 0;
    }

    private int chasers(int planes) {
        int bands = Commands.groups(rows, chaseInvocations() / chaseInvocationsPerRow);
        return planeKinds(planes) * bands;
    }

    /**
     * Number of workgroups that filter the same macroblocks: one of luma and one of chroma, or one of each plane of
     * 4:4:4 video.
     */
    private int planeKinds(int planes) {
        return planes != ALL_PLANES ? 1 : isFullChroma() ? 3 : 2;
    }

    /** Macroblocks in a row. */
    int columns() {
        return columns;
    }

    private int chaseInvocations() {
        return tuning.lockstep() != 0 ? tuning.lockstep() : tuning.deblockInvocations();
    }

    /**
     * Records all dispatches of a picture.
     *
     * @param descriptorSets descriptor set of each plane; only that of plane 0 is used if no plane has a buffer of its
     *     own
     * @param byEdge whether each edge has strengths of its own
     */
    void record(
            Commands commands,
            IntToLongFunction descriptorSets,
            PicturePlace source,
            PicturePlace destination,
            boolean byEdge) {
        if (!source.isApart() && !destination.isApart()) {
            commands.bindDescriptorSet(descriptorSets.applyAsLong(0));
            recordPlanes(commands, source, destination, planes(), 1, 2, byEdge);
            return;
        }
        for (int plane = 0; plane < format.planes(); plane++) {
            if (plane > 0) {
                // Chasing rows of all planes use the same memory.
                commands.barrier();
            }
            commands.bindDescriptorSet(descriptorSets.applyAsLong(plane));
            int planes = plane == 0 ? LUMA : interleaved() ? CHROMA : plane == 1 ? CHROMA_FIRST : CHROMA_SECOND;
            // A shader of chroma takes two planes. The other plane, which lies in another buffer, gets the place of
            // this one; the shader goes through it but does not write it.
            recordPlanes(commands, source, destination, planes, Math.max(plane, 1), Math.max(plane, 1), byEdge);
        }
    }

    /** Records the dispatches of some planes. The shader's planes 1 and 2 are the two chroma planes given here. */
    private void recordPlanes(
            Commands commands,
            PicturePlace source,
            PicturePlace destination,
            int planes,
            int first,
            int second,
            boolean byEdge) {
        putPlane(0, source, destination, 0);
        putPlane(1, source, destination, first);
        putPlane(2, source, destination, second);
        putSizes(source, destination);
        if (chases) {
            commands.push(geometry.put(ChaseGeometry.COLUMNS, columns).put(ChaseGeometry.ROWS, rows));
            H264DeblockChaseConstants constants = new H264DeblockChaseConstants()
                    .localSizeX(chaseInvocations())
                    .workgroupBarriers(tuning.lockstep() == 0)
                    .planes(planes)
                    .interleaved(interleaved())
                    .tails(tails())
                    .polls(tuning.pollsPerRound())
                    .sourceInColumns(source.isInColumns())
                    .destinationInColumns(destination.isInColumns())
                    .edgeMap(byEdge)
                    .chromaRows(chromaRows())
                    .fullChroma(isFullChroma())
                    .sampleShift(format.sampleShift());
            commands.bindPipeline(pipelines.pipeline(chaseKernel(), constants.words()));
            commands.dispatch(chasers(planes), 1, 1);
        } else {
            H264DeblockConstants constants = new H264DeblockConstants()
                    .localSizeX(tuning.deblockInvocations())
                    .planes(planes)
                    .interleaved(interleaved())
                    .tails(tails())
                    .sourceInColumns(source.isInColumns())
                    .destinationInColumns(destination.isInColumns())
                    .edgeMap(byEdge)
                    .chromaRows(chromaRows())
                    .fullChroma(isFullChroma())
                    .sampleShift(format.sampleShift());
            recordDiagonals(commands, constants, planes);
        }
    }

    /** Puts the place of a plane into the push constants, at position {@code index} of the shader's planes. */
    private void putPlane(int index, PicturePlace source, PicturePlace destination, int plane) {
        geometry.put(planesAt + DeblockPlanes.SOURCE_OFFSET, index, source.offsetWords(plane))
                .put(planesAt + DeblockPlanes.SOURCE_STRIDE, index, source.strideWords(plane))
                .put(planesAt + DeblockPlanes.DESTINATION_OFFSET, index, destination.offsetWords(plane))
                .put(planesAt + DeblockPlanes.DESTINATION_STRIDE, index, destination.strideWords(plane));
    }

    private void putSizes(PicturePlace source, PicturePlace destination) {
        boolean chroma = format.hasChroma();
        geometry.put(planesAt + DeblockPlanes.LUMA_WIDTH, width)
                .put(planesAt + DeblockPlanes.LUMA_HEIGHT, height)
                .put(planesAt + DeblockPlanes.LUMA_WORDS, rowWords(0))
                .put(planesAt + DeblockPlanes.LUMA_TAIL, tailMask(0))
                .put(planesAt + DeblockPlanes.CHROMA_WIDTH, format.chromaWidth(width))
                .put(planesAt + DeblockPlanes.CHROMA_HEIGHT, format.chromaHeight(height))
                .put(planesAt + DeblockPlanes.CHROMA_WORDS, chroma ? rowWords(1) : 0)
                .put(planesAt + DeblockPlanes.CHROMA_TAIL, chroma ? tailMask(1) : 0);
        for (int kind = 0; kind < KINDS; kind++) {
            geometry.put(planesAt + DeblockPlanes.SOURCE_SKIP, kind, source.columnSkipWords(kind))
                    .put(planesAt + DeblockPlanes.DESTINATION_SKIP, kind, destination.columnSkipWords(kind));
        }
    }

    /**
     * Records the diagonals of macroblocks one after the other, with barriers between them, and between the vertical and the
     * horizontal edges of each. Macroblock (x, y) lies on diagonal x + y.
     */
    private void recordDiagonals(Commands commands, H264DeblockConstants constants, int planes) {
        Kernel kernel = format.sampleBytes() == 1 ? PictureKernel.H264_DEBLOCK : PictureKernel.H264_DEBLOCK_16;
        long vertical = pipelines.pipeline(kernel, constants.words());
        long horizontal =
                pipelines.pipeline(kernel, constants.horizontalEdges(true).words());
        for (int diagonal = 0; diagonal < columns + rows - 1; diagonal++) {
            // Rows y of this diagonal whose x = diagonal - y lies in the picture.
            int firstRow = Math.max(0, diagonal - columns + 1);
            int macroblocks = Math.min(rows - 1, diagonal) - firstRow + 1;
            int groups = Commands.groups(macroblocks, tuning.deblockInvocations() / INVOCATIONS_PER_ROW);
            if (diagonal > 0) {
                commands.barrier();
            }
            commands.push(geometry.put(DiagonalGeometry.DIAGONAL, diagonal)
                    .put(DiagonalGeometry.FIRST_ROW, firstRow)
                    .put(DiagonalGeometry.MACROBLOCKS, macroblocks)
                    .put(DiagonalGeometry.LUMA_GROUPS, groups));
            commands.bindPipeline(vertical);
            commands.dispatch(planeKinds(planes) * groups, 1, 1);
            commands.barrier();
            commands.bindPipeline(horizontal);
            commands.dispatch(planeKinds(planes) * groups, 1, 1);
        }
    }

    private Kernel chaseKernel() {
        boolean wide = chaseInvocationsPerRow != INVOCATIONS_PER_ROW;
        return format.sampleBytes() == 1
                ? wide ? PictureKernel.H264_DEBLOCK_CHASE_WIDE : PictureKernel.H264_DEBLOCK_CHASE
                : wide ? PictureKernel.H264_DEBLOCK_CHASE_WIDE_16 : PictureKernel.H264_DEBLOCK_CHASE_16;
    }

    /** True if chroma is filtered like luma. */
    private boolean isFullChroma() {
        return format.chroma() == PixelFormat.Chroma.FULL;
    }

    /** Chroma rows of a macroblock. */
    private int chromaRows() {
        return 16 / format.subHeight();
    }

    private int planes() {
        return format.hasChroma() ? ALL_PLANES : LUMA;
    }

    private boolean interleaved() {
        return format.chromaPixelStep() == 2;
    }

    private boolean tails() {
        return endsInsideQuad(0) || (format.hasChroma() && endsInsideQuad(1));
    }

    /** True if the row's last quad, four samples, has bytes that are none. */
    private boolean endsInsideQuad(int plane) {
        return tailMask(plane) != -1 || rowWords(plane) % format.sampleBytes() != 0;
    }

    private int rowWords(int plane) {
        return RowWords.words(format, plane, width);
    }

    private int tailMask(int plane) {
        return RowWords.tailMask(format, plane, width);
    }
}
