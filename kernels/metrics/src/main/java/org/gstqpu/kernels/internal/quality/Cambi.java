/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;

/**
 * The contrast-aware multiscale banding index (Tandon, Afonso, Sole, Krasula, <i>CAMBI: Contrast-aware multiscale banding index</i>,
 * 2021) as libvmaf 3.2 computes it. Of a picture that was scaled after it was encoded, it sees as many samples as were encoded, of 10 bits. Where a sample and most of those around it equal their neighbours,
 * it counts: its contrast is found among the samples of a window that count, too. What the greatest contrasts of five scales add up to is
 * the figure. Immutable.
 */
public final class Cambi {
    public static final int SCALES = 5;

    /** In place of a scale: all samples that were encoded. */
    public static final int WHOLE = -1;

    /** Steps of luma that may be seen as a band, from 1. */
    public static final int STEPS = 4;

    /** Bits of a sample here. */
    public static final int BITS = 10;

    /** Distance of the outermost sample of the square that decides whether a sample counts. */
    public static final int MASK_RADIUS = 3;

    /** The least contrast but 0: of one sample beside another one. */
    public static final float LEAST_CONTRAST = 0.5f;

    private static final int[] SCALE_WEIGHTS = {16, 8, 4, 2, 1};
    private static final int[] STEP_WEIGHTS = {1, 2, 3, 4};
    private static final double POOLED = 0.6;
    private static final double GREATEST = 17;

    /** A step is seen where its luminance differs by more than this share. */
    private static final double SEEN_SHARE = 0.019;

    /** Below this luminance, in cd/m2, nothing is seen. */
    private static final double LEAST_LUMINANCE = 0.06;

    // ITU-R BT.1886: exponent, luminance of white and of black; and the limited range of 10 bits.
    private static final double GAMMA = 2.4;
    private static final double WHITE = 300;
    private static final double BLACK = 0.01;
    private static final int FOOT = 64;
    private static final int HEAD = 940;

    /** Side of the window in pictures of 3840x2160, with 16 times the sum of its sides. */
    private static final int WINDOW = 65;

    private static final int WINDOW_DIVISOR = 375;

    /** Samples a row of {@link MetricOptions#speedUp} rows, at 16:9. */
    private static final int SIXTEENTHS = 16;

    private static final int NINTHS = 9;

    /** Of so many bits and more, dither is not smoothed. */
    private static final int UNDITHERED_BITS = 10;

    private final int pictureWidth;
    private final int pictureHeight;
    private final int width;
    private final int height;
    private final boolean smoothed;
    private final boolean halved;
    private final int window;
    private final int[] brightest = new int[STEPS];
    private final float[] reciprocals;
    private final int darkest;

    /**
     * The index of pictures.
     *
     * @param pictureWidth luma samples a row
     * @param pictureHeight luma rows
     * @param bitDepth bits of a sample
     */
    public Cambi(MetricOptions options, int bitDepth, int pictureWidth, int pictureHeight) {
        this.pictureWidth = pictureWidth;
        this.pictureHeight = pictureHeight;
        boolean scaled = options.wereScaled(pictureWidth, pictureHeight);
        width = scaled ? options.encWidth() : pictureWidth;
        height = scaled ? options.encHeight() : pictureHeight;
        smoothed = (options.encBits() == 0 ? bitDepth : options.encBits()) < UNDITHERED_BITS;
        halved = options.speedUp() > 0 && width * height >= options.speedUp() * SIXTEENTHS / NINTHS * options.speedUp();
        int side = (WINDOW * (width + height) / WINDOW_DIVISOR) >> 4;
        window = (halved ? (side + 1) >> 1 : side) | 1;
        for (int step = 1; step <= STEPS; step++) {
            brightest[step - 1] = brightest(step);
        }
        int sample = FOOT;
        while (luminance(sample) < LEAST_LUMINANCE) {
            sample++;
        }
        darkest = sample == FOOT ? 0 : sample;
        reciprocals = new float[window * window + 1];
        for (int i = 1; i < reciprocals.length; i++) {
            reciprocals[i] = 1f / i;
        }
    }

