/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Arrays;
import org.gstqpu.kernels.internal.quality.RecursiveGaussian;
import org.gstqpu.kernels.internal.quality.Ssimulacra2;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/**
 * SSIMULACRA 2. A scale is read row by row: a row becomes XYB and is blurred across; then the row {@link #BEHIND} above it is blurred
 * down, from where the recursions were, and compared.
 */
public final class Ssimulacra2Extractor implements CpuExtractor {
    private static final int PLANES = Ssimulacra2.PLANES;
    private static final int SUMS = Ssimulacra2.SUMS;
    private static final int MEANS = WindowMoments.MEANS;
    private static final int POLES = RecursiveGaussian.POLES;

    /** Rows from one that is read to the one that is compared then. */
    private static final int BEHIND = RecursiveGaussian.RADIUS - 1;

    /** Rows from the first to the last that a step of the recursions down reads. */
    private static final int KEPT_ROWS = 2 * RecursiveGaussian.RADIUS + 1;

    private final LinearRow linearRow;
    private final int scales;
    private final int[] widths;
    private final int[] heights;

    /** Linear RGB of the scales after the first. Index: scale, then plane. */
    private final FloatPlane[][] reference;

    private final FloatPlane[][] measured;

    // Linear RGB of a row and of the row before it, of both pictures.
    private final float[][] row = new float[PLANES][];
    private final float[][] referenceBefore = new float[PLANES][];
    private final float[][] measuredBefore = new float[PLANES][];

    /** XYB of the rows that are kept. Index: plane, then row modulo {@link #KEPT_ROWS} times the width. */
    private final float[][] referenceXyb = new float[PLANES][];

    private final float[][] measuredXyb = new float[PLANES][];

    /** The same rows blurred across: of each plane the five of {@link WindowMoments}. Index: five times the plane, and the mean. */
    private final float[][] across = new float[PLANES * MEANS][];

    // The last two results down of each recursion. Index: three times the index of `across`, and the recursion.
    private final float[][] above = new float[PLANES * MEANS * POLES][];
    private final float[][] aboveThat = new float[PLANES * MEANS * POLES][];
    private final float[] zeros;
    private final float[] coefficients = RecursiveGaussian.coefficients();
    private final BlurredRow blur;

    /** The five blurred results of a row. */
    private final float[][] means = new float[MEANS][];

    private final double[] sums;

    public Ssimulacra2Extractor(PixelFormat format, int width, int height) {
        linearRow = new LinearRow(format);
        scales = Ssimulacra2.scales(width, height);
        widths = new int[scales];
        heights = new int[scales];
        reference = new FloatPlane[scales][PLANES];
        measured = new FloatPlane[scales][PLANES];
        for (int scale = 0; scale < scales; scale++) {
            widths[scale] = Ssimulacra2.samples(width, scale);
            heights[scale] = Ssimulacra2.samples(height, scale);
            for (int plane = 0; scale > 0 && plane < PLANES; plane++) {
                reference[scale][plane] = new FloatPlane(widths[scale], heights[scale]);
                measured[scale][plane] = new FloatPlane(widths[scale], heights[scale]);
            }
        }
        for (float[][] rows : new float[][][] {row, referenceBefore, measuredBefore, means, above, aboveThat}) {
            Arrays.setAll(rows, i -> new float[width]);
        }
        for (float[][] rows : new float[][][] {referenceXyb, measuredXyb, across}) {
            Arrays.setAll(rows, i -> new float[KEPT_ROWS * width]);
        }
        zeros = new float[width];
        blur = new BlurredRow(width);
        sums = new double[PLANES * scales * SUMS];
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        Arrays.fill(sums, 0);
        for (int scale = 0; scale < scales; scale++) {
            for (int i = 0; i < above.length; i++) {
                Arrays.fill(above[i], 0);
                Arrays.fill(aboveThat[i], 0);
            }
            int height = heights[scale];
            for (int y = 0; y < height + BEHIND; y++) {
                if (y < height) {
                    convert(pair.reference(), reference, referenceBefore, referenceXyb, scale, y);
                    convert(pair.picture(), measured, measuredBefore, measuredXyb, scale, y);
                    blurAcross(at(y, widths[scale]), widths[scale]);
                }
                compare(scale, y - BEHIND);
            }
        }
        for (int i = 0; i < sums.length; i++) {
            int scale = i / SUMS % scales;
            sums[i] /= (double) widths[scale] * heights[scale];
        }
        figures.set(QualityFeature.SSIMULACRA2, Ssimulacra2.figure(sums, scales));
    }

    /** Index of the first sample of a row that is kept. */
    private static int at(int y, int width) {
        return y % KEPT_ROWS * width;
    }

    /** Makes XYB of a row, and linear RGB of the next scale if the row ends one there. */
    private void convert(
            SamplePlanes picture, FloatPlane[][] linear, float[][] before, float[][] xyb, int scale, int y) {
        int width = widths[scale];
        if (scale == 0) {
            linearRow.read(picture, y, row);
        } else {
            for (int plane = 0; plane < PLANES; plane++) {
                FloatPlane from = linear[scale][plane];
                System.arraycopy(from.samples, from.at(y), row[plane], 0, width);
            }
        }
        OpsinRow.convert(row, xyb, at(y, width), width);
        if (scale + 1 == scales) {
            return;
        }
        if (y % 2 == 1) {
            halve(before, row, linear[scale + 1], y / 2, width);
        } else if (y + 1 == heights[scale]) {
            halve(row, row, linear[scale + 1], y / 2, width);
        } else {
            for (int plane = 0; plane < PLANES; plane++) {
                System.arraycopy(row[plane], 0, before[plane], 0, width);
            }
        }
    }

