/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.Mirror;
import org.gstqpu.kernels.internal.quality.VifGain;
import org.gstqpu.kernels.internal.quality.VifScale;
import org.gstqpu.kernels.internal.quality.VifSums;
import org.gstqpu.kernels.quality.QualityFigures;

/**
 * Visual information fidelity in integers. Goes down the rows of each scale once: rows that the window covers lie in a ring, are summed
 * down the columns, then along the row. What needs more than 32 bits is summed in two parts, so that loops run in vectors.
 */
public final class VifExtractor implements CpuExtractor {
    /** Half of libvmaf's least number of samples: products in double differ from exact ones by less than this. */
    private static final double NEAR = 1e-6;

    private static final double EPSILON = 65536 * 1.0e-10;

    private final int bitDepth;
    private final boolean plain;
    private final boolean limited;
    private final char[] logarithms = VifScale.logarithms();
    private final VifSums sums = new VifSums();
    private final Scale[] scales = new Scale[VifScale.SCALES];

    /** Samples of reference and picture at a scale but the first. */
    private final int[][] references = new int[VifScale.SCALES][];

    private final int[][] pictures = new int[VifScale.SCALES][];

    public VifExtractor(int width, int height, int bitDepth, boolean plain, boolean limited) {
        this.bitDepth = bitDepth;
        this.plain = plain;
        this.limited = limited;
        for (int scale = 0; scale < VifScale.SCALES; scale++) {
            scales[scale] = new Scale(scale, VifScale.size(width, scale), VifScale.size(height, scale));
            if (scale > 0) {
                references[scale] = new int[scales[scale].width * scales[scale].height];
                pictures[scale] = new int[scales[scale].width * scales[scale].height];
            }
        }
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        references[0] = pair.reference().luma();
        pictures[0] = pair.picture().luma();
        for (Scale scale : scales) {
            sums.clear();
            scale.run();
            sums.put(scale.scale, plain, limited, figures);
        }
    }

    /** Owns the working memory of a scale. */
    private final class Scale {
        final int scale;
        final int width;
        final int height;
        final int rows;
        final int productShift;
        final boolean narrow;

        // Rings of rows: samples, and the products of two samples in two parts.
        final int[][] reference;
        final int[][] picture;
        final int[][] referenceSquareHigh;
        final int[][] pictureSquareHigh;
        final int[][] productHigh;
        final int[][] referenceSquareLow;
        final int[][] pictureSquareLow;
        final int[][] productLow;

        /** The rows of a ring in the order of the taps. */
        final int[][] ordered;

        final int[] low;

        // Sums down the columns, mirrored at both ends.
        final int[] referenceColumn;
        final int[] pictureColumn;
        final int[] referenceSquareColumn;
        final int[] pictureSquareColumn;
        final int[] productColumn;
        final int[] parts;

        // Sums along the row.
        final int[] referenceMean;
        final int[] pictureMean;
        final int[] referenceSquare;
        final int[] pictureSquare;
        final int[] product;

        Scale(int scale, int width, int height) {
            this.scale = scale;
            this.width = width;
            this.height = height;
            int radius = VifScale.radius(scale);
            rows = 2 * radius + 1;
            productShift = VifScale.productShift(scale, bitDepth);
            narrow = productShift == 0;
            reference = new int[rows][width];
            picture = new int[rows][width];
            referenceSquareHigh = new int[rows][width];
            pictureSquareHigh = new int[rows][width];
            productHigh = new int[rows][width];
            referenceSquareLow = new int[narrow ? 0 : rows][width];
            pictureSquareLow = new int[narrow ? 0 : rows][width];
            productLow = new int[narrow ? 0 : rows][width];
            ordered = new int[rows][];
            low = new int[width];
            int mirrored = width + 2 * radius;
            referenceColumn = new int[mirrored];
            pictureColumn = new int[mirrored];
            referenceSquareColumn = new int[mirrored];
            pictureSquareColumn = new int[mirrored];
            productColumn = new int[mirrored];
            parts = new int[mirrored];
            referenceMean = new int[width];
            pictureMean = new int[width];
            referenceSquare = new int[width];
            pictureSquare = new int[width];
            product = new int[width];
        }

