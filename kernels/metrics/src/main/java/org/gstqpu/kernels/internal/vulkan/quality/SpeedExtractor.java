/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static java.lang.Float.intBitsToFloat;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutFloat;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.List;
import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.internal.quality.SpeedFigures;
import org.gstqpu.kernels.internal.quality.SpeedShape;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SpeedReduceGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/** SpEED of chroma. The device reduces the components; the CPU compares what is left, a 256th of their samples. */
final class SpeedExtractor implements DeviceExtractor {
    private static final int INVOCATIONS = 64;

    private static final PictureComponent[] COMPONENTS = {PictureComponent.CB, PictureComponent.CR};

    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final SpeedFigures speed;
    private final SpeedShape shape;
    private final PushConstants geometry = new PushConstants(SpeedReduceGeometry.BYTES);
    private final DeviceBuffer tables;

    SpeedExtractor(DeviceRuntime runtime, PairShape pair, QualityMetric metric) {
        pool = runtime.pool();
        pipelines = runtime.pipelines();
        format = pair.format();
        speed = new SpeedFigures(metric, format, pair.width(), pair.height());
        shape = speed.shape();
        int words = SpeedShape.TAPS + 3 * (shape.columns().length + shape.rows().length);
        tables = pool.acquire(MemoryKind.UPLOAD, (long) PairShape.WORD_BYTES * words);
        long at = tables.address();
        for (float weight : SpeedShape.blur()) {
            memPutFloat(at, weight);
            at += PairShape.WORD_BYTES;
        }
        put(shape.rows(), put(shape.columns(), at));
    }

    private static long put(SpeedShape.Between[] taps, long address) {
        long at = address;
        for (SpeedShape.Between tap : taps) {
            memPutInt(at, tap.from());
            memPutInt(at + PairShape.WORD_BYTES, tap.to());
            memPutFloat(at + 2 * PairShape.WORD_BYTES, tap.share());
            at += 3 * PairShape.WORD_BYTES;
        }
        return at;
    }

    private int samples() {
        return shape.width() * shape.height();
    }

    @Override
    public int resultWords() {
        return SpeedFigures.PLANES * samples();
    }

    @Override
    public int stages() {
        return 1;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(tables.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        Commands commands = recording.commands();
        recording.bind(0);
        for (int i = 0; i < COMPONENTS.length; i++) {
            PictureComponent component = COMPONENTS[i];
            int plane = component.plane(format);
            commands.bindPipeline(pipelines.pipeline(
                    QualityKernel.SPEED_REDUCE,
                    INVOCATIONS,
                    format.sampleBytes(),
                    format.sampleShift(),
                    component.sampleStep(format),
                    component.firstSample(format)));
            commands.push(geometry.put(
                            SpeedReduceGeometry.REFERENCE_OFFSET,
                            recording.reference().offsetWords(plane))
                    .put(
                            SpeedReduceGeometry.REFERENCE_STRIDE,
                            recording.reference().strideWords(plane))
                    .put(SpeedReduceGeometry.PICTURE_OFFSET, recording.picture().offsetWords(plane))
                    .put(SpeedReduceGeometry.PICTURE_STRIDE, recording.picture().strideWords(plane))
                    .put(SpeedReduceGeometry.WIDTH, shape.width())
                    .put(SpeedReduceGeometry.HEIGHT, shape.height())
                    .put(SpeedReduceGeometry.RESULTS_AT, recording.resultsAt() + 2 * i * samples())
                    .put(SpeedReduceGeometry.FACTOR, FloatScale.factor(format.bitDepth()))
                    .put(SpeedReduceGeometry.OFFSET, FloatScale.OFFSET));
            commands.dispatch(Commands.groups(shape.width(), INVOCATIONS), shape.height(), 2);
        }
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        long at = results;
        for (int i = 0; i < SpeedFigures.PLANES; i++) {
            float[] plane = speed.plane(i);
            for (int sample = 0; sample < plane.length; sample++) {
                plane[sample] = intBitsToFloat(memGetInt(at));
                at += PairShape.WORD_BYTES;
            }
        }
        speed.put(figures);
    }

    @Override
    public void close() {
        pool.release(tables);
    }
}
