/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static org.lwjgl.system.MemoryUtil.memFloatBuffer;
import static org.lwjgl.system.MemoryUtil.memGetFloat;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutFloat;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.List;
import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.internal.quality.SpeedFigures;
import org.gstqpu.kernels.internal.quality.SpeedShape;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SpeedBlocksGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SpeedContrastGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SpeedCovarianceGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SpeedReduceGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.SpeedSolveGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * SpEED of chroma. The device reduces the components, solves the equations of their covariances, and gives entropy and variance of each
 * block, a 6400th of the samples, which the CPU compares.
 */
final class SpeedExtractor implements DeviceExtractor {
    private static final int INVOCATIONS = 64;
    private static final int SOLVE_INVOCATIONS = 256;

    /** A number whose square a float does not hold: it shows whether the device rounds between a multiplication and an addition. */
    private static final float ROUNDING_PROBE = 1 + 1f / 4096;

    private static final int ELEMENTS = SpeedFigures.SAMPLES * SpeedFigures.SAMPLES;

    /** Pairs of samples of a block, each with itself, too. */
    private static final int PAIRS = SpeedFigures.SAMPLES * (SpeedFigures.SAMPLES + 1) / 2;

    /** Words of what is known of a plane: eigenvalues, two matrices, two words that say whether they have a meaning. */
    private static final int KNOWN = SpeedFigures.SAMPLES + 2 * ELEMENTS + 2;

    private static final PictureComponent[] COMPONENTS = {PictureComponent.CB, PictureComponent.CR};

    private final PixelFormat format;
    private final SpeedFigures speed;
    private final SpeedShape shape;
    /** Sources of a scaled sample along a row, and down a column. */
    private final int across;

    private final int down;
    private final int tableWords;
    private final int blocks;
    private final PushConstants reduce = new PushConstants(SpeedReduceGeometry.BYTES);
    private final PushConstants contrast = new PushConstants(SpeedContrastGeometry.BYTES);
    private final PushConstants covariance = new PushConstants(SpeedCovarianceGeometry.BYTES);
    private final PushConstants solve = new PushConstants(SpeedSolveGeometry.BYTES);
    private final PushConstants entropy = new PushConstants(SpeedBlocksGeometry.BYTES);
    private final DeviceBuffer tables;

    /** The planes, their contrasts, the covariances, and what is known of each plane. */
    private final DeviceBuffer planes;

    SpeedExtractor(ExtractorMemory memory, PairShape pair, QualityMetric metric, MetricOptions options) {
        format = pair.format();
        speed = new SpeedFigures(metric, options, format, pair.width(), pair.height());
        shape = speed.shape();
        blocks = speed.entropies(0).length;
        across = shape.columns()[0].places.length;
        down = shape.rows()[0].places.length;
        tableWords = shape.blur().length + 2 * (across * shape.columns().length + down * shape.rows().length);
        tables = memory.acquire(MemoryKind.UPLOAD, tableWords + 2);
        planes = memory.acquire(MemoryKind.DEVICE, knownAt() + SpeedFigures.PLANES * KNOWN);
        float[] blur = shape.blur();
        memFloatBuffer(tables.address(), blur.length).put(blur);
        long at = tables.address() + (long) PairShape.WORD_BYTES * blur.length;
        at = put(shape.rows(), put(shape.columns(), at));
        memPutFloat(at, ROUNDING_PROBE);
        memPutFloat(at + PairShape.WORD_BYTES, -(ROUNDING_PROBE * ROUNDING_PROBE));
    }

    private static long put(SpeedShape.Source[] sources, long address) {
        long at = address;
        for (SpeedShape.Source source : sources) {
            for (int i = 0; i < source.places.length; i++) {
                memPutInt(at, source.places[i]);
                memPutFloat(at + PairShape.WORD_BYTES, source.shares[i]);
                at += 2 * PairShape.WORD_BYTES;
            }
        }
        return at;
    }

    private int samples() {
        return shape.width() * shape.height();
    }

    private int contrastsAt() {
        return SpeedFigures.PLANES * samples();
    }

    private int covariancesAt() {
        return 2 * SpeedFigures.PLANES * samples();
    }

    private int knownAt() {
        return covariancesAt() + SpeedFigures.PLANES * ELEMENTS;
    }

    @Override
    public int resultWords() {
        return SpeedFigures.PLANES * (1 + 2 * blocks);
    }

