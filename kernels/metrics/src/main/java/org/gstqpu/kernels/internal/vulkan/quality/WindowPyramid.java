/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static java.lang.Float.intBitsToFloat;
import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.util.List;
import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.internal.quality.MultiScaleSsim;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.quality.layout.FloatHalveGeometry;
import org.gstqpu.kernels.internal.vulkan.quality.layout.FloatWindowGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.quality.QualityFigures;

/**
 * Luma of a pair at scales of half the width and height each, in floating point, and sums over the Gaussian windows of each scale. Stage {@code 2 * s} makes scale {@code s}, the next stage adds up its windows. Belongs to the context's thread.
 */
final class WindowPyramid implements DeviceExtractor {
    private static final int INVOCATIONS = 64;

    /** Rows of windows that a workgroup adds up. */
    private static final int ROWS = 8;

    private static final int RESULTS = 3;

    /** Sets a metric's figures from the {@link #sum}s of an address of results. */
    interface Figures {
        void set(WindowPyramid pyramid, long results, QualityFigures figures);
    }

    /**
     * One scale.
     *
     * @param width samples a row
     * @param height rows
     * @param across windows a row
     * @param down rows of windows
     * @param window weights of a window, which nobody changes
     * @param filter weights of the filter that makes this scale from the one before, likewise; has no meaning for the first scale
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Scale(int width, int height, int across, int down, float[] window, float[] filter) {
        private int groups() {
            return Commands.groups(across, INVOCATIONS) * Commands.groups(down, ROWS);
        }
    }

    private final FloatLumaPass luma;
    private final List<Scale> scales;
    private final boolean similarity;
    private final Figures read;
    private final float[] constants;
    private final float offset;
    private final PushConstants halve = new PushConstants(FloatHalveGeometry.BYTES);
    private final PushConstants window = new PushConstants(FloatWindowGeometry.BYTES);
    private final DeviceBuffer planes;

    /**
     * @param similarity true for the terms of MS-SSIM, false for those of VIF
     * @param read sets the metric's figures
     * @param constants the metric's three, see the shader
     */
    WindowPyramid(
            ExtractorMemory memory,
            PairShape shape,
            List<Scale> scales,
            boolean similarity,
            Figures read,
            float... constants) {
        offset = similarity ? MultiScaleSsim.OFFSET : FloatScale.OFFSET;
        luma = new FloatLumaPass(shape, offset);
        this.scales = scales;
        this.similarity = similarity;
        this.read = read;
        this.constants = constants;
        planes = memory.acquire(MemoryKind.DEVICE, referenceAt(scales.size()));
    }

    private int referenceAt(int scale) {
        int at = 0;
        for (int i = 0; i < scale; i++) {
            at += 2 * scales.get(i).width * scales.get(i).height;
        }
        return at;
    }

    private int pictureAt(int scale) {
        return referenceAt(scale) + scales.get(scale).width * scales.get(scale).height;
    }

    private int resultsAt(int scale) {
        int at = 0;
        for (int i = 0; i < scale; i++) {
            at += RESULTS * scales.get(i).groups();
        }
        return at;
    }

    @Override
    public int resultWords() {
        return resultsAt(scales.size());
    }

    @Override
    public int stages() {
        return 2 * scales.size();
    }

    @Override
    public List<List<BufferRange>> sets() {
        return List.of(List.of(planes.range()));
    }

    @Override
    public void record(int stage, PairRecording recording) {
        recording.bind(0);
        if (stage % 2 == 1) {
            recordWindows(recording, stage / 2);
        } else if (stage == 0) {
            luma.record(recording, 2, referenceAt(0), pictureAt(0));
        } else {
            recordHalve(recording, stage / 2);
        }
    }

    private void recordHalve(PairRecording recording, int scale) {
        Scale from = scales.get(scale - 1);
        Scale to = scales.get(scale);
        float[] filter = to.filter;
        Commands commands =
                recording.kernel(QualityKernel.FLOAT_HALVE, INVOCATIONS, filter.length / 2, similarity ? 1 : 0);
        halve.put(FloatHalveGeometry.REFERENCE_AT, referenceAt(scale - 1))
                .put(FloatHalveGeometry.PICTURE_AT, pictureAt(scale - 1))
                .put(FloatHalveGeometry.TO_REFERENCE_AT, referenceAt(scale))
                .put(FloatHalveGeometry.TO_PICTURE_AT, pictureAt(scale))
                .put(FloatHalveGeometry.WIDTH, from.width)
                .put(FloatHalveGeometry.HEIGHT, from.height)
                .put(FloatHalveGeometry.TO_WIDTH, to.width);
        putTaps(halve, FloatHalveGeometry.TAPS, FloatHalveGeometry.TAPS_COUNT, filter);
        commands.push(halve);
        commands.dispatch(Commands.groups(to.width, INVOCATIONS), to.height, 2);
    }

    private static void putTaps(PushConstants constants, int at, int count, float[] taps) {
        int centre = taps.length / 2;
        for (int i = 0; i < count; i++) {
            constants.put(at, i, i <= centre ? taps[centre + i] : 0);
        }
    }

    private void recordWindows(PairRecording recording, int scale) {
        Scale of = scales.get(scale);
        Commands commands =
                recording.kernel(QualityKernel.FLOAT_WINDOW, INVOCATIONS, of.window.length / 2, similarity ? 1 : 0);
        window.put(FloatWindowGeometry.REFERENCE_AT, referenceAt(scale))
                .put(FloatWindowGeometry.PICTURE_AT, pictureAt(scale))
                .put(FloatWindowGeometry.WIDTH, of.width)
                .put(FloatWindowGeometry.HEIGHT, of.height)
                .put(FloatWindowGeometry.ACROSS, of.across)
                .put(FloatWindowGeometry.DOWN, of.down)
                .put(FloatWindowGeometry.RESULTS_AT, recording.resultsAt() + resultsAt(scale))
                .put(FloatWindowGeometry.OFFSET, offset);
        for (int i = 0; i < FloatWindowGeometry.CONSTANTS_COUNT; i++) {
            window.put(FloatWindowGeometry.CONSTANTS, i, constants[i]);
        }
        putTaps(window, FloatWindowGeometry.TAPS, FloatWindowGeometry.TAPS_COUNT, of.window);
        commands.push(window);
        commands.dispatch(Commands.groups(of.across, INVOCATIONS), Commands.groups(of.down, ROWS), 1);
    }

    @Override
    public void read(long results, boolean first, QualityFigures figures) {
        read.set(this, results, figures);
    }

    /** Number of windows of a scale. */
    double windows(int scale) {
        return (double) scales.get(scale).across * scales.get(scale).down;
    }

    /** Sum of one of the three terms over all windows of a scale. */
    double sum(long results, int scale, int term) {
        double sum = 0;
        long at = results + (long) PairShape.WORD_BYTES * (resultsAt(scale) + term);
        for (int i = scales.get(scale).groups(); i > 0; i--) {
            sum += intBitsToFloat(memGetInt(at));
            at += (long) PairShape.WORD_BYTES * RESULTS;
        }
        return sum;
    }
}
