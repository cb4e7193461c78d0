/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.layout.KeepLeftGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.PackGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.PictureKeepLeftConstants;
import org.gstqpu.kernels.internal.vulkan.layout.PicturePackConstants;
import org.gstqpu.kernels.internal.vulkan.layout.PictureShiftConstants;
import org.gstqpu.kernels.internal.vulkan.layout.PictureUnpackConstants;
import org.gstqpu.kernels.internal.vulkan.layout.PlanePair;
import org.gstqpu.kernels.internal.vulkan.layout.ShiftGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.UnpackGeometry;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Records dispatches that copy from one picture to another. One dispatch copies all planes, wherever they lie. Holds no
 * Vulkan object. Belongs to the context's thread.
 */
public final class PlanePass {
    private static final int INVOCATIONS = 64;
    private static final int PLANES = 3;

    /** Samples of two words of three, and of three words of two, which an invocation changes from the one into the other. */
    private static final int SIX_SAMPLES = 6;

    /** Rows in which an invocation does that. */
    private static final int ROWS_DOWN = 8;

    /** Luma and chroma, which differ in size. */
    private static final int KINDS = 2;

    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final PushConstants keepLeft = new PushConstants(KeepLeftGeometry.BYTES);
    private final PushConstants shift = new PushConstants(ShiftGeometry.BYTES);
    private final PushConstants unpack = new PushConstants(UnpackGeometry.BYTES);
    private final PushConstants pack = new PushConstants(PackGeometry.BYTES);

    public PlanePass(KernelPipelines pipelines, PixelFormat format) {
        this.pipelines = pipelines;
        this.format = format;
    }

    /** The buffers of a dispatch's descriptor set. */
    public static List<BufferRange> bindings(PicturePlace source, PicturePlace destination, BufferRange parameters) {
        List<BufferRange> bindings = new ArrayList<>();
        for (PicturePlace place : List.of(source, destination)) {
            for (int plane = 0; plane < PLANES; plane++) {
                bindings.add(place.range(plane));
            }
        }
        bindings.add(parameters);
        return bindings;
    }

    /**
     * Records the dispatch that copies the left part of the source over a destination of the same size. The parameters
     * say how many columns that are.
     */
    public void recordKeepLeft(Commands commands, PicturePlace source, PicturePlace destination) {
        PictureKeepLeftConstants constants = new PictureKeepLeftConstants()
                .localSizeX(INVOCATIONS)
                .sourceInColumns(source.isInColumns())
                .destinationInColumns(destination.isInColumns());
        commands.bindPipeline(pipelines.pipeline(PictureKernel.KEEP_LEFT, constants.words()));
        putPlanes(keepLeft, KeepLeftGeometry.PLANES, source, destination);
        commands.push(
                keepLeft.put(KeepLeftGeometry.CHROMA_ROWS, destination.layout().rows(chroma())));
        dispatch(commands, destination.layout());
    }

    /**
     * Records the dispatch that copies a picture to another place in a picture of another size, and repeats its border
     * around it.
     *
     * @param columns luma columns from a sample of the destination to its sample in the source. In chroma of half
     *     width, half as many, rounded towards 0
     * @param rows luma rows from a sample of the destination to its sample in the source. In chroma of half height,
     *     half as many, rounded towards 0
     */
    public void recordShift(Commands commands, PicturePlace source, PicturePlace destination, int columns, int rows) {
        PictureShiftConstants constants = new PictureShiftConstants()
                .localSizeX(INVOCATIONS)
                .sourceInColumns(source.isInColumns())
                .destinationInColumns(destination.isInColumns());
        commands.bindPipeline(pipelines.pipeline(PictureKernel.SHIFT, constants.words()));
        PictureLayout from = source.layout();
        PictureLayout to = destination.layout();
        putPlanes(shift, ShiftGeometry.PLANES, source, destination);
        for (int kind = 0; kind < KINDS; kind++) {
            int plane = kind == 0 ? 0 : chroma();
            shift.put(ShiftGeometry.SOURCE_BYTES, kind, from.rowBytes(plane))
                    .put(ShiftGeometry.SOURCE_ROWS, kind, from.rows(plane))
                    .put(ShiftGeometry.DESTINATION_BYTES, kind, to.rowBytes(plane))
                    .put(ShiftGeometry.DESTINATION_ROWS, kind, to.rows(plane))
                    .put(ShiftGeometry.AHEAD_BYTES, kind, aheadBytes(plane, columns))
                    .put(ShiftGeometry.AHEAD_ROWS, kind, aheadRows(plane, rows))
                    .put(ShiftGeometry.PIXEL_BYTES, kind, pixelBytes(plane));
        }
        commands.push(shift);
        dispatch(commands, to);
    }

