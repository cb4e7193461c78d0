/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.Arrays;

/**
 * Entropy and variance of the blocks of a component, as {@link SpeedFigures} compares them. Owns its working memory. Belongs to one
 * thread at a time.
 */
final class SpeedBlocks {
    /** Samples of a block, each way. */
    static final int SIDE = 5;

    static final int SAMPLES = SIDE * SIDE;

    /** Entropy of a Gaussian of variance 1, twice. */
    static final double GAUSSIAN_ENTROPY = log2(2 * Math.PI * Math.E);

    /** Standard deviation of the blur that a sample's surroundings are. */
    private static final float DEVIATION = 0.6f;

    private final int width;
    private final int height;
    private final int across;
    private final int down;
    private final float[] weights = SpeedShape.gaussian(3, DEVIATION);
    private final float[] blurred;
    private final float[] means = new float[SAMPLES];
    private final SymmetricMatrix covariances = new SymmetricMatrix(SAMPLES);
    private final float[] samples;
    private final float[] solution;
    private final float[] scratch;

    /** For each block. */
    final float[] entropies;

    /** For each block. */
    final float[] variances;

    SpeedBlocks(int width, int height) {
        this.width = width;
        this.height = height;
        across = width / SIDE;
        down = height / SIDE;
        int blocks = across * down;
        blurred = new float[width];
        samples = new float[SAMPLES * blocks];
        solution = new float[SAMPLES * blocks];
        scratch = new float[SAMPLES * blocks];
        entropies = new float[blocks];
        variances = new float[blocks];
    }

    static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }

    /**
     * Measures a component.
     *
     * @param plane the samples that {@link SpeedShape} keeps
     * @param contrast receives them without their surroundings
     * @return false if the blocks are so alike that they have no variance in some direction
     */
    boolean measure(float[] plane, float[] contrast) {
        takeSurroundings(plane, contrast);
        findCovariances(contrast);
        boolean regular = covariances.findEigenvalues();
        takeBlocks(contrast);
        if (regular) {
            regular = covariances.solve(samples, solution, variances.length, scratch);
        }
        if (!regular) {
            Arrays.fill(solution, 0);
        }
        findVariances();
        findEntropies();
        return regular;
    }

    private void takeSurroundings(float[] plane, float[] contrast) {
        for (int y = 0; y < height; y++) {
            int above = Mirror.index(y - 1, height) * width;
            int below = Mirror.index(y + 1, height) * width;
            int at = y * width;
            for (int x = 0; x < width; x++) {
                blurred[x] = weights[0] * plane[above + x] + weights[1] * plane[at + x] + weights[2] * plane[below + x];
            }
            for (int x = 0; x < width; x++) {
                float around = weights[0] * blurred[Mirror.index(x - 1, width)]
                        + weights[1] * blurred[x]
                        + weights[2] * blurred[Mirror.index(x + 1, width)];
                contrast[at + x] = plane[at + x] - around;
            }
        }
    }

    /** Of each sample of a block with each other one, over all places where a block may lie. */
    private void findCovariances(float[] contrast) {
        int columns = across * SIDE - SIDE + 1;
        int rows = down * SIDE - SIDE + 1;
        float places = columns * rows;
        for (int i = 0; i < SAMPLES; i++) {
            float sum = 0;
            for (int y = 0; y < rows; y++) {
                int at = (y + i / SIDE) * width + i % SIDE;
                for (int x = 0; x < columns; x++) {
                    sum += contrast[at + x];
                }
            }
            means[i] = sum / places;
        }
        for (int i = 0; i < SAMPLES; i++) {
            for (int j = 0; j <= i; j++) {
                float covariance = (float) (covariance(contrast, i, j, columns, rows) / ((double) columns * rows));
                covariances.elements[i * SAMPLES + j] = covariance;
                covariances.elements[j * SAMPLES + i] = covariance;
            }
        }
    }

    private double covariance(float[] contrast, int i, int j, int columns, int rows) {
        double meanI = means[i];
        double meanJ = means[j];
        double sum = 0;
        for (int y = 0; y < rows; y++) {
            int atI = (y + i / SIDE) * width + i % SIDE;
            int atJ = (y + j / SIDE) * width + j % SIDE;
            for (int x = 0; x < columns; x++) {
                sum += (contrast[atI + x] - meanI) * (contrast[atJ + x] - meanJ);
            }
        }
        return sum;
    }

    /** Row i has sample i of each block. */
    private void takeBlocks(float[] contrast) {
        int blocks = variances.length;
        for (int i = 0; i < SAMPLES; i++) {
            for (int block = 0; block < blocks; block++) {
                int y = block / across * SIDE + i / SIDE;
                int x = block % across * SIDE + i % SIDE;
                samples[i * blocks + block] = contrast[y * width + x];
            }
        }
    }

    private void findVariances() {
        int blocks = variances.length;
        for (int block = 0; block < blocks; block++) {
            float sum = 0;
            for (int i = 0; i < SAMPLES; i++) {
                int at = i * blocks + block;
                sum += solution[at] * samples[at] / SAMPLES;
            }
            variances[block] = sum;
        }
    }

    private void findEntropies() {
        for (int block = 0; block < entropies.length; block++) {
            float entropy = 0;
            for (int i = 0; i < SAMPLES; i++) {
                float eigenvalue = Math.max(covariances.eigenvalues[i], 0);
                entropy = (float)
                        (entropy + (log2(eigenvalue * variances[block] + SpeedFigures.NOISE) + GAUSSIAN_ENTROPY));
            }
            entropies[block] = entropy;
        }
    }
}