    @Override
    public int stages() {
        return 5;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(tables.range(), planes.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        recording.bind(0);
        switch (stage) {
            case 0 -> {
                for (int i = 0; i < COMPONENTS.length; i++) {
                    recordReduce(recording, COMPONENTS[i], 2 * i * samples());
                }
            }
            case 1 -> recordContrast(recording);
            case 2 -> recordCovariance(recording);
            case 3 -> recordSolve(recording);
            default -> recordBlocks(recording);
        }
    }

    private void recordReduce(PairRecording recording, PictureComponent component, int planesAt) {
        int plane = component.plane(format);
        Commands commands = recording.kernel(
                QualityKernel.SPEED_REDUCE,
                INVOCATIONS,
                format.sampleBytes(),
                format.sampleShift(),
                component.sampleStep(format),
                component.firstSample(format),
                shape.blur().length,
                across,
                down,
                shape.isNormalised() ? 1 : 0);
        commands.push(recording
                .withPair(reduce, plane)
                .put(SpeedReduceGeometry.WIDTH, shape.width())
                .put(SpeedReduceGeometry.HEIGHT, shape.height())
                .put(SpeedReduceGeometry.PLANES_AT, planesAt)
                .put(SpeedReduceGeometry.FACTOR, FloatScale.factor(format.bitDepth()))
                .put(SpeedReduceGeometry.OFFSET, FloatScale.OFFSET));
        commands.dispatch(Commands.groups(shape.width(), INVOCATIONS), shape.height(), 2);
    }

    private void recordContrast(PairRecording recording) {
        float[] weights = shape.surroundings();
        Commands commands = recording.kernel(QualityKernel.SPEED_CONTRAST, INVOCATIONS, weights.length);
        contrast.put(SpeedContrastGeometry.PLANES_AT, 0)
                .put(SpeedContrastGeometry.CONTRASTS_AT, contrastsAt())
                .put(SpeedContrastGeometry.WIDTH, shape.width())
                .put(SpeedContrastGeometry.HEIGHT, shape.height());
        for (int i = 0; i < SpeedContrastGeometry.WEIGHTS_COUNT; i++) {
            contrast.put(SpeedContrastGeometry.WEIGHTS, i, i < weights.length ? weights[i] : 0);
        }
        commands.push(contrast);
        commands.dispatch(Commands.groups(shape.width(), INVOCATIONS), shape.height(), SpeedFigures.PLANES);
    }

    private void recordCovariance(PairRecording recording) {
        Commands commands = recording.kernel(QualityKernel.SPEED_COVARIANCE, INVOCATIONS);
        commands.push(covariance
                .put(SpeedCovarianceGeometry.ROUNDING_AT, tableWords)
                .put(SpeedCovarianceGeometry.CONTRASTS_AT, contrastsAt())
                .put(SpeedCovarianceGeometry.COVARIANCES_AT, covariancesAt())
                .put(SpeedCovarianceGeometry.WIDTH, shape.width())
                .put(SpeedCovarianceGeometry.HEIGHT, shape.height()));
        commands.dispatch(PAIRS, SpeedFigures.PLANES, 1);
    }

    private void recordSolve(PairRecording recording) {
        Commands commands = recording.kernel(QualityKernel.SPEED_SOLVE, SOLVE_INVOCATIONS, SOLVE_INVOCATIONS);
        commands.push(solve.put(SpeedSolveGeometry.ROUNDING_AT, tableWords)
                .put(SpeedSolveGeometry.COVARIANCES_AT, covariancesAt())
                .put(SpeedSolveGeometry.KNOWN_AT, knownAt()));
        // Eigenvalues and the decomposition, beside each other.
        commands.dispatch(2, SpeedFigures.PLANES, 1);
    }

    private void recordBlocks(PairRecording recording) {
        float gaussian = (float) SpeedFigures.GAUSSIAN_ENTROPY;
        Commands commands = recording.kernel(QualityKernel.SPEED_BLOCKS, INVOCATIONS);
        commands.push(entropy.put(SpeedBlocksGeometry.ROUNDING_AT, tableWords)
                .put(SpeedBlocksGeometry.CONTRASTS_AT, contrastsAt())
                .put(SpeedBlocksGeometry.KNOWN_AT, knownAt())
                .put(SpeedBlocksGeometry.WIDTH, shape.width())
                .put(SpeedBlocksGeometry.HEIGHT, shape.height())
                .put(SpeedBlocksGeometry.RESULTS_AT, recording.resultsAt())
                .put(SpeedBlocksGeometry.NOISE, SpeedFigures.NOISE)
                .put(SpeedBlocksGeometry.GAUSSIAN, gaussian)
                .put(SpeedBlocksGeometry.GAUSSIAN_REST, (float) (SpeedFigures.GAUSSIAN_ENTROPY - gaussian)));
        commands.dispatch(Commands.groups(blocks, INVOCATIONS), SpeedFigures.PLANES, 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        long at = results;
        for (int plane = 0; plane < SpeedFigures.PLANES; plane++) {
            speed.setTells(plane, memGetInt(at) != 0);
            at += PairShape.WORD_BYTES;
            float[] entropies = speed.entropies(plane);
            float[] variances = speed.variances(plane);
            for (int block = 0; block < blocks; block++) {
                entropies[block] = memGetFloat(at);
                variances[block] = memGetFloat(at + PairShape.WORD_BYTES);
                at += 2 * PairShape.WORD_BYTES;
            }
        }
        speed.put(figures);
    }
}
