/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * What SpEED of chroma (Bampis, Gupta, Soundararajan, Bovik, <i>SpEED-QA</i>, 2017, as libvmaf 3.2 has it for VMAF v1) sees of a
 * picture: a component is scaled, blurred, and every 16th sample each way is kept. Only the samples that the blur needs are ever scaled.
 * Immutable.
 */
public final class SpeedShape {
    /** Samples of the blur, each way. */
    public static final int TAPS = 9;

    /** Distance of the samples that are kept. */
    private static final int STEP = 16;

    /** Standard deviation of the blur in samples. */
    private static final float DEVIATION = 3.6f;

    /** Standard deviation, in samples that are kept, of the blur that a sample's surroundings are. */
    private static final float SURROUNDINGS = 0.6f;

    /**
     * The samples of a component that a scaled one lies between.
     *
     * @param from number of the first
     * @param to number of the second
     * @param share of the second
     */
    public record Between(int from, int to, float share) {}

    private final int width;
    private final int height;
    private final Between[] columns;
    private final Between[] rows;

    /**
     * @param metric one of the three of SpEED
     * @param pictureWidth luma samples a row, as many as the metric needs
     * @param pictureHeight luma rows, likewise
     */
    public SpeedShape(QualityMetric metric, PixelFormat format, int pictureWidth, int pictureHeight) {
        double scale =
                metric == QualityMetric.SPEED_CHROMA_PHONE ? 0.6 : metric == QualityMetric.SPEED_CHROMA_4K_3H ? 0.5 : 1;
        // libvmaf leaves out the last sample of an odd number of luma samples.
        columns = taps(pictureWidth * format.chromaWidth(2) / 2, scale);
        rows = taps(pictureHeight * format.chromaHeight(2) / 2, scale);
        width = columns.length / TAPS;
        height = rows.length / TAPS;
    }

    private static Between[] taps(int size, double scale) {
        int scaled = (int) (size * scale + 0.5);
        Between[] taps = new Between[scaled / STEP * TAPS];
        for (int i = 0; i < taps.length; i++) {
            int at = i / TAPS * STEP - TAPS / 2 + i % TAPS;
            taps[i] = between(Mirror.index(at, scaled), size, scaled);
        }
        return taps;
    }

    private static Between between(int at, int size, int scaled) {
        if (scaled == size) {
            return new Between(at, at, 0);
        }
        float ratio = (float) size / scaled;
        float place = (float) ((at + 0.5) * ratio - 0.5);
        int from = (int) Math.floor(place);
        int to = (int) Math.ceil(place);
        return new Between(from, Mirror.index(to, size), place - from);
    }

    /** Samples a row that are kept. */
    public int width() {
        return width;
    }

    /** Rows that are kept. */
    public int height() {
        return height;
    }

    /** For each column that is kept, the {@link #TAPS} that its blur takes. Nobody changes them. */
    public Between[] columns() {
        return columns;
    }

    /** For each row that is kept, the {@link #TAPS} that its blur takes. Nobody changes them. */
    public Between[] rows() {
        return rows;
    }

    /** Weights of the blur. */
    public static float[] blur() {
        return gaussian(TAPS, DEVIATION);
    }

    /** Weights of the three samples, each way, that a kept sample's surroundings are. */
    public static float[] surroundings() {
        return gaussian(3, SURROUNDINGS);
    }

    /** A Gaussian of so many samples, whose weights add up to 1, in libvmaf's order of rounding. */
    private static float[] gaussian(int taps, float deviation) {
        float[] weights = new float[taps];
        float sum = 0;
        float unit = (float) (1 / (deviation * Math.sqrt(2 * Math.PI)));
        for (int i = 0; i < taps; i++) {
            float at = i - taps / 2;
            weights[i] = (float) Math.exp(-0.5 * at / deviation * at / deviation) / unit;
            sum += weights[i];
        }
        for (int i = 0; i < taps; i++) {
            weights[i] /= sum;
        }
        return weights;
    }
}
