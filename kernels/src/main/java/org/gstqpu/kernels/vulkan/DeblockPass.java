package org.gstqpu.kernels.vulkan;

import org.gstqpu.kernels.PixelFormat;

/** Records H.264 deblocking of pictures of one format and size; holds no Vulkan object. Belongs to the context's thread. */
final class DeblockPass {
    /** Of macroblocks. */
    private static final int INVOCATIONS_PER_ROW = 4;

    // Values of the shader's specialisation constants.
    private static final int BOTH_PLANES = 0;
    private static final int LUMA = 1;
    private static final int BOTH_PHASES = 0;
    private static final int VERTICAL_EDGES = 1;
    private static final int HORIZONTAL_EDGES = 2;

    /** First push constant that is a form's own. */
    private static final int FORMS_OWN_AT = 20;

    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int columns;
    private final int rows;
    private final KernelTuning tuning;

    DeblockPass(KernelPipelines pipelines, KernelTuning tuning, PixelFormat format, int width, int height) {
        this.pipelines = pipelines;
        this.format = format;
        this.width = width;
        this.height = height;
        this.columns = (width + 15) / 16;
        this.rows = (height + 15) / 16;
        this.tuning = tuning;
    }

    /** Workgroups that chase one another, 0 where none do. */
    int chasers() {
        if (tuning.deblockForm() != DeblockForm.CHASE) {
            return 0;
        }
        int bands = groups(rows, chaseInvocations() / INVOCATIONS_PER_ROW);
        return format.hasChroma() ? 2 * bands : bands;
    }

    /** Macroblocks of a row. */
    int columns() {
        return columns;
    }

    private int chaseInvocations() {
        return tuning.lockstep() != 0 ? tuning.lockstep() : tuning.deblockInvocations();
    }

    /** Records all dispatches of a picture. */
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
        if (tuning.deblockForm() == DeblockForm.CHASE) {
            commands.push(FORMS_OWN_AT, columns, rows);
            commands.bindPipeline(pipelines.pipeline(
                    Kernel.H264_DEBLOCK_CHASE,
                    chaseInvocations(),
                    tuning.lockstep() == 0 ? 1 : 0,
                    planes(),
                    interleaved(),
                    tails(),
                    tuning.pollsPerRound()));
            commands.dispatch(chasers(), 1, 1);
        } else {
            recordDiagonals(commands);
        }
    }

    /** Records the diagonals x + 2 y of macroblocks one after the other, with barriers between them. */
    private void recordDiagonals(Commands commands) {
        int last = columns - 1 + 2 * (rows - 1);
        for (int diagonal = 0; diagonal <= last; diagonal++) {
            // The rows y whose x = diagonal - 2 y lies in the picture.
            int firstRow = Math.max(0, (diagonal - columns + 2) / 2);
            int lastRow = Math.min(rows - 1, diagonal / 2);
            int macroblocks = lastRow - firstRow + 1;
            if (macroblocks < 1) {
                continue;
            }
            int groups = groups(macroblocks, tuning.deblockInvocations() / INVOCATIONS_PER_ROW);
            if (diagonal > 0) {
                commands.barrier();
            }
            commands.push(FORMS_OWN_AT, diagonal, firstRow, macroblocks, groups);
            if (tuning.deblockForm() == DeblockForm.DIAGONALS_IN_PHASES) {
                recordDiagonal(commands, groups, VERTICAL_EDGES);
                commands.barrier();
                recordDiagonal(commands, groups, HORIZONTAL_EDGES);
            } else {
                recordDiagonal(commands, groups, BOTH_PHASES);
            }
        }
    }

    private void recordDiagonal(Commands commands, int groups, int phases) {
        commands.bindPipeline(pipelines.pipeline(
                Kernel.H264_DEBLOCK, tuning.deblockInvocations(), planes(), interleaved(), tails(), phases));
        commands.dispatch(format.hasChroma() ? 2 * groups : groups, 1, 1);
    }

    private static int groups(int items, int perGroup) {
        return (items + perGroup - 1) / perGroup;
    }

    private int planes() {
        return format.hasChroma() ? BOTH_PLANES : LUMA;
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
