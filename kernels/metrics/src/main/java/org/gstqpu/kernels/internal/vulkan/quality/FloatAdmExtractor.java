/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static java.lang.Float.intBitsToFloat;
import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.util.List;
import org.gstqpu.kernels.internal.quality.FloatAdm;
import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.FloatDetailGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.FloatWaveletGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** ADM of luma in floating point. After luma, each scale takes two stages: one makes its bands, one compares them. */
final class FloatAdmExtractor implements DeviceExtractor {
    private static final QualityFeature[] FEATURES = {
        QualityFeature.ADM_SCALE0, QualityFeature.ADM_SCALE1, QualityFeature.ADM_SCALE2, QualityFeature.ADM_SCALE3
    };
    private static final int INVOCATIONS = 64;

    /** Rows that a workgroup compares. */
    private static final int ROWS = 8;

    private static final int BANDS = FloatAdm.BANDS;
    private static final int RESULTS = 2 * BANDS;

    /** Planes of a picture at a scale: the next scale, then the bands. */
    private static final int PLANES = 1 + BANDS;

    private final FloatLumaPass luma;
    private final int width;
    private final int height;
    private final PushConstants wavelet = new PushConstants(FloatWaveletGeometry.BYTES);
    private final PushConstants detail = new PushConstants(FloatDetailGeometry.BYTES);
    private final DeviceBuffer planes;

    FloatAdmExtractor(ExtractorMemory memory, PairShape shape) {
        luma = new FloatLumaPass(shape, FloatScale.OFFSET);
        width = shape.width();
        height = shape.height();
        planes = memory.acquire(MemoryKind.DEVICE, bandsAt(FloatAdm.SCALES, 0));
    }

    private int bandWidth(int scale) {
        return FloatAdm.samples(width, scale);
    }

    private int bandHeight(int scale) {
        return FloatAdm.samples(height, scale);
    }

    /** First word of the planes of a scale, of the reference (0) or the picture (1). */
    private int bandsAt(int scale, int picture) {
        int at = 2 * width * height;
        for (int i = 0; i < scale; i++) {
            at += 2 * PLANES * bandWidth(i) * bandHeight(i);
        }
        return picture == 0 ? at : at + PLANES * bandWidth(scale) * bandHeight(scale);
    }

    private int across(int scale) {
        return bandWidth(scale) - 2 * FloatAdm.border(bandWidth(scale));
    }

    private int down(int scale) {
        return bandHeight(scale) - 2 * FloatAdm.border(bandHeight(scale));
    }

    private int groups(int scale) {
        return Commands.groups(across(scale), INVOCATIONS) * Commands.groups(down(scale), ROWS);
    }

    private int resultsAt(int scale) {
        int at = 0;
        for (int i = 0; i < scale; i++) {
            at += RESULTS * groups(i);
        }
        return at;
    }

    @Override
    public int resultWords() {
        return resultsAt(FloatAdm.SCALES);
    }

    @Override
    public int stages() {
        return 1 + 2 * FloatAdm.SCALES;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(planes.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        recording.bind(0);
        if (stage == 0) {
            luma.record(recording, 2, 0, width * height);
        } else if (stage % 2 == 1) {
            recordWavelet(recording, stage / 2);
        } else {
            recordDetail(recording, stage / 2 - 1);
        }
    }

    private void recordWavelet(PairRecording recording, int scale) {
        boolean first = scale == 0;
        Commands commands = recording.kernel(QualityKernel.FLOAT_WAVELET, INVOCATIONS);
        wavelet.put(FloatWaveletGeometry.REFERENCE_AT, first ? 0 : bandsAt(scale - 1, 0))
                .put(FloatWaveletGeometry.PICTURE_AT, first ? width * height : bandsAt(scale - 1, 1))
                .put(FloatWaveletGeometry.WIDTH, first ? width : bandWidth(scale - 1))
                .put(FloatWaveletGeometry.HEIGHT, first ? height : bandHeight(scale - 1))
                .put(FloatWaveletGeometry.TO_REFERENCE_AT, bandsAt(scale, 0))
                .put(FloatWaveletGeometry.TO_PICTURE_AT, bandsAt(scale, 1))
                .put(FloatWaveletGeometry.TO_WIDTH, bandWidth(scale))
                .put(FloatWaveletGeometry.TO_HEIGHT, bandHeight(scale));
        float[] low = FloatAdm.low();
        float[] high = FloatAdm.high();
        for (int i = 0; i < low.length; i++) {
            wavelet.put(FloatWaveletGeometry.LOW, i, low[i]).put(FloatWaveletGeometry.HIGH, i, high[i]);
        }
        commands.push(wavelet);
        commands.dispatch(Commands.groups(bandWidth(scale), INVOCATIONS), bandHeight(scale), 2);
    }

    private void recordDetail(PairRecording recording, int scale) {
        int plane = bandWidth(scale) * bandHeight(scale);
        int left = FloatAdm.border(bandWidth(scale));
        int top = FloatAdm.border(bandHeight(scale));
        Commands commands = recording.kernel(QualityKernel.FLOAT_DETAIL, INVOCATIONS);
        commands.push(detail.put(FloatDetailGeometry.REFERENCE_AT, bandsAt(scale, 0) + plane)
                .put(FloatDetailGeometry.PICTURE_AT, bandsAt(scale, 1) + plane)
                .put(FloatDetailGeometry.WIDTH, bandWidth(scale))
                .put(FloatDetailGeometry.HEIGHT, bandHeight(scale))
                .put(FloatDetailGeometry.LEFT, left)
                .put(FloatDetailGeometry.TOP, top)
                .put(FloatDetailGeometry.RIGHT, left + across(scale))
                .put(FloatDetailGeometry.BOTTOM, top + down(scale))
                .put(FloatDetailGeometry.RESULTS_AT, recording.resultsAt() + resultsAt(scale))
                .put(FloatDetailGeometry.SIDE_SENSITIVITY, FloatAdm.sensitivity(scale, 0))
                .put(FloatDetailGeometry.DIAGONAL_SENSITIVITY, FloatAdm.sensitivity(scale, BANDS - 1))
                .put(FloatDetailGeometry.SAME_DIRECTION, FloatAdm.SAME_DIRECTION)
                .put(FloatDetailGeometry.GAIN_LIMIT, FloatAdm.GAIN_LIMIT)
                .put(FloatDetailGeometry.MASKING, FloatAdm.MASKING));
        commands.dispatch(Commands.groups(across(scale), INVOCATIONS), Commands.groups(down(scale), ROWS), 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        double allLeft = 0;
        double allWhole = 0;
        for (int scale = 0; scale < FloatAdm.SCALES; scale++) {
            double left = contrast(results, scale, 0);
            double whole = contrast(results, scale, BANDS);
            figures.set(FEATURES[scale], left / whole);
            allLeft += left;
            allWhole += whole;
        }
        figures.set(QualityFeature.ADM2, allLeft / allWhole);
    }

    private double contrast(long results, int scale, int firstSum) {
        double contrast = 0;
        for (int band = 0; band < BANDS; band++) {
            double cubes = 0;
            long at = results + (long) PairShape.WORD_BYTES * (resultsAt(scale) + firstSum + band);
            for (int i = groups(scale); i > 0; i--) {
                cubes += intBitsToFloat(memGetInt(at));
                at += (long) PairShape.WORD_BYTES * RESULTS;
            }
            contrast += FloatAdm.contrast(cubes, across(scale), down(scale));
        }
        return contrast;
    }
}
