/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static java.lang.Float.intBitsToFloat;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutFloat;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gstqpu.kernels.internal.quality.RecursiveGaussian;
import org.gstqpu.kernels.internal.quality.Ssimulacra2;
import org.gstqpu.kernels.internal.quality.VideoColors;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SsimulacraAcrossGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SsimulacraDownGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SsimulacraXybGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/**
 * SSIMULACRA 2. A scale takes three stages: XYB; blur across, and linear RGB of the next scale; blur down with the comparison. Each plane of XYB has buffers of its own,
 * which all scales use.
 */
final class Ssimulacra2Extractor implements DeviceExtractor {
    private static final int INVOCATIONS = 64;

    /** Columns of a workgroup that blurs down. */
    private static final int COLUMNS = 16;

    private static final int STAGES = 3;
    private static final int PLANES = Ssimulacra2.PLANES;
    private static final int SUMS = Ssimulacra2.SUMS;

    /** What is blurred of a plane: both pictures, their squares, their product. */
    private static final int MEANS = 5;

    /** A number whose square a float does not hold: it shows whether the device rounds between a multiplication and an addition. */
    private static final float ROUNDING_PROBE = 1 + 1f / 4096;

    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    private final PictureLayout layout;
    private final PixelFormat format;
    private final int scales;
    private final double[] means;
    private final PushConstants xybGeometry = new PushConstants(SsimulacraXybGeometry.BYTES);
    private final PushConstants acrossGeometry = new PushConstants(SsimulacraAcrossGeometry.BYTES);
    private final PushConstants downGeometry = new PushConstants(SsimulacraDownGeometry.BYTES);
    private final DeviceBuffer tables;
    private final DeviceBuffer linear;
    private final DeviceBuffer[] xyb = new DeviceBuffer[PLANES];
    private final DeviceBuffer[] across = new DeviceBuffer[PLANES];

    Ssimulacra2Extractor(ExtractorMemory memory, PairShape shape) {
        layout = shape.layout();
        format = shape.format();
        scales = Ssimulacra2.scales(layout.width(), layout.height());
        means = new double[PLANES * scales * SUMS];
        long samples = (long) layout.width() * layout.height();
        tables = memory.acquire(MemoryKind.UPLOAD, coefficientsAt() + RecursiveGaussian.coefficients().length + 2);
        linear = memory.acquire(MemoryKind.DEVICE, linearAt(scales));
        for (int plane = 0; plane < PLANES; plane++) {
            xyb[plane] = memory.acquire(MemoryKind.DEVICE, 2 * samples);
            across[plane] = memory.acquire(MemoryKind.DEVICE, MEANS * samples);
        }
        fillTables();
    }

    private void fillTables() {
        long at = tables.address();
        for (float light : VideoColors.linear()) {
            memPutFloat(at, light);
            at += PairShape.WORD_BYTES;
        }
        for (long term : VideoColors.terms(format.bitDepth())) {
            memPutInt(at, (int) (term >> Short.SIZE));
            memPutInt(at + PairShape.WORD_BYTES, (int) (term & 0xffff));
            at += 2 * PairShape.WORD_BYTES;
        }
        for (float coefficient : RecursiveGaussian.coefficients()) {
            memPutFloat(at, coefficient);
            at += PairShape.WORD_BYTES;
        }
        memPutFloat(at, ROUNDING_PROBE);
        memPutFloat(at + PairShape.WORD_BYTES, -ROUNDING_PROBE * ROUNDING_PROBE);
    }

    private int coefficientsAt() {
        return VideoColors.GREATEST + 1 + 2 * VideoColors.TABLES * (format.peak() + 1);
    }

    private int width(int scale) {
        return Ssimulacra2.samples(layout.width(), scale);
    }

    private int height(int scale) {
        return Ssimulacra2.samples(layout.height(), scale);
    }

    /** First word of linear RGB of a scale after the first: three planes of the reference, then three of the picture. */
    private int linearAt(int scale) {
        int at = 0;
        for (int i = 1; i < scale; i++) {
            at += 2 * PLANES * width(i) * height(i);
        }
        return at;
    }

    private int resultsAt(int scale, int plane) {
        int at = 0;
        for (int i = 0; i < scale; i++) {
            at += PLANES * SUMS * width(i);
        }
        return scale < scales ? at + plane * SUMS * width(scale) : at;
    }

    @Override
    public int resultWords() {
        return resultsAt(scales, 0);
    }

    @Override
    public int stages() {
        return STAGES * scales;
    }

    @Override
    public List<List<BufferRange>> sets() {
        List<List<BufferRange>> sets = new ArrayList<>();
        for (int plane = 0; plane < PLANES; plane++) {
            sets.add(List.of(xyb[plane].range(), linear.range(), tables.range(), across[plane].range()));
        }
        return sets;
    }

