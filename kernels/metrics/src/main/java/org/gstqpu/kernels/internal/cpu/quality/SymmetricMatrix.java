/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Arrays;

/**
 * A symmetric matrix of covariances in single precision, its eigenvalues, and the solutions of equations with it. Each operation rounds
 * as libvmaf's does, in its order: where a matrix is nearly singular, that decides. Owns its working memory. Belongs to one thread at a
 * time.
 */
final class SymmetricMatrix {
    /** What is less, beside the numbers around it, is taken for 0; so is an eigenvalue. */
    private static final double EPSILON = 1e-6;

    private static final int MOST_STEPS = 500;

    /** The elements, row by row. */
    final float[] elements;

    /** The eigenvalues after {@link #findEigenvalues}, in no order. */
    final float[] eigenvalues;

    private final int size;
    private final float[] work;
    private final float[] beside;
    private final float[] vector;
    private final float[] product;
    private final float[] orthogonal;
    private final float[] triangular;
    private final float[] row;

    SymmetricMatrix(int size) {
        this.size = size;
        elements = new float[size * size];
        eigenvalues = new float[size];
        work = new float[size * size];
        beside = new float[size];
        vector = new float[size];
        product = new float[size];
        orthogonal = new float[size * size];
        triangular = new float[size * size];
        row = new float[size * size];
    }

    /** Finds the eigenvalues; returns false if one is too small for the matrix to be inverted. */
    boolean findEigenvalues() {
        System.arraycopy(elements, 0, work, 0, work.length);
        makeTridiagonal();
        for (int i = 0; i < size; i++) {
            eigenvalues[i] = work[i * size + i];
        }
        for (int i = 0; i < size - 1; i++) {
            beside[i] = work[(i + 1) * size + i];
        }
        makeDiagonal();
        for (float eigenvalue : eigenvalues) {
            if (eigenvalue < EPSILON) {
                return false;
            }
        }
        return true;
    }

    private static int sign(float value) {
        return value >= 0 ? 1 : -1;
    }

    private static float length(float x, float y) {
        return (float) Math.sqrt(x * x + y * y);
    }

    /** Householder's reflections clear one column after the other, but for the elements beside the diagonal. */
    private void makeTridiagonal() {
        for (int column = 0; column < size - 2; column++) {
            int first = column + 1;
            float factor = reflect(column, first);
            if (factor == 0) {
                continue;
            }
            for (int i = first; i < size; i++) {
                vector[i] = work[i * size + column];
            }
            vector[first] = 1;
            float dot = 0;
            for (int i = first; i < size; i++) {
                float sum = 0;
                for (int j = first; j < size; j++) {
                    sum += factor * work[i * size + j] * vector[j];
                }
                product[i] = sum;
            }
            for (int i = first; i < size; i++) {
                dot += product[i] * vector[i];
            }
            float share = (float) (-0.5 * factor * dot);
            for (int i = first; i < size; i++) {
                product[i] += share * vector[i];
            }
            for (int i = first; i < size; i++) {
                for (int j = first; j < size; j++) {
                    work[i * size + j] -= product[i] * vector[j] + vector[i] * product[j];
                }
            }
        }
    }

    /** Replaces the end of a column by the vector of its reflection, whose first element is 1 and not stored; returns its factor. */
    private float reflect(int column, int first) {
        float squares = 0;
        for (int i = first + 1; i < size; i++) {
            float element = work[i * size + column];
            squares += element * element;
        }
        float rest = (float) Math.sqrt(squares);
        if (rest == 0) {
            return 0;
        }
        float head = work[first * size + column];
        float reflected = -sign(head) * length(head, rest);
        float difference = head - reflected;
        if (difference != 0) {
            for (int i = first + 1; i < size; i++) {
                work[i * size + column] /= difference;
            }
            work[first * size + column] = reflected;
        }
        return (reflected - head) / reflected;
    }

    /** QR steps with shifts, on the last block that is not diagonal yet. */
    private void makeDiagonal() {
        dropSmall(0, size);
        int last = size - 1;
        int steps = 0;
        while (last > 0 && steps < MOST_STEPS) {
            if (beside[last - 1] == 0) {
                last--;
                continue;
            }
            int first = last - 1;
            while (first > 0 && beside[first - 1] != 0) {
                first--;
            }
            step(first, last - first + 1);
            dropSmall(first, last - first + 1);
            steps++;
        }
    }

    private void dropSmall(int first, int count) {
        for (int i = first; i < first + count - 1; i++) {
            if (Math.abs(beside[i]) < EPSILON * (Math.abs(eigenvalues[i]) + Math.abs(eigenvalues[i + 1]))) {
                beside[i] = 0;
            }
        }
    }

    /** The eigenvalue of the last two rows of a block that is nearer to the last element. */
    private float shift(int last) {
        float a = eigenvalues[last - 1];
        float b = eigenvalues[last];
        float off = beside[last - 1];
        float half = (a - b) / 2;
        if (half > 0) {
            return b - off * (off / (half + length(half, off)));
        }
        return half == 0 ? b - Math.abs(off) : b + off * (off / (-half + length(half, off)));
    }

