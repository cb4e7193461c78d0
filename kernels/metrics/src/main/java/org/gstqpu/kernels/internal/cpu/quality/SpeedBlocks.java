/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Arrays;
import org.gstqpu.kernels.internal.quality.Mirror;
import org.gstqpu.kernels.internal.quality.SpeedFigures;
import org.gstqpu.kernels.internal.quality.SpeedShape;

/**
 * Entropy and variance of the blocks of a component, as {@link SpeedFigures} compares them. Owns its working memory. Belongs to one
 * thread at a time.
 */
final class SpeedBlocks {
    private static final int SIDE = SpeedFigures.SIDE;
    private static final int SAMPLES = SpeedFigures.SAMPLES;

    private final int width;
    private final int height;
    private final int across;
    private final int down;
    private final float[] weights;
    private final float[] blurred;
    private final float[] means = new float[SAMPLES];
    private final SymmetricMatrix covariances = new SymmetricMatrix(SAMPLES);
    private final float[] samples;
    private final float[] solution;
    private final float[] scratch;
    private final float[] contrast;
    private final int blocks;

    SpeedBlocks(SpeedShape shape) {
        width = shape.width();
        height = shape.height();
        weights = shape.surroundings();
        across = width / SIDE;
        down = height / SIDE;
        blocks = across * down;
        contrast = new float[width * height];
        blurred = new float[width];
        samples = new float[SAMPLES * blocks];
        solution = new float[SAMPLES * blocks];
        scratch = new float[SAMPLES * blocks];
    }

    /**
     * Measures a component.
     *
     * @param plane the samples that {@link SpeedShape} keeps
     * @param entropies receives one of each block
     * @param variances receives one of each block
     * @return false if the blocks are so alike that they have no variance in some direction
     */
    boolean measure(float[] plane, float[] entropies, float[] variances) {
        takeSurroundings(plane);
        findCovariances();
        boolean regular = covariances.findEigenvalues();
        takeBlocks();
        if (regular) {
            regular = covariances.solve(samples, solution, blocks, scratch);
        }
        if (!regular) {
            Arrays.fill(solution, 0);
        }
        findVariances(variances);
        findEntropies(entropies, variances);
        return regular;
    }

    private void takeSurroundings(float[] plane) {
        int reach = weights.length / 2;
        for (int y = 0; y < height; y++) {
            Arrays.fill(blurred, 0);
            for (int i = 0; i < weights.length; i++) {
                int row = Mirror.index(y - reach + i, height) * width;
                for (int x = 0; x < width; x++) {
                    blurred[x] += weights[i] * plane[row + x];
                }
            }
            int at = y * width;
            for (int x = 0; x < width; x++) {
                float around = 0;
                for (int i = 0; i < weights.length; i++) {
                    around += weights[i] * blurred[Mirror.index(x - reach + i, width)];
                }
                contrast[at + x] = plane[at + x] - around;
            }
        }
    }

    /** Of each sample of a block with each other one, over all places where a block may lie. */
    private void findCovariances() {
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
                float covariance = (float) (covariance(i, j, columns, rows) / ((double) columns * rows));
                covariances.elements[i * SAMPLES + j] = covariance;
                covariances.elements[j * SAMPLES + i] = covariance;
            }
        }
    }

    private double covariance(int i, int j, int columns, int rows) {
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
    private void takeBlocks() {
        for (int i = 0; i < SAMPLES; i++) {
            for (int block = 0; block < blocks; block++) {
                int y = block / across * SIDE + i / SIDE;
                int x = block % across * SIDE + i % SIDE;
                samples[i * blocks + block] = contrast[y * width + x];
            }
        }
    }

    private void findVariances(float[] variances) {
        for (int block = 0; block < blocks; block++) {
            float sum = 0;
            for (int i = 0; i < SAMPLES; i++) {
                int at = i * blocks + block;
                sum += solution[at] * samples[at] / SAMPLES;
            }
            variances[block] = sum;
        }
    }

    private void findEntropies(float[] entropies, float[] variances) {
        for (int block = 0; block < blocks; block++) {
            float entropy = 0;
            for (int i = 0; i < SAMPLES; i++) {
                float eigenvalue = Math.max(covariances.eigenvalues[i], 0);
                entropy = (float) (entropy
                        + (SpeedFigures.log2(eigenvalue * variances[block] + SpeedFigures.NOISE)
                                + SpeedFigures.GAUSSIAN_ENTROPY));
            }
            entropies[block] = entropy;
        }
    }
}