    /** True if samples are smoothed, as dither would hide bands from the index but not from the eye. */
    public boolean isSmoothed() {
        return smoothed;
    }

    /** For each column that was encoded, that of the picture. */
    public int[] columns() {
        return nearest(pictureWidth, width);
    }

    /** For each row that was encoded, that of the picture. */
    public int[] rows() {
        return nearest(pictureHeight, height);
    }

    /** In libvmaf's order of rounding. */
    private static int[] nearest(int size, int encoded) {
        int[] nearest = new int[encoded];
        float ratio = (float) size / encoded;
        float place = (float) (ratio / 2 - 0.5);
        for (int i = 0; i < encoded; i++) {
            nearest[i] = (int) (place + 0.5);
            place += ratio;
        }
        return nearest;
    }

    private static double luminance(int sample) {
        double black = Math.pow(BLACK, 1 / GAMMA);
        double range = Math.pow(WHITE, 1 / GAMMA) - black;
        double level = (double) (Math.min(Math.max(sample, FOOT), HEAD) - FOOT) / (HEAD - FOOT);
        return Math.pow(range, GAMMA) * Math.pow(level + black / range, GAMMA);
    }

    private static boolean isSeen(int sample, int step) {
        double from = luminance(sample);
        return luminance(sample + step) - from > SEEN_SHARE * from;
    }

    /** The brightest sample at which a step is seen. */
    private static int brightest(int step) {
        int sample = FOOT;
        while (isSeen(sample, step)) {
            if (sample == HEAD - step) {
                return (1 << BITS) - 1;
            }
            sample++;
        }
        return sample == FOOT ? 0 : sample - 1;
    }

    /** Samples a row of {@link #WHOLE}, or of a scale. */
    public int width(int scale) {
        return size(width, scale);
    }

    /** Rows of {@link #WHOLE}, or of a scale. */
    public int height(int scale) {
        return size(height, scale);
    }

    private int size(int full, int scale) {
        int size = full;
        for (int i = halved ? -1 : 0; i < scale; i++) {
            size = (size + 1) >> 1;
        }
        return size;
    }

    /** True if the first scale, too, has half the samples each way. */
    public boolean isHalved() {
        return halved;
    }

    /** Samples from the centre of a window to its outermost. */
    public int windowRadius() {
        return window >> 1;
    }

    /** A sample counts if more than so many in its square equal their neighbours. */
    public int maskLevel() {
        int blocks = (width >> 6) * (height >> 6);
        int bits = blocks == 0 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(blocks - 1);
        int side = 2 * MASK_RADIUS + 1;
        return (side * side + 3 * (bits - 11) - 1) >> 1;
    }

    /** The brightest sample at which a step counts; the first step is number 0. */
    public int brightestOf(int step) {
        return brightest[step];
    }

    /** The darkest sample at which a step counts; the first step is number 0. */
    public int darkestOf(int step) {
        return darkest - STEPS - step;
    }

    /** The reciprocals of the numbers of samples in a window, from 0, which has none. */
    public float[] reciprocals() {
        return reciprocals.clone();
    }

    /** Weight of a step, from number 0. */
    public static int weight(int step) {
        return STEP_WEIGHTS[step];
    }

    /**
     * The contrast of a sample to those that differ from it by a step.
     *
     * @param own samples of the window that equal it, itself included
     * @param others the greater of the numbers of those that are a step brighter and a step darker
     */
    public float contrast(int step, int own, int others) {
        return (float) (STEP_WEIGHTS[step] * own * others) * reciprocals[own + others];
    }

    /** How many of the greatest contrasts of a scale count. */
    public int pooled(int scale) {
        int samples = width(scale) * height(scale);
        return Math.max((int) (POOLED * samples), 1);
    }

    /**
     * Sets the figure of a picture.
     *
     * @param sums of the greatest contrasts of each scale
     */
    public void put(double[] sums, QualityFigures figures) {
        double sum = 0;
        for (int scale = 0; scale < SCALES; scale++) {
            sum += sums[scale] / pooled(scale) * SCALE_WEIGHTS[scale];
        }
        figures.set(QualityFeature.CAMBI, Math.min(sum / (window * window), GREATEST));
    }
}
