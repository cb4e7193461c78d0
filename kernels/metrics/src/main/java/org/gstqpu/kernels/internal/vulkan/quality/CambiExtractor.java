/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static org.lwjgl.system.MemoryUtil.memFloatBuffer;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memIntBuffer;

import java.util.List;
import org.gstqpu.kernels.internal.quality.Cambi;
import org.gstqpu.kernels.internal.quality.ContrastBins;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.CambiContrastGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.CambiCountGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.CambiFilterGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.CambiGiveGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.CambiSelectGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.CambiSumGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFigures;

/**
 * The banding index of the measured picture. Stage 0 finds which samples count. Then a scale takes four stages: its filter; its contrasts;
 * the bin with the least contrast that is among the greatest; and the sum of those above. The last stage gives how often each contrast of
 * that bin is there, which the CPU adds. No two kernels of a stage use one buffer of the extractor.
 */
final class CambiExtractor implements DeviceExtractor {
    /** What a workgroup of the first kernel takes. */
    private static final int COUNT_COLUMNS = 32;

    private static final int COUNT_ROWS = 8;
    private static final int CONTRAST_COLUMNS = 16;
    private static final int CONTRAST_ROWS = 8;
    private static final int FILTER_INVOCATIONS = 64;
    private static final int INVOCATIONS = 128;
    private static final int EACH = 16;
    private static final int SCALE_STAGES = 4;

    /** Result words of a scale before the numbers of contrasts: the bin, and how many of it are among the greatest. */
    private static final int FOUND_WORDS = 2;

    private final PixelFormat format;
    private final Cambi cambi;
    private final int width;
    private final int height;
    private final boolean scaled;
    private final int bins;

    /** Word of the tables at which the samples begin that were encoded: their columns, then their rows. */
    private final int placesAt;

    /** Bits behind the point of contrasts as integers: the greatest contrast is the number of samples of a window. */
    private final int contrastShift;

    private final PushConstants count = new PushConstants(CambiCountGeometry.BYTES);
    private final PushConstants filter = new PushConstants(CambiFilterGeometry.BYTES);
    private final PushConstants contrast = new PushConstants(CambiContrastGeometry.BYTES);
    private final PushConstants select = new PushConstants(CambiSelectGeometry.BYTES);
    private final PushConstants sum = new PushConstants(CambiSumGeometry.BYTES);
    private final PushConstants give = new PushConstants(CambiGiveGeometry.BYTES);

    /** First sample of each scale, and the number of all. */
    private final int[] samplesAt = new int[Cambi.SCALES + 1];

    /** First result word of each scale, and the number of all. */
    private final int[] resultsAt = new int[Cambi.SCALES + 1];

    private final double[] sums = new double[Cambi.SCALES];
    private final DeviceBuffer planes;
    private final DeviceBuffer contrasts;
    private final DeviceBuffer found;
    private final DeviceBuffer tables;

    CambiExtractor(ExtractorMemory memory, PairShape shape, MetricOptions options) {
        format = shape.format();
        cambi = new Cambi(options, format.bitDepth(), shape.width(), shape.height());
        width = cambi.width(Cambi.WHOLE);
        height = cambi.height(Cambi.WHOLE);
        scaled = width != shape.width() || height != shape.height();
        bins = ContrastBins.bins(cambi.windowRadius());
        int side = 2 * cambi.windowRadius() + 1;
        contrastShift = Integer.numberOfLeadingZeros(side * side) - 1;
        for (int i = 0; i < Cambi.SCALES; i++) {
            samplesAt[i + 1] = samplesAt[i] + samples(i);
            resultsAt[i + 1] = resultsAt[i] + FOUND_WORDS + ContrastBins.LOW + 2 * sumGroups(i);
        }
        float[] reciprocals = cambi.reciprocals();
        placesAt = reciprocals.length;
        // Planes: the samples before the first filter, then the scales.
        planes = memory.acquire(MemoryKind.DEVICE, samples(0) + samplesAt[Cambi.SCALES]);
        contrasts = memory.acquire(MemoryKind.DEVICE, samplesAt[Cambi.SCALES]);
        // Bins of all scales; the contrasts in a bin; the bin.
        found = memory.acquire(MemoryKind.DEVICE, foundAt(Cambi.SCALES));
        // Tables: reciprocals, then the places of samples.
        tables = memory.acquire(MemoryKind.UPLOAD, placesAt + width + height);
        memFloatBuffer(tables.address(), placesAt).put(reciprocals);
        memIntBuffer(tables.address() + (long) PairShape.WORD_BYTES * placesAt, width + height)
                .put(cambi.columns())
                .put(cambi.rows());
    }