    @Override
    public void record(int stage, PairRecording recording) {
        int scale = stage / STAGES;
        for (int plane = 0; plane < PLANES; plane++) {
            recording.bind(plane);
            switch (stage % STAGES) {
                case 0 -> recordXyb(recording, scale, QualityKernel.SSIMULACRA_XYB, plane);
                case 1 -> recordAcross(recording, scale, plane);
                default -> recordDown(recording, scale, plane);
            }
        }
    }

    private void recordXyb(PairRecording recording, int scale, QualityKernel kernel, int plane) {
        Commands commands = recording.kernel(
                kernel,
                INVOCATIONS,
                format.sampleBytes(),
                format.sampleShift(),
                PictureComponent.CB.sampleStep(format),
                PictureComponent.CB.rowSamples(layout) < layout.width() ? 1 : 0,
                PictureComponent.CB.rows(layout) < layout.height() ? 1 : 0,
                plane,
                scale == 0 ? 1 : 0,
                format.peak() + 1);
        for (int i = 0; i < COMPONENTS.length; i++) {
            int of = COMPONENTS[i].plane(format);
            int ofPicture = COMPONENTS.length + i;
            xybGeometry
                    .put(SsimulacraXybGeometry.OFFSETS, i, recording.reference().offsetWords(of))
                    .put(SsimulacraXybGeometry.STRIDES, i, recording.reference().strideWords(of))
                    .put(
                            SsimulacraXybGeometry.OFFSETS,
                            ofPicture,
                            recording.picture().offsetWords(of))
                    .put(
                            SsimulacraXybGeometry.STRIDES,
                            ofPicture,
                            recording.picture().strideWords(of));
            if (COMPONENTS[i] != PictureComponent.Y) {
                int firstByte = COMPONENTS[i].firstSample(format) * format.sampleBytes();
                xybGeometry.put(SsimulacraXybGeometry.FIRST_BYTES, i - 1, firstByte);
            }
        }
        int next = scale + 1;
        commands.push(xybGeometry
                .put(SsimulacraXybGeometry.WIDTH, width(scale))
                .put(SsimulacraXybGeometry.HEIGHT, height(scale))
                .put(SsimulacraXybGeometry.NEXT_WIDTH, width(next))
                .put(SsimulacraXybGeometry.NEXT_HEIGHT, height(next))
                .put(SsimulacraXybGeometry.LINEAR_AT, linearAt(scale))
                .put(SsimulacraXybGeometry.NEXT_AT, linearAt(next)));
        commands.dispatch(Commands.groups(width(next), INVOCATIONS), height(next), 2);
    }

    private void recordAcross(PairRecording recording, int scale, int plane) {
        if (plane == 0 && scale + 1 < scales) {
            recordXyb(recording, scale, QualityKernel.SSIMULACRA_NEXT, plane);
        }
        Commands commands = recording.kernel(QualityKernel.SSIMULACRA_ACROSS, INVOCATIONS);
        commands.push(acrossGeometry
                .put(SsimulacraAcrossGeometry.WIDTH, width(scale))
                .put(SsimulacraAcrossGeometry.HEIGHT, height(scale))
                .put(SsimulacraAcrossGeometry.END_OF_STEPS, RecursiveGaussian.endOfSteps(width(scale)))
                .put(SsimulacraAcrossGeometry.COEFFICIENTS_AT, coefficientsAt()));
        commands.dispatch(Commands.groups(height(scale), INVOCATIONS), MEANS, 1);
    }

    private void recordDown(PairRecording recording, int scale, int plane) {
        Commands commands = recording.kernel(QualityKernel.SSIMULACRA_DOWN, MEANS * COLUMNS);
        commands.push(downGeometry
                .put(SsimulacraDownGeometry.WIDTH, width(scale))
                .put(SsimulacraDownGeometry.HEIGHT, height(scale))
                .put(SsimulacraDownGeometry.RESULTS_AT, recording.resultsAt() + resultsAt(scale, plane))
                .put(SsimulacraDownGeometry.COEFFICIENTS_AT, coefficientsAt())
                .put(SsimulacraDownGeometry.C2, Ssimulacra2.C2));
        commands.dispatch(Commands.groups(width(scale), COLUMNS), 1, 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        Arrays.fill(means, 0);
        for (int plane = 0; plane < PLANES; plane++) {
            for (int scale = 0; scale < scales; scale++) {
                int to = (plane * scales + scale) * SUMS;
                long at = results + (long) PairShape.WORD_BYTES * resultsAt(scale, plane);
                for (int i = 0; i < SUMS * width(scale); i++) {
                    means[to + i % SUMS] += intBitsToFloat(memGetInt(at));
                    at += PairShape.WORD_BYTES;
                }
                for (int i = 0; i < SUMS; i++) {
                    means[to + i] /= (double) width(scale) * height(scale);
                }
            }
        }
        figures.set(QualityFeature.SSIMULACRA2, Ssimulacra2.figure(means, scales));
    }
}
