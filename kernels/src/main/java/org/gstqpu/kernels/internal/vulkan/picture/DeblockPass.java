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

/** Records H.264 deblocking of pictures of one format and size; holds no Vulkan object. Belongs to the context's thread. */
final class DeblockPass {
    /** Of macroblocks. */
    private static final int INVOCATIONS_PER_ROW = 4;

    // Values of the shader's specialisation constants.
    private static final int ALL_PLANES = 0;
    private static final int LUMA = 1;
    private static final int CHROMA = 2;
    private static final int CHROMA_FIRST = 3;
    private static final int CHROMA_SECOND = 4;
    private static final int BOTH_PHASES = 0;
    private static final int VERTICAL_EDGES = 1;
    private static final int HORIZONTAL_EDGES = 2;

    /** Rows of macroblocks of a tile. */
    private static final int TILE_ROWS = 2;

    /** Diagonals of macroblocks that a tile holds a part of: few make more dispatches, many leave threads without a tile. */
    private static final int TILE_STEPS = 16;

    /** Luma and chroma, whose rows may be cut into columns of different heights. */
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

    /** Where {@link DeblockPlanes} lies in the push constants of the form. */
    private final int planesAt;

    /**
     * @param shuffles whether subgroups may exchange values
     * @param texels whether buffers are seen as texels
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

    /** Whether there is deblocking in tiles of pictures of a format. */
    private static boolean isInTiles(PixelFormat format) {
        return format.sampleBytes() == 1 && (format.chroma() == PixelFormat.Chroma.HALF_BOTH || !format.hasChroma());
    }

    /** Most workgroups that chase one another, 0 where none do. */
    int chasers() {
        return form == DeblockForm.CHASE ? chasers(planes()) : 0;
    }

    private int chasers(int planes) {
        int bands = groups(rows, chaseInvocations() / chaseInvocationsPerRow);
        return planeKinds(planes) * bands;
    }

    /** Workgroups that take the same macroblocks side by side: of luma and of chroma, or of each plane that is filtered as luma is. */
    private int planeKinds(int planes) {
        return planes != ALL_PLANES ? 1 : isFullChroma() ? 3 : 2;
    }

    /** Macroblocks of a row. */
    int columns() {
        return columns;
    }

    private int chaseInvocations() {
        return tuning.lockstep() != 0 ? tuning.lockstep() : tuning.deblockInvocations();
    }

    /**
     * Records all dispatches of a picture.
     *
     * @param descriptorSets by plane, of which only the first is asked for where no planes lie apart
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
                // The planes share what the chasing rows keep.
                commands.barrier();
            }
            commands.bindDescriptorSet(descriptorSets.applyAsLong(plane));
            boolean interleaved = format.chromaPixelStep() == 2;
            int planes = plane == 0 ? LUMA : interleaved ? CHROMA : plane == 1 ? CHROMA_FIRST : CHROMA_SECOND;
            // The plane in another buffer is gone through, but not written, as if it were this one.
            recordPlanes(commands, source, destination, planes, Math.max(plane, 1), Math.max(plane, 1), byEdge);
        }
    }

    /** Records the dispatches of some planes, with what lies where these two do as planes 1 and 2. */
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

    /** Puts where a plane lies into the push constants, as the {@code index}th that the shader knows. */
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
     * Records the diagonals of tiles one after the other, with barriers between them. A tile holds macroblocks x, y of two rows
     * y with {@code TILE_STEPS} values of x + y.
     */
    private void recordTiles(Commands commands) {
        int bands = groups(rows, TILE_ROWS);
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
                // So in pictures of one column.
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

    /** Whether the tile of a diagonal in a band of two rows holds macroblocks. */
    private boolean holdsTile(int diagonal, int band) {
        int tile = diagonal - band;
        int firstRow = band * TILE_ROWS;
        int lastRow = Math.min(firstRow + TILE_ROWS, rows) - 1;
        return tile >= firstRow / TILE_STEPS && tile <= (columns - 1 + lastRow) / TILE_STEPS;
    }

    /**
     * Records the diagonals x + slope y of macroblocks one after the other, with barriers between them: slope 2 where a
     * dispatch takes all edges, 1 where it takes the vertical or the horizontal ones.
     */
    private void recordDiagonals(
            Commands commands, int planes, int sourceInColumns, int destinationInColumns, int byEdge) {
        boolean inPhases = form != DeblockForm.DIAGONALS;
        int slope = inPhases ? 1 : 2;
        int last = columns - 1 + slope * (rows - 1);
        for (int diagonal = 0; diagonal <= last; diagonal++) {
            // The rows y whose x = diagonal - slope y lies in the picture.
            int firstRow = Math.max(0, (diagonal - columns + slope) / slope);
            int lastRow = Math.min(rows - 1, diagonal / slope);
            int macroblocks = lastRow - firstRow + 1;
            if (macroblocks < 1) {
                continue;
            }
            int groups = groups(macroblocks, tuning.deblockInvocations() / INVOCATIONS_PER_ROW);
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

    /** Whether chroma is filtered as luma is. */
    private boolean isFullChroma() {
        return format.chroma() == PixelFormat.Chroma.FULL;
    }

    /** Rows of chroma of a macroblock. */
    private int chromaRows() {
        return 16 / format.subHeight();
    }

    private static int groups(int items, int perGroup) {
        return (items + perGroup - 1) / perGroup;
    }

    private int planes() {
        return format.hasChroma() ? ALL_PLANES : LUMA;
    }

    private int interleaved() {
        return format.chromaPixelStep() == 2 ? 1 : 0;
    }

    private int tails() {
        return tailMask(0) != -1 || (format.hasChroma() && tailMask(1) != -1) ? 1 : 0;
    }

    private int rowWords(int plane) {
        return RowWords.words(format, plane, width);
    }

    private int tailMask(int plane) {
        return RowWords.tailMask(format, plane, width);
    }
}
