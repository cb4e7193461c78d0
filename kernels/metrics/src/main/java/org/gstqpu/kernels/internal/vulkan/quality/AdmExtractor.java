/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.quality.AdmScale;
import org.gstqpu.kernels.internal.quality.AdmSums;
import org.gstqpu.kernels.internal.quality.AdmView;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.AdmDetailGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.AdmWaveletGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * The additive detail metric in integers. A stage transforms one scale, and measures the detail of the scale before in each view. The
 * device sums the cubes of each row; the CPU adds the rows.
 */
final class AdmExtractor implements DeviceExtractor {
    private static final int WAVELET_INVOCATIONS = 64;

    // Coefficients that a workgroup measures at a time.
    private static final int DETAIL_COLUMNS = 64;
    private static final int DETAIL_ROWS = 4;

    /** Bands of the reference and of the picture that have detail. */
    private static final int BANDS = 2 * AdmScale.BANDS;

    private final PairShape shape;
    private final List<AdmSums> views = new ArrayList<>();
    private final PushConstants wavelet = new PushConstants(AdmWaveletGeometry.BYTES);
    private final PushConstants detail = new PushConstants(AdmDetailGeometry.BYTES);

    // First words of each scale's low bands, and of its results.
    private final int[] lowAt = new int[AdmScale.SCALES];
    private final int[] resultsAt = new int[AdmScale.SCALES + 1];
    private final DeviceBuffer low;

    /** The bands with detail of each scale. */
    private final List<DeviceBuffer> bands = new ArrayList<>();

    AdmExtractor(ExtractorMemory memory, PairShape shape, Set<QualityMetric> metrics) {
        this.shape = shape;
        for (AdmView view : AdmView.of(metrics)) {
            views.add(new AdmSums(view, metrics, shape.format().bitDepth(), shape.width(), shape.height()));
        }
        int coefficients = 0;
        for (int i = 0; i < AdmScale.SCALES; i++) {
            AdmScale scale = scale(i);
            lowAt[i] = 2 * coefficients;
            coefficients += scale.width() * scale.height();
            resultsAt[i + 1] = resultsAt[i] + 2 * AdmSums.COUNT * (scale.bottom() - scale.top());
        }
        low = memory.acquire(MemoryKind.DEVICE, 2L * coefficients);
        for (int i = 0; i < AdmScale.SCALES; i++) {
            bands.add(memory.acquire(MemoryKind.DEVICE, (long) BANDS * scale(i).width() * scale(i).height()));
        }
    }

    private AdmScale scale(int index) {
        return views.get(0).scale(index);
    }

    @Override
    public int resultWords() {
        return views.size() * resultsAt[AdmScale.SCALES];
    }

    @Override
    public int stages() {
        return AdmScale.SCALES + 1;
    }

    @Override
    public List<List<BufferRange>> sets() {
        // One for each scale, which its two kernels share.
        return bands.stream()
                .map(ofScale -> List.of(low.range(), ofScale.range()))
                .toList();
    }

    @Override
    public void record(int stage, PairRecording recording) {
        if (stage < AdmScale.SCALES) {
            transform(scale(stage), recording);
        }
        if (stage > 0) {
            for (int view = 0; view < views.size(); view++) {
                measure(scale(stage - 1), view, recording);
            }
        }
    }

