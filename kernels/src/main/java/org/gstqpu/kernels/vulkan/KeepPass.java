package org.gstqpu.kernels.vulkan;

import org.gstqpu.kernels.PixelFormat;

/**
 * Records the dispatch that puts the left part of a picture of one format and size back over what the filters made of it; holds
 * no Vulkan object. Belongs to the context's thread.
 */
final class KeepPass {
    private static final int INVOCATIONS = 64;

    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final int width;
    private final int height;

    KeepPass(KernelPipelines pipelines, PixelFormat format, int width, int height) {
        this.pipelines = pipelines;
        this.format = format;
        this.width = width;
        this.height = height;
    }

    /** Records it, of all planes in one, wherever they lie. */
    void record(Commands commands, PicturePlace source, PicturePlace destination) {
        commands.bindPipeline(pipelines.pipeline(
                Kernel.KEEP_LEFT, INVOCATIONS, source.isInColumns() ? 1 : 0, destination.isInColumns() ? 1 : 0));
        int second = format.hasChroma() ? 1 : 0;
        int third = format.planes() - 1;
        commands.push(
                0,
                source.offsetWords(0),
                source.offsetWords(second),
                source.offsetWords(third),
                source.strideWords(0),
                source.strideWords(second),
                source.strideWords(third),
                destination.offsetWords(0),
                destination.offsetWords(second),
                destination.offsetWords(third),
                destination.strideWords(0),
                destination.strideWords(second),
                destination.strideWords(third),
                source.columnSkipWords(0),
                source.columnSkipWords(1),
                destination.columnSkipWords(0),
                destination.columnSkipWords(1),
                format.planeRows(second, height));
        int words = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            words = Math.max(words, RowWords.words(format, plane, width));
        }
        commands.dispatch((words + INVOCATIONS - 1) / INVOCATIONS, height, format.planes());
    }
}