    /** One row of half the width, from the means of four samples each. The last sample of a row repeats. */
    private static void halve(float[][] above, float[][] below, FloatPlane[] to, int y, int width) {
        for (int plane = 0; plane < PLANES; plane++) {
            float[] upper = above[plane];
            float[] lower = below[plane];
            float[] samples = to[plane].samples;
            int at = to[plane].at(y);
            for (int x = 0; x < width; x += 2) {
                int right = Math.min(x + 1, width - 1);
                samples[at + x / 2] = (upper[x] + upper[right] + lower[x] + lower[right]) * 0.25f;
            }
        }
    }

    private void blurAcross(int at, int width) {
        for (int plane = 0; plane < PLANES; plane++) {
            float[] of = referenceXyb[plane];
            float[] by = measuredXyb[plane];
            blur.make(of, null, at, across[plane * MEANS + WindowMoments.A], width);
            blur.make(by, null, at, across[plane * MEANS + WindowMoments.B], width);
            blur.make(of, of, at, across[plane * MEANS + WindowMoments.AA], width);
            blur.make(by, by, at, across[plane * MEANS + WindowMoments.BB], width);
            blur.make(of, by, at, across[plane * MEANS + WindowMoments.AB], width);
        }
    }

    /** Blurs a row down, which may lie before the first one, and adds up its errors. */
    private void compare(int scale, int y) {
        int width = widths[scale];
        int height = heights[scale];
        int top = y - RecursiveGaussian.RADIUS - 1;
        int bottom = y + RecursiveGaussian.RADIUS - 1;
        for (int plane = 0; plane < PLANES; plane++) {
            for (int mean = 0; mean < MEANS; mean++) {
                float[] blurred = across[plane * MEANS + mean];
                blurDown(
                        (plane * MEANS + mean) * POLES,
                        top < 0 ? zeros : blurred,
                        top < 0 ? 0 : at(top, width),
                        bottom >= height ? zeros : blurred,
                        bottom >= height ? 0 : at(bottom, width),
                        width,
                        means[mean]);
            }
            if (y >= 0) {
                int sumsAt = (plane * scales + scale) * SUMS;
                addStructure(width, sumsAt);
                addEdges(referenceXyb[plane], measuredXyb[plane], at(y, width), width, sumsAt);
            }
        }
    }

    private void blurDown(
            int index, float[] upper, int upperAt, float[] lower, int lowerAt, int width, float[] result) {
        // The results of the last recursions are added first, as in libjxl.
        for (int pole = POLES - 1; pole >= 0; pole--) {
            float input = coefficients[pole * RecursiveGaussian.COEFFICIENTS + RecursiveGaussian.DOWN_INPUT];
            float before = coefficients[pole * RecursiveGaussian.COEFFICIENTS + RecursiveGaussian.DOWN_BEFORE];
            float[] one = above[index + pole];
            float[] two = aboveThat[index + pole];
            for (int x = 0; x < width; x++) {
                float last = one[x];
                float next = Math.fma(input, upper[upperAt + x] + lower[lowerAt + x], Math.fma(before, last, -two[x]));
                two[x] = last;
                one[x] = next;
                result[x] = pole == POLES - 1 ? next : next + result[x];
            }
        }
    }

    private void addStructure(int width, int at) {
        double sum = 0;
        double powers = 0;
        for (int x = 0; x < width; x++) {
            float a = means[WindowMoments.A][x];
            float b = means[WindowMoments.B][x];
            float covariance = 2 * (means[WindowMoments.AB][x] - a * b) + Ssimulacra2.C2;
            float variances =
                    means[WindowMoments.AA][x] - a * a + (means[WindowMoments.BB][x] - b * b) + Ssimulacra2.C2;
            float luminance = 1 - (a - b) * (a - b);
            double error = Math.max(1.0 - luminance * covariance / variances, 0);
            sum += error;
            powers += error * error * (error * error);
        }
        sums[at] += sum;
        sums[at + 1] += powers;
    }

    private void addEdges(float[] of, float[] by, int from, int width, int at) {
        double added = 0;
        double addedPowers = 0;
        double lost = 0;
        double lostPowers = 0;
        for (int x = 0; x < width; x++) {
            float edge = Math.abs(of[from + x] - means[WindowMoments.A][x]);
            float measuredEdge = Math.abs(by[from + x] - means[WindowMoments.B][x]);
            double error = (measuredEdge - edge) / (1.0 + edge);
            double power = error * error * (error * error);
            if (error > 0) {
                added += error;
                addedPowers += power;
            } else {
                lost -= error;
                lostPowers += power;
            }
        }
        sums[at + 2] += added;
        sums[at + 3] += addedPowers;
        sums[at + 4] += lost;
        sums[at + 5] += lostPowers;
    }
}
