/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Arrays;
import org.gstqpu.kernels.internal.quality.FloatAdm;
import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/** ADM of luma in floating point. */
public final class FloatAdmExtractor implements CpuExtractor {
    private static final QualityFeature[] FEATURES = {
        QualityFeature.ADM_SCALE0, QualityFeature.ADM_SCALE1, QualityFeature.ADM_SCALE2, QualityFeature.ADM_SCALE3
    };
    private static final float[] LOW = FloatAdm.low();
    private static final float[] HIGH = FloatAdm.high();
    private static final int BANDS = FloatAdm.BANDS;

    /** Rows around one whose additive details hide details there. */
    private static final int AROUND = 3;

    private final FloatPlane[] reference = new FloatPlane[FloatAdm.SCALES + 1];
    private final FloatPlane[] measured = new FloatPlane[FloatAdm.SCALES + 1];
    private final FloatPlane[][] referenceBands = new FloatPlane[FloatAdm.SCALES][BANDS];
    private final FloatPlane[][] measuredBands = new FloatPlane[FloatAdm.SCALES][BANDS];
    private final float[][] sensitivity = new float[FloatAdm.SCALES][BANDS];

    private final FloatLuma luma;

    // Rows of a plane filtered down, with one sample before and two after.
    private final float[] low;
    private final float[] high;

    /** What is left of the reference's details. Index: row modulo {@link #AROUND}, then band. */
    private final float[][][] restored = new float[AROUND][BANDS][];

    /** Additive details of all bands, which hide others, with one more sample at both ends. Index: row modulo {@link #AROUND}. */
    private final float[][] additive = new float[AROUND][];

    /** Sums of cubes of a row and of a scale: of what is left of the details in each band, then of the reference's. */
    private final float[] rowSums = new float[2 * BANDS];

    private final double[] sums = new double[2 * BANDS];

    public FloatAdmExtractor(PixelFormat format, int width, int height) {
        luma = new FloatLuma(format, FloatScale.OFFSET);
        reference[0] = new FloatPlane(width, height);
        measured[0] = new FloatPlane(width, height);
        for (int scale = 0; scale < FloatAdm.SCALES; scale++) {
            int across = FloatAdm.samples(width, scale);
            int down = FloatAdm.samples(height, scale);
            reference[scale + 1] = new FloatPlane(across, down);
            measured[scale + 1] = new FloatPlane(across, down);
            for (int band = 0; band < BANDS; band++) {
                referenceBands[scale][band] = new FloatPlane(across, down);
                measuredBands[scale][band] = new FloatPlane(across, down);
                sensitivity[scale][band] = FloatAdm.sensitivity(scale, band);
            }
        }
        low = new float[width + 3];
        high = new float[width + 3];
        int samples = FloatAdm.samples(width, 0);
        for (int i = 0; i < AROUND; i++) {
            Arrays.setAll(restored[i], band -> new float[samples]);
            additive[i] = new float[samples + 2];
        }
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        luma.convert(pair.reference(), reference[0]);
        luma.convert(pair.picture(), measured[0]);
        double allLeft = 0;
        double allWhole = 0;
        for (int scale = 0; scale < FloatAdm.SCALES; scale++) {
            int width = reference[scale + 1].width;
            int height = reference[scale + 1].height;
            for (int row = 0; row < height; row++) {
                transform(reference[scale], reference[scale + 1], referenceBands[scale], row);
                transform(measured[scale], measured[scale + 1], measuredBands[scale], row);
            }
            int first = FloatAdm.border(height);
            int end = height - first;
            Arrays.fill(sums, 0);
            for (int row = Math.max(first - 1, 0); row < Math.min(end + 1, height); row++) {
                decouple(scale, row);
                if (row > first) {
                    addRow(scale, row - 1);
                }
            }
            if (end == height) {
                addRow(scale, end - 1);
            }
            int across = width - 2 * FloatAdm.border(width);
            double left = 0;
            double whole = 0;
            for (int band = 0; band < BANDS; band++) {
                left += FloatAdm.contrast(sums[band], across, end - first);
                whole += FloatAdm.contrast(sums[BANDS + band], across, end - first);
            }
            figures.set(FEATURES[scale], left / whole);
            allLeft += left;
            allWhole += whole;
        }
        figures.set(QualityFeature.ADM2, allLeft / allWhole);
    }