    private void transform(AdmScale scale, PairRecording recording) {
        PixelFormat format = shape.format();
        int index = scale.scale();
        recording.bind(index);
        Commands commands = recording.kernel(
                QualityKernel.ADM_WAVELET,
                WAVELET_INVOCATIONS,
                format.sampleBytes(),
                format.sampleShift(),
                index == 0 ? 1 : 0,
                scale.columnShift(),
                scale.rowShift());
        commands.push(recording
                .withPair(wavelet, 0)
                .put(AdmWaveletGeometry.SOURCE_WIDTH, scale.sourceWidth())
                .put(AdmWaveletGeometry.SOURCE_HEIGHT, scale.sourceHeight())
                .put(AdmWaveletGeometry.WIDTH, scale.width())
                .put(AdmWaveletGeometry.HEIGHT, scale.height())
                .put(AdmWaveletGeometry.SOURCE_AT, index == 0 ? 0 : lowAt[index - 1])
                .put(AdmWaveletGeometry.LOW_AT, lowAt[index])
                .put(AdmWaveletGeometry.LOW_ROUND, scale.lowColumnRound())
                .put(AdmWaveletGeometry.READS_ON, scale.readsOn() ? 1 : 0)
                .put(AdmWaveletGeometry.TAP0, AdmScale.LOW_0)
                .put(AdmWaveletGeometry.TAP1, AdmScale.LOW_1)
                .put(AdmWaveletGeometry.TAP2, AdmScale.LOW_2)
                .put(AdmWaveletGeometry.TAP3, AdmScale.LOW_3));
        commands.dispatch(Commands.groups(scale.width(), WAVELET_INVOCATIONS), scale.height(), 2);
    }

    private void measure(AdmScale scale, int number, PairRecording recording) {
        AdmView view = views.get(number).view();
        int index = scale.scale();
        recording.bind(index);
        boolean first = index == 0;
        Commands commands = recording.kernel(
                QualityKernel.ADM_DETAIL,
                DETAIL_COLUMNS * DETAIL_ROWS,
                first ? 1 : 0,
                scale.thresholdShift(0),
                scale.thresholdShift(AdmScale.DIAGONAL),
                scale.squareShift(0),
                scale.squareShift(AdmScale.DIAGONAL),
                scale.cubeShift(0),
                scale.cubeShift(AdmScale.DIAGONAL),
                scale.referenceSquareShift(),
                scale.referenceCubeShift(),
                view.hasImpairments() ? 1 : 0);
        commands.push(detail.put(AdmDetailGeometry.WIDTH, scale.width())
                .put(AdmDetailGeometry.HEIGHT, scale.height())
                .put(AdmDetailGeometry.LEFT, scale.left())
                .put(AdmDetailGeometry.RIGHT, scale.right())
                .put(AdmDetailGeometry.TOP, scale.top())
                .put(AdmDetailGeometry.BOTTOM, scale.bottom())
                .put(
                        AdmDetailGeometry.RESULTS_AT,
                        recording.resultsAt() + number * resultsAt[AdmScale.SCALES] + resultsAt[index])
                .put(AdmDetailGeometry.WEIGHT, (int) view.weight(index, 0))
                .put(AdmDetailGeometry.DIAGONAL_WEIGHT, (int) view.weight(index, AdmScale.DIAGONAL))
                .put(AdmDetailGeometry.THIRTIETH, first ? AdmScale.THIRTIETH_0 : AdmScale.THIRTIETH)
                .put(AdmDetailGeometry.FIFTEENTH, first ? AdmScale.FIFTEENTH_0 : AdmScale.FIFTEENTH)
                .put(AdmDetailGeometry.COSINE_SQUARED, (int) (AdmScale.COSINE_SQUARED * (1 << 24)))
                .put(AdmDetailGeometry.GAIN_LIMIT, AdmScale.GAIN_LIMIT));
        commands.dispatch(Commands.groups(scale.bottom() - scale.top(), DETAIL_ROWS), 1, 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        long at = results;
        // By number, as an iterator is an object.
        for (int view = 0; view < views.size(); view++) {
            AdmSums sums = views.get(view);
            sums.clear();
            for (int i = 0; i < AdmScale.SCALES; i++) {
                for (int row = resultsAt[i]; row < resultsAt[i + 1]; row += 2 * AdmSums.COUNT) {
                    for (int which = 0; which < AdmSums.COUNT; which++) {
                        long cubes =
                                (memGetInt(at) & 0xffffffffL) | ((long) memGetInt(at + PairShape.WORD_BYTES) << 32);
                        sums.addRow(i, which, cubes);
                        at += 2 * PairShape.WORD_BYTES;
                    }
                }
            }
            sums.put(figures);
        }
    }
}
