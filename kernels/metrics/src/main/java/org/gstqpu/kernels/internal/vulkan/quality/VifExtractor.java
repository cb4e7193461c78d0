/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.util.List;
import org.gstqpu.kernels.internal.quality.VifScale;
import org.gstqpu.kernels.internal.quality.VifSums;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.VifGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFigures;

/** Visual information fidelity in integers: a stage and a dispatch for each scale. Each workgroup writes sums of its own. */
final class VifExtractor implements DeviceExtractor {
    private static final int INVOCATIONS = 128;

    // Windows that a workgroup takes.
    private static final int COLUMNS = 64;
    private static final int ROWS = 4;

    /** Sums of a workgroup. */
    private static final int RESULTS = 6;

    private final PairShape shape;
    private final boolean plain;
    private final boolean limited;
    private final VifSums sums = new VifSums();
    private final PushConstants geometry = new PushConstants(VifGeometry.BYTES);

    /** First word of each scale's samples. */
    private final int[] samplesAt = new int[VifScale.SCALES];

    private final DeviceBuffer pyramid;
    private final DeviceBuffer logarithms;

    VifExtractor(ExtractorMemory memory, PairShape shape, boolean plain, boolean limited) {
        this.shape = shape;
        this.plain = plain;
        this.limited = limited;
        int words = 0;
        for (int scale = 1; scale < VifScale.SCALES; scale++) {
            samplesAt[scale] = words;
            words += width(scale) * height(scale);
        }
        char[] table = VifScale.logarithms();
        pyramid = memory.acquire(MemoryKind.DEVICE, words);
        logarithms = memory.acquire(MemoryKind.UPLOAD, (table.length + 1) / 2);
        for (int i = 0; i < table.length; i++) {
            memPutShort(logarithms.address() + (long) i * Short.BYTES, (short) table[i]);
        }
    }

    private int width(int scale) {
        return VifScale.size(shape.width(), scale);
    }

    private int height(int scale) {
        return VifScale.size(shape.height(), scale);
    }

    private int columns(int scale) {
        return Commands.groups(width(scale), COLUMNS);
    }

    private int rows(int scale) {
        return Commands.groups(height(scale), ROWS);
    }

    private int resultWords(int scales) {
        int words = 0;
        for (int scale = 0; scale < scales; scale++) {
            words += RESULTS * columns(scale) * rows(scale);
        }
        return words;
    }

    @Override
    public int resultWords() {
        return resultWords(VifScale.SCALES);
    }

    @Override
    public int stages() {
        return VifScale.SCALES;
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(pyramid.range(), logarithms.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        int scale = stage;
        int next = scale + 1;
        boolean more = next < VifScale.SCALES;
        PixelFormat format = shape.format();
        recording.bind(0);
        Commands commands = recording.kernel(
                QualityKernel.VIF,
                INVOCATIONS,
                format.sampleBytes(),
                format.sampleShift(),
                INVOCATIONS,
                ROWS,
                VifScale.radius(scale),
                more ? VifScale.radius(next) : 0,
                VifScale.columnShift(scale, format.bitDepth()),
                VifScale.productShift(scale, format.bitDepth()),
                scale == 0 ? 1 : 0);
        recording
                .withPair(geometry, 0)
                .put(VifGeometry.WIDTH, width(scale))
                .put(VifGeometry.HEIGHT, height(scale))
                .put(VifGeometry.SOURCE_AT, samplesAt[scale])
                .put(VifGeometry.NEXT_AT, more ? samplesAt[next] : 0)
                .put(VifGeometry.NEXT_WIDTH, more ? width(next) : 0)
                .put(VifGeometry.NEXT_HEIGHT, more ? height(next) : 0)
                .put(VifGeometry.RESULTS_AT, recording.resultsAt() + resultWords(scale));
        for (int i = 0; i < VifGeometry.TAPS_COUNT; i++) {
            geometry.put(VifGeometry.TAPS, i, i <= VifScale.radius(scale) ? VifScale.tap(scale, i) : 0);
        }
        for (int i = 0; i < VifGeometry.NEXT_TAPS_COUNT; i++) {
            boolean there = more && i <= VifScale.radius(next);
            geometry.put(VifGeometry.NEXT_TAPS, i, there ? VifScale.tap(next, i) : 0);
        }
        commands.push(geometry);
        commands.dispatch(columns(scale), rows(scale), 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        long at = results;
        for (int scale = 0; scale < VifScale.SCALES; scale++) {
            sums.clear();
            for (int i = columns(scale) * rows(scale); i > 0; i--) {
                sums.kept += memGetInt(at);
                sums.keptLimited += memGetInt(at + PairShape.WORD_BYTES);
                sums.all += memGetInt(at + 2 * PairShape.WORD_BYTES);
                // The low and the high halves of variances.
                sums.flatVariance += (memGetInt(at + 3 * PairShape.WORD_BYTES) & 0xffffffffL)
                        + ((memGetInt(at + 4 * PairShape.WORD_BYTES) & 0xffffffffL) << Short.SIZE);
                sums.flat += memGetInt(at + 5 * PairShape.WORD_BYTES);
                at += RESULTS * PairShape.WORD_BYTES;
            }
            sums.put(scale, plain, limited, figures);
        }
    }
}