        void run() {
            int radius = VifScale.radius(scale);
            for (int y = 0; y < radius; y++) {
                load(y);
            }
            for (int y = 0; y < height; y++) {
                if (y + radius < height) {
                    load(y + radius);
                }
                columns(y, radius);
                rowSums(radius);
                addWindows();
                if (scale + 1 < VifScale.SCALES && (y & 1) == 0 && y / 2 < scales[scale + 1].height) {
                    halve(y);
                }
            }
        }

        private void load(int y) {
            int slot = y % rows;
            System.arraycopy(references[scale], y * width, reference[slot], 0, width);
            System.arraycopy(pictures[scale], y * width, picture[slot], 0, width);
            int[] r = reference[slot];
            int[] p = picture[slot];
            if (narrow) {
                multiply(r, p, referenceSquareHigh[slot], pictureSquareHigh[slot], productHigh[slot], width);
            } else {
                multiply(r, r, referenceSquareHigh[slot], referenceSquareLow[slot], productShift, width);
                multiply(p, p, pictureSquareHigh[slot], pictureSquareLow[slot], productShift, width);
                multiply(r, p, productHigh[slot], productLow[slot], productShift, width);
            }
        }

        private int[][] order(int[][] ring, int y, int radius) {
            for (int i = 0; i < ordered.length; i++) {
                ordered[i] = null;
            }
            for (int i = -radius; i <= radius; i++) {
                ordered[i + radius] = ring[Mirror.index(y + i, height) % rows];
            }
            return ordered;
        }

        private void columns(int y, int radius) {
            int shift = VifScale.columnShift(scale, bitDepth);
            VifTaps.columns(scale, order(reference, y, radius), low, width);
            scaleDown(low, shift, referenceColumn, radius, width);
            VifTaps.columns(scale, order(picture, y, radius), low, width);
            scaleDown(low, shift, pictureColumn, radius, width);
            products(referenceSquareHigh, referenceSquareLow, y, radius, referenceSquareColumn);
            products(pictureSquareHigh, pictureSquareLow, y, radius, pictureSquareColumn);
            products(productHigh, productLow, y, radius, productColumn);
        }

        private void products(int[][] high, int[][] lows, int y, int radius, int[] into) {
            VifTaps.columns(scale, order(high, y, radius), parts, width);
            if (narrow) {
                System.arraycopy(parts, 0, into, radius, width);
            } else {
                VifTaps.columns(scale, order(lows, y, radius), low, width);
                join(parts, low, productShift, into, radius, width);
            }
            mirror(into, radius, width);
        }

        private void rowSums(int radius) {
            mirror(referenceColumn, radius, width);
            mirror(pictureColumn, radius, width);
            VifTaps.row(scale, referenceColumn, referenceMean, width);
            VifTaps.row(scale, pictureColumn, pictureMean, width);
            wideRow(referenceSquareColumn, radius, referenceSquare);
            wideRow(pictureSquareColumn, radius, pictureSquare);
            wideRow(productColumn, radius, product);
        }

        private void wideRow(int[] from, int radius, int[] into) {
            int all = width + 2 * radius;
            highParts(from, parts, all);
            VifTaps.row(scale, parts, into, width);
            lowParts(from, parts, all);
            VifTaps.row(scale, parts, low, width);
            addRounded(low, into, width);
        }

        private void addWindows() {
            long kept = 0;
            long keptLimited = 0;
            long all = 0;
            long flatVariance = 0;
            int flat = 0;
            for (int x = 0; x < width; x++) {
                long r = referenceMean[x] & 0xffffffffL;
                long p = pictureMean[x] & 0xffffffffL;
                int v = referenceSquare[x] - (int) ((r * r + (1L << 31)) >>> 32);
                int w = Math.max(pictureSquare[x] - (int) ((p * p + (1L << 31)) >>> 32), 0);
                if (v < VifScale.NOISE) {
                    flatVariance += w;
                    flat++;
                    continue;
                }
                all += logarithm(VifScale.NOISE + v) - VifScale.LOG_NOISE;
                int c = product[x] - (int) ((r * p + (1L << 31)) >>> 32);
                if (c <= 0 || w == 0) {
                    continue;
                }
                double gain = c / (v + EPSILON);
                double noiseWanted = w - gain * c;
                int noise = noiseWanted < -NEAR
                        ? 0
                        : isNearInteger(noiseWanted) ? VifGain.noise(v, w, c) : (int) noiseWanted;
                int base = noise + VifScale.NOISE;
                int baseLogarithm = logarithm(base);
                long gained;
                // With integers, the gain is above a limit exactly when the covariance is above as many variances.
                if (c > (long) VifScale.GAIN_LIMIT * v) {
                    gained = (long) VifScale.GAIN_LIMIT * VifScale.GAIN_LIMIT * v;
                } else {
                    double wanted = gain * gain * v;
                    gained = isNearInteger(wanted) ? VifGain.gained(v, w, c) : (long) wanted;
                }
                int logarithm = longLogarithm(gained + base) - baseLogarithm;
                kept += logarithm;
                keptLimited += c > v ? longLogarithm((long) v + base) - baseLogarithm : logarithm;
            }
            sums.kept += kept;
            sums.keptLimited += keptLimited;
            sums.all += all;
            sums.flatVariance += flatVariance;
            sums.flat += flat;
        }