    private int samples(int scale) {
        return cambi.width(scale) * cambi.height(scale);
    }

    private int sumGroups(int scale) {
        return Commands.groups(samples(scale), INVOCATIONS * EACH);
    }

    private int planeAt(int scale) {
        return samples(0) + samplesAt[scale];
    }

    private int lowsAt(int scale) {
        return Cambi.SCALES * bins + scale * ContrastBins.LOW;
    }

    private int foundAt(int scale) {
        return lowsAt(Cambi.SCALES) + scale;
    }

    @Override
    public int resultWords() {
        return resultsAt[Cambi.SCALES];
    }

    @Override
    public int stages() {
        return Cambi.SCALES * SCALE_STAGES + 2;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(planes.range(), contrasts.range(), found.range(), tables.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        recording.bind(0);
        if (stage == 0) {
            recordCount(recording);
            return;
        }
        int scale = (stage - 1) / SCALE_STAGES;
        if (scale == Cambi.SCALES) {
            recordGive(recording);
            return;
        }
        switch ((stage - 1) % SCALE_STAGES) {
            case 0 -> recordFilter(scale, recording);
            case 1 -> recordContrast(scale, recording);
            case 2 -> recordSelect(scale, recording);
            default -> recordSum(scale, recording);
        }
    }

    private void recordCount(PairRecording recording) {
        Commands commands = recording.kernel(
                QualityKernel.CAMBI_COUNT,
                COUNT_COLUMNS * COUNT_ROWS,
                format.sampleBytes(),
                format.sampleShift(),
                Cambi.BITS - format.bitDepth(),
                cambi.isHalved() ? 2 : 1,
                cambi.isSmoothed() ? 1 : 0,
                scaled ? 1 : 0);
        commands.push(count.put(
                        CambiCountGeometry.PICTURE_OFFSET, recording.picture().offsetWords(0))
                .put(CambiCountGeometry.PICTURE_STRIDE, recording.picture().strideWords(0))
                .put(CambiCountGeometry.WIDTH, width)
                .put(CambiCountGeometry.HEIGHT, height)
                .put(CambiCountGeometry.KEPT_WIDTH, cambi.width(0))
                .put(CambiCountGeometry.LEVEL, cambi.maskLevel())
                .put(CambiCountGeometry.BIN_WORDS, lowsAt(Cambi.SCALES))
                .put(CambiCountGeometry.PLACES_AT, placesAt));
        commands.dispatch(Commands.groups(width, COUNT_COLUMNS), Commands.groups(height, COUNT_ROWS), 1);
    }

    private void recordFilter(int scale, PairRecording recording) {
        Commands commands = recording.kernel(QualityKernel.CAMBI_FILTER, FILTER_INVOCATIONS, scale == 0 ? 1 : 2);
        int source = Math.max(scale - 1, 0);
        commands.push(filter.put(CambiFilterGeometry.SOURCE_AT, scale == 0 ? 0 : planeAt(source))
                .put(CambiFilterGeometry.SOURCE_WIDTH, cambi.width(source))
                .put(CambiFilterGeometry.AT, planeAt(scale))
                .put(CambiFilterGeometry.WIDTH, cambi.width(scale))
                .put(CambiFilterGeometry.HEIGHT, cambi.height(scale)));
        commands.dispatch(Commands.groups(cambi.width(scale), FILTER_INVOCATIONS), cambi.height(scale), 1);
    }

    private void recordContrast(int scale, PairRecording recording) {
        Commands commands =
                recording.kernel(QualityKernel.CAMBI_CONTRAST, CONTRAST_COLUMNS * CONTRAST_ROWS, cambi.windowRadius());
        contrast.put(CambiContrastGeometry.AT, planeAt(scale))
                .put(CambiContrastGeometry.WIDTH, cambi.width(scale))
                .put(CambiContrastGeometry.HEIGHT, cambi.height(scale))
                .put(CambiContrastGeometry.CONTRASTS_AT, samplesAt[scale])
                .put(CambiContrastGeometry.BINS_AT, scale * bins)
                .put(CambiContrastGeometry.LEAST_BITS, ContrastBins.LEAST_BITS)
                .put(CambiContrastGeometry.LOW_BITS, ContrastBins.LOW_BITS);
        for (int step = 0; step < Cambi.STEPS; step++) {
            contrast.put(CambiContrastGeometry.DARKEST, step, cambi.darkestOf(step))
                    .put(CambiContrastGeometry.BRIGHTEST, step, cambi.brightestOf(step))
                    .put(CambiContrastGeometry.WEIGHTS, step, Cambi.weight(step));
        }
        commands.push(contrast);
        commands.dispatch(
                Commands.groups(cambi.width(scale), CONTRAST_COLUMNS),
                Commands.groups(cambi.height(scale), CONTRAST_ROWS),
                1);
    }

    private void recordSelect(int scale, PairRecording recording) {
        Commands commands = recording.kernel(QualityKernel.CAMBI_SELECT, INVOCATIONS, INVOCATIONS);
        commands.push(select.put(CambiSelectGeometry.BINS_AT, scale * bins)
                .put(CambiSelectGeometry.COUNT, bins)
                .put(CambiSelectGeometry.FOUND_AT, foundAt(scale))
                .put(CambiSelectGeometry.RESULTS_AT, recording.resultsAt() + resultsAt[scale])
                .put(CambiSelectGeometry.GREATEST, cambi.pooled(scale)));
        commands.dispatch(1, 1, 1);
    }

    private void recordSum(int scale, PairRecording recording) {
        Commands commands = recording.kernel(QualityKernel.CAMBI_SUM, INVOCATIONS, INVOCATIONS, EACH);
        commands.push(sum.put(CambiSumGeometry.CONTRASTS_AT, samplesAt[scale])
                .put(CambiSumGeometry.COUNT, samples(scale))
                .put(CambiSumGeometry.FOUND_AT, foundAt(scale))
                .put(CambiSumGeometry.LOWS_AT, lowsAt(scale))
                .put(CambiSumGeometry.SUMS_AT, recording.resultsAt() + lowResultsAt(scale) + ContrastBins.LOW)
                .put(CambiSumGeometry.LEAST_BITS, ContrastBins.LEAST_BITS)
                .put(CambiSumGeometry.LOW_BITS, ContrastBins.LOW_BITS)
                .put(CambiSumGeometry.SCALE, (float) (1 << contrastShift)));
        commands.dispatch(sumGroups(scale), 1, 1);
    }

    private void recordGive(PairRecording recording) {
        Commands commands = recording.kernel(QualityKernel.CAMBI_GIVE, INVOCATIONS);
        for (int scale = 0; scale < Cambi.SCALES; scale++) {
            commands.push(give.put(CambiGiveGeometry.LOWS_AT, lowsAt(scale))
                    .put(CambiGiveGeometry.COUNT, ContrastBins.LOW)
                    .put(CambiGiveGeometry.RESULTS_AT, recording.resultsAt() + lowResultsAt(scale)));
            commands.dispatch(Commands.groups(ContrastBins.LOW, INVOCATIONS), 1, 1);
        }
    }

    /** First result word of the numbers of contrasts of a scale. */
    private int lowResultsAt(int scale) {
        return resultsAt[scale] + FOUND_WORDS;
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        for (int scale = 0; scale < Cambi.SCALES; scale++) {
            long at = results + (long) PairShape.WORD_BYTES * resultsAt[scale];
            long lowsAt = at + FOUND_WORDS * PairShape.WORD_BYTES;
            sums[scale] = inBin(memGetInt(at), memGetInt(at + PairShape.WORD_BYTES), lowsAt)
                    + above(scale, lowsAt + ContrastBins.LOW * PairShape.WORD_BYTES);
        }
        cambi.put(sums, figures);
    }

    /** The sum of the greatest contrasts in a bin, whose number is 1 less than that found; 0 if none was found. */
    private static double inBin(int found, int greatest, long lowsAt) {
        double sum = 0;
        int left = found == 0 ? 0 : greatest;
        for (int low = ContrastBins.LOW - 1; left > 0; low--) {
            int taken = Math.min(memGetInt(lowsAt + (long) low * PairShape.WORD_BYTES), left);
            sum += taken * (double) ContrastBins.contrast(found - 1, low);
            left -= taken;
        }
        return sum;
    }

    private double above(int scale, long sumsAt) {
        long sum = 0;
        for (int group = 0; group < sumGroups(scale); group++) {
            long at = sumsAt + 2L * group * PairShape.WORD_BYTES;
            sum += ((memGetInt(at) & 0xffffffffL) << Short.SIZE) + (memGetInt(at + PairShape.WORD_BYTES) & 0xffffffffL);
        }
        return (double) sum / (1 << contrastShift);
    }
}
