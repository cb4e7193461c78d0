/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Arrays;
import org.gstqpu.kernels.internal.quality.Cambi;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFigures;

/** The banding index of the measured picture. */
final class CambiExtractor implements CpuExtractor {
    private static final int MASK_SIDE = 2 * Cambi.MASK_RADIUS + 1;

    private final Cambi cambi;
    private final int shift;
    private final int[] columns;
    private final int[] rows;

    /** Samples of the scale, rows one behind the other. */
    private final short[] samples;

    /** 1 where a sample of the scale counts, else 0. */
    private final byte[] counts;

    /** Samples that equal their neighbours, of the rows of the square that decides whether a sample counts: down, then summed across. */
    private final byte[][] equals;

    private final byte[] equalsDown;

    /** Rows of the mode filter along the row: row y lies in element y % 3. */
    private final short[][] filtered;

    private final BandHistograms histograms;
    private final float[] contrasts;
    private final GreatestContrasts greatest;
    private final double[] sums = new double[Cambi.SCALES];

    CambiExtractor(MetricOptions options, PixelFormat format, int pictureWidth, int pictureHeight) {
        cambi = new Cambi(options, format.bitDepth(), pictureWidth, pictureHeight);
        shift = Cambi.BITS - format.bitDepth();
        columns = cambi.columns();
        rows = cambi.rows();
        int width = columns.length;
        int height = rows.length;
        samples = new short[width * height];
        counts = new byte[width * height];
        equals = new byte[MASK_SIDE][width];
        equalsDown = new byte[width];
        filtered = new short[3][width];
        histograms = new BandHistograms(cambi);
        contrasts = new float[cambi.width(0) * cambi.height(0)];
        greatest = new GreatestContrasts(cambi.windowRadius());
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        int width = columns.length;
        int height = rows.length;
        load(pair.picture().luma(), pair.picture().width());
        findCounts(width, height);
        for (int scale = 0; scale < Cambi.SCALES; scale++) {
            if (scale > 0 || cambi.isHalved()) {
                int before = width;
                width = cambi.width(scale);
                height = cambi.height(scale);
                halve(before, width, height);
            }
            filter(width, height);
            histograms.contrasts(samples, counts, width, height, contrasts);
            sums[scale] = greatest.sum(contrasts, width * height, cambi.pooled(scale));
        }
        cambi.put(sums, figures);
    }

    /** Samples of 10 bits. */
    private void load(int[] luma, int pictureWidth) {
        // Beyond the last row and column stand these themselves: half of a sum of two is a quarter of it doubled.
        int reach = cambi.isSmoothed() ? 1 : 0;
        int at = 0;
        for (int y = 0; y < rows.length; y++) {
            int row = rows[y] * pictureWidth;
            int below = rows[Math.min(y + reach, rows.length - 1)] * pictureWidth;
            for (int x = 0; x < columns.length; x++) {
                int column = columns[x];
                int right = columns[Math.min(x + reach, columns.length - 1)];
                int sum = luma[row + column] + luma[row + right] + luma[below + column] + luma[below + right];
                samples[at++] = (short) ((sum << shift) >> 2);
            }
        }
    }

    private void findCounts(int width, int height) {
        int level = cambi.maskLevel();
        for (byte[] row : equals) {
            Arrays.fill(row, (byte) 0);
        }
        Arrays.fill(equalsDown, (byte) 0);
        for (int y = -Cambi.MASK_RADIUS; y < height; y++) {
            // The row that leaves the square lies where the one that enters goes.
            int entering = y + Cambi.MASK_RADIUS;
            byte[] row = equals[entering % MASK_SIDE];
            for (int x = 0; x < width; x++) {
                equalsDown[x] -= row[x];
            }
            if (entering < height) {
                findEquals(row, entering, width, height);
                for (int x = 0; x < width; x++) {
                    equalsDown[x] += row[x];
                }
            } else {
                Arrays.fill(row, (byte) 0);
            }
            if (y >= 0) {
                countRow(y * width, width, level);
            }
        }
    }

    /** A sample equals its neighbours if it does the one to the right and the one below, where these are. */
    private void findEquals(byte[] row, int y, int width, int height) {
        int at = y * width;
        int below = y == height - 1 ? at : at + width;
        for (int x = 0; x < width; x++) {
            int right = x == width - 1 ? x : x + 1;
            row[x] = (byte) (samples[at + x] == samples[at + right] && samples[at + x] == samples[below + x] ? 1 : 0);
        }
    }

    private void countRow(int at, int width, int level) {
        int sum = 0;
        for (int x = 0; x < Math.min(Cambi.MASK_RADIUS, width); x++) {
            sum += equalsDown[x];
        }
        for (int x = 0; x < width; x++) {
            if (x + Cambi.MASK_RADIUS < width) {
                sum += equalsDown[x + Cambi.MASK_RADIUS];
            }
            if (x > Cambi.MASK_RADIUS) {
                sum -= equalsDown[x - Cambi.MASK_RADIUS - 1];
            }
            counts[at + x] = (byte) (sum > level ? 1 : 0);
        }
    }

    /** Keeps every other sample, in place. */
    private void halve(int before, int width, int height) {
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int from = 2 * y * before + 2 * x;
                samples[y * width + x] = samples[from];
                counts[y * width + x] = counts[from];
            }
        }
    }

    /** The mode of three samples along the rows, then down the columns, but for the outermost ones; in place. */
    private void filter(int width, int height) {
        for (int y = 0; y < height; y++) {
            short[] into = filtered[y % 3];
            int at = y * width;
            into[0] = samples[at];
            into[width - 1] = samples[at + width - 1];
            for (int x = 1; x < width - 1; x++) {
                into[x] = mode(samples[at + x - 1], samples[at + x], samples[at + x + 1]);
            }
            if (y > 1) {
                for (int x = 0; x < width; x++) {
                    samples[at - width + x] = mode(filtered[0][x], filtered[1][x], filtered[2][x]);
                }
            }
        }
    }

    /** The sample that is there twice; else the least. */
    private static short mode(short a, short b, short c) {
        if (a == b || a == c) {
            return a;
        }
        return b == c ? b : (short) Math.min(Math.min(a, b), c);
    }
}