        /** Writes a row of the next scale. */
        private void halve(int y) {
            halve(reference, references[scale + 1], y);
            halve(picture, pictures[scale + 1], y);
        }

        private void halve(int[][] ring, int[] into, int y) {
            int next = scale + 1;
            int radius = VifScale.radius(next);
            for (int i = -radius; i <= radius; i++) {
                ordered[i + radius] = ring[Mirror.index(y + i, height) % rows];
            }
            VifTaps.columns(next, ordered, low, width);
            scaleDown(low, VifScale.columnShift(scale, bitDepth), parts, radius, width);
            mirror(parts, radius, width);
            VifTaps.row(next, parts, low, width);
            int half = scales[next].width;
            int at = y / 2 * half;
            for (int x = 0; x < half; x++) {
                into[at + x] = (low[2 * x] + (1 << 15)) >>> 16;
            }
        }
    }

    private static boolean isNearInteger(double value) {
        return Math.abs(value - Math.rint(value)) < NEAR;
    }

    /** Binary logarithm of a number of at least 2^17, read as unsigned. */
    private int logarithm(int value) {
        int shift = 16 - Integer.numberOfLeadingZeros(value);
        return logarithms[(value >>> shift) - (1 << 15)] + (shift << VifScale.LOG_BITS);
    }

    private int longLogarithm(long value) {
        int shift = 48 - Long.numberOfLeadingZeros(value);
        return logarithms[(int) (value >>> shift) - (1 << 15)] + (shift << VifScale.LOG_BITS);
    }

    private static void multiply(int[] r, int[] p, int[] rr, int[] pp, int[] rp, int count) {
        for (int x = 0; x < count; x++) {
            rr[x] = r[x] * r[x];
            pp[x] = p[x] * p[x];
            rp[x] = r[x] * p[x];
        }
    }

    private static void multiply(int[] a, int[] b, int[] high, int[] low, int shift, int count) {
        int mask = (1 << shift) - 1;
        for (int x = 0; x < count; x++) {
            int product = a[x] * b[x];
            high[x] = product >>> shift;
            low[x] = product & mask;
        }
    }

    private static void scaleDown(int[] from, int shift, int[] into, int at, int count) {
        int half = 1 << (shift - 1);
        for (int x = 0; x < count; x++) {
            into[at + x] = (from[x] + half) >>> shift;
        }
    }

    private static void join(int[] high, int[] low, int shift, int[] into, int at, int count) {
        int half = 1 << (shift - 1);
        for (int x = 0; x < count; x++) {
            into[at + x] = high[x] + ((low[x] + half) >>> shift);
        }
    }

    private static void highParts(int[] from, int[] into, int count) {
        for (int x = 0; x < count; x++) {
            into[x] = from[x] >>> 16;
        }
    }

    private static void lowParts(int[] from, int[] into, int count) {
        for (int x = 0; x < count; x++) {
            into[x] = from[x] & 0xffff;
        }
    }

    private static void addRounded(int[] low, int[] into, int count) {
        for (int x = 0; x < count; x++) {
            into[x] += (low[x] + (1 << 15)) >>> 16;
        }
    }

    private static void mirror(int[] row, int radius, int width) {
        for (int i = 1; i <= radius; i++) {
            row[radius - i] = row[radius + i];
            row[width + radius - 1 + i] = row[width + radius - 1 - i];
        }
    }
}
