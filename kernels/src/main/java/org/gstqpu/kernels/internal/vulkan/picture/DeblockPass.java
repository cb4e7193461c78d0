/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.function.IntToLongFunction;
import org.gstqpu.kernels.internal.vulkan.layout.ChaseGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.DeblockPlanes;
import org.gstqpu.kernels.internal.vulkan.layout.DiagonalGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.TileGeometry;
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

    // Values of the shader's specialisation constants for planes and for phases.
    private static final int ALL_PLANES = 0;
    private static final int LUMA = 1;
    private static final int CHROMA = 2;
    private static final int CHROMA_FIRST = 3;
    private static final int CHROMA_SECOND = 4;
    private static final int BOTH_PHASES = 0;
    private static final int VERTICAL_EDGES = 1;
    private static final int HORIZONTAL_EDGES = 2;

    /** Rows of macroblocks in a tile. */
    private static final int TILE_ROWS = 2;

    /**
     * Diagonals of macroblocks in a tile. Fewer would need more dispatches; more would leave threads without a tile.
     */
    private static final int TILE_STEPS = 16;

    /** Luma and chroma. Their rows may lie in columns of different heights. */
    private static final int KINDS = 2;

    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int columns;
    private final int rows;
    private final KernelTuning tuning;
    private final DeblockForm form;
    private final int chaseInvocationsPerRow;
    private final PushConstants geometry;

    /** Offset of {@link DeblockPlanes} in the push constants of the form, in bytes. */
    private final int planesAt;

    /**
     * Makes a pass.
     *
     * @param shuffles whether subgroups may exchange values
     * @param texels whether kernels see buffers as texels
     */
    DeblockPass(
            KernelPipelines pipelines,
            KernelTuning tuning,
            boolean shuffles,
            boolean texels,
            PixelFormat format,
            int width,
            int height) {
        boolean tiles = shuffles && texels && isInTiles(format);
        form = tuning.deblockForm() == DeblockForm.TILES && !tiles
                ? DeblockForm.DIAGONALS_IN_PHASES
                : tuning.deblockForm();
        this.chaseInvocationsPerRow = shuffles ? tuning.chaseInvocations() : INVOCATIONS_PER_ROW;
        switch (form) {
            case CHASE -> {
                geometry = new PushConstants(ChaseGeometry.BYTES);
                planesAt = ChaseGeometry.PLANES;
            }
            case TILES -> {
                geometry = new PushConstants(TileGeometry.BYTES);
                planesAt = TileGeometry.PLANES;
            }
            default -> {
                geometry = new PushConstants(DiagonalGeometry.BYTES);
                planesAt = DiagonalGeometry.PLANES;
            }
        }
        this.pipelines = pipelines;
        this.format = format;
        this.width = width;
        this.height = height;
        this.columns = (width + 15) / 16;
        this.rows = (height + 15) / 16;
        this.tuning = tuning;
    }

    /** True if pictures of this format can be deblocked in tiles. */
    private static boolean isInTiles(PixelFormat format) {
        return format.sampleBytes() == 1 && (format.chroma() == PixelFormat.Chroma.HALF_BOTH || !format.hasChroma());
    }

    /** The most workgroups that poll one another in {@link DeblockForm#CHASE}. 0 in every other form. */
    int chasers() {
        return form == DeblockForm.CHASE ? chasers(planes()) : 0;
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
            boolean interleaved = format.chromaPixelStep() == 2;
            int planes = plane == 0 ? LUMA : interleaved ? CHROMA : plane == 1 ? CHROMA_FIRST : CHROMA_SECOND;
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
        int sourceInColumns = source.isInColumns() ? 1 : 0;
        int destinationInColumns = destination.isInColumns() ? 1 : 0;
        if (form == DeblockForm.CHASE) {
            commands.push(geometry.put(ChaseGeometry.COLUMNS, columns).put(ChaseGeometry.ROWS, rows));
            commands.bindPipeline(pipelines.pipeline(
                    chaseKernel(),
                    chaseInvocations(),
                    tuning.lockstep() == 0 ? 1 : 0,
                    planes,
                    interleaved(),
                    tails(),
                    tuning.pollsPerRound(),
                    sourceInColumns,
                    destinationInColumns,
                    byEdge ? 1 : 0,
                    chromaRows(),
                    isFullChroma() ? 1 : 0,
                    format.sampleShift()));
            commands.dispatch(chasers(planes), 1, 1);
        } else if (form == DeblockForm.TILES) {
            commands.bindPipeline(pipelines.pipeline(
                    Kernel.H264_DEBLOCK_TILES,
                    KernelTuning.TILE_INVOCATIONS,
                    planes,
                    interleaved(),
                    tails(),
                    sourceInColumns,
                    destinationInColumns,
                    TILE_STEPS,
                    byEdge ? 1 : 0));
            recordTiles(commands);
        } else {
            recordDiagonals(commands, planes, sourceInColumns, destinationInColumns, byEdge ? 1 : 0);
        }
    }

    /** Puts the place of a plane into the push constants, at position {@code index} of the shader's planes. */
    private void putPlane(int index, PicturePlace source, PicturePlace destination, int plane) {
        geometry.put(
                        planesAt + DeblockPlanes.SOURCE_OFFSET + index * DeblockPlanes.SOURCE_OFFSET_STEP,
                        source.offsetWords(plane))
                .put(
                        planesAt + DeblockPlanes.SOURCE_STRIDE + index * DeblockPlanes.SOURCE_STRIDE_STEP,
                        source.strideWords(plane))
                .put(
                        planesAt + DeblockPlanes.DESTINATION_OFFSET + index * DeblockPlanes.DESTINATION_OFFSET_STEP,
                        destination.offsetWords(plane))
                .put(
                        planesAt + DeblockPlanes.DESTINATION_STRIDE + index * DeblockPlanes.DESTINATION_STRIDE_STEP,
                        destination.strideWords(plane));
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
            geometry.put(
                            planesAt + DeblockPlanes.SOURCE_SKIP + kind * DeblockPlanes.SOURCE_SKIP_STEP,
                            source.columnSkipWords(kind))
                    .put(
                            planesAt + DeblockPlanes.DESTINATION_SKIP + kind * DeblockPlanes.DESTINATION_SKIP_STEP,
                            destination.columnSkipWords(kind));
        }
    }

    /**
     * Records the diagonals of tiles one after the other, with barriers between them. A tile holds the macroblocks (x,
     * y) of two rows y whose x + y has one of {@code TILE_STEPS} successive values.
     */
    private void recordTiles(Commands commands) {
        int bands = Commands.groups(rows, TILE_ROWS);
        int last = bands - 1 + (columns - 1 + rows - 1) / TILE_STEPS;
        for (int diagonal = 0; diagonal <= last; diagonal++) {
            int firstBand = 0;
            while (firstBand < bands && !holdsTile(diagonal, firstBand)) {
                firstBand++;
            }
            int end = firstBand;
            while (end < bands && holdsTile(diagonal, end)) {
                end++;
            }
            if (end == firstBand) {
                // In pictures of one column, some diagonals hold no tile.
                continue;
            }
            if (diagonal > 0) {
                commands.barrier();
            }
            commands.push(geometry.put(TileGeometry.DIAGONAL, diagonal)
                    .put(TileGeometry.FIRST_BAND, firstBand)
                    .put(TileGeometry.COLUMNS, columns)
                    .put(TileGeometry.ROWS, rows));
            commands.dispatch(end - firstBand, 1, 1);
        }
    }

    /** True if the tile of this diagonal in this band of two rows holds macroblocks. */
    private boolean holdsTile(int diagonal, int band) {
        int tile = diagonal - band;
        int firstRow = band * TILE_ROWS;
        int lastRow = Math.min(firstRow + TILE_ROWS, rows) - 1;
        return tile >= firstRow / TILE_STEPS && tile <= (columns - 1 + lastRow) / TILE_STEPS;
    }

    /**
     * Records the diagonals of macroblocks one after the other, with barriers between them. Macroblock (x, y) lies on
     * diagonal x + slope y. The slope is 2 if a dispatch takes all edges, and 1 if it takes the vertical or the
     * horizontal edges only.
     */
    private void recordDiagonals(
            Commands commands, int planes, int sourceInColumns, int destinationInColumns, int byEdge) {
        boolean inPhases = form != DeblockForm.DIAGONALS;
        int slope = inPhases ? 1 : 2;
        int last = columns - 1 + slope * (rows - 1);
        for (int diagonal = 0; diagonal <= last; diagonal++) {
            // Rows y of this diagonal whose x = diagonal - slope y lies in the picture.
            int firstRow = Math.max(0, (diagonal - columns + slope) / slope);
            int lastRow = Math.min(rows - 1, diagonal / slope);
            int macroblocks = lastRow - firstRow + 1;
            if (macroblocks < 1) {
                continue;
            }
            int groups = Commands.groups(macroblocks, tuning.deblockInvocations() / INVOCATIONS_PER_ROW);
            if (diagonal > 0) {
                commands.barrier();
            }
            commands.push(geometry.put(DiagonalGeometry.DIAGONAL, diagonal)
                    .put(DiagonalGeometry.FIRST_ROW, firstRow)
                    .put(DiagonalGeometry.MACROBLOCKS, macroblocks)
                    .put(DiagonalGeometry.LUMA_GROUPS, groups));
            int dispatched = planeKinds(planes) * groups;
            if (inPhases) {
                bindDiagonal(commands, planes, VERTICAL_EDGES, sourceInColumns, destinationInColumns, byEdge);
                commands.dispatch(dispatched, 1, 1);
                commands.barrier();
                bindDiagonal(commands, planes, HORIZONTAL_EDGES, sourceInColumns, destinationInColumns, byEdge);
            } else {
                bindDiagonal(commands, planes, BOTH_PHASES, sourceInColumns, destinationInColumns, byEdge);
            }
            commands.dispatch(dispatched, 1, 1);
        }
    }

    private void bindDiagonal(
            Commands commands, int planes, int phases, int sourceInColumns, int destinationInColumns, int byEdge) {
        commands.bindPipeline(pipelines.pipeline(
                format.sampleBytes() == 1 ? Kernel.H264_DEBLOCK : Kernel.H264_DEBLOCK_16,
                tuning.deblockInvocations(),
                planes,
                interleaved(),
                tails(),
                phases,
                sourceInColumns,
                destinationInColumns,
                byEdge,
                chromaRows(),
                isFullChroma() ? 1 : 0,
                format.sampleShift()));
    }

    private Kernel chaseKernel() {
        boolean wide = chaseInvocationsPerRow != INVOCATIONS_PER_ROW;
        return format.sampleBytes() == 1
                ? wide ? Kernel.H264_DEBLOCK_CHASE_WIDE : Kernel.H264_DEBLOCK_CHASE
                : wide ? Kernel.H264_DEBLOCK_CHASE_WIDE_16 : Kernel.H264_DEBLOCK_CHASE_16;
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

    private int interleaved() {
        return format.chromaPixelStep() == 2 ? 1 : 0;
    }

    private int tails() {
        return endsInsideQuad(0) || (format.hasChroma() && endsInsideQuad(1)) ? 1 : 0;
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
