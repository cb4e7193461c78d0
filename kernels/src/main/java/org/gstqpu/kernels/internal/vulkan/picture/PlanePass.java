package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Records dispatches that copy from one picture to another, all planes in one, wherever they lie; holds no Vulkan object.
 * Belongs to the context's thread.
 */
final class PlanePass {
    private static final int INVOCATIONS = 64;
    private static final int PLANES = 3;

    /** First push constant that a shader has beyond those of planes.glsl. */
    private static final int OWN_AT = 16;

    private final KernelPipelines pipelines;
    private final PixelFormat format;

    PlanePass(KernelPipelines pipelines, PixelFormat format) {
        this.pipelines = pipelines;
        this.format = format;
    }

    /** What the descriptor set of a dispatch points at. */
    static List<BufferRange> bindings(PicturePlace source, PicturePlace destination, BufferRange parameters) {
        List<BufferRange> bindings = new ArrayList<>();
        for (PicturePlace place : List.of(source, destination)) {
            for (int plane = 0; plane < PLANES; plane++) {
                bindings.add(place.range(plane));
            }
        }
        bindings.add(parameters);
        return bindings;
    }

    /** Records what puts the left part of the source, as the parameters say, over a destination of the same size. */
    void recordKeepLeft(Commands commands, PicturePlace source, PicturePlace destination) {
        bind(commands, Kernel.KEEP_LEFT, source, destination);
        commands.push(OWN_AT, destination.layout().rows(chroma()));
        dispatch(commands, destination.layout());
    }

    /**
     * Records what copies a picture to another place in one of another size, which repeats its border around it.
     *
     * @param columns luma columns that a sample of the destination lies ahead in the source; chroma's are half as many, if its
     *     width is half, rounded towards 0
     * @param rows the same of rows
     */
    void recordShift(Commands commands, PicturePlace source, PicturePlace destination, int columns, int rows) {
        bind(commands, Kernel.SHIFT, source, destination);
        PictureLayout from = source.layout();
        PictureLayout to = destination.layout();
        int chroma = chroma();
        commands.push(
                OWN_AT,
                from.rowBytes(0),
                from.rowBytes(chroma),
                from.rows(0),
                from.rows(chroma),
                to.rowBytes(0),
                to.rowBytes(chroma),
                to.rows(0),
                to.rows(chroma),
                aheadBytes(0, columns),
                aheadBytes(chroma, columns),
                aheadRows(0, rows),
                aheadRows(chroma, rows),
                pixelBytes(0),
                pixelBytes(chroma));
        dispatch(commands, to);
    }

    /** A plane of chroma, luma where there is none. */
    private int chroma() {
        return format.hasChroma() ? 1 : 0;
    }

    private int pixelBytes(int plane) {
        return format.planeRowSamples(plane, 1) * format.sampleBytes();
    }

    private int aheadBytes(int plane, int columns) {
        int bytes = format.planeRowSamples(plane, Math.abs(columns) + 1) * format.sampleBytes() - pixelBytes(plane);
        return columns < 0 ? -bytes : bytes;
    }

    private int aheadRows(int plane, int rows) {
        int ahead = format.planeRows(plane, Math.abs(rows) + 1) - 1;
        return rows < 0 ? -ahead : ahead;
    }

    private void bind(Commands commands, Kernel kernel, PicturePlace source, PicturePlace destination) {
        commands.bindPipeline(pipelines.pipeline(
                kernel, INVOCATIONS, source.isInColumns() ? 1 : 0, destination.isInColumns() ? 1 : 0));
        int second = chroma();
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
                destination.columnSkipWords(1));
    }

    /** Dispatches an invocation for each word of a row of the widest plane, in each row of luma. */
    private void dispatch(Commands commands, PictureLayout layout) {
        int words = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            words = Math.max(words, RowWords.words(format, plane, layout.width()));
        }
        commands.dispatch((words + INVOCATIONS - 1) / INVOCATIONS, layout.height(), format.planes());
    }
}