    /** One row of the next scale and of the bands, which are half as wide and high. */
    private void transform(FloatPlane from, FloatPlane next, FloatPlane[] bands, int row) {
        int width = from.width;
        int above = from.at(within(2 * row - 1, from.height));
        int at = from.at(within(2 * row, from.height));
        int below = from.at(within(2 * row + 1, from.height));
        int further = from.at(within(2 * row + 2, from.height));
        float[] samples = from.samples;
        for (int x = 0; x < width; x++) {
            float s0 = samples[above + x];
            float s1 = samples[at + x];
            float s2 = samples[below + x];
            float s3 = samples[further + x];
            low[1 + x] = LOW[0] * s0 + LOW[1] * s1 + LOW[2] * s2 + LOW[3] * s3;
            high[1 + x] = HIGH[0] * s0 + HIGH[1] * s1 + HIGH[2] * s2 + HIGH[3] * s3;
        }
        extend(low, width);
        extend(high, width);
        int to = next.at(row);
        across(low, LOW, next.samples, to, next.width);
        across(high, LOW, bands[0].samples, to, next.width);
        across(low, HIGH, bands[1].samples, to, next.width);
        across(high, HIGH, bands[2].samples, to, next.width);
    }

    /** Before its first row or sample a plane is mirrored at its centre; after its last one it repeats that, mirrored. */
    private static int within(int row, int height) {
        return row < 0 ? -row : row >= height ? 2 * height - 1 - row : row;
    }

    private static void extend(float[] samples, int width) {
        samples[0] = samples[2];
        samples[width + 1] = samples[width];
        samples[width + 2] = samples[width - 1];
    }

    private static void across(float[] samples, float[] filter, float[] to, int at, int width) {
        for (int x = 0; x < width; x++) {
            to[at + x] = filter[0] * samples[2 * x]
                    + filter[1] * samples[2 * x + 1]
                    + filter[2] * samples[2 * x + 2]
                    + filter[3] * samples[2 * x + 3];
        }
    }

    /** Splits the details of the measured picture's row: into what is left of the reference's, and what was added. */
    private void decouple(int scale, int row) {
        FloatPlane[] of = referenceBands[scale];
        FloatPlane[] by = measuredBands[scale];
        int width = of[0].width;
        int at = of[0].at(row);
        float[][] left = restored[row % AROUND];
        float[] hiding = additive[row % AROUND];
        for (int x = 0; x < width; x++) {
            float oh = of[0].samples[at + x];
            float ov = of[1].samples[at + x];
            float th = by[0].samples[at + x];
            float tv = by[1].samples[at + x];
            float product = oh * th + ov * tv;
            boolean sameDirection = product >= 0
                    && product * product >= FloatAdm.SAME_DIRECTION * (oh * oh + ov * ov) * (th * th + tv * tv);
            float hidden = 0;
            for (int band = 0; band < BANDS; band++) {
                float o = of[band].samples[at + x];
                float t = by[band].samples[at + x];
                float r = Math.min(Math.max(t / (o + FloatAdm.LEAST_DETAIL), 0), 1) * o;
                if (sameDirection) {
                    r = r > 0 ? Math.min(r * FloatAdm.GAIN_LIMIT, t) : r < 0 ? Math.max(r * FloatAdm.GAIN_LIMIT, t) : r;
                }
                left[band][x] = r;
                hidden += Math.abs(sensitivity[scale][band] * (t - r));
            }
            hiding[x + 1] = hidden * FloatAdm.MASKING;
        }
        hiding[0] = hiding[2];
        hiding[width + 1] = hiding[width];
    }

    private void addRow(int scale, int row) {
        FloatPlane[] of = referenceBands[scale];
        int width = of[0].width;
        int at = of[0].at(row);
        float[] above = additive[(row == 0 ? 1 : row - 1) % AROUND];
        float[] here = additive[row % AROUND];
        float[] below = additive[(row == of[0].height - 1 ? row : row + 1) % AROUND];
        int border = FloatAdm.border(width);
        Arrays.fill(rowSums, 0);
        for (int x = border; x < width - border; x++) {
            float hidden = above[x]
                    + above[x + 1]
                    + above[x + 2]
                    + here[x]
                    + 2 * here[x + 1]
                    + here[x + 2]
                    + below[x]
                    + below[x + 1]
                    + below[x + 2];
            for (int band = 0; band < BANDS; band++) {
                float weight = sensitivity[scale][band];
                float left = Math.max(Math.abs(weight * restored[row % AROUND][band][x]) - hidden, 0);
                float whole = Math.abs(weight * of[band].samples[at + x]);
                rowSums[band] += left * left * left;
                rowSums[BANDS + band] += whole * whole * whole;
            }
        }
        for (int i = 0; i < rowSums.length; i++) {
            sums[i] += rowSums[i];
        }
    }
}