    private void step(int first, int count) {
        float[] d = eigenvalues;
        float[] sd = beside;
        float shift = shift(first + count - 1);
        if (EPSILON * Math.abs(shift) > Math.abs(d[first]) + Math.abs(sd[first])) {
            shift = 0;
        }
        float x = d[first] - shift;
        float z = sd[first];
        float besideBefore = 0;
        float bulge = 0;
        float here = d[first];
        float off = sd[first];
        float next = d[first + 1];
        float nextOff = count > 2 ? sd[first + 1] : 0;
        for (int k = 0; k < count - 1; k++) {
            float c = 1;
            float s = 0;
            if (z != 0) {
                if (Math.abs(z) > Math.abs(x)) {
                    float t = -x / z;
                    s = (float) (1 / Math.sqrt(1 + t * t));
                    c = s * t;
                } else {
                    float t = -z / x;
                    c = (float) (1 / Math.sqrt(1 + t * t));
                    s = c * t;
                }
            }
            if (k > 0) {
                sd[first + k - 1] = c * besideBefore - s * bulge;
            }
            float rotated = c * (c * here - s * off) + s * (s * next - c * off);
            float between = c * (s * here + c * off) - s * (s * off + c * next);
            float rest = s * (s * here + c * off) + c * (s * off + c * next);
            d[first + k] = rotated;
            besideBefore = between;
            bulge = -s * nextOff;
            here = rest;
            off = c * nextOff;
            if (k < count - 2) {
                next = d[first + k + 2];
                sd[first + k + 1] = off;
            }
            if (k < count - 3) {
                nextOff = sd[first + k + 2];
            }
            x = besideBefore;
            z = bulge;
        }
        d[first + count - 1] = here;
        sd[first + count - 2] = besideBefore;
    }

    /**
     * Solves the equations by a QR decomposition.
     *
     * @param right right sides, {@code columns} a row
     * @param solution receives the solutions
     * @return false if the matrix cannot be inverted; the solution has no meaning then
     */
    boolean solve(float[] right, float[] solution, int columns, float[] scratch) {
        decompose();
        multiply(orthogonal, right, scratch, columns);
        for (int i = size - 1; i >= 0; i--) {
            float divisor = triangular[i * size + i];
            if (Math.abs(divisor) < EPSILON) {
                return false;
            }
            int at = i * columns;
            System.arraycopy(scratch, at, solution, at, columns);
            for (int k = i + 1; k < size; k++) {
                float factor = triangular[i * size + k];
                for (int j = 0; j < columns; j++) {
                    solution[at + j] -= solution[k * columns + j] * factor;
                }
            }
            for (int j = 0; j < columns; j++) {
                solution[at + j] /= divisor;
            }
        }
        return true;
    }

    private void multiply(float[] left, float[] right, float[] into, int columns) {
        Arrays.fill(into, 0, size * columns, 0);
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                float factor = left[i * size + k];
                for (int j = 0; j < columns; j++) {
                    into[i * columns + j] += factor * right[k * columns + j];
                }
            }
        }
    }

    /** Sets the transposed orthogonal matrix and the triangular one. */
    private void decompose() {
        System.arraycopy(elements, 0, work, 0, work.length);
        Arrays.fill(orthogonal, 0);
        for (int i = 0; i < size; i++) {
            orthogonal[i * size + i] = 1;
        }
        for (int k = 0; k < size - 1; k++) {
            for (int i = k; i < size; i++) {
                vector[i] = work[i * size + k];
            }
            vector[k] += sign(elements[k * size + k]) * norm(k);
            float norm = norm(k);
            for (int i = k; i < size; i++) {
                vector[i] /= norm;
            }
            reflectRows(work, k, k);
            reflectRows(orthogonal, k, 0);
        }
        multiply(orthogonal, elements, triangular, size);
    }

    private float norm(int first) {
        float sum = 0;
        for (int i = first; i < size; i++) {
            sum += vector[i] * vector[i];
        }
        return (float) Math.sqrt(sum);
    }

    /** Multiplies the rows from {@code first} by the reflection of {@link #vector}, from a column on. */
    private void reflectRows(float[] matrix, int first, int firstColumn) {
        Arrays.fill(row, first * size, size * size, 0);
        for (int i = first; i < size; i++) {
            for (int k = first; k < size; k++) {
                float factor = -2 * vector[i] * vector[k];
                if (i == k) {
                    factor += 1;
                }
                for (int j = firstColumn; j < size; j++) {
                    row[i * size + j] += factor * matrix[k * size + j];
                }
            }
        }
        for (int i = first; i < size; i++) {
            System.arraycopy(row, i * size + firstColumn, matrix, i * size + firstColumn, size - firstColumn);
        }
    }
}