    /** Records the dispatch that takes the three samples of each word apart; the destination is not packed. */
    public void recordUnpack(Commands commands, PicturePlace source, PicturePlace destination) {
        PictureUnpackConstants constants = new PictureUnpackConstants()
                .localSizeX(INVOCATIONS)
                .sourceInColumns(source.isInColumns())
                .destinationInColumns(destination.isInColumns())
                .rows(ROWS_DOWN);
        commands.bindPipeline(pipelines.pipeline(PictureKernel.UNPACK, constants.words()));
        putPlanes(unpack, UnpackGeometry.PLANES, source, destination);
        putSizes(unpack, UnpackGeometry.SAMPLES, UnpackGeometry.ROWS, destination.layout());
        commands.push(unpack);
        dispatchSixSamples(commands, destination.layout());
    }

    /** Records the dispatch that puts three samples into each word; the source is not packed. */
    public void recordPack(Commands commands, PicturePlace source, PicturePlace destination) {
        PicturePackConstants constants = new PicturePackConstants()
                .localSizeX(INVOCATIONS)
                .sourceInColumns(source.isInColumns())
                .destinationInColumns(destination.isInColumns())
                .rows(ROWS_DOWN);
        commands.bindPipeline(pipelines.pipeline(PictureKernel.PACK, constants.words()));
        putPlanes(pack, PackGeometry.PLANES, source, destination);
        putSizes(pack, PackGeometry.SAMPLES, PackGeometry.ROWS, destination.layout());
        commands.push(pack);
        dispatchSixSamples(commands, destination.layout());
    }

    private void putSizes(PushConstants constants, int samplesAt, int rowsAt, PictureLayout layout) {
        for (int kind = 0; kind < KINDS; kind++) {
            constants
                    .put(samplesAt, kind, format.planeRowSamples(kind, layout.width()))
                    .put(rowsAt, kind, layout.rows(kind));
        }
    }

    /** Number of a chroma plane, or of luma if the format has no chroma. */
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

    /** Puts {@link PlanePair} into a kernel's push constants, at byte {@code at}. */
    private void putPlanes(PushConstants constants, int at, PicturePlace source, PicturePlace destination) {
        for (int i = 0; i < PLANES; i++) {
            // A format with fewer planes repeats its last plane.
            int plane = Math.min(i, format.planes() - 1);
            constants
                    .put(at + PlanePair.SOURCE_OFFSET, i, source.offsetWords(plane))
                    .put(at + PlanePair.SOURCE_STRIDE, i, source.strideWords(plane))
                    .put(at + PlanePair.DESTINATION_OFFSET, i, destination.offsetWords(plane))
                    .put(at + PlanePair.DESTINATION_STRIDE, i, destination.strideWords(plane));
        }
        for (int kind = 0; kind < KINDS; kind++) {
            constants
                    .put(at + PlanePair.SOURCE_SKIP, kind, source.columnSkipWords(kind))
                    .put(at + PlanePair.DESTINATION_SKIP, kind, destination.columnSkipWords(kind));
        }
    }

    /** Dispatches one invocation for each word of the widest plane's rows, in as many rows as luma has. */
    private void dispatch(Commands commands, PictureLayout layout) {
        int words = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            words = Math.max(words, (layout.rowBytes(plane) + Integer.BYTES - 1) / Integer.BYTES);
        }
        commands.dispatch(Commands.groups(words, INVOCATIONS), layout.height(), format.planes());
    }

    /** Dispatches one invocation for each six samples of some rows. */
    private void dispatchSixSamples(Commands commands, PictureLayout layout) {
        int samples = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            samples = Math.max(samples, format.planeRowSamples(plane, layout.width()));
        }
        commands.dispatch(
                Commands.groups(samples, SIX_SAMPLES * INVOCATIONS),
                Commands.groups(layout.height(), ROWS_DOWN),
                format.planes());
    }
}
