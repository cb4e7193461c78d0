package org.gstqpu.kernels.vulkan;

import org.gstqpu.kernels.PixelFormat;

/** Records H.264 deblocking of pictures of one format and size; holds no Vulkan object. Belongs to the context's thread. */
final class DeblockPass {
    private static final int INVOCATIONS_PER_MACROBLOCK = 4;

    // Values of the shader's specialisation constants.
    private static final int BOTH_PLANES = 0;
    private static final int LUMA = 1;
    private static final int CHROMA = 2;
    private static final int BOTH_PHASES = 0;
    private static final int VERTICAL_EDGES = 1;
    private static final int HORIZONTAL_EDGES = 2;

    /** First push constant that changes from diagonal to diagonal. */
    private static final int DIAGONAL_AT = 20;

    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final KernelTuning tuning;

    DeblockPass(KernelPipelines pipelines, KernelTuning tuning, PixelFormat format, int width, int height) {
        this.pipelines = pipelines;
        this.format = format;
        this.width = width;
        this.height = height;
        this.tuning = tuning;
    }

    private long pipeline(int planes, int phases) {
        return pipelines.pipeline(
                Kernel.H264_DEBLOCK,
                tuning.deblockInvocations(),
                planes,
                format.chromaPixelStep() == 2 ? 1 : 0,
                tailMask(0) != -1 || (format.hasChroma() && tailMask(1) != -1) ? 1 : 0,
                phases);
    }

    /** Records the diagonals x + 2 y of macroblocks one after the other, with barriers between them. */
    void record(Commands commands, long descriptorSet, PicturePlace source, PicturePlace destination) {
        boolean chroma = format.hasChroma();
        commands.bindDescriptorSet(descriptorSet);
        commands.push(
                0,
                source.offsetWords(0),
                source.offsetWords(1),
                source.offsetWords(2),
                source.strideWords(0),
                source.strideWords(1),
                source.strideWords(2),
                destination.offsetWords(0),
                destination.offsetWords(1),
                destination.offsetWords(2),
                destination.strideWords(0),
                destination.strideWords(1),
                destination.strideWords(2),
                width,
                height,
                rowWords(0),
                tailMask(0),
                (width + 1) / 2,
                (height + 1) / 2,
                chroma ? rowWords(1) : 0,
                chroma ? tailMask(1) : 0);
        int columns = (width + 15) / 16;
        int rows = (height + 15) / 16;
        int perGroup = tuning.deblockInvocations() / INVOCATIONS_PER_MACROBLOCK;
        int last = columns - 1 + 2 * (rows - 1);
        for (int diagonal = 0; diagonal <= last; diagonal++) {
            // The rows y whose x = diagonal - 2 y lies in the picture.
            int firstRow = Math.max(0, (diagonal - columns + 2) / 2);
            int lastRow = Math.min(rows - 1, diagonal / 2);
            int macroblocks = lastRow - firstRow + 1;
            if (macroblocks < 1) {
                continue;
            }
            int groups = (macroblocks + perGroup - 1) / perGroup;
            if (diagonal > 0) {
                commands.barrier();
            }
            commands.push(DIAGONAL_AT, diagonal, firstRow, macroblocks, groups);
            if (tuning.phasesApart()) {
                recordDiagonal(commands, groups, VERTICAL_EDGES);
                commands.barrier();
                recordDiagonal(commands, groups, HORIZONTAL_EDGES);
            } else {
                recordDiagonal(commands, groups, BOTH_PHASES);
            }
        }
    }

    private void recordDiagonal(Commands commands, int groups, int phases) {
        if (format.hasChroma() && !tuning.planesApart()) {
            commands.bindPipeline(pipeline(BOTH_PLANES, phases));
            commands.dispatch(2 * groups, 1, 1);
            return;
        }
        commands.bindPipeline(pipeline(LUMA, phases));
        commands.dispatch(groups, 1, 1);
        if (format.hasChroma()) {
            commands.bindPipeline(pipeline(CHROMA, phases));
            commands.dispatch(groups, 1, 1);
        }
    }

    private int rowWords(int plane) {
        return RowWords.words(format, plane, width);
    }

    private int tailMask(int plane) {
        return RowWords.tailMask(format, plane, width);
    }
}
